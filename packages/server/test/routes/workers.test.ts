import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { activityType, claim, queue, register, start, worker, workflowType } from '../support/wire.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served.close())

const call: TestServer['client']['call'] = (operation, sent) => served.client.call(operation, sent)
const registration = { worker_id: 'w', task_queue: queue, runtime: 'python' }

/** As the published Python worker registers. */
const python = {
  worker_id: 'py-worker-1',
  task_queue: queue,
  runtime: 'python',
  sdk_version: 'durable-workflow-python/2.12.0',
  supported_workflow_types: [workflowType],
  supported_activity_types: [activityType],
  capability_manifest: {
    local_activities: { supported: true, minimum_protocol_version: '1.18', implementation: 'record_local_activity' },
    worker_sessions: { supported: true, minimum_protocol_version: '1.18', implementation: 'typed_worker_session' },
    sticky_execution: { supported: false, minimum_protocol_version: '1.18', reason: 'sticky_cache_disabled' },
  },
  workflow_definition_fingerprints: { [workflowType]: 'sha256:aa' },
  workflow_command_contracts: {
    [workflowType]: {
      queries: ['q'],
      query_contracts: [{ name: 'q', parameters: [] }],
      signals: [],
      signal_contracts: [],
      updates: [],
      update_contracts: [],
      update_validators: [],
    },
  },
  capabilities: ['memo_upserts', 'local_activities', 'query_tasks', 'worker_sessions'],
  max_concurrent_workflow_tasks: 10,
  max_concurrent_activity_tasks: 10,
  max_concurrent_worker_sessions: 10,
  task_slots: { workflow_available: 10, activity_available: 10, session_available: 10 },
  process_metrics: {
    process_uptime_seconds: 0,
    process_id: 123,
    process_started_at: '2026-11-30T08:04:51.361Z',
    memory_bytes: 42_119_168,
    cpu_percent: 6.81,
    host: 'h',
  },
}

test('a registration comes back as it was sent, because workers compare it', async () => {
  const answer = await call('registerWorker', { body: python })
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    worker_id: python.worker_id,
    registered: true,
    namespace: 'default',
    task_queue: queue,
    runtime: 'python',
    build_id: null,
    capabilities: python.capabilities,
    capability_manifest: python.capability_manifest,
    status: 'active',
    heartbeat_interval_seconds: 10,
  })
})

test('a worker without an id gets one; build id and interval come back', async () => {
  const { body } = await call('registerWorker', {
    body: { task_queue: queue, runtime: 'rust', build_id: 'b-1', heartbeat_interval_seconds: 25 },
  })
  expect(body.worker_id).not.toBe('')
  expect(body).toMatchObject({ build_id: 'b-1', heartbeat_interval_seconds: 25, capabilities: [] })
})

test.each([
  [{ task_queue: undefined }, 'task_queue'],
  [{ runtime: 'cobol' }, 'runtime'],
  [{ worker_id: 'x'.repeat(256) }, 'worker_id'],
  [{ sdk_version: 'x'.repeat(65) }, 'sdk_version'],
  [{ heartbeat_interval_seconds: 0 }, 'heartbeat_interval_seconds'],
  [{ heartbeat_interval_seconds: 3601 }, 'heartbeat_interval_seconds'],
  [{ capabilities: 'query_tasks' }, 'capabilities'],
  [{ supported_workflow_types: [7] }, 'supported_workflow_types.0'],
])('refuses %j and names %s', async (fields, field) => {
  const before = served.tables()
  const answer = await call('registerWorker', { body: { ...registration, ...fields } })
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors)).toContain(field)
  expect(served.tables()).toEqual(before)
})

const manifest = (capability: string, supported: boolean, floor: string) => ({
  [capability]: { supported, minimum_protocol_version: floor },
})

test.each([
  [
    'a manifest that says yes where the list says no',
    { capability_manifest: manifest('local_activities', true, '1.18') },
    'worker_capability_manifest_mismatch',
  ],
  [
    'a list that says yes where the manifest says no',
    { capabilities: ['worker_sessions'], capability_manifest: manifest('worker_sessions', false, '1.18') },
    'worker_capability_manifest_mismatch',
  ],
  [
    'a capability that the header is too old for',
    { capabilities: ['later'], capability_manifest: manifest('later', true, '1.20') },
    'worker_capability_protocol_floor_mismatch',
  ],
  [
    'C-06 cooperative cancellation below 1.20',
    { capabilities: ['cooperative_cancellation'] },
    'cooperative_cancellation_protocol_mismatch',
  ],
])('refuses %s', async (_name, fields, reason) => {
  const before = served.tables()
  const answer = await call('registerWorker', { body: { ...registration, worker_id: 'contradicts', ...fields } })
  expect(answer).toMatchObject({ status: 409, body: { reason, registered: false, recorded: false } })
  expect(served.tables()).toEqual(before)
})

test('a process that registers again with another fingerprint of a type is refused', async () => {
  const { process_metrics } = python
  const body = { ...registration, worker_id: 'changing', supported_workflow_types: [workflowType], process_metrics }
  await call('registerWorker', { body: { ...body, workflow_definition_fingerprints: { [workflowType]: 'sha256:aa' } } })
  const before = served.tables()
  const answer = await call('registerWorker', {
    body: { ...body, workflow_definition_fingerprints: { [workflowType]: 'sha256:bb' } },
  })
  expect(answer).toMatchObject({
    status: 409,
    body: { reason: 'workflow_definition_changed', workflow_type: workflowType, recorded: false },
  })
  expect(answer.body.remediation).not.toBe('')
  expect(served.tables()).toEqual(before)
})

test('a worker heartbeat is acknowledged; of a worker that nobody knows it is refused', async () => {
  await register(served.client, { worker_id: 'beating', heartbeat_interval_seconds: 15 })
  const body = {
    worker_id: 'beating',
    task_slots: { workflow_available: 9, activity_available: 10 },
    process_metrics: { process_id: 1, process_uptime_seconds: 0 },
  }
  const answer = await call('heartbeatWorker', { body })
  expect(answer.body).toMatchObject({
    worker_id: 'beating',
    acknowledged: true,
    heartbeat_interval_seconds: 15,
    stale_after_seconds: 30,
  })
  const nobody = await call('heartbeatWorker', { body: { worker_id: 'nobody' } })
  expect(nobody).toMatchObject({
    status: 404,
    body: { reason: 'worker_not_registered', worker_id: 'nobody', recorded: false },
  })
  const bad = await call('heartbeatWorker', { body: { worker_id: 'beating', task_slots: { workflow_available: -1 } } })
  expect(Object.keys(bad.body.errors)).toEqual(['task_slots.workflow_available'])
})

test('L-14 a worker that leaves gives back what it leased', async () => {
  const other = await startTestServer()
  try {
    await register(other.client)
    await start(other.client)
    const first = await claim(other.client)
    const gone = await other.client.call('deregisterWorker', { path: { worker_id: worker } })
    expect(gone.body).toMatchObject({ worker_id: worker, outcome: 'deregistered', recovered_workflow_task_count: 1 })
    expect((await other.client.call('deregisterWorker', { path: { worker_id: worker } })).body.reason).toBe(
      'worker_not_found',
    )
    await register(other.client)
    const second = await claim(other.client)
    expect(second.task_id).toBe(first.task_id)
    expect(second.workflow_task_attempt).toBe(first.workflow_task_attempt + 1)
  } finally {
    await other.close()
  }
})

test('a worker of another namespace is another worker', async () => {
  await call('createNamespace', { body: { name: 'apart' } })
  await register(served.client, { worker_id: 'here' })
  const elsewhere = await call('heartbeatWorker', { headers: { 'x-namespace': 'apart' }, body: { worker_id: 'here' } })
  expect(elsewhere.body.reason).toBe('worker_not_registered')
})
