// What the metrics say, and how many series they are: no more for a thousand workflows than for one.
import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { faultyStore } from './support/faulty-store.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import {
  activityType,
  claim,
  claimActivity,
  complete,
  finish,
  queue,
  register,
  resultOf,
  schedule,
  start,
  worker,
} from './support/wire.ts'

let served: TestServer
let fault: (() => Promise<never>) | undefined
beforeEach(async () => {
  fault = undefined
  served = await startTestServer({
    wrap: (store) => faultyStore(store, () => fault),
  })
  await register(served.client)
})
afterEach(async () => {
  fault = undefined
  await served.close()
})

/** Series as Prometheus reads them: name and labels → value. */
async function series(): Promise<Map<string, number>> {
  const { text } = await served.client.call('getMetrics')
  const found = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const at = line.lastIndexOf(' ')
    found.set(line.slice(0, at), Number(line.slice(at + 1)))
  }
  return found
}

async function value(name: string): Promise<number | undefined> {
  return (await series()).get(`durable_workflow_${name}`)
}

/** One run of a type through start, claim, activity, result and end, with a report that is refused. */
async function wholeRun(type: string, id: string): Promise<void> {
  await start(served.client, { workflow_id: id, workflow_type: type })
  const first = await claim(served.client)
  await complete(served.client, first, [schedule({ activity_type: type })])
  const activity = await claimActivity(served.client)
  await served.client.call('completeActivityTask', {
    path: { task_id: activity.task_id },
    body: { activity_attempt_id: activity.activity_attempt_id, lease_owner: worker, result: resultOf(id) },
  })
  await complete(served.client, await claim(served.client), [finish(id)])
  const again = await complete(served.client, first, [])
  expect(again.status).toBe(409)
}

test('requests are counted by operation, status and reason, and timed by operation', async () => {
  await start(served.client, { workflow_id: 'once' })
  const again = await served.client.call('startWorkflow', { body: { workflow_id: 'once', workflow_type: 'checkout' } })
  expect(again.status).toBe(409)
  await served.client.raw('GET', '/nowhere/at/all')
  const found = await series()
  const counted = (labels: string) => found.get(`durable_workflow_requests_total{${labels}}`)
  expect(counted('operation="startWorkflow",status="201",reason=""')).toBe(1)
  expect(counted('operation="startWorkflow",status="409",reason="duplicate_not_allowed"')).toBe(1)
  expect(counted('operation="none",status="404",reason="not_found"')).toBe(1)
  expect(found.get('durable_workflow_request_duration_seconds_count{operation="startWorkflow"}')).toBe(2)
})

test('a unit of work tells its size and its phases, an operation its outcome', async () => {
  const before = (await value('group_operations_count')) ?? 0
  await start(served.client)
  const found = await series()
  expect(found.get('durable_workflow_group_operations_count')).toBe(before + 1)
  for (const phase of ['lock', 'load', 'decide', 'write', 'commit']) {
    expect(found.get(`durable_workflow_unit_of_work_seconds_count{phase="${phase}"}`), phase).toBe(before + 1)
  }
  expect(found.get('durable_workflow_operations_total{kind="startWorkflow",outcome="accepted",reason=""}')).toBe(1)
})

test('claims by their way; a lease that ran out is counted with its lag', async () => {
  await served.close()
  served = await startTestServer({ engineSettings: { workflowTaskLeaseMs: 200, scanIntervalMs: 50 } })
  await register(served.client)
  await start(served.client)
  await claim(served.client)
  expect(await value('tasks_claimed_total{task="workflow",how="poll"}')).toBe(1)
  // Whoever polls while the lease runs out is given the task in the group that sets it free.
  await claim(served.client)
  expect(await value('leases_recovered_total{task="workflow"}')).toBe(1)
  expect(await value('due_lag_seconds_count{kind="workflowTask"}')).toBe(1)
  expect(await value('tasks_claimed_total{task="workflow",how="same_group"}')).toBe(1)
})

test('held requests by operation, and back to zero', async () => {
  const controller = new AbortController()
  const poll = served.client.call('pollActivityTask', {
    body: { worker_id: worker, task_queue: queue, timeout_seconds: 30 },
    signal: controller.signal,
  })
  await vi.waitUntil(async () => (await value('held_requests{operation="pollActivityTask"}')) === 1)
  expect(await value('waiters')).toBe(1)
  controller.abort()
  await expect(poll).rejects.toThrow()
  await vi.waitUntil(async () => (await value('held_requests{operation="pollActivityTask"}')) === 0)
  expect(await value('waiters')).toBe(0)
})

test('an error of the store is counted once, however many requests it failed', async () => {
  const error = new StoreUnavailableError('full', { cause: new Error('disk') })
  fault = () => Promise.reject(error)
  const answers = await Promise.all(
    [1, 2, 3].map((n) => served.client.call('startWorkflow', { body: { workflow_id: `w${n}`, workflow_type: 't' } })),
  )
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  fault = undefined
  expect(await value('store_errors_total{condition="full"}')).toBe(1)
  expect(await value('requests_total{operation="startWorkflow",status="503",reason="backend_unavailable"}')).toBe(3)
})

test('the number of series does not depend on ids, types, queues and namespaces', { timeout: 120_000 }, async () => {
  const types = Array.from({ length: 101 }, (_, n) => `type-${n}`)
  await register(served.client, { supported_workflow_types: types, supported_activity_types: [activityType, ...types] })
  await wholeRun('type-0', 'first')
  const names = (found: ReadonlyMap<string, number>) => [...found.keys()].sort()
  await series()
  const one = names(await series())
  expect(one.length).toBeGreaterThan(100)
  for (let n = 1; n <= 100; n++) await wholeRun(`type-${n}`, `run-of-${n}`)
  for (let n = 0; n < 1000; n += 50) {
    const ids = Array.from({ length: 50 }, (_, at) => ({ workflow_id: `id-${n + at}`, task_queue: `queue-${at}` }))
    await Promise.all(ids.map((fields) => start(served.client, fields)))
  }
  expect(names(await series())).toEqual(one)
})

describe('who may read them', () => {
  const tokens = [
    { name: 'worker', token: 'w', roles: ['worker'] },
    { name: 'operator', token: 'o', roles: ['operator'] },
    { name: 'admin', token: 'a', roles: ['admin'] },
  ] as const

  test.each([
    ['getMetrics', [403, 200, 200]],
    ['getPrometheusMetrics', [403, 403, 200]],
  ] as const)('%s', async (id, statuses) => {
    await using guarded = await startTestServer({ settings: { tokens } })
    const answers = await Promise.all(
      tokens.map(({ token }) => guarded.client.call(id, { headers: { authorization: `Bearer ${token}` } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    expect((await guarded.client.call(id)).status).toBe(401)
  })

  test('both give the same series', async () => {
    const plane = await served.client.call('getPrometheusMetrics')
    expect(plane.headers['content-type']).toContain('version=0.0.4')
    expect(plane.text).toContain('# TYPE durable_workflow_requests_total counter')
  })
})
