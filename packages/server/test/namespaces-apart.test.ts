// What is in one namespace is neither seen nor changed from another: for every built operation, the ids of one asked in the
// other give the very answer that made-up ids give, with not one byte of what they name, and leave every row as it was.
import { builtOperationIds } from '@durable-workflow/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocumentedOperation, documentedOperations } from '../../protocol/test/documented-operations.ts'
import { ask, goodBodyOf } from './support/documented-requests.ts'
import type { Answered } from './support/test-client.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { claim, claimActivity, complete, register, schedule, start } from './support/wire.ts'

/** Stands in every name and value of the one namespace that people choose. */
const secret = 'hidden'
const place = { worker_id: `${secret}-worker`, task_queue: `${secret}-queue` }
const pollRequestId = `${secret}-poll`
const types = {
  supported_workflow_types: [`${secret}-type`],
  supported_activity_types: [`${secret}-activity`],
}

let served: TestServer
/** Ids in `default`, by the name of the parameter or member that takes them. */
let theirs: Ids

interface Ids {
  readonly path: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const madeUp: Ids = {
  path: {
    workflow_id: 'made-up',
    run_id: 'made-up-run',
    task_id: 'made-up-task',
    activity_task_id: 'made-up-activity',
    query_task_id: 'made-up-query',
    worker_id: 'made-up-worker',
  },
  body: {
    worker_id: 'made-up-worker',
    lease_owner: 'made-up-worker',
    task_queue: 'made-up-queue',
    activity_attempt_id: 'made-up-attempt',
    poll_request_id: 'made-up-poll',
    run_ids: ['made-up-run'],
    instance_id: 'made-up',
  },
}

beforeAll(async () => {
  served = await startTestServer()
  const { client } = served
  await client.call('createNamespace', { body: { name: 'elsewhere' } })
  await register(client, { ...place, ...types })
  const owner = { lease_owner: place.worker_id }
  const started = { workflow_type: `${secret}-type`, task_queue: place.task_queue, input: [`${secret} input`] }
  await start(client, { ...started, workflow_id: `${secret}-first` })
  const first = await claim(client, place)
  await complete(client, first, [schedule({ activity_type: `${secret}-activity`, queue: place.task_queue })], owner)
  const activity = await claimActivity(client, place)
  const run = await start(client, { ...started, workflow_id: `${secret}-second`, business_key: `${secret}-key` })
  const task = await claim(client, { ...place, poll_request_id: pollRequestId })
  const path = { workflow_id: run.workflowId, query_name: 'total' }
  void client.call('queryWorkflow', { path, body: { input: [`${secret} question`] } }).catch(() => {})
  const asked = await client.call('pollQueryTask', { body: { ...place, timeout_seconds: 5 } })
  theirs = {
    path: {
      workflow_id: run.workflowId,
      run_id: run.runId,
      task_id: task.task_id,
      activity_task_id: activity.task_id,
      query_task_id: asked.body.task.query_task_id,
      worker_id: place.worker_id,
    },
    body: {
      ...place,
      ...owner,
      activity_attempt_id: activity.activity_attempt_id,
      poll_request_id: pollRequestId,
      run_ids: [run.runId],
      instance_id: run.workflowId,
    },
  }
})
afterAll(() => served.close())

const operations = (await documentedOperations()).filter(({ stage }) => stage === 'built')

/** Asks in `elsewhere` with these ids wherever the operation takes one. */
function askElsewhere(operation: DocumentedOperation, ids: Ids): Promise<Answered> {
  const good = goodBodyOf(operation)
  const given = Object.fromEntries(Object.entries(ids.body).filter(([name]) => name in (good ?? {})))
  const taskId = operation.path.includes('/activity-tasks/') ? ids.path.activity_task_id : ids.path.task_id
  return ask(served.client, operation, {
    namespace: 'elsewhere',
    path: { ...ids.path, task_id: taskId ?? '', signal_name: 'go', query_name: 'total', namespace: 'default' },
    ...(good === undefined ? {} : { body: { ...good, ...given } }),
  })
}

/** An answer without the ids that were asked for: two of them tell whether the ids made a difference. */
function withoutIds({ status, text }: Answered, ids: Ids): { status: number; text: string } {
  const values = [...Object.values(ids.path), ...Object.values(ids.body).flat().map(String)]
  let bare = text
  for (const value of values.sort((a, b) => b.length - a.length)) bare = bare.replaceAll(value, '«id»')
  return { status, text: bare }
}

/** Operations that name nothing of a namespace, or make something of their own; each has a test below or in its route's. */
const withoutIdsOfOthers: ReadonlySet<string> = new Set([
  'registerWorker',
  'startWorkflow',
  'listWorkflows',
  'listNamespaces',
  'createNamespace',
  'describeNamespace',
  'getPrometheusMetrics',
  'getRepairStatus',
  'getClusterInfo',
  'getHealth',
  'getReady',
  'getMetrics',
])

test.each(
  operations.filter(({ id }) => !withoutIdsOfOthers.has(id)).map((operation) => [operation.id, operation] as const),
)('%s says the same of an id of another namespace and of one that nobody has', async (id, operation) => {
  const before = served.tables()
  const ofTheirs = await askElsewhere(operation, theirs)
  const ofNobody = await askElsewhere(operation, madeUp)
  expect(withoutIds(ofTheirs, theirs)).toEqual(withoutIds(ofNobody, madeUp))
  expect(withoutIds(ofTheirs, theirs).text).not.toContain(secret)
  // A pass over nothing is done; everything else is refused.
  if (id !== 'runRepairPass') expect(ofTheirs.body).toMatchObject({ recorded: false })
  expect(served.tables()).toEqual(before)
})

test('the operations without such ids are named here, and there are no others', () => {
  const known: readonly string[] = builtOperationIds
  expect([...withoutIdsOfOthers].filter((id) => !known.includes(id))).toEqual([])
  for (const operation of operations) {
    const takesId = /\{(workflow|run|task|query_task|worker)_id\}/.test(operation.path)
    if (takesId) expect(withoutIdsOfOthers.has(operation.id), operation.id).toBe(false)
  }
})

const elsewhere = { headers: { 'x-namespace': 'elsewhere' } }

test('a list, its filters and its tokens show nothing of another namespace', async () => {
  const { client } = served
  const first = await client.call('listWorkflows', { query: { page_size: '1' } })
  expect(first.body.workflows).toHaveLength(1)
  const token = first.body.next_page_token
  const queries: readonly Readonly<Record<string, string>>[] = [
    {},
    { workflow_type: `${secret}-type` },
    { status: 'running' },
    { query: `WorkflowId = '${secret}-second'` },
    { next_page_token: token },
  ]
  for (const query of queries) {
    const { status, body, text } = await client.call('listWorkflows', { ...elsewhere, query })
    expect({ status, workflows: body.workflows, count: body.workflow_count, next: body.next_page_token }).toEqual({
      status: 200,
      workflows: [],
      count: 0,
      next: null,
    })
    expect(text).not.toContain(secret)
  }
})

test('the repair status of a namespace counts nothing of another', async () => {
  const { body, text } = await served.client.call('getRepairStatus', elsewhere)
  expect(body.candidates.total_candidates).toBe(0)
  expect(text).not.toContain(secret)
})

test('a start under a workflow id of another namespace is refused by the one documented reason, and tells no more', async () => {
  const before = served.tables()
  const answer = await served.client.call('startWorkflow', {
    ...elsewhere,
    body: { workflow_id: theirs.path.workflow_id, workflow_type: 't', start_id: 's' },
  })
  expect(answer).toMatchObject({ status: 409, body: { reason: 'workflow_id_reserved_in_namespace', recorded: false } })
  expect(withoutIds(answer, theirs).text).not.toContain(secret)
  expect(answer.text).not.toContain(theirs.path.run_id)
  expect(answer.text).not.toContain('"default"')
  expect(served.tables()).toEqual(before)
})

test('a worker of the same id and queue in another namespace takes, gets and releases nothing of the first', async () => {
  const { client } = served
  const tasksOf = (tables: Record<string, string>) => [tables.workflow_tasks, tables.activities, tables.query_tasks]
  const before = tasksOf(served.tables())
  const registered = await client.call('registerWorker', {
    ...elsewhere,
    body: {
      ...place,
      ...types,
      runtime: 'typescript',
      capabilities: ['query_tasks'],
      // Another process: in its own namespace it would take over, and release what the former had leased (L-14).
      process_metrics: { host: 'other', process_id: 2 },
    },
  })
  expect(registered.status).toBe(201)
  for (const poll of ['pollWorkflowTask', 'pollActivityTask', 'pollQueryTask'] as const) {
    const body = { ...place, timeout_seconds: 0, poll_request_id: pollRequestId }
    const { body: polled } = await client.call(poll, { ...elsewhere, body })
    expect(polled, poll).toMatchObject({ task: null, poll_status: 'empty' })
  }
  // Now the worker is known there; the tasks are still another's.
  for (const operation of operations.filter(({ path }) => path.includes('task_id}'))) {
    const answer = await askElsewhere(operation, theirs)
    expect(answer, operation.id).toMatchObject({ status: 404, body: { recorded: false } })
  }
  const gone = await client.call('deregisterWorker', { ...elsewhere, path: { worker_id: place.worker_id } })
  expect(gone.body).toMatchObject({ outcome: 'deregistered', recovered_workflow_task_count: 0 })
  expect(tasksOf(served.tables())).toEqual(before)
  const still = await client.call('heartbeatWorker', { body: { worker_id: place.worker_id } })
  expect(still.status).toBe(200)
})

test('a start id of another namespace is not taken for a repeat', async () => {
  const { client } = served
  const body = { workflow_type: 't', workflow_id: 'apart-1', start_id: 'same-start' }
  const here = await client.call('startWorkflow', { body })
  expect(here.status).toBe(201)
  const there = await client.call('startWorkflow', { ...elsewhere, body: { ...body, workflow_id: 'apart-2' } })
  expect(there).toMatchObject({ status: 201, body: { workflow_id: 'apart-2', namespace: 'elsewhere' } })
})
