// Workers and servers that die as by SIGKILL, and what becomes of what they held.
import { activity, type, workflow } from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'

const start = Date.UTC(2026, 0, 1)
const minutes = (count: number) => count * 60_000

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
