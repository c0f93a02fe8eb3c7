// Activities: what is scheduled, what comes back, and steps taken one after the other.
import { decodeArguments } from '@durable-workflow/codec'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ActivityFailure, activity, CancellationFailure, TimeoutFailure, type, workflow } from '../../src/index.ts'
import { cold, completed, event, failed, history, numbered, openReplay, scheduled } from './history.ts'
import { charge, outcomes } from './shop.ts'

describe('activity', () => {
  const flow = workflow('flow', { input: type<number>(), output: type<string>() }, async (ctx, cents) => {
    const paid = await ctx.run(charge, { cents })
    return `${paid}!`
  })

  it('is scheduled with everything the contract says and the default retry policy written out', async () => {
    const step = await cold(flow, history(), { input: [7] })
    expect(step.steps).toEqual([1])
    const [command] = step.commands
    expect(command).toEqual({
      type: 'schedule_activity',
      activity_type: 'charge',
      queue: 'orders',
      arguments: expect.anything(),
      start_to_close_timeout: 30,
      retry_policy: { max_attempts: 2_147_483_647, backoff_seconds: [1, 2, 4, 8, 16, 32, 64, 100] },
    })
    expect(command?.type === 'schedule_activity' && decodeArguments(command.arguments)).toEqual([{ cents: 7 }])
    expect(step.outcome).toEqual({ kind: 'waiting' })
  })

  it('is not scheduled again while it is recorded and open', async () => {
    const step = await cold(flow, history(scheduled(1, 'charge'), event('ActivityStarted', { sequence: 1 })), {
      input: [7],
    })
    expect(step).toMatchObject({ commands: [], outcome: { kind: 'waiting' } })
  })

  it('hands its output to the code that waits', async () => {
    const step = cold(flow, history(scheduled(1, 'charge'), completed(1, 'p1')), { input: [7] })
    expect(await outcomes(step)).toEqual({ kind: 'completed', types: ['complete_workflow'], result: 'p1!' })
  })

  it('does not show retries to the code', async () => {
    const retry = event('ActivityRetryScheduled', { sequence: 1, retry_after_attempt: 1, message: 'try again' })
    const step = cold(flow, history(scheduled(1, 'charge'), retry, completed(1, 'p2')), { input: [7] })
    expect((await outcomes(step)).result).toBe('p2!')
  })

  it('takes the first of two equal ends and lets the second pass', async () => {
    const step = cold(flow, history(scheduled(1, 'charge'), completed(1, 'p1'), completed(1, 'p1')), { input: [7] })
    expect((await outcomes(step)).result).toBe('p1!')
  })

  it('writes options of the call over those of the contract, sub-second values rounded up or exact by capability', async () => {
    const precise = workflow('precise', {}, async (ctx) => {
      await ctx.run(
        charge,
        { cents: 1 },
        {
          taskQueue: 'fast',
          startToCloseTimeout: 1_500,
          heartbeatTimeout: '500ms',
          retry: { maximumAttempts: 3, initialInterval: 250, nonRetryableErrorTypes: ['CardDeclined'] },
        },
      )
    })
    const rounded = { start_to_close_timeout: 2, heartbeat_timeout: 1, queue: 'fast' }
    const retry = { max_attempts: 3, backoff_seconds: [1, 1], non_retryable_error_types: ['CardDeclined'] }
    const plain = await cold(precise, history())
    expect(plain.commands[0]).toMatchObject({ ...rounded, retry_policy: retry })
    expect(plain.commands[0]).not.toHaveProperty('start_to_close_timeout_ms')
    const exact = await cold(precise, history(), { capabilities: { millisecondDurations: true } })
    expect(exact.commands[0]).toMatchObject({
      ...rounded,
      start_to_close_timeout_ms: 1_500,
      heartbeat_timeout_ms: 500,
      retry_policy: { ...retry, backoff_ms: [250, 500] },
    })
  })

  it.each([
    ['startToCloseTimeout', { startToCloseTimeout: 0 }, /startToCloseTimeout of activity "charge" is 0/],
    ['heartbeat above its limit', { heartbeatTimeout: '1m' }, /heartbeatTimeout of activity "charge" is 60000 ms/],
    ['attempts', { retry: { maximumAttempts: 0 } }, /maximumAttempts is 0/],
    ['coefficient', { retry: { backoffCoefficient: 0.5 } }, /backoffCoefficient is 0.5/],
  ] as const)('refuses an option out of its range: %s', async (_name, options, message) => {
    const wrong = workflow('wrong', {}, async (ctx) => ctx.run(charge, { cents: 1 }, options))
    const step = await cold(wrong, history())
    expect(step.commands).toEqual([
      expect.objectContaining({
        type: 'fail_workflow',
        exception_type: 'ContractError',
        message: expect.stringMatching(message),
      }),
    ])
  })

  it.each([
    [
      'ActivityFailed',
      failed(1, 'declined', { exception_type: 'CardDeclined', non_retryable: true }),
      ActivityFailure,
      { type: 'CardDeclined', message: 'declined', nonRetryable: true },
    ],
    [
      'ActivityTimedOut',
      event('ActivityTimedOut', {
        sequence: 1,
        activity_type: 'charge',
        timeout_kind: 'start_to_close',
        message: 'too slow',
      }),
      TimeoutFailure,
      { kind: 'start_to_close', message: 'too slow' },
    ],
    [
      'ActivityCancelled',
      event('ActivityCancelled', { sequence: 1, activity_type: 'charge' }),
      CancellationFailure,
      { message: 'activity "charge" was cancelled' },
    ],
  ] as const)('throws %s as its own failure, with the foreign type and message', async (_name, end, failure, facts) => {
    let caught: unknown
    const catching = workflow('catching', { output: type<string>() }, async (ctx) => {
      try {
        return await ctx.run(charge, { cents: 1 })
      } catch (error) {
        caught = error
        return 'caught'
      }
    })
    const step = cold(catching, history(scheduled(1, 'charge'), end))
    expect((await outcomes(step)).result).toBe('caught')
    expect(caught).toBeInstanceOf(failure)
    expect(failure.is(caught)).toBe(true)
    expect(caught).toMatchObject(facts)
  })

  it('carries the failure that left the function, with the step and execution it came from', async () => {
    const end = failed(1, 'declined', {
      exception_type: 'CardDeclined',
      activity_execution_id: 'act-1',
      activity_attempt_id: 'att-1',
    })
    const step = await cold(flow, history(scheduled(1, 'charge'), end), { input: [7] })
    expect(step.outcome).toEqual({ kind: 'failed' })
    expect(step.commands).toEqual([
      {
        type: 'fail_workflow',
        message: 'declined',
        exception_type: 'CardDeclined',
        exception_class: 'ActivityFailure',
        non_retryable: false,
        exception: {
          type: 'CardDeclined',
          class: 'ActivityFailure',
          message: 'declined',
          activity_type: 'charge',
          activity_attempt_id: 'att-1',
        },
        failed_step_sequence: 1,
        failed_activity_execution_id: 'act-1',
      },
    ])
  })

  it('refuses a payload above the limit by failing the task, not the run', async () => {
    const step = cold(flow, history(), { input: [7], payloadBytesMax: 10 })
    await expect(step).rejects.toMatchObject({
      name: 'PayloadTooLargeError',
      reason: 'payload_too_large',
      facts: { bytesMax: 10 },
    })
  })

  it('spreads the arguments of the args form', async () => {
    const resize = activity('resize', { args: [z.string(), z.int()] })
    const images = workflow('images', {}, async (ctx) => ctx.run(resize, ['a.png', 200]))
    const [command] = (await cold(images, history())).commands
    expect(command?.type === 'schedule_activity' && decodeArguments(command.arguments)).toEqual(['a.png', 200])
  })
})

describe('steps of one replay', () => {
  const flow = workflow('flow', { output: type<string>() }, async (ctx) => ctx.run(charge, { cents: 7 }))

  it('hands out each command once, whether or not history shows it yet', async () => {
    const { replay } = openReplay(flow)
    expect((await replay.step(history(), {})).commands).toHaveLength(1)
    expect((await replay.step([], {})).commands).toEqual([])
    expect((await replay.step(numbered([scheduled(1, 'charge')], 2), {})).commands).toEqual([])
    expect(replay.lastSequence).toBe(2)
    expect((await outcomes(replay.step(numbered([completed(1, 'p1')], 3), {}))).result).toBe('p1')
  })

  it('take no second opening of a step that has ended', async () => {
    const again = workflow('again', {}, async (ctx) => {
      await ctx.run(charge, { cents: 1 })
      await ctx.run(charge, { cents: 2 })
    })
    const late = [
      scheduled(1, 'charge'),
      completed(1, 'p1'),
      event('ActivityStarted', { sequence: 1 }),
      scheduled(1, 'charge'),
    ]
    expect(await cold(again, history(...late))).toMatchObject({ steps: [2], outcome: { kind: 'waiting' } })
  })
})
