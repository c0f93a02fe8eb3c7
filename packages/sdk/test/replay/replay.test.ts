// Concerns, in order: single calls, signals, conditions, concurrency, endings, messages, logging and time, misuse.
// Method: history in, commands out. `cold` replays a whole history; steps of one replay are named `sticky`.
import { decodeArguments, decodeEnvelope, encodeEnvelope } from '@durable-workflow/codec'
import type { Command } from '@durable-workflow/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { failureFromWire } from '../../src/authoring/failure-wire.ts'
import {
  ActivityFailure,
  activity,
  CancellationFailure,
  query,
  signal,
  TimeoutFailure,
  type,
  WorkflowFailure,
  workflow,
} from '../../src/index.ts'
import {
  applied,
  cold,
  completed,
  conditionOpened,
  conditionTimedOut,
  drain,
  event,
  failed,
  history,
  numbered,
  openReplay,
  received,
  scheduled,
  signalOpened,
  signalTimedOut,
  startedAt,
  timerFired,
  timerScheduled,
} from './history.ts'

const charge = activity('charge', {
  input: type<{ cents: number }>(),
  output: type<string>(),
  startToCloseTimeout: '30s',
})
const email = activity('email', { input: type<string>() })
const approved = signal('approved', z.object({ by: z.string() }))
const nudged = signal('nudged')
const status = query('status', { output: z.string() })

function resultOf(command: Command | undefined): unknown {
  return command?.type === 'complete_workflow' ? decodeEnvelope(command.result) : command
}

const outcomes = async (steps: Promise<{ commands: readonly Command[]; outcome: { kind: string } }>) => {
  const { commands, outcome } = await steps
  return { kind: outcome.kind, types: commands.map((command) => command.type), result: resultOf(commands.at(-1)) }
}

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

describe('timer', () => {
  const nap = workflow('nap', { output: type<number>() }, async (ctx) => {
    await ctx.sleep('90s')
    return ctx.now()
  })

  it('starts with whole seconds and fires once', async () => {
    expect((await cold(nap, history())).commands).toEqual([{ type: 'start_timer', delay_seconds: 90 }])
    expect((await cold(nap, history(timerScheduled(1, 90)))).commands).toEqual([])
    const step = cold(nap, history(timerScheduled(1, 90), timerFired(1, 90)))
    expect((await outcomes(step)).result).toBe(startedAt + 2_000)
  })

  it('sleeps until an instant, measured by deterministic time; at once when it has passed', async () => {
    const until = (instant: number) => workflow('until', {}, async (ctx) => ctx.sleepUntil(new Date(instant)))
    expect((await cold(until(startedAt + 5_000), history())).commands).toEqual([
      { type: 'start_timer', delay_seconds: 5 },
    ])
    expect((await cold(until(0), history())).commands).toEqual([{ type: 'start_timer', delay_seconds: 0 }])
  })

  it('says once that a server without milliseconds stretches a duration below a second', async () => {
    const blink = workflow('blink', {}, async (ctx) => {
      await Promise.all([ctx.sleep(10), ctx.sleep(20)])
    })
    const { replay, lines } = openReplay(blink)
    const { commands } = await replay.step(history(), {})
    expect(commands.map((command) => command.type === 'start_timer' && command.delay_seconds)).toEqual([1, 1])
    expect(lines.filter((line) => line.level === 'warn')).toHaveLength(1)
  })
})

describe('signal wait', () => {
  const wait = workflow('wait', { output: type<string>(), handles: [approved] }, async (ctx) => {
    const first = await ctx.waitFor(approved)
    const second = await ctx.waitFor(approved, { timeout: '3s' })
    return `${first.by}+${second?.by ?? 'nobody'}`
  })
  const first = [
    signalOpened(1, 'approved'),
    received('s1', 'approved', { by: 'ada' }),
    applied(1, 's1', 'approved', { by: 'ada' }),
  ]

  it('opens once for every call; the timeout travels in seconds', async () => {
    expect((await cold(wait, history())).commands).toEqual([{ type: 'open_signal_wait', signal_name: 'approved' }])
    expect((await cold(wait, history(signalOpened(1, 'approved')))).commands).toEqual([])
    expect((await cold(wait, history(...first))).commands).toEqual([
      { type: 'open_signal_wait', signal_name: 'approved', timeout_seconds: 3 },
    ])
  })

  it('takes the value of the SignalApplied at its step, not of a signal that merely came', async () => {
    const early = [received('s1', 'approved', { by: 'ada' }), received('s2', 'approved', { by: 'bob' })]
    const rest = [
      signalOpened(1, 'approved'),
      applied(1, 's2', 'approved', { by: 'bob' }),
      signalOpened(2, 'approved'),
      applied(2, 's1', 'approved', { by: 'ada' }),
    ]
    expect((await outcomes(cold(wait, history(...early, ...rest)))).result).toBe('bob+ada')
  })

  it('gives undefined when the timeout passes first', async () => {
    const step = cold(wait, history(...first, signalOpened(2, 'approved'), signalTimedOut(2, 'approved')))
    expect((await outcomes(step)).result).toBe('ada+nobody')
  })

  it('takes the signal a task resumes for, where history shows it as applied only with the completion', async () => {
    const task = { resumeSourceKind: 'workflow_signal', openWaitId: 'signal-application:s1' }
    const seen = history(signalOpened(1, 'approved'), received('s1', 'approved', { by: 'ada' }))
    const { replay } = openReplay(wait)
    const step = await replay.step(seen, task)
    expect(step).toMatchObject({ appliedSignal: true, commands: [{ type: 'open_signal_wait', timeout_seconds: 3 }] })
    const tail = numbered(
      [applied(1, 's1', 'approved', { by: 'ada' }), signalOpened(2, 'approved'), signalTimedOut(2, 'approved')],
      seen.length + 1,
    )
    expect((await outcomes(replay.step(tail, {}))).result).toBe('ada+nobody')
  })

  it('takes a signal once, also when a task still names it', async () => {
    const task = { resumeSourceKind: 'workflow_signal', openWaitId: 'signal-application:s1' }
    const step = await cold(wait, history(...first, signalOpened(2, 'approved')), { task })
    expect(step).toMatchObject({ appliedSignal: false, commands: [], outcome: { kind: 'waiting' } })
  })

  it('throws at the waiting code what does not fit the contract', async () => {
    const step = await cold(
      wait,
      history(signalOpened(1, 'approved'), received('s1', 'approved', 7), applied(1, 's1', 'approved', 7)),
    )
    expect(step.commands).toEqual([expect.objectContaining({ type: 'fail_workflow', exception_type: 'ContractError' })])
  })

  it('iterates messages with one wait each', async () => {
    const loop = workflow('loop', { output: type<string[]>(), handles: [approved] }, async (ctx) => {
      const names: string[] = []
      for await (const message of ctx.messages(approved)) {
        names.push(message.by)
        if (names.length === 2) break
      }
      return names
    })
    const second = [
      signalOpened(2, 'approved'),
      received('s2', 'approved', { by: 'bob' }),
      applied(2, 's2', 'approved', { by: 'bob' }),
    ]
    expect((await outcomes(cold(loop, history(...first, ...second)))).result).toEqual(['ada', 'bob'])
  })
})

describe('signal handler', () => {
  const collecting = workflow(
    'collecting',
    { output: type<string[]>(), handles: [approved, nudged, status] },
    async (ctx) => {
      const names: string[] = []
      ctx.handle(status, () => names.join())
      ctx.handle(approved, (message) => void names.push(message.by))
      await ctx.condition(() => names.length >= 2)
      return names
    },
  )

  it('reads SignalReceived in history order, also signals that came before it was set', async () => {
    const late = workflow('late', { output: type<string[]>(), handles: [approved] }, async (ctx) => {
      await ctx.sleep('1s')
      const names: string[] = []
      ctx.handle(approved, (message) => void names.push(message.by))
      await ctx.condition(() => names.length === 3)
      return names
    })
    const events = [
      timerScheduled(1, 1),
      received('s1', 'approved', { by: 'ada' }),
      received('s2', 'approved', { by: 'bob' }),
      timerFired(1, 1),
      conditionOpened(2),
      received('s3', 'approved', { by: 'eve' }),
    ]
    expect((await outcomes(cold(late, history(...events)))).result).toEqual(['ada', 'bob', 'eve'])
  })

  it('leaves out a signal that does not fit its contract and says so; the run goes on', async () => {
    const { replay, lines } = openReplay(collecting)
    const events = [
      conditionOpened(1),
      received('s1', 'approved', 7),
      received('s2', 'approved', { by: 'ada' }),
      received('s3', 'approved', { by: 'bob' }),
    ]
    expect((await outcomes(replay.step(history(...events), {}))).result).toEqual(['ada', 'bob'])
    expect(lines).toEqual([
      expect.objectContaining({ level: 'error', message: expect.stringContaining('"approved" was left out') }),
    ])
  })

  it('may await durable calls, and fails the run with what it throws', async () => {
    const branching = workflow('branching', { handles: [nudged] }, async (ctx) => {
      ctx.handle(nudged, async () => {
        await ctx.run(charge, { cents: 1 })
      })
      await ctx.sleep('1h')
    })
    const open = [timerScheduled(1, 3_600), received('s1', 'nudged')]
    expect((await cold(branching, history(...open))).commands).toMatchObject([{ type: 'schedule_activity' }])
    const step = await cold(branching, history(...open, scheduled(2, 'charge'), failed(2, 'declined')))
    expect(step).toMatchObject({
      outcome: { kind: 'failed' },
      commands: [{ type: 'fail_workflow', message: 'declined' }],
    })
  })

  it('is the only reader of its signal', async () => {
    const both = workflow('both', { handles: [approved] }, async (ctx) => {
      ctx.handle(approved, () => undefined)
      await ctx.waitFor(approved)
    })
    await expect(cold(both, history())).rejects.toMatchObject({
      name: 'GuardError',
      reason: 'signal_handled_and_awaited',
    })
  })
})

describe('condition', () => {
  const condition = workflow('condition', { output: type<string>(), handles: [nudged] }, async (ctx) => {
    let nudges = 0
    ctx.handle(nudged, () => {
      nudges += 1
    })
    const held = await ctx.condition(() => nudges >= 2, { timeout: '60s' })
    return held ? 'nudged' : 'gave up'
  })
  const open = conditionOpened(1, 60)

  it('opens once with its step number as key, and takes no step when it holds already', async () => {
    expect((await cold(condition, history())).commands).toEqual([
      { type: 'open_condition_wait', condition_key: '1', timeout_seconds: 60 },
    ])
    const early = [received('s1', 'nudged'), received('s2', 'nudged')]
    const holding = workflow('holding', { handles: [nudged] }, async (ctx) => {
      await ctx.condition(() => true)
      await ctx.sleep('1s')
    })
    expect((await cold(holding, history(...early))).commands).toEqual([{ type: 'start_timer', delay_seconds: 1 }])
  })

  it('still false after a wake: no command, no second opening', async () => {
    expect((await cold(condition, history(open, received('s1', 'nudged')))).commands).toEqual([])
  })

  it('goes on when the predicate holds, without any row that says so, and names the wait it passed', async () => {
    const step = await cold(condition, history(open, received('s1', 'nudged'), received('s2', 'nudged')))
    expect(resultOf(step.commands[0])).toBe('nudged')
    expect(step.resolvedWaits).toEqual([1])
  })

  it('names a wait it passed with the next commands, since a waiting acknowledgement cannot', async () => {
    const beside = workflow('beside', { handles: [nudged] }, async (ctx) => {
      let nudges = 0
      ctx.handle(nudged, () => {
        nudges += 1
      })
      await Promise.all([ctx.condition(() => nudges > 0), ctx.sleep('1h')])
      await ctx.sleep('1s')
    })
    const { replay } = openReplay(beside)
    const rows = history(conditionOpened(1), timerScheduled(2, 3_600), received('s1', 'nudged'))
    expect(await replay.step(rows, {})).toMatchObject({ commands: [], resolvedWaits: [] })
    const fired = numbered([timerFired(2, 3_600)], rows.length + 1)
    expect(await replay.step(fired, {})).toMatchObject({ commands: [{ type: 'start_timer' }], resolvedWaits: [1] })
  })

  it('is not ended by ConditionWaitSatisfied: the predicate is asked over the same history', async () => {
    const satisfied = event('ConditionWaitSatisfied', { sequence: 1, condition_wait_id: 'condition-1' })
    expect((await cold(condition, history(open, received('s1', 'nudged'), satisfied))).outcome).toEqual({
      kind: 'waiting',
    })
    const passed = await cold(condition, history(open, received('s1', 'nudged'), received('s2', 'nudged'), satisfied))
    expect(passed).toMatchObject({ outcome: { kind: 'completed' }, resolvedWaits: [] })
  })

  it.each([
    ['TimerFired', [conditionTimedOut(1)]],
    [
      'TimerFired with its timer row',
      [
        event('TimerScheduled', { sequence: 1, timer_id: 't', delay_seconds: 60, timer_kind: 'condition_timeout' }),
        event('TimerFired', { sequence: 1, timer_id: 't', delay_seconds: 60 }),
      ],
    ],
    ['ConditionWaitTimedOut', [event('ConditionWaitTimedOut', { sequence: 1, condition_wait_id: 'condition-1' })]],
  ])('answers false on %s', async (_name, end) => {
    expect((await outcomes(cold(condition, history(open, received('s1', 'nudged'), ...end)))).result).toBe('gave up')
  })

  it('is not asked again once it has timed out', async () => {
    let asked = 0
    const patient = workflow('patient', { handles: [nudged] }, async (ctx) => {
      let nudges = 0
      ctx.handle(nudged, () => {
        nudges += 1
      })
      await ctx.condition(
        () => {
          asked += 1
          return nudges > 0
        },
        { timeout: '60s' },
      )
      await ctx.sleep('1h')
    })
    const step = await cold(
      patient,
      history(open, conditionTimedOut(1), timerScheduled(2, 3_600), received('s1', 'nudged')),
    )
    expect(step).toMatchObject({ outcome: { kind: 'waiting' }, resolvedWaits: [] })
    expect(asked).toBe(2)
  })

  it('keeps to the row that came first when signal and timeout meet', async () => {
    const before = history(open, received('s1', 'nudged'), received('s2', 'nudged'), conditionTimedOut(1))
    const after = history(open, received('s1', 'nudged'), conditionTimedOut(1), received('s2', 'nudged'))
    expect((await outcomes(cold(condition, before))).result).toBe('nudged')
    expect((await outcomes(cold(condition, after))).result).toBe('gave up')
  })

  it('follows a server that opens the wait again under the same key', async () => {
    const again = event('ConditionWaitOpened', {
      sequence: 2,
      condition_wait_id: 'condition-2',
      condition_key: '1',
      timeout_seconds: 60,
    })
    expect(
      (await outcomes(cold(condition, history(open, received('s1', 'nudged'), again, conditionTimedOut(2))))).result,
    ).toBe('gave up')
  })

  it('throws at the waiting code what the predicate throws', async () => {
    const broken = workflow('broken', { handles: [nudged] }, async (ctx) => {
      let nudges = 0
      ctx.handle(nudged, () => {
        nudges += 1
      })
      await ctx.condition(() => {
        if (nudges > 0) throw new RangeError('too many')
        return false
      })
    })
    const step = await cold(broken, history(conditionOpened(1), received('s1', 'nudged')))
    expect(step.commands).toMatchObject([{ type: 'fail_workflow', exception_type: 'RangeError', message: 'too many' }])
  })
})

describe('concurrency', () => {
  const both = workflow('both', { output: type<string[]>() }, async (ctx) =>
    Promise.all([ctx.run(charge, { cents: 1 }), ctx.run(charge, { cents: 2 })]),
  )
  const opened = [scheduled(1, 'charge'), scheduled(2, 'charge')]

  it('RP3 emits in authored order and returns in authored order, whichever ends first', async () => {
    expect((await cold(both, history())).steps).toEqual([1, 2])
    const one = cold(both, history(...opened, completed(1, 'a'), completed(2, 'b')))
    const other = cold(both, history(...opened, completed(2, 'b'), completed(1, 'a')))
    expect((await outcomes(one)).result).toEqual(['a', 'b'])
    expect((await outcomes(other)).result).toEqual(['a', 'b'])
  })

  it('emits nothing while members are open', async () => {
    expect((await cold(both, history(...opened, completed(2, 'b')))).commands).toEqual([])
  })

  it('fails Promise.all with the failure that history has first', async () => {
    const step = await cold(both, history(...opened, failed(2, 'second'), failed(1, 'first')))
    expect(step.commands).toMatchObject([{ type: 'fail_workflow', message: 'second' }])
  })

  it('RP2 gives Promise.race to the row that came first', async () => {
    const race = workflow('race', { output: type<string>() }, async (ctx) =>
      Promise.race([ctx.run(charge, { cents: 1 }), ctx.sleep('5s').then(() => 'late')]),
    )
    const open = [scheduled(1, 'charge'), timerScheduled(2, 5)]
    expect((await outcomes(cold(race, history(...open, completed(1, 'paid'), timerFired(2, 5))))).result).toBe('paid')
    expect((await outcomes(cold(race, history(...open, timerFired(2, 5), completed(1, 'paid'))))).result).toBe('late')
  })

  it('RP2 numbers what two branches emit by the order of the rows that woke them', async () => {
    const branches = workflow('branches', {}, async (ctx) => {
      const branch = async (cents: number, text: string) => {
        await ctx.run(charge, { cents })
        await ctx.run(email, text)
      }
      await Promise.all([branch(1, 'one'), branch(2, 'two')])
    })
    const texts = async (...ends: readonly ReturnType<typeof event>[]) => {
      const { commands } = await cold(branches, history(...opened, ...ends))
      return commands.map((command) => command.type === 'schedule_activity' && decodeArguments(command.arguments)[0])
    }
    expect(await texts(completed(1, 'a'), completed(2, 'b'))).toEqual(['one', 'two'])
    expect(await texts(completed(2, 'b'), completed(1, 'a'))).toEqual(['two', 'one'])
  })

  it('lets authored code catch one failure of Promise.allSettled and Promise.any', async () => {
    const settled = workflow('settled', { output: type<unknown>() }, async (ctx) => {
      const results = await Promise.allSettled([ctx.run(charge, { cents: 1 }), ctx.run(charge, { cents: 2 })])
      return results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))
    })
    expect((await outcomes(cold(settled, history(...opened, failed(2, 'no'), completed(1, 'a'))))).result).toEqual([
      'a',
      'no',
    ])
  })
})

describe('end of a run', () => {
  it('completes with the validated output; commands of the same turn stay in front', async () => {
    const leaving = workflow('leaving', { output: z.string().transform((text) => text.length) }, async (ctx) => {
      void ctx.run(email, 'bye')
      return 'four'
    })
    const { replay, lines } = openReplay(leaving)
    const step = await replay.step(history(), {})
    expect(step.commands.map((command) => command.type)).toEqual(['schedule_activity', 'complete_workflow'])
    expect(step.steps).toEqual([1, undefined])
    expect(resultOf(step.commands[1])).toBe(4)
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: expect.stringMatching(/ctx\.run\(email\) at .*replay\.test\.ts:\d+:\d+ was never awaited/),
      }),
    ])
  })

  it('sends its terminal command once, and none where history has it already', async () => {
    const quick = workflow('quick', { output: type<string>() }, async () => 'done')
    const { replay } = openReplay(quick)
    expect((await replay.step(history(), {})).commands).toHaveLength(1)
    expect((await replay.step([], {})).commands).toEqual([])
    const closed = await cold(quick, history(event('WorkflowCompleted', { output: encodeEnvelope('done') })))
    expect(closed).toMatchObject({ commands: [], outcome: { kind: 'completed' } })
  })

  it.each([
    ['a class of its own', class CardDeclined extends Error {}, 'CardDeclined'],
    ['a built-in class', TypeError, 'TypeError'],
    ['Error', Error, 'Error'],
  ])('fails with the class name as type: %s', async (_name, Thrown, expected) => {
    const throwing = workflow('throwing', {}, async () => {
      throw new Thrown('no')
    })
    const step = await cold(throwing, history())
    expect(step.commands).toMatchObject([
      { type: 'fail_workflow', message: 'no', exception_type: expected, exception_class: expected },
    ])
  })

  it('fails with the type, details and causes of a WorkflowFailure', async () => {
    const throwing = workflow('throwing', {}, async () => {
      throw new WorkflowFailure('nobody approved', {
        type: 'ApprovalTimeout',
        details: { waited: 2 },
        nonRetryable: true,
        cause: new RangeError('root'),
      })
    })
    const [command] = (await cold(throwing, history())).commands
    expect(command).toMatchObject({
      exception_type: 'ApprovalTimeout',
      exception_class: 'WorkflowFailure',
      non_retryable: true,
      exception: {
        type: 'ApprovalTimeout',
        details_payload_codec: 'avro',
        cause: { type: 'RangeError', message: 'root' },
      },
    })
    expect(command?.type === 'fail_workflow' && decodeEnvelope(command.exception?.details)).toEqual({ waited: 2 })
    expect(JSON.stringify(command)).not.toContain('replay.test.ts')
  })

  it('fails also with details that are not data, here and in a cause: the reason stands in their place', async () => {
    const throwing = workflow('throwing', {}, async () => {
      const cause = new WorkflowFailure('inner', { details: { big: 2n ** 60n } })
      throw new WorkflowFailure('outer', { details: () => 1, cause })
    })
    const [command] = (await cold(throwing, history())).commands
    const wire = command?.type === 'fail_workflow' ? command.exception : undefined
    expect(decodeEnvelope(wire?.details)).toBe(
      'details: a function is not data; pass data, or the name of what to call',
    )
    expect(failureFromWire(JSON.parse(JSON.stringify(wire)))).toMatchObject({
      message: 'outer',
      cause: { message: 'inner', details: { big: 2n ** 60n } },
    })
  })

  it('fails the run for input or output that does not fit, and for output that is not data', async () => {
    const strict = workflow('strict', { input: z.int(), output: z.string() }, async (_ctx, count) => String(count))
    expect((await cold(strict, history(), { input: ['x'] })).commands).toMatchObject([
      { type: 'fail_workflow', exception_type: 'ContractError' },
    ])
    const loose = workflow('loose', { output: type<unknown>() }, async () => () => 1)
    expect((await cold(loose, history())).commands).toMatchObject([
      { type: 'fail_workflow', exception_type: 'CodecError' },
    ])
  })
})

describe('query', () => {
  const counting = workflow('counting', { handles: [status, nudged] }, async (ctx) => {
    let nudges = 0
    ctx.handle(status, () => `${nudges} at ${ctx.now() - startedAt}`)
    ctx.handle(nudged, () => {
      nudges += 1
    })
    await ctx.sleep('1h')
  })

  it('answers from the state after all applied events, as often as asked', async () => {
    const { replay } = openReplay(counting)
    await replay.step(history(timerScheduled(1, 3_600), received('s1', 'nudged')), {})
    expect(await replay.query('status', [])).toBe('1 at 2000')
    expect(await replay.query('status', [])).toBe('1 at 2000')
    await replay.step(numbered([received('s2', 'nudged')], 4), {})
    expect(await replay.query('status', [])).toBe('2 at 3000')
  })

  it('answers a run that has closed', async () => {
    const { replay } = openReplay(counting)
    await replay.step(
      history(
        timerScheduled(1, 3_600),
        received('s1', 'nudged'),
        event('WorkflowTerminated', {}),
        received('s2', 'nudged'),
      ),
      {},
    )
    expect(await replay.query('status', [])).toMatch(/^1 at/)
  })

  it('is refused when unknown, and checks input and output', async () => {
    const echo = query('echo', { input: z.string(), output: z.string() })
    const echoing = workflow('echoing', { handles: [echo] }, async (ctx) => {
      ctx.handle(echo, (text) => text.repeat(2))
      await ctx.sleep('1h')
    })
    const { replay } = openReplay(echoing)
    await replay.step(history(), {})
    await expect(replay.query('other', [])).rejects.toMatchObject({
      name: 'RefusedError',
      reason: 'rejected_unknown_query',
      recorded: false,
    })
    await expect(replay.query('echo', [7])).rejects.toMatchObject({ reason: 'invalid_input' })
    expect(await replay.query('echo', ['ab'])).toBe('abab')
  })

  it('without a handler before the first durable call fails the task and names the query', async () => {
    const late = workflow('late', { handles: [status] }, async (ctx) => {
      await ctx.sleep('1s')
      ctx.handle(status, () => 'late')
    })
    await expect(cold(late, history())).rejects.toMatchObject({
      name: 'MissingHandlerError',
      facts: { queries: ['status'] },
    })
    const never = workflow('never', { handles: [status] }, async () => undefined)
    await expect(cold(never, history())).rejects.toMatchObject({ name: 'MissingHandlerError' })
  })
})

describe('log, time and chance', () => {
  const chatty = workflow('chatty', { output: type<unknown[]>() }, async (ctx) => {
    const values: unknown[] = [ctx.now() - startedAt, ctx.random(), ctx.uuid()]
    ctx.log.info('before')
    await ctx.sleep('1s')
    ctx.log.info('after', { step: 1 })
    values.push(ctx.now() - startedAt, ctx.random(), ctx.uuid())
    return values
  })
  const events = history(timerScheduled(1, 1), timerFired(1, 1))

  it('the logger is silent while known history is replayed', async () => {
    const first = openReplay(chatty)
    await first.replay.step(history(), {})
    expect(first.lines.map((line) => line.message)).toEqual(['before'])
    const second = openReplay(chatty)
    await second.replay.step(events, {})
    expect(second.lines).toEqual([{ level: 'info', message: 'after', facts: { step: 1 } }])
  })

  it('time is the newest instant of history, chance comes from the run id', async () => {
    const { commands } = await cold(chatty, events)
    const values = resultOf(commands[0])
    expect(values).toEqual([
      0,
      0.06638790321054733,
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      2_000,
      expect.any(Number),
      expect.any(String),
    ])
    expect(resultOf((await cold(chatty, events)).commands[0])).toEqual(values)
    const run = {
      workflowId: 'order-1',
      runId: 'run-2',
      workflowType: 'chatty',
      namespace: 'default',
      taskQueue: 'q',
      attempt: 1,
      startedAt,
      historyBytes: 0,
      continueAsNewSuggested: false,
    }
    expect(resultOf((await cold(chatty, events, { run })).commands[0])).not.toEqual(values)
  })
})

describe('info', () => {
  const telling = workflow('telling', { output: type<unknown>() }, async (ctx) => {
    const told = () => [
      ctx.info.attempt,
      ctx.info.historyBytes,
      ctx.info.continueAsNewSuggested,
      ctx.info.historyLength,
    ]
    const before = told()
    await ctx.run(charge, { cents: 1 })
    return [before, told()]
  })
  const rows = history(scheduled(1, 'charge'), completed(1, 'p1'))

  it('of a kept replay is that of the task at hand', async () => {
    const { replay } = openReplay(telling)
    await replay.step(rows.slice(0, 1), { attempt: 1, historyBytes: 100, continueAsNewSuggested: false })
    const step = await replay.step(rows.slice(1), { attempt: 7, historyBytes: 90_000, continueAsNewSuggested: true })
    expect(resultOf(step.commands[0])).toEqual([
      [1, 100, false, 1],
      [7, 90_000, true, 3],
    ])
  })

  it('stays where a task says nothing', async () => {
    const { replay } = openReplay(telling)
    await replay.step(rows.slice(0, 1), { attempt: 2, historyBytes: 100 })
    const step = await replay.step(rows.slice(1), {})
    expect(resultOf(step.commands[0])).toEqual([
      [2, 100, false, 1],
      [2, 100, false, 3],
    ])
  })
})

describe('when authored code runs', () => {
  it('RP1 authored code advances only inside step()', async () => {
    const seen: string[] = []
    const traced = workflow('traced', { handles: [status] }, async (ctx) => {
      seen.push('start')
      ctx.handle(status, () => 'x')
      await ctx.sleep('1s')
      seen.push('woken')
      await Promise.resolve().then(() => seen.push('branch'))
    })
    const { replay } = openReplay(traced)
    expect(seen).toEqual([])
    await replay.step(history(timerScheduled(1, 1)), {})
    await replay.query('status', [])
    await drain()
    expect(seen).toEqual(['start'])
    await replay.step(numbered([timerFired(1, 1)], 3), {})
    expect(seen).toEqual(['start', 'woken', 'branch'])
  })

  it('RP1 a disposed replay never goes on, and takes no step', async () => {
    let woken = false
    const nap = workflow('nap', {}, async (ctx) => {
      await ctx.sleep('1s')
      woken = true
    })
    const { replay } = openReplay(nap)
    await replay.step(history(timerScheduled(1, 1)), {})
    replay.dispose()
    await expect(replay.step(numbered([timerFired(1, 1)], 3), {})).rejects.toMatchObject({ reason: 'replay_not_idle' })
    expect(woken).toBe(false)
  })

  it('RP4 a request to cancel in history reaches no authored code by itself', async () => {
    const nap = workflow('nap', {}, async (ctx) => ctx.sleep('1s'))
    const requested = event('CancelRequested', { reason: 'stop' })
    const cooperative = event('CooperativeCancellationRequested', {
      workflow_command_id: 'c',
      workflow_run_id: 'run-1',
    })
    expect(await cold(nap, history(timerScheduled(1, 1), requested, cooperative))).toMatchObject({
      commands: [],
      outcome: { kind: 'waiting' },
    })
  })
})

describe('misuse of ctx', () => {
  const leak: { ctx?: { sleep(duration: number): Promise<void> } } = {}
  const calling = (when: 'query' | 'predicate') =>
    workflow('calling', { handles: [status] }, async (ctx) => {
      leak.ctx = ctx
      ctx.handle(status, () => {
        if (when === 'query') void ctx.sleep(1)
        return 'x'
      })
      if (when === 'predicate') await ctx.condition(() => Boolean(ctx.sleep(1)))
      await ctx.sleep('1h')
    })

  it('from a query throws with the remedy', async () => {
    const { replay } = openReplay(calling('query'))
    await replay.step(history(), {})
    await expect(replay.query('status', [])).rejects.toMatchObject({
      name: 'GuardError',
      reason: 'context_in_query',
      remedy: expect.any(String),
    })
  })

  it('from a predicate fails the task', async () => {
    await expect(cold(calling('predicate'), history())).rejects.toMatchObject({ reason: 'context_in_predicate' })
  })

  it('from outside, from another run and after the end throws with the remedy', async () => {
    const { replay } = openReplay(calling('query'))
    await replay.step(history(), {})
    expect(() => leak.ctx?.sleep(1)).toThrow(expect.objectContaining({ reason: 'context_of_another_run' }))
    const thief = workflow('thief', {}, async () => leak.ctx?.sleep(1))
    await expect(cold(thief, history())).rejects.toMatchObject({ name: 'GuardError', reason: 'context_of_another_run' })
    replay.dispose()
    expect(() => leak.ctx?.sleep(1)).toThrow(expect.objectContaining({ reason: 'context_after_end' }))
  })

  it('of a run that is inside its own step is told from another by the async context', async () => {
    const outsider = openReplay(calling('query'), { inside: () => false })
    await expect(outsider.replay.step(history(), {})).rejects.toMatchObject({ reason: 'context_of_another_run' })
  })

  it('a replay takes nothing after a failure', async () => {
    const { replay } = openReplay(calling('predicate'))
    await expect(replay.step(history(), {})).rejects.toThrow()
    await expect(replay.step([], {})).rejects.toMatchObject({ reason: 'replay_not_idle' })
  })
})
