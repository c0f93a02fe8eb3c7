// Replies that were lost, races that were lost: a claim is kept for its poll, a poll waits on (DI1, DI3 – DI5, L-18).

import { describe, expect, test } from 'vitest'
import {
  activityClaim,
  completeClaim,
  isSettled,
  pollOf,
  registerOn,
  startEngine,
  startOn,
  startWithWorker,
  workflowClaim,
} from './support/engine.ts'
import { activityCommand, timerCommand } from './support/operations.ts'

describe('L-18 a reply that was lost', () => {
  test('the same poll id collects the same claim while its lease stands', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    const first = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' }))))
    const again = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' }))))
    expect(again.task).toEqual(first.task)
    expect(again.history.events).toEqual(first.history.events)
    expect(
      await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p2', timeoutMs: 0 }))),
    ).toMatchObject({ kind: 'empty' })
  })

  test('of an activity as well', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    await completeClaim(made, workflowClaim(await made.settled(made.engine.poll(pollOf('workflow')))), [
      activityCommand(),
    ])
    const first = activityClaim(await made.settled(made.engine.poll(pollOf('activity', { pollRequestId: 'p1' }))))
    const again = activityClaim(await made.settled(made.engine.poll(pollOf('activity', { pollRequestId: 'p1' }))))
    expect(again).toEqual(first)
  })

  test('with the history that the claim saw, whatever was recorded since', async () => {
    await using made = await startWithWorker()
    await startOn(made)
    const start = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    await completeClaim(made, start, [timerCommand({ delay_seconds: 1 }), timerCommand({ delay_seconds: 2 })])
    await made.clock.advance(1_000)
    const first = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' }))))
    await made.clock.advance(1_000)
    const again = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' }))))
    expect(again.run.lastSequence).toBe(first.run.lastSequence + 1)
    expect(again.history).toEqual(first.history)
  })

  test.each(['workflow', 'activity'] as const)(
    'L-09 not a %s lease that has ended, also before it is set free',
    async (kind) => {
      await using made = await startEngine({ settings: { activityTaskLeaseMs: 5_000, workflowTaskLeaseMs: 5_000 } })
      await registerOn(made)
      await startOn(made)
      if (kind === 'activity') {
        await completeClaim(made, workflowClaim(await made.settled(made.engine.poll(pollOf('workflow')))), [
          activityCommand(),
        ])
      }
      const first = await made.settled(made.engine.poll(pollOf(kind, { pollRequestId: 'p1' })))
      expect(first.kind).toBe(kind)
      made.store.trouble('commit fails')
      await made.clock.advance(5_000)
      expect(made.errors).toHaveLength(1)
      const again = await made.settled(made.engine.poll(pollOf(kind, { pollRequestId: 'p1', timeoutMs: 0 })))
      expect(again).toMatchObject({ kind: 'empty' })
    },
  )

  test('not once the lease ran out and another worker has it', async () => {
    await using made = await startWithWorker()
    await registerOn(made, { workerId: 'worker-2' })
    await startOn(made)
    await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' })))
    const second = made.engine.poll(pollOf('workflow', { workerId: 'worker-2', timeoutMs: 120_000 }))
    await made.clock.advance(60_000)
    expect(workflowClaim(await made.settled(second)).task).toMatchObject({ attempt: 2, repairCount: 1 })
    expect(
      await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1', timeoutMs: 0 }))),
    ).toMatchObject({ kind: 'empty' })
  })

  test('the same poll id while its first poll is held joins it: one claim, both answered', async () => {
    await using made = await startWithWorker()
    const polls = [1, 2].map(() => made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' })))
    await made.clock.settle()
    expect(made.engine.status.waiters).toBe(1)
    await startOn(made)
    const [first, second] = await made.settled(Promise.all(polls))
    expect(first).toEqual(second)
    expect(first?.kind).toBe('workflow')
  })

  test('the poller whose poll was joined leaves: those who joined share one poll again, each for its own time', async () => {
    await using made = await startWithWorker()
    const leaving = new AbortController()
    const first = made.engine.poll(pollOf('workflow', { pollRequestId: 'p1', signal: leaving.signal }))
    await made.clock.settle()
    const joined = [20_000, 40_000].map((timeoutMs) =>
      made.engine.poll(pollOf('workflow', { pollRequestId: 'p1', timeoutMs })),
    )
    await made.clock.advance(15_000)
    leaving.abort()
    expect(await made.settled(first)).toEqual({ kind: 'empty', status: 'empty' })
    await made.clock.settle()
    expect(made.engine.status.waiters).toBe(1)
    await made.clock.advance(5_000)
    expect(await isSettled(made, joined[0] ?? first)).toBe(true)
    await startOn(made, 'order-1')
    await startOn(made, 'order-2')
    expect(workflowClaim(await made.settled(joined[1] ?? first)).run.workflowId).toBe('order-1')
    expect(workflowClaim(await made.settled(made.engine.poll(pollOf('workflow')))).run.workflowId).toBe('order-2')
  })
})

describe('two servers on one database', () => {
  test('DI3 what another server made is found within one scan interval', async () => {
    await using made = await startWithWorker()
    await using other = await startEngine({ beside: made })
    const poll = made.engine.poll(pollOf('workflow'))
    await made.clock.settle()
    await startOn(other)
    expect(await isSettled(made, poll)).toBe(false)
    await made.clock.advance(made.engine.settings.scanIntervalMs)
    expect((await made.settled(poll)).kind).toBe('workflow')
  })

  test('DI4 a lost race costs the loser nothing: it waits on and gets the next task', async () => {
    await using made = await startWithWorker()
    await using other = await startEngine({ beside: made })
    const polls = [
      made.engine.poll(pollOf('workflow', { timeoutMs: 60_000 })),
      other.engine.poll(pollOf('workflow', { timeoutMs: 60_000 })),
    ]
    await made.clock.settle()
    await using third = await startEngine({ beside: made })
    await startOn(third, 'order-1')
    await made.clock.advance(1_000)
    const done = await Promise.all(polls.map((poll) => isSettled(made, poll)))
    expect(done.filter((one) => one)).toHaveLength(1)
    await startOn(third, 'order-2')
    await made.clock.advance(1_000)
    const claims = await made.settled(Promise.all(polls))
    expect(new Set(claims.map((claim) => workflowClaim(claim).run.workflowId))).toEqual(new Set(['order-1', 'order-2']))
    expect(made.errors).toEqual([])
  })
})

test('DI5 a claim whose poller vanished while it was made is kept for its poll id', async () => {
  const leaving = new AbortController()
  let isArmed = false
  await using made = await startEngine({
    probe: { reached: async (point) => (isArmed && point === 'decided' ? leaving.abort() : undefined) },
  })
  await registerOn(made)
  const poll = made.engine.poll(pollOf('workflow', { pollRequestId: 'p1', signal: leaving.signal }))
  await made.clock.settle()
  isArmed = true
  await startOn(made)
  isArmed = false
  await made.settled(poll)
  const again = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { pollRequestId: 'p1' }))))
  expect(again.task).toMatchObject({ attempt: 1, lease: { proof: { pollRequestId: 'p1' } } })
})

test('DI1 each of many polls is answered once, each task given once', async () => {
  await using made = await startWithWorker()
  const polls = Array.from({ length: 40 }, () => made.engine.poll(pollOf('workflow')))
  await made.clock.settle()
  await Promise.all(Array.from({ length: 30 }, (_, n) => startOn(made, `order-${n}`)))
  await made.clock.advance(30_000)
  const results = await made.settled(Promise.all(polls))
  const claimed = results
    .filter((result) => result.kind === 'workflow')
    .map((result) => workflowClaim(result).task.taskId)
  expect(new Set(claimed).size).toBe(30)
  expect(claimed).toHaveLength(30)
})
