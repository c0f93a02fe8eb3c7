// Registration, polls and their idempotency, readiness.
import { expect, test } from 'vitest'
import { activity } from '../../src/authoring/activity.ts'
import { type } from '../../src/authoring/contract.ts'
import { createWorker } from '../../src/worker/worker.ts'
import { startStub } from '../transport/stub-server.ts'
import { checkout, completed, greet, silent, startWorker, taskQueue, workflowTask } from './harness.ts'

const charge = activity('charge', { input: type<string>() }, async () => 'paid')

test('a registration says what the worker has, in the form of the published SDKs', async () => {
  await using stub = await startStub()
  const { worker, run } = await startWorker(stub, { activities: [charge], buildId: 'b7' })
  await worker.ready
  await worker.stop()
  await run
  const [request] = stub.of('registerWorker')
  expect(request?.headers).toMatchObject({ 'x-durable-workflow-protocol-version': '1.19', 'x-namespace': 'default' })
  expect(request?.body).toMatchObject({
    worker_id: 'w1',
    task_queue: taskQueue,
    runtime: 'typescript',
    build_id: 'b7',
    sdk_version: expect.stringMatching(/^durable-workflow-typescript\//),
    supported_workflow_types: ['checkout', 'greet', 'broken'],
    supported_activity_types: ['charge'],
    capabilities: ['query_tasks'],
    capability_manifest: { local_activities: { supported: false, minimum_protocol_version: '1.18' } },
    workflow_definition_fingerprints: { checkout: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    workflow_command_contracts: { checkout: { signals: ['approved'], queries: ['progress'], updates: [] } },
    max_concurrent_workflow_tasks: 100,
    task_slots: { workflow_available: 100, activity_available: 100 },
    process_metrics: { process_id: process.pid, process_started_at: expect.any(String), host: expect.any(String) },
  })
})

test('the fingerprint differs by build, and without one by the text and file of the workflow', async () => {
  await using stub = await startStub()
  for (const buildId of ['b1', 'b2', 'b1', undefined, undefined]) {
    const { worker, run } = await startWorker(stub, {
      workflows: [greet],
      ...(buildId === undefined ? {} : { buildId }),
    })
    await worker.ready
    await worker.stop()
    await run
  }
  const prints = stub.of('registerWorker').map(({ body }) => JSON.stringify(body.workflow_definition_fingerprints))
  const [first, second, third, fourth, fifth] = prints
  expect(third).toBe(first)
  expect(fifth).toBe(fourth)
  expect(new Set([first, second, fourth]).size).toBe(3)
})

test('WK1 ready means that every kind of poller had an answer, and the first poll is not held', async () => {
  await using stub = await startStub()
  const gate = Promise.withResolvers<void>()
  stub.on('pollActivityTask', async ({ body }, index) => {
    if (index === 0) await gate.promise
    return body.timeout_seconds === 0 ? { status: 200, body: { task: null, poll_status: 'empty' } } : 'hold'
  })
  const { worker, run } = await startWorker(stub, { activities: [charge] })
  let isReady = false
  const ready = worker.ready.then(() => {
    isReady = true
  })
  await stub.arrived('pollWorkflowTask', 2)
  await stub.arrived('pollQueryTask', 2)
  expect(isReady).toBe(false)
  gate.resolve()
  await ready
  expect(stub.of('pollWorkflowTask').map(({ body }) => body.timeout_seconds)).toEqual([0, 30])
  await worker.stop()
  await run
})

test('queries are polled for only where a workflow answers some', async () => {
  await using stub = await startStub()
  const { worker, run } = await startWorker(stub, { workflows: [greet] })
  await worker.ready
  await worker.stop()
  await run
  expect(stub.of('pollQueryTask')).toEqual([])
  expect(stub.of('registerWorker')[0]?.body.capabilities).toEqual([])
})

test('one poll_request_id until there is an answer, a new one afterwards', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', () => completed)
  stub.on('pollWorkflowTask', (_, index) => {
    if (index === 0) return 'cut'
    if (index === 1)
      return { status: 503, body: { task: null, reason: 'backend_lock_pressure', retry_after_seconds: 0 } }
    if (index === 2) return { status: 200, body: { task: workflowTask('t1'), poll_status: 'leased' } }
    return 'hold'
  })
  const { worker, run } = await startWorker(stub, { workflows: [greet] })
  await stub.arrived('pollWorkflowTask', 4)
  await worker.stop()
  await run
  const [first, second, third, fourth] = stub.of('pollWorkflowTask').map(({ body }) => body.poll_request_id)
  expect(first).toMatch(/^wf-poll-[0-9a-f-]{36}-\d+$/)
  expect([second, third]).toEqual([first, first])
  expect(fourth).not.toBe(first)
})

test('412 worker_not_registered: registered again, polled again', async () => {
  await using stub = await startStub()
  stub.on('pollWorkflowTask', (_, index) =>
    index === 0
      ? { status: 412, body: { task: null, reason: 'worker_not_registered' } }
      : { status: 200, body: { task: null, poll_status: 'empty' } },
  )
  const { worker, run } = await startWorker(stub, { workflows: [greet] })
  await worker.ready
  await worker.stop()
  await run
  expect(stub.of('registerWorker')).toHaveLength(2)
})

/** The real time, in which every wait is over in a moment. */
const hasty = {
  now: () => Date.now(),
  at: (_instant: number, wake: () => void) => {
    const timer = setTimeout(wake, 1)
    return () => clearTimeout(timer)
  },
}

test('a server that is away or busy is awaited with the registration too, however long that takes', async () => {
  await using stub = await startStub()
  const warnings: string[] = []
  stub.on('registerWorker', ({ body }, index) => {
    if (index < 12) return 'cut'
    if (index < 15) return { status: 503, body: { reason: 'backend_unavailable', recorded: false } }
    return { status: 201, body: { worker_id: body.worker_id, registered: true } }
  })
  const log = { ...silent, warn: (message: string) => void warnings.push(message) }
  const { worker, run } = await startWorker(stub, { workflows: [greet], clock: hasty, log })
  await worker.ready
  await worker.stop()
  await run
  expect(stub.of('registerWorker').length).toBeGreaterThanOrEqual(16)
  expect(warnings[0]).toBe('The server does not answer; the worker registers when it does.')
})

test('a worker that is stopped while the server is away ends in peace', async () => {
  await using stub = await startStub()
  stub.on('registerWorker', () => 'cut')
  stub.on('deregisterWorker', () => 'cut')
  const { worker, run } = await startWorker(stub, { workflows: [greet], clock: hasty })
  const ready = worker.ready.catch((error: unknown) => String(error))
  await stub.arrived('registerWorker', 3)
  await worker.stop()
  await run
  expect(await ready).toContain('stopped before it was ready')
  expect(stub.of('pollWorkflowTask')).toEqual([])
})

test('a refusal of the registration that no waiting heals stops the worker', async () => {
  await using stub = await startStub()
  stub.on('registerWorker', () => ({ status: 403, body: { reason: 'forbidden', message: 'not this token' } }))
  const { run } = await startWorker(stub, { workflows: [greet], clock: hasty })
  await expect(run).rejects.toMatchObject({ name: 'RefusedError', reason: 'forbidden' })
  expect(stub.of('registerWorker')).toHaveLength(1)
})

test.each([
  [401, 'unauthorized'],
  [400, 'unsupported_protocol_version'],
  [409, 'task_queue_mismatch'],
])('a poll refused for good (%i %s) stops the worker with that refusal', async (status, reason) => {
  await using stub = await startStub()
  stub.on('pollWorkflowTask', () => ({ status, body: { reason, message: 'no' } }))
  const { run } = await startWorker(stub, { workflows: [greet] })
  await expect(run).rejects.toMatchObject({ name: 'RefusedError', reason })
})

test('a server of another protocol line is refused before anything is sent to it, with both remedies', async () => {
  await using stub = await startStub({ workerProtocol: '1.18' })
  const worker = createWorker({ server: stub.url, taskQueue, workflows: [checkout], log: silent })
  await expect(worker).rejects.toMatchObject({
    reason: 'unsupported_protocol_version',
    remedy: expect.stringContaining('DW_WORKER_PROTOCOL_VERSION'),
  })
  expect(stub.of('registerWorker')).toEqual([])
})
