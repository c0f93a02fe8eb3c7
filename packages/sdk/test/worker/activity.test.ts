// An attempt from claim to report: input, context, heartbeats, the word to stop.
import { decodeEnvelope, encodeArguments } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { activity } from '../../src/authoring/activity.ts'
import type { ActivityContext } from '../../src/authoring/context.ts'
import { type } from '../../src/authoring/contract.ts'
import { type StubReply, startStub } from '../transport/stub-server.ts'
import { activityTask, completed, leaseUntil, startWorker } from './harness.ts'

const wrongInput = {
  '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'must be an order' }] }) },
} as const

test('the output arrives as an envelope, with the fence of the claim', async () => {
  await using stub = await startStub()
  stub.offer('activity', activityTask('a1'))
  const charge = activity('charge', { input: type<string>() }, async (order, ctx) => ({
    order,
    key: ctx.idempotencyKey,
  }))
  const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
  const { body } = await stub.arrived('completeActivityTask')
  await worker.stop()
  await run
  expect(body).toMatchObject({ activity_attempt_id: 'attempt-a1', lease_owner: 'w1' })
  expect(decodeEnvelope(body.result)).toEqual({ order: 'order-1', key: 'a1' })
})

test('the context says what the server said', async () => {
  await using stub = await startStub()
  stub.offer(
    'activity',
    activityTask('a1', {
      attempt_number: 3,
      retry_policy: { max_attempts: 5, heartbeat_timeout: 30 },
      last_heartbeat_details: { page: 7 },
      deadlines: { start_to_close: '2026-11-30T09:00:00.000000Z', schedule_to_close: '2026-11-30T08:30:00.000000Z' },
    }),
  )
  const seen: { info?: ActivityContext['info']; last?: unknown } = {}
  const charge = activity('charge', { input: type<string>() }, async (_order, ctx) => {
    seen.info = ctx.info
    seen.last = ctx.lastHeartbeat()
  })
  const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
  await stub.arrived('completeActivityTask')
  await worker.stop()
  await run
  expect(seen.last).toEqual({ page: 7 })
  expect(seen.info).toMatchObject({
    attempt: 3,
    maximumAttempts: 5,
    deadline: Date.parse('2026-11-30T08:30:00Z'),
    workflowId: 'order-1',
    runId: 'run-1',
    activityType: 'charge',
  })
})

describe('a failure', () => {
  test('keeps name, message, details and the word of its author', async () => {
    await using stub = await startStub()
    stub.offer('activity', activityTask('a1'))
    class CardDeclined extends Error {
      readonly nonRetryable = true
      readonly details = { code: 'do_not_honor', cents: 12n }
    }
    const charge = activity('charge', { input: type<string>() }, async () => {
      throw new CardDeclined('no money', { cause: new RangeError('limit 5', { cause: 'policy' }) })
    })
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    const { body } = await stub.arrived('failActivityTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({
      message: 'no money',
      type: 'CardDeclined',
      class: 'CardDeclined',
      non_retryable: true,
      details: { code: 'do_not_honor', cents: '12' },
      cause: { type: 'RangeError', message: 'limit 5', cause: { message: 'policy' } },
      stack_trace: expect.stringContaining('activity.test.ts'),
    })
  })

  test('of the network kind stays retryable', async () => {
    await using stub = await startStub()
    stub.offer('activity', activityTask('a1'))
    const charge = activity('charge', { input: type<string>() }, async () => {
      throw new TypeError('fetch failed')
    })
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    const { body } = await stub.arrived('failActivityTask')
    await worker.stop()
    await run
    expect(body.failure).not.toHaveProperty('non_retryable')
  })

  test('of the input contract is final, and the function does not run', async () => {
    await using stub = await startStub()
    stub.offer('activity', activityTask('a1'))
    let calls = 0
    const charge = activity('charge', { input: wrongInput }, async () => {
      calls += 1
    })
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    const { body } = await stub.arrived('failActivityTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({
      type: 'ContractError',
      non_retryable: true,
      message: expect.stringContaining('must be an order'),
    })
    expect(calls).toBe(0)
  })

  test('for an output above the limit is found before sending', async () => {
    await using stub = await startStub()
    stub.offer('activity', activityTask('a1'))
    const charge = activity('charge', { input: type<string>() }, async () => 'x'.repeat(2_500_000))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    const { body } = await stub.arrived('failActivityTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({ type: 'PayloadTooLargeError', non_retryable: true })
  })

  test('for an unknown type says what this worker has', async () => {
    await using stub = await startStub()
    stub.offer('activity', activityTask('a1', { activity_type: 'ship' }))
    const { worker, run } = await startWorker(stub, {
      workflows: [],
      activities: [activity('charge', {}, async () => 1)],
    })
    const { body } = await stub.arrived('failActivityTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({
      message: expect.stringContaining('no activity registered for "ship"; this worker has charge'),
    })
  })
})

describe('positional arguments of other languages', () => {
  const resize = activity(
    'resize',
    { args: [z.string(), z.int()], output: type<string>() },
    async ([file, width]) => `${file} to ${width}`,
  )
  const call = (...args: readonly unknown[]) =>
    activityTask('a1', { activity_type: 'resize', arguments: encodeArguments(args) })

  test('arrive as a tuple, in their order', async () => {
    await using stub = await startStub()
    stub.offer('activity', call('a.png', 200))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [resize] })
    const { body } = await stub.arrived('completeActivityTask')
    await worker.stop()
    await run
    expect(decodeEnvelope(body.result)).toBe('a.png to 200')
  })

  test.each([
    ['of a wrong type', ['a.png', 'wide'], /"resize" does not fit its contract: 1: /],
    ['missing', ['a.png'], /"resize" does not fit its contract: 1: /],
    ['in another order', [200, 'a.png'], /does not fit its contract: 0: .*; 1: /],
  ])('one %s is refused for good, by its position', async (_name, args, message) => {
    await using stub = await startStub()
    stub.offer('activity', call(...args))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [resize] })
    const { body } = await stub.arrived('failActivityTask')
    await worker.stop()
    await run
    expect(body.failure).toMatchObject({
      type: 'ContractError',
      message: expect.stringMatching(message),
      non_retryable: true,
    })
  })
})

/** Runs until told to stop, and says when it was. */
function untilStopped() {
  const stopped = Promise.withResolvers<unknown>()
  const charge = activity('charge', { input: type<string>() }, async (_order, ctx) => {
    ctx.heartbeat({ page: 1 })
    await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve(), { once: true }))
    stopped.resolve(ctx.signal.reason)
    return 'too late'
  })
  return { charge, stopped: stopped.promise }
}

const going = { can_continue: true, cancel_requested: false, heartbeat_recorded: true }

describe('the word to stop', () => {
  test.each<[string, StubReply]>([
    [
      'can_continue false',
      { status: 200, body: { can_continue: false, cancel_requested: false, reason: 'attempt_closed' } },
    ],
    ['404 attempt_not_found', { status: 404, body: { reason: 'attempt_not_found', recorded: false } }],
  ])('AT1 %s aborts the signal, and nothing is reported', async (_, reply) => {
    await using stub = await startStub()
    stub.on('heartbeatActivityTask', () => reply)
    stub.on('completeActivityTask', () => completed)
    stub.offer('activity', activityTask('a1', { retry_policy: { heartbeat_timeout: 30 } }))
    const { charge, stopped } = untilStopped()
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    expect(await stopped).toMatchObject({ name: 'CancellationFailure' })
    await worker.stop()
    await run
    expect(stub.of('completeActivityTask')).toEqual([])
    expect(stub.of('failActivityTask')).toEqual([])
  })

  test('cancel_requested alone aborts the signal, and the outcome is still reported', async () => {
    await using stub = await startStub()
    stub.on('heartbeatActivityTask', () => ({ status: 200, body: { ...going, cancel_requested: true } }))
    stub.on('completeActivityTask', () => completed)
    stub.offer('activity', activityTask('a1', { retry_policy: { heartbeat_timeout: 30 } }))
    const { charge, stopped } = untilStopped()
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    expect(await stopped).toMatchObject({ name: 'CancellationFailure', type: 'ActivityCancelled' })
    await stub.arrived('completeActivityTask')
    await worker.stop()
    await run
  })
})

describe('AT2 the lease', () => {
  // The shortest lease that the worker believes in is 600 ms: renewed every 200 ms.
  const short = () => ({ lease_expires_at: leaseUntil(0) })

  test('is kept by the worker with the last details where no heartbeat timeout is set', async () => {
    await using stub = await startStub()
    stub.on('heartbeatActivityTask', () => ({ status: 200, body: { ...going, ...short() } }))
    stub.on('completeActivityTask', () => completed)
    stub.offer('activity', activityTask('a1', short()))
    const release = Promise.withResolvers<string>()
    const charge = activity('charge', { input: type<string>() }, async (_order, ctx) => {
      ctx.heartbeat({ page: 1 })
      return release.promise
    })
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    const third = await stub.arrived('heartbeatActivityTask', 3)
    release.resolve('done')
    await stub.arrived('completeActivityTask')
    await worker.stop()
    await run
    expect(third.body).toEqual({ activity_attempt_id: 'attempt-a1', lease_owner: 'w1', details: { page: 1 } })
  })
})
