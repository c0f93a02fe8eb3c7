// Every operation while the store takes nothing and gives nothing: the 503 by whose fields published workers repeat the
// very same request, and nothing recorded. The unavailable tests show what becomes of a few of them; here are all.
import { CommitUnknownError, type StoreCondition, StoreUnavailableError } from '@durable-workflow/engine/ports'
import { type BuiltOperationId, builtOperationIds, operations } from '@durable-workflow/protocol'
import { outageProblems } from '@durable-workflow/tests/support/outage-contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultyStore } from './support/faulty-store.ts'
import { bodies } from './support/good-bodies.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { claim, claimActivity, complete, queue, register, schedule, start, worker } from './support/wire.ts'

let served: TestServer
let fault: (() => Promise<never>) | undefined
let path: Readonly<Record<string, string>>
let activityAttemptId: string
beforeAll(async () => {
  served = await startTestServer({ wrap: (store) => faultyStore(store, () => fault) })
  await register(served.client)
  const withActivity = await start(served.client)
  await complete(served.client, await claim(served.client), [schedule()])
  const activity = await claimActivity(served.client)
  activityAttemptId = activity.activity_attempt_id
  await start(served.client)
  const task = await claim(served.client)
  path = {
    workflow_id: withActivity.workflowId,
    run_id: withActivity.runId,
    signal_name: 'go',
    query_name: 'q',
    namespace: 'default',
    worker_id: worker,
    query_task_id: `${withActivity.runId}q1`,
    workflow_task: task.task_id,
    activity_task: activity.task_id,
  }
})
afterAll(async () => {
  fault = undefined
  await served.close()
})

/** They ask the store nothing, or answer about it. */
const unaffected: readonly BuiltOperationId[] = [
  'getClusterInfo',
  'getHealth',
  'getReady',
  'getMetrics',
  'getPrometheusMetrics',
]
const affected = builtOperationIds.filter((id) => !unaffected.includes(id))
const conditions: readonly StoreCondition[] = ['full', 'read_only', 'locked', 'unreachable', 'other']

function sentTo(id: BuiltOperationId) {
  const names = operations[id].path.match(/(?<=\{)\w+(?=\})/g) ?? []
  const given = { ...path, task_id: (id.includes('Activity') ? path.activity_task : path.workflow_task) ?? '' }
  const known: Readonly<Record<string, string | undefined>> = given
  const good: Readonly<Record<string, unknown>> = { ...bodies[id] }
  return {
    operation: id,
    path: Object.fromEntries(names.map((name) => [name, known[name] ?? name])),
    body: {
      ...good,
      ...(id.includes('ActivityTask') && !id.startsWith('poll') ? { activity_attempt_id: activityAttemptId } : {}),
      // An unknown worker: a known one is remembered, and its poll would be held without a question to the store.
      ...(id.startsWith('poll') ? { worker_id: 'stranger', task_queue: queue } : {}),
    },
  }
}

async function answerOf(id: BuiltOperationId) {
  const sent = sentTo(id)
  const { method } = operations[id]
  const answer = await served.client.call(id, { path: sent.path, ...(method === 'POST' ? { body: sent.body } : {}) })
  return { sent, answer, got: { status: answer.status, retryAfter: answer.headers['retry-after'], body: answer.body } }
}

describe.each(conditions)('%s', (condition) => {
  test.each(affected)('%s', async (id) => {
    const before = served.tables()
    fault = () => Promise.reject(new StoreUnavailableError(condition, { cause: new Error('as the test says') }))
    const { sent, answer, got } = await answerOf(id)
    fault = undefined
    expect(outageProblems(sent, got), answer.text).toEqual([])
    expect(answer.body).toMatchObject({ recorded: false, condition, message: expect.any(String) })
    expect(served.tables()).toEqual(before)
  })
})

test.each(affected)('UW7 %s with a commit whose fate nobody knows says so, and keeps the contract', async (id) => {
  fault = () => Promise.reject(new CommitUnknownError({ cause: new Error('as the test says') }))
  const { sent, answer, got } = await answerOf(id)
  fault = undefined
  expect(outageProblems(sent, got), answer.text).toEqual([])
  expect(answer.body.outcome).toBe('unknown')
  expect(answer.body).not.toHaveProperty('recorded')
})

test.each(unaffected)('%s answers without the store', async (id) => {
  fault = () => Promise.reject(new StoreUnavailableError('unreachable', { cause: new Error('as the test says') }))
  const { answer } = await answerOf(id)
  fault = undefined
  expect(answer.status).toBe(id === 'getHealth' || id === 'getReady' ? 503 : 200)
})

test('a judge that sees nothing would be no judge: each demanded field is missed when it is gone', async () => {
  fault = () => Promise.reject(new StoreUnavailableError('full', { cause: new Error('as the test says') }))
  const { sent, got } = await answerOf('completeWorkflowTask')
  fault = undefined
  const demanded = ['reason', 'operation', 'retryable', 'outcome', 'worker_id', 'lease_owner', 'task_queue', 'task_id']
  for (const name of [...demanded, 'workflow_task_attempt']) {
    const { [name]: _, ...body } = got.body
    expect(outageProblems(sent, { ...got, body }), name).toEqual([`${name} is missing`])
  }
})
