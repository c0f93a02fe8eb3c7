// One line of JSON for each request that is worth one: what it says, and what it never says.
import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import { type BuiltOperationId, builtOperationIds, operations } from '@durable-workflow/protocol'
import { afterEach, expect, test } from 'vitest'
import { faultyStore } from './support/faulty-store.ts'
import { bodies } from './support/good-bodies.ts'
import { type LogLines, logLines } from './support/log-lines.ts'
import { chanceOf, mutated } from './support/mutate.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './support/test-server.ts'
import { claim, complete, register, start, worker } from './support/wire.ts'

let served: TestServer
let logged: LogLines
let fault: (() => Promise<never>) | undefined
afterEach(async () => {
  fault = undefined
  await served.close()
})

async function serve(level: string, options: TestServerOptions = {}): Promise<void> {
  logged = logLines()
  served = await startTestServer({
    wrap: (store) => faultyStore(store, () => fault),
    log: { level, stream: logged.stream },
    ...options,
  })
}

const linesOf = (operation: string) => logged.lines().filter((line) => line.operation === operation)

test('a refusal is one line at info with reason and ids', async () => {
  await serve('info')
  await register(served.client)
  const run = await start(served.client)
  const task = await claim(served.client)
  expect(logged.lines().filter(({ operation }) => operation !== undefined)).toEqual([])
  const refused = await complete(served.client, { ...task, workflow_task_attempt: 7 }, [])
  expect(refused.status).toBe(409)
  expect(linesOf('completeWorkflowTask')).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
      requestId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-z]+$/),
      operation: 'completeWorkflowTask',
      status: 409,
      reason: refused.body.reason,
      durationMs: expect.any(Number),
      namespace: 'default',
      runId: run.runId,
      taskId: task.task_id,
      attempt: 7,
      workerId: worker,
      msg: 'request refused',
    },
  ])
})

test('what was served is a line at debug', async () => {
  await serve('debug')
  await register(served.client)
  const run = await start(served.client)
  expect(linesOf('startWorkflow')).toMatchObject([
    { level: 20, status: 201, workflowId: run.workflowId, runId: run.runId, msg: 'request served' },
  ])
})

test('what went wrong in the store is a line at error with its cause', async () => {
  await serve('error')
  fault = () => Promise.reject(new StoreUnavailableError('read_only', { cause: new Error('attempt to write') }))
  await served.client.call('startWorkflow', { body: { workflow_id: 'w', workflow_type: 't' } })
  expect(linesOf('startWorkflow')).toMatchObject([
    {
      level: 50,
      status: 503,
      reason: 'backend_unavailable',
      workflowId: 'w',
      err: { type: 'StoreUnavailableError', condition: 'read_only', cause: { message: 'attempt to write' } },
    },
  ])
})

test('a wrong method and a wrong path are refusals of no operation', async () => {
  await serve('info')
  await served.client.raw('GET', '/nowhere')
  await served.client.raw('POST', '/api/health')
  expect(logged.lines().filter(({ msg }) => msg === 'request refused')).toMatchObject([
    { status: 404, reason: 'not_found' },
    { status: 405, reason: 'method_not_allowed' },
  ])
})

test('an id is cut, not written in full', async () => {
  await serve('info')
  await served.client.call('describeWorkflow', { path: { workflow_id: 'x'.repeat(900) } })
  expect(linesOf('describeWorkflow')).toMatchObject([{ workflowId: 'x'.repeat(255) }])
})

const secret = 'S3CRET-in-a-payload'
const token = 'T0KEN-of-everybody'
/** What is an id, and therefore logged, or decides which branch is met. */
const ids =
  /^(worker_id|workflow_id|lease_owner|activity_attempt_id|task_queue|workflow_type|.*_request_id|request_id|type|codec|name)$/

/** A copy in which every text that is no id holds the secret. */
function withSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return ids.test(name) ? value : `${secret} ${value}`
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries({ note: secret, ...value })
  return Object.fromEntries(entries.map(([key, member]) => [key, withSecrets(member, key)]))
}

const casesPerOperation = 25
const seed = 20261130

test('no payload and no token is ever logged, whatever comes and whatever breaks', { timeout: 120_000 }, async () => {
  await serve('trace', { settings: { tokens: [{ name: 'all', token, roles: ['worker', 'operator', 'admin'] }] } })
  const chance = chanceOf(seed)
  const call = (id: BuiltOperationId, body: unknown, authorization: string) =>
    served.client.call(id, {
      path: {
        workflow_id: 'w',
        run_id: 'r',
        signal_name: 's',
        query_name: 'q',
        namespace: 'default',
        task_id: 't',
        query_task_id: 'q',
        worker_id: 'w',
      },
      headers: { authorization, cookie: secret, 'x-other': secret },
      ...(operations[id].method === 'POST' ? { body } : { query: { query: secret } }),
    })
  for (const id of builtOperationIds) {
    for (let number = 0; number < casesPerOperation; number++) {
      const good = bodies[id] ?? {}
      const sent = withSecrets(number === 0 ? good : mutated(chance, good))
      fault = number % 5 === 4 ? () => Promise.reject(new TypeError('broken')) : undefined
      const body = typeof sent === 'object' && sent !== null ? { ...sent, timeout_seconds: 0 } : sent
      await call(id, body, `Bearer ${number % 7 === 6 ? `wrong-${token}` : token}`)
    }
  }
  fault = undefined
  await served.client.raw('POST', '/api/workflows', { rawBody: `{"input": "${secret}` })
  await served.client.raw('POST', `/api/workflows?note=${secret}`, {
    rawBody: secret,
    headers: { 'content-type': secret },
  })
  expect(logged.lines().length).toBeGreaterThan(builtOperationIds.length * casesPerOperation)
  expect(logged.text()).not.toContain('S3CRET')
  expect(logged.text()).not.toContain('T0KEN')
})
