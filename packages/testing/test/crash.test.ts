// Workers and servers that die as by SIGKILL, and what becomes of what they held.
import { activity, signal, type, workflow } from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const start = Date.UTC(2026, 0, 1)
const minutes = (count: number) => count * 60_000

const greet = workflow(
  'greet',
  { input: type<string>(), output: type<string>() },
  async (_ctx, name) => `hello ${name}`,
)

test('CB2 an activity of a crashed worker goes no further; its lease runs out and another worker makes the next attempt', async () => {
  const seen: string[] = []
  const work = activity('work', { output: type<number>() }).implement(async (_input, ctx) => {
    seen.push(`attempt ${ctx.info.attempt} begins at ${env.now().getTime() - start}`)
    ctx.signal.addEventListener('abort', () => seen.push('was told to stop'))
    await env.sleep('1 minute')
    seen.push(`attempt ${ctx.info.attempt} ends`)
    return ctx.info.attempt
  })
  const job = workflow('job', {}, async (ctx) => ctx.run(work))
  await using env = await testEnvironment({ workflows: [job], activities: [work] })
  const run = await env.client.start(job, {})
  await env.advance('30 s')
  await env.crashWorker()
  const second = await env.startWorker()
  await env.advance('4 minutes')
  expect(await run.describe()).toMatchObject({ status: 'waiting' })
  await env.advance('2 minutes')
  expect(await run.result()).toBe(2)
  expect(seen).toEqual(['attempt 1 begins at 0', `attempt 2 begins at ${minutes(5)}`, 'attempt 2 ends'])
  expect(env.workers).toEqual([second])
})

test('what an activity does for real may go on after the crash, but its result reaches nobody', async () => {
  const real = Promise.withResolvers<string>()
  const work = activity('work', { output: type<string>() }).implement(async (_input, { info }) =>
    info.attempt === 1 ? real.promise : 'second',
  )
  const job = workflow('job', {}, async (ctx) => ctx.run(work))
  await using env = await testEnvironment({ workflows: [job], activities: [work] })
  const run = await env.client.start(job, {})
  while (!(await run.explain()).join().includes('runs on worker worker-1'));
  await env.crashWorker()
  real.resolve('first')
  await env.startWorker()
  await env.advance('5 minutes')
  expect(await run.result()).toBe('second')
  const types = (await env.history(run)).map((event) => event.type)
  expect(types.filter((name) => name === 'ActivityCompleted')).toHaveLength(1)
})

test('a workflow task of a crashed worker is delivered again when its lease has run out', async () => {
  await using env = await testEnvironment({ workflows: [greet] })
  const run = await env.client.start(greet, { input: 'ada' })
  await env.crashWorker()
  expect((await run.explain()).join()).toMatch(/Worker worker-1 has workflow task/)
  await env.startWorker()
  await env.advance(minutes(1) - 1)
  expect((await run.explain()).join()).toMatch(/Worker worker-1 has workflow task/)
  await env.advance(1)
  expect(await run.result()).toBe('hello ada')
  expect(env.now().getTime() - start).toBe(minutes(1))
})

test('a server that is restarted goes on with timers, activities, waits and answers', async () => {
  const approved = signal('approved')
  const work = activity('work').implement(() => env.sleep('1 hour'))
  const job = workflow('job', { output: type<string>(), handles: [approved] }, async (ctx) => {
    await Promise.all([ctx.run(work), ctx.sleep('2 hours'), ctx.waitFor(approved)])
    return 'all three'
  })
  await using env = await testEnvironment({ workflows: [job], activities: [work] })
  const run = await env.client.start(job, {})
  const result = run.result()
  await env.advance('30 minutes')
  await env.restartServer()
  expect(env.now().getTime() - start).toBe(minutes(30))
  await run.signal(approved)
  await env.advance('45 minutes')
  await env.restartServer()
  await env.advance('45 minutes')
  expect(await result).toBe('all three')
})

test('what a killed server had not committed is not there, and its client repeats it', async () => {
  await using env = await testEnvironment({ workflows: [greet] })
  const starting = env.client.start(greet, { id: 'greet-1', input: 'ada' })
  await env.restartServer()
  expect(await (await starting).result()).toBe('hello ada')
  const runs: string[] = []
  for await (const run of env.client.list()) runs.push(run.workflowId)
  expect(runs).toEqual(['greet-1'])
})

test('a crash names what is wrong with the worker that it was given', async () => {
  await using env = await testEnvironment({ workflows: [greet] })
  const [worker] = env.workers
  await env.crashWorker(worker)
  expect(worker?.isAlive).toBe(false)
  await expect(env.crashWorker(worker)).rejects.toThrow(/worker-1 does not live/)
  await expect(env.crashWorker()).rejects.toThrow(/No worker .* lives\. Start one with env\.startWorker\(\)/)
})
