// Several workers, queues and queries.
import { activity, query, type, workflow } from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const render = activity('render', { output: type<string>(), taskQueue: 'gpu' })
const film = workflow('film', { output: type<string>() }, async (ctx) => ctx.run(render))
const phase = query('phase', { output: type<string>() })
const launch = workflow('launch', { handles: [phase] }, async (ctx) => {
  let now = 'counting down'
  ctx.handle(phase, () => now)
  await ctx.sleep('30 days')
  now = 'in the air'
  await ctx.sleep('30 days')
})

test('an activity waits for a worker of its own queue', async () => {
  await using env = await testEnvironment({ workflows: [film] })
  const run = await env.client.start(film, {})
  await env.advance('1 hour')
  expect((await run.explain()).join()).toMatch(/waits on queue 'gpu'/)
  await env.startWorker({ activities: [render.implement(() => 'a film')], taskQueue: 'gpu' })
  expect(await run.result()).toBe('a film')
})

test('of two workers of a queue the one that lives takes what comes', async () => {
  await using env = await testEnvironment({ workflows: [launch], taskQueue: 'orders' })
  const second = await env.startWorker()
  await env.crashWorker()
  const runs = await Promise.all(Array.from({ length: 5 }, () => env.client.start(launch, {})))
  await env.advance('60 days')
  await Promise.all(runs.map((run) => run.result()))
  await second.stop()
  expect(env.workers).toEqual([])
})

test('queries are answered after any time, in the state of that time', async () => {
  await using env = await testEnvironment({ workflows: [launch] })
  const run = await env.client.start(launch, {})
  expect(await run.query(phase)).toBe('counting down')
  await env.advance('29 days')
  expect(await run.query(phase)).toBe('counting down')
  await env.advance('1 day')
  expect(await run.query(phase)).toBe('in the air')
})

test('a query that no worker takes ends in virtual time', async () => {
  await using env = await testEnvironment({ workflows: [launch] })
  const run = await env.client.start(launch, {})
  await env.advance(0)
  await env.crashWorker()
  const asked = run.query(phase)
  asked.catch(() => {})
  await env.advance('30 s')
  await expect(asked).rejects.toMatchObject({ reason: 'query_task_not_claimed' })
  await env.advance('10 minutes')
  await expect(run.query(phase)).rejects.toMatchObject({ reason: 'query_worker_unavailable' })
})

test('an activity may start runs and wait for them', async () => {
  const nap = workflow('nap', { output: type<number>() }, async (ctx) => {
    await ctx.sleep('1 hour')
    return ctx.now()
  })
  const order = activity('order', { output: type<number>() }).implement(() => env.client.execute(nap, {}))
  const outer = workflow('outer', {}, async (ctx) => ctx.run(order))
  await using env = await testEnvironment({ workflows: [nap, outer], activities: [order], time: 'auto' })
  const before = env.now().getTime()
  expect(await env.client.execute(outer, {})).toBe(before + 3_600_000)
})
