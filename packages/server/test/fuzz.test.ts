// Bad input, seeded: every answer must be one that the document lists for its operation, and never a 500 (the test client
// judges each). Cases begin with a good request, so that what lies behind the validators is met too.
import { builtOperationIds, operations } from '@durable-workflow/protocol'
import { type EmptyDatabase, eachDatabase, emptyDatabase } from '@durable-workflow/tests/support/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodies } from './support/good-bodies.ts'
import { chanceOf, mutated, pick } from './support/mutate.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { claim, claimActivity, complete, register, schedule, start } from './support/wire.ts'

const casesPerOperation = 200
const slowMs = 5000
const seed = 20261130

const queryNames = [
  'page_size',
  'next_page_token',
  'query',
  'status',
  'wait_timeout_seconds',
  'spec',
  'namespace',
] as const
const strangeQueries = [
  '1',
  '0',
  '-1',
  '1e9',
  '\u0000',
  'MA==',
  '%%%',
  'x'.repeat(500),
  'WorkflowId = "a"',
  "StartTime > '2026'",
  'NOT Status = running',
  'RunId IN (a,b)',
  "CloseTime < 'zzz'",
  'Status > 3',
] as const

/** A run with a claimed workflow task and a claimed activity, for reports that get past the fence. */
async function claims({ client }: TestServer) {
  const withActivity = await start(client)
  await complete(client, await claim(client), [schedule()])
  const activity = await claimActivity(client)
  await start(client)
  return { run: withActivity, activity, task: await claim(client) }
}

eachDatabase((on) => {
  let served: TestServer
  let database: EmptyDatabase
  beforeAll(async () => {
    database = await emptyDatabase(on)
    served = await startTestServer({ engineSettings: { queryTimeoutMs: 20 }, databaseUrl: database.url })
    await register(served.client)
  })
  afterAll(async () => {
    await served?.close()
    await database?.remove()
  })

  test.each(builtOperationIds)(
    '%s',
    async (id) => {
      const chance = chanceOf(seed + builtOperationIds.indexOf(id))
      let held = await claims(served)
      for (let number = 0; number < casesPerOperation; number++) {
        if (number % 20 === 19) held = await claims(served)
        const { run, task, activity } = held
        const odd = (right: string) =>
          chance() < 0.9 ? right : pick(chance, ['nothing', 'a b', '%00', '😀', 'x'.repeat(200)])
        const path = {
          workflow_id: odd(run.workflowId),
          run_id: odd(run.runId),
          signal_name: odd('go'),
          query_name: odd('q'),
          task_id: odd(id.includes('Activity') ? activity.task_id : task.task_id),
          query_task_id: odd(`${run.runId}q1`),
          worker_id: odd('fuzzed'),
          namespace: odd('default'),
        }
        const good = {
          ...bodies[id],
          ...(id.includes('ActivityTask') ? { activity_attempt_id: activity.activity_attempt_id } : {}),
        }
        const sent = number % 20 === 0 ? good : mutated(chance, good)
        const isGet = operations[id].method === 'GET'
        const query = isGet
          ? Object.fromEntries(
              queryNames.filter(() => chance() < 0.25).map((name) => [name, pick(chance, strangeQueries)]),
            )
          : {}
        const before = performance.now()
        const answer = await served.client.call(id, {
          path,
          query,
          ...(operations[id].method === 'POST' ? { body: isPoll(id) ? atOnce(sent) : sent } : {}),
        })
        const what = `case ${number}: ${JSON.stringify({ path, query, sent })} was answered ${answer.text}`
        expect(answer.status, what).not.toBe(500)
        expect(performance.now() - before, what).toBeLessThan(slowMs)
      }
    },
    120_000,
  )
})

const isPoll = (id: string): boolean => id.startsWith('poll')

// A poll that asks to be held would only be waited for.
function atOnce(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return sent
  const { timeout_seconds: asked, ...rest } = { timeout_seconds: undefined, ...sent }
  return { ...rest, timeout_seconds: typeof asked === 'number' && asked > 0 && asked <= 60 ? 0 : (asked ?? 0) }
}
