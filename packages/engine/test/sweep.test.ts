// The sweep: what is due is handed to the door, by whoever finds it, until nothing is due (SW1 – SW3).

import { expect, test } from 'vitest'
import { engineLimits } from '../src/index.ts'
import type { Punctuality } from '../src/ports.ts'
import { Sweep } from '../src/sweep.ts'
import {
  completeClaim,
  pollOf,
  registerOn,
  replyOf,
  startEngine,
  startOn,
  startWithWorker,
  type TestEngine,
  workflowClaim,
} from './support/engine.ts'
import { t0 } from './support/make.ts'
import {
  type AnyCommand,
  activityCommand,
  conditionCommand,
  signalCommand,
  start,
  timerCommand,
} from './support/operations.ts'
import { VirtualClock } from './support/virtual-clock.ts'

/** Time that skips: what is optional never comes. */
class SkippingClock extends VirtualClock {
  override at(instant: number, wake: () => void, punctuality?: Punctuality): () => void {
    return punctuality === 'optional' && instant > this.now() ? () => {} : super.at(instant, wake)
  }
}

async function turn(made: TestEngine, commands: readonly AnyCommand[]): Promise<string> {
  const claim = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  replyOf(await completeClaim(made, claim, commands))
  return claim.run.runId
}

async function types(made: TestEngine, runId: string): Promise<string[]> {
  const events = await made.settled(made.store.list.history({ runId, after: 0, limit: 1_000 }))
  return events.map((event) => event.type)
}

async function begun(commands: readonly AnyCommand[]): Promise<TestEngine & { runId: string }> {
  const made = await startWithWorker()
  await startOn(made)
  return Object.assign(made, { runId: await turn(made, commands) })
}

test('SW1 a timer fires at its instant, not before, and the run moves', async () => {
  await using made = await begun([timerCommand({ delay_seconds: 7 })])
  await made.clock.advance(6_999)
  expect(await types(made, made.runId)).not.toContain('TimerFired')
  await made.clock.advance(1)
  expect(await types(made, made.runId)).toEqual(['StartAccepted', 'WorkflowStarted', 'TimerScheduled', 'TimerFired'])
  expect(workflowClaim(await made.settled(made.engine.poll(pollOf('workflow')))).task.resume).toMatchObject({
    waitKind: 'timer',
  })
})

test('SW1 what is due before the next scan is acted on at its own instant', async () => {
  await using made = await begun([timerCommand({ delay_seconds: 1, delay_ms: 250 })])
  await made.clock.advance(249)
  expect(await types(made, made.runId)).not.toContain('TimerFired')
  await made.clock.advance(1)
  expect(await types(made, made.runId)).toContain('TimerFired')
})

const byTime: [string, AnyCommand, ms: number, event: string][] = [
  ['the timeout of a signal wait', signalCommand({ timeout_seconds: 3 }), 3_000, 'TimerFired'],
  ['the timeout of a condition wait', conditionCommand({ timeout_seconds: 3 }), 3_000, 'TimerFired'],
  ['schedule-to-start of an activity', activityCommand({ schedule_to_start_timeout: 3 }), 3_000, 'ActivityTimedOut'],
  ['schedule-to-close of an activity', activityCommand({ schedule_to_close_timeout: 3 }), 3_000, 'ActivityTimedOut'],
]
test.each(byTime)('SW1 %s', async (_name, command, ms, event) => {
  await using made = await begun([command])
  await made.clock.advance(ms - 1)
  expect(await types(made, made.runId)).not.toContain(event)
  await made.clock.advance(1)
  expect(await types(made, made.runId)).toContain(event)
})

test('SW1 a run deadline', async () => {
  await using made = await startEngine()
  const runId = made.engine.newRunId('order-1')
  replyOf(await made.settled(made.engine.execute(start({ runId, runTimeoutSeconds: 5 }))))
  await made.clock.advance(5_000)
  expect(await types(made, runId)).toEqual(['StartAccepted', 'WorkflowStarted', 'WorkflowTimedOut'])
})

test('L-01 L-02 an expired workflow lease comes back at its end while an activity is leased for long', async () => {
  await using made = await startEngine({ settings: { workflowTaskLeaseMs: 8_000, activityTaskLeaseMs: 300_000 } })
  await registerOn(made)
  await registerOn(made, { workerId: 'worker-2' })
  await startOn(made)
  await turn(made, [activityCommand(), timerCommand({ delay_seconds: 1 })])
  await made.settled(made.engine.poll(pollOf('activity', { workerId: 'worker-2' })))
  await made.clock.advance(1_000)
  const first = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  const activity = { of: 'openActivities', runId: first.run.runId } as const
  const before = (await made.settled(made.store.load([activity]))).activities
  const second = made.engine.poll(pollOf('workflow', { workerId: 'worker-2', timeoutMs: 60_000 }))
  await made.clock.advance(8_000)
  expect(workflowClaim(await made.settled(second)).task).toMatchObject({
    taskId: first.task.taskId,
    attempt: 2,
    repairCount: 1,
  })
  expect((await made.settled(made.store.load([activity]))).activities).toEqual(before)
})

test('L-03 L-06 a live lease is left alone, an ended one redelivered without its owner', async () => {
  await using made = await startEngine({ settings: { workflowTaskLeaseMs: 8_000 } })
  await registerOn(made)
  const runId = await startOn(made)
  await made.settled(made.engine.poll(pollOf('workflow')))
  await made.clock.advance(7_999)
  expect(
    await made.settled(made.engine.views.debug({ namespace: 'default', workflowId: 'order-1', runId })),
  ).toMatchObject({ work: { workflowTask: { status: 'leased', repairCount: 0 } } })
  await made.clock.advance(1)
  expect(
    await made.settled(made.engine.views.debug({ namespace: 'default', workflowId: 'order-1', runId })),
  ).toMatchObject({ work: { workflowTask: { status: 'ready', repairCount: 1 } } })
})

test('SW2 two servers that find the same thing act on it once', async () => {
  await using made = await begun([timerCommand({ delay_seconds: 5 })])
  await using other = await startEngine({ beside: made })
  await made.clock.advance(5_000)
  expect((await types(made, made.runId)).filter((type) => type === 'TimerFired')).toHaveLength(1)
  expect([made.errors, other.errors]).toEqual([[], []])
})

test('SW3 more than one batch of due things is handed over in one scan', async () => {
  await using made = await begun(Array.from({ length: 450 }, () => timerCommand({ delay_seconds: 5 })))
  await made.clock.advance(5_000)
  expect((await types(made, made.runId)).filter((type) => type === 'TimerFired')).toHaveLength(450)
})

test('SW3 a batch of which nothing is due after all does not make a busy loop', async () => {
  await using made = await startEngine({ isStarted: false })
  let looks = 0
  const due = Array.from({ length: engineLimits.sweepBatchMax }, (_, n) => ({
    kind: 'timer' as const,
    id: `t${n}`,
    dueAt: t0,
  }))
  const sweep = new Sweep({
    store: {
      description: '',
      concurrency: 1,
      wakes: undefined,
      transact: made.store.transact,
      load: made.store.load,
      list: made.store.list,
      ping: made.store.ping,
      close: made.store.close,
      find: {
        ...made.store.find,
        due: async () => {
          looks += 1
          if (looks > 20) throw new Error('a busy loop')
          return { things: due, nextDueAt: undefined }
        },
      },
    },
    clock: made.clock,
    scanIntervalMs: 1_000,
    execute: (operation) => made.engine.execute(operation),
    onError: (error) => made.errors.push(error),
    onInterval: () => {},
  })
  sweep.start()
  await made.clock.settle()
  await made.settled(sweep.stop())
  expect(made.errors).toEqual([])
  expect(looks).toBeLessThanOrEqual(2)
})

test('a scan that failed is told and repeated', async () => {
  await using made = await begun([timerCommand({ delay_seconds: 5 })])
  made.store.trouble('commit fails')
  await made.clock.advance(5_000)
  expect(made.errors).toMatchObject([{ name: 'StoreUnavailableError' }])
  await made.clock.advance(1_000)
  expect(await types(made, made.runId)).toContain('TimerFired')
})

test('a stopped sweep acts on nothing', async () => {
  const made = await begun([timerCommand({ delay_seconds: 5 })])
  await made.settled(made.engine.drain())
  await made.clock.advance(9_000)
  expect(await types(made, made.runId)).not.toContain('TimerFired')
  await made[Symbol.asyncDispose]()
})

test('SW1 a clock that leaves out every optional look still meets all that is due, however far away', async () => {
  await using made = await startEngine({ clock: new SkippingClock(t0) })
  await registerOn(made)
  await startOn(made)
  const days = 86_400
  const runId = await turn(made, [timerCommand({ delay_seconds: days }), timerCommand({ delay_seconds: 30 * days })])
  await made.clock.advance(days * 1_000)
  expect((await types(made, runId)).filter((type) => type === 'TimerFired')).toHaveLength(1)
  await made.clock.advance(29 * days * 1_000)
  expect((await types(made, runId)).filter((type) => type === 'TimerFired')).toHaveLength(2)
  const lookedAt = made.clock.nextAt
  expect(lookedAt === undefined || lookedAt > made.clock.now()).toBe(true)
})
