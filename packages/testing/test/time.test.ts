// How time passes: only at rest, through every instant at which something is due, and without the machine's clock.
import { activity, type, workflow } from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const start = Date.UTC(2026, 0, 1)
const hours = (count: number) => count * 3_600_000
const days = (count: number) => count * 24 * 3_600_000

const nap = workflow('nap', { input: type<number>(), output: type<number>() }, async (ctx, durationMs) => {
  await ctx.sleep(durationMs)
  return ctx.now()
})

test('a sleep of 30 days ends after 30 days', async () => {
  await using env = await testEnvironment({ workflows: [nap] })
  const run = await env.client.start(nap, { input: days(30) })
  await env.advance(days(30) - 1)
  expect((await run.describe()).status).toBe('waiting')
  await env.advance(1)
  expect(await run.result()).toBe(start + days(30))
})

test('TK2 time stops at every instant at which something is due, in order', async () => {
  const heard: number[] = []
  const tick = activity('tick', { input: type<string>() }, async () => {
    heard.push(env.now().getTime() - start)
  })
  const metronome = workflow('metronome', { input: type<number>() }, async (ctx, everyMs) => {
    for (let beat = 1; beat <= 3; beat += 1) {
      await ctx.sleep(everyMs)
      await ctx.run(tick, String(everyMs))
    }
  })
  await using env = await testEnvironment({ workflows: [metronome], activities: [tick] })
  await env.client.start(metronome, { input: hours(2) })
  await env.client.start(metronome, { input: hours(3) })
  await env.advance('1 day')
  expect(heard).toEqual([2, 3, 4, 6, 6, 9].map(hours))
  expect(env.now().getTime()).toBe(start + days(1))
})

test('720 hourly retries take 720 hours, and each attempt is made at its own', async () => {
  const attempts: number[] = []
  const flaky = activity('flaky', {
    retry: { initialInterval: '1 hour', backoffCoefficient: 1, maximumAttempts: 721 },
  }).implement(async (_input, { info }) => {
    attempts.push(env.now().getTime())
    if (info.attempt <= 720) throw new Error('not yet')
  })
  const patient = workflow('patient', {}, async (ctx) => {
    await ctx.run(flaky)
    return ctx.now()
  })
  await using env = await testEnvironment({ workflows: [patient], activities: [flaky], time: 'auto' })
  const run = await env.client.start(patient, {})
  expect(await run.result()).toBe(start + hours(720))
  expect(attempts).toEqual(Array.from({ length: 721 }, (_, hour) => start + hours(hour)))
})

test('TK1 time waits for an activity that waits for something real', async () => {
  const real = Promise.withResolvers<string>()
  const fetched = activity('fetched', { output: type<string>() }).implement(() => real.promise)
  const twoSteps = workflow('two-steps', {}, async (ctx) => {
    const value = await ctx.run(fetched)
    await ctx.sleep('1 hour')
    return `${value} at ${ctx.now()}`
  })
  await using env = await testEnvironment({ workflows: [twoSteps], activities: [fetched] })
  const run = await env.client.start(twoSteps, {})
  const advanced = env.advance('1 hour')
  setTimeout(() => real.resolve('page'), 20)
  await advanced
  expect(await run.result()).toBe(`page at ${start + hours(1)}`)
})

test('CB1 time passes beside an activity that sleeps in the environment', async () => {
  const slow = activity('slow', { output: type<number>(), startToCloseTimeout: '2 hours' }).implement(async () => {
    await env.sleep('1 hour')
    return env.now().getTime()
  })
  const wait = workflow('wait', {}, async (ctx) => ctx.run(slow))
  await using env = await testEnvironment({ workflows: [wait], activities: [slow], time: 'auto' })
  const run = await env.client.start(wait, {})
  expect(await run.result()).toBe(start + hours(1))
})
