import { CommitUnknownError, StoreUnavailableError } from '@durable-workflow/engine/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultyStore } from './support/faulty-store.ts'
import { type LogLines, logLines } from './support/log-lines.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import {
  argumentsOf,
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
  workflowType,
} from './support/wire.ts'

type Fault = () => Error

let served: TestServer
let fault: Fault | undefined
let logged: LogLines

beforeEach(async () => {
  fault = undefined
  logged = logLines()
  served = await startTestServer({
    wrap: (store) => faultyStore(store, () => fault && (() => Promise.reject(fault?.()))),
    log: { level: 'warn', stream: logged.stream },
  })
  await register(served.client)
})
afterEach(async () => {
  fault = undefined
  await served.close()
})

const call: TestServer['client']['call'] = (operation, sent) => served.client.call(operation, sent)
const full: Fault = () => new StoreUnavailableError('full', { cause: new Error('disk') })
const lost: Fault = () => new CommitUnknownError({ cause: new Error('connection') })

/** Every field that published workers check before they repeat the very same request (published Rust worker §6, shape B). */
const again = { reason: 'backend_unavailable', outcome: 'unknown', retryable: true, retry_after_seconds: 1 }

describe('a store that takes nothing', () => {
  test('polls answer the contract by which a worker repeats the same poll', async () => {
    fault = full
    for (const [operation, name] of [
      ['pollWorkflowTask', 'poll_workflow_task'],
      ['pollActivityTask', 'poll_activity_task'],
      ['pollQueryTask', 'poll_query_task'],
    ] as const) {
      const answer = await call(operation, {
        body: { worker_id: 'stranger', task_queue: queue, poll_request_id: 'p-1', timeout_seconds: 0 },
      })
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('1')
      expect(answer.body).toMatchObject({
        ...again,
        operation: name,
        worker_id: 'stranger',
        task_queue: queue,
        task: null,
        poll_status: 'backend_unavailable',
        poll_request_id: 'p-1',
        retry_same_poll_request_id: true,
      })
    }
  })

  test('registration and heartbeat', async () => {
    fault = full
    const registering = await call('registerWorker', { body: { worker_id: 'w', task_queue: queue, runtime: 'rust' } })
    expect(registering).toMatchObject({ status: 503, body: { ...again, operation: 'register_worker', worker_id: 'w' } })
    const beating = await call('heartbeatWorker', { body: { worker_id: 'w' } })
    expect(beating).toMatchObject({ status: 503, body: { ...again, operation: 'heartbeat_worker', worker_id: 'w' } })
    const leaving = await call('deregisterWorker', { path: { worker_id: 'w' } })
    expect(leaving).toMatchObject({ status: 503, body: { ...again, operation: 'deregister_worker', worker_id: 'w' } })
  })

  test('completions answer the contract by which a worker repeats the same report, and the report is then recorded once', async () => {
    await start(served.client)
    const task = await claim(served.client)
    const before = served.tables()
    fault = full
    const refused = await complete(served.client, task, [schedule()])
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({
      ...again,
      operation: 'complete_workflow_task',
      worker_id: worker,
      lease_owner: worker,
      task_queue: null,
      task_id: task.task_id,
      workflow_task_attempt: 1,
      recorded: false,
    })
    expect(served.tables()).toEqual(before)
    fault = undefined
    expect((await complete(served.client, task, [schedule()])).status).toBe(200)
    const activity = await claimActivity(served.client)
    const report = {
      path: { task_id: activity.task_id },
      body: { activity_attempt_id: activity.activity_attempt_id, lease_owner: worker, result: resultOf(1) },
    }
    fault = full
    expect(await call('completeActivityTask', report)).toMatchObject({
      status: 503,
      body: {
        ...again,
        operation: 'complete_activity_task',
        worker_id: worker,
        lease_owner: worker,
        task_queue: null,
        task_id: activity.task_id,
        activity_attempt_id: activity.activity_attempt_id,
      },
    })
    fault = undefined
    expect((await call('completeActivityTask', report)).body.recorded).toBe(true)
  })

  test('the control plane says that nothing was recorded', async () => {
    fault = full
    const answer = await call('startWorkflow', {
      body: { workflow_id: 'w', workflow_type: workflowType, input: argumentsOf(1) },
    })
    expect(answer).toMatchObject({
      status: 503,
      body: {
        reason: 'backend_unavailable',
        recorded: false,
        retryable: true,
        retry_after_seconds: 1,
        condition: 'full',
      },
    })
    expect(logged.text()).toContain('"msg":"request failed"')
  })

  test('health and readiness say so', async () => {
    fault = full
    expect(await call('getHealth')).toMatchObject({
      status: 503,
      body: { status: 'degraded', checks: { database: 'unavailable' } },
    })
    expect(await call('getReady')).toMatchObject({
      status: 503,
      body: { status: 'not_ready', checks: { database: 'unavailable', default_namespace: 'unavailable' } },
    })
    fault = undefined
    expect(await call('getHealth')).toMatchObject({
      status: 200,
      body: { status: 'serving', checks: { database: 'ok' } },
    })
    expect(await call('getReady')).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { database: 'ok', migrations: 'ok', default_namespace: 'ok', accepting: 'ok' } },
    })
  })
})

describe('UW7 a commit whose fate nobody knows', () => {
  test('is told as unknown, never as not recorded', async () => {
    await start(served.client)
    const task = await claim(served.client)
    fault = lost
    const report = await complete(served.client, task, [finish()])
    expect(report).toMatchObject({ status: 503, body: { ...again, operation: 'complete_workflow_task' } })
    expect(report.body).not.toHaveProperty('recorded')
    const command = await call('startWorkflow', { body: { workflow_type: workflowType } })
    expect(command).toMatchObject({ status: 503, body: { outcome: 'unknown' } })
    expect(command.body).not.toHaveProperty('recorded')
  })
})

describe('anything unexpected', () => {
  test('is 500 with an id under which it is logged whole, and says nothing of what is inside', async () => {
    fault = () => new TypeError('secret detail')
    const control = await call('startWorkflow', { body: { workflow_type: workflowType } })
    expect(control).toMatchObject({ status: 500, body: { reason: 'control_plane_internal_error' } })
    const report = await call('heartbeatWorker', { body: { worker_id: worker } })
    expect(report).toMatchObject({ status: 500, body: { reason: 'server_error' } })
    for (const answer of [control, report]) {
      expect(answer.text).not.toContain('secret detail')
      expect(answer.body).not.toHaveProperty('recorded')
      const line = logged.lines().find(({ errorId }) => errorId === answer.body.error_id)
      expect(line).toMatchObject({ level: 50, status: 500, err: { type: 'TypeError', message: 'secret detail' } })
    }
  })
})
