// Every timeout ends at its own virtual instant, and nothing ends before.
import {
  type ActivityContext,
  type ActivityOptions,
  activity,
  signal,
  TimeoutFailure,
  type,
  workflow,
} from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const seconds = (count: number) => count * 1_000

/** Runs one activity under the given timeouts. @returns the kind of timeout, or `done`, and the virtual ms that it took */
async function outcomeOf(options: ActivityOptions, fn: (ctx: ActivityContext) => Promise<void>) {
  const work = activity('work', { retry: { maximumAttempts: 1 }, ...options }).implement((_input, ctx) => fn(ctx))
  const job = workflow('job', { output: type<{ kind: string; afterMs: number }>() }, async (ctx) => {
    const begunAt = ctx.now()
    try {
      await ctx.run(work)
      return { kind: 'done', afterMs: ctx.now() - begunAt }
    } catch (error) {
      if (!TimeoutFailure.is(error)) throw error
      return { kind: error.kind, afterMs: ctx.now() - begunAt }
    }
  })
  await using env = await testEnvironment({ workflows: [job], activities: [work], time: 'auto' })
  sleep = (durationMs) => env.sleep(durationMs)
  return await env.client.execute(job, {})
}
let sleep: (durationMs: number) => Promise<void>

test('start-to-close counts from the start of the attempt', async () => {
  const outcome = await outcomeOf({ startToCloseTimeout: '1 minute' }, () => sleep(seconds(3_600)))
  expect(outcome).toEqual({ kind: 'start_to_close', afterMs: seconds(60) })
})

test('schedule-to-start counts while nobody takes the task', async () => {
  const outcome = await outcomeOf({ taskQueue: 'nobody', scheduleToStartTimeout: '10 minutes' }, async () => {})
  expect(outcome).toEqual({ kind: 'schedule_to_start', afterMs: seconds(600) })
})

test('schedule-to-close counts over all attempts', async () => {
  const retry = { maximumAttempts: 100 } as const
  const timeouts = { startToCloseTimeout: '25 minutes', scheduleToCloseTimeout: '1 hour' } as const
  const outcome = await outcomeOf({ ...timeouts, retry }, () => sleep(seconds(3_600)))
  expect(outcome).toEqual({ kind: 'schedule_to_close', afterMs: seconds(3_600) })
})

test('an activity that stops to heartbeat times out a heartbeat timeout after its last one', async () => {
  const outcome = await outcomeOf({ heartbeatTimeout: '1 minute' }, async (ctx) => {
    for (let beat = 0; beat < 5; beat += 1) {
      ctx.heartbeat(beat)
      await sleep(seconds(30))
    }
    await sleep(seconds(3_600))
  })
  expect(outcome).toEqual({ kind: 'heartbeat', afterMs: seconds(4 * 30 + 60) })
})

test('an activity that heartbeats may take as long as it likes, and one without a heartbeat timeout keeps its lease', async () => {
  const beating = await outcomeOf({ heartbeatTimeout: '1 minute' }, async (ctx) => {
    for (let beat = 0; beat < 100; beat += 1) {
      ctx.heartbeat(beat)
      await sleep(seconds(30))
    }
  })
  expect(beating).toEqual({ kind: 'done', afterMs: seconds(3_000) })
  expect(await outcomeOf({}, () => sleep(seconds(3_000)))).toEqual({ kind: 'done', afterMs: seconds(3_000) })
})

test('a signal at the very instant of its deadline: the run goes the way that history has, whole', async () => {
  const approved = signal('approved', type<string>())
  const approval = workflow('approval', { output: type<string>(), handles: [approved] }, async (ctx) => {
    const by = await ctx.waitFor(approved, { timeout: '2 days' })
    return by === undefined ? 'timed out' : `approved by ${by}`
  })
  await using env = await testEnvironment({ workflows: [approval] })
  const early = await env.client.start(approval, {})
  const late = await env.client.start(approval, {})
  const never = await env.client.start(approval, {})
  const deadline = env.sleep('2 days').then(() => late.signal(approved, 'bob').catch(() => {}))
  await env.advance(2 * 86_400_000 - 1)
  await early.signal(approved, 'ada')
  await env.advance(1)
  await deadline
  expect(await early.result()).toBe('approved by ada')
  expect(await never.result()).toBe('timed out')
  const types = (await env.history(late)).map((event) => event.type)
  const result = types.includes('SignalApplied') ? 'approved by bob' : 'timed out'
  expect(await late.result()).toBe(result)
})
