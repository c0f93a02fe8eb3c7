import { decodeArguments } from '@durable-workflow/codec'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import {
  activityType,
  claim,
  claimActivity,
  complete,
  queue,
  register,
  resultOf,
  schedule,
  start,
  worker,
} from '../support/wire.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served.close())

let tests = 0
let mine = queue
beforeEach(async () => {
  tests += 1
  mine = `queue-${tests}`
  await register(served.client, { task_queue: mine })
})

const call: TestServer['client']['call'] = (operation, sent) => served.client.call(operation, sent)

interface Attempt {
  readonly task_id: string
  readonly activity_attempt_id: string
}

async function claimed(fields: Readonly<Record<string, unknown>> = {}) {
  const run = await start(served.client, { task_queue: mine })
  await complete(served.client, await claim(served.client, { task_queue: mine }), [
    schedule({ queue: mine, ...fields }),
  ])
  return { run, activity: await claimActivity(served.client, { task_queue: mine }) }
}

const ids = (attempt: Attempt) => ({ activity_attempt_id: attempt.activity_attempt_id, lease_owner: worker })
const heartbeat = (attempt: Attempt, fields = {}) =>
  call('heartbeatActivityTask', { path: { task_id: attempt.task_id }, body: { ...ids(attempt), ...fields } })
const succeed = (attempt: Attempt, fields = {}) =>
  call('completeActivityTask', {
    path: { task_id: attempt.task_id },
    body: { ...ids(attempt), result: resultOf(7), ...fields },
  })
const fail = (attempt: Attempt, failure: object = { message: 'no' }, fields = {}) =>
  call('failActivityTask', { path: { task_id: attempt.task_id }, body: { ...ids(attempt), failure, ...fields } })

describe('pollActivityTask', () => {
  test('hands out an attempt with everything that published workers need, and no null', async () => {
    const { run, activity } = await claimed({
      retry_policy: { max_attempts: 3, backoff_seconds: [1, 2], non_retryable_error_types: ['CardError'] },
      start_to_close_timeout: 60,
      heartbeat_timeout: 10,
    })
    expect(activity).toMatchObject({
      activity_type: activityType,
      payload_codec: 'avro',
      attempt_number: 1,
      lease_owner: worker,
      workflow_id: run.workflowId,
      run_id: run.runId,
      namespace: 'default',
      task_queue: mine,
      activity_execution_id: activity.idempotency_key,
      retry_policy: {
        snapshot_version: 1,
        max_attempts: 3,
        backoff_seconds: [1, 2],
        start_to_close_timeout: 60,
        heartbeat_timeout: 10,
        non_retryable_error_types: ['CardError'],
      },
    })
    expect(decodeArguments(activity.arguments)).toEqual(['order-7', 12.5])
    expect(Object.keys(activity.deadlines).sort()).toEqual(['heartbeat', 'start_to_close'])
    expect(Object.values(activity)).not.toContain(null)
    expect(activity).not.toHaveProperty('last_heartbeat_details')
  })

  test('without a policy there is none to show', async () => {
    const { activity } = await claimed()
    expect(activity).not.toHaveProperty('retry_policy')
  })

  test('an empty poll, and a worker without activity types', async () => {
    const poll = (worker_id: string) =>
      call('pollActivityTask', { body: { worker_id, task_queue: mine, timeout_seconds: 0 } })
    expect((await poll(worker)).body).toMatchObject({ task: null, poll_status: 'empty' })
    await register(served.client, { worker_id: 'handless', task_queue: mine, supported_activity_types: [] })
    expect((await poll('handless')).body.poll_status).toBe('no_activity_capability')
    expect(await poll('nobody')).toMatchObject({ status: 412, body: { reason: 'worker_not_registered', task: null } })
  })
})

describe('heartbeatActivityTask', () => {
  test('renews the lease and records the details as they are', async () => {
    const { run, activity } = await claimed()
    const answer = await heartbeat(activity, { details: { codec: 'avro', blob: 'x'.repeat(400), deep: [{ a: null }] } })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      ...ids(activity),
      task_id: activity.task_id,
      can_continue: true,
      cancel_requested: false,
      heartbeat_recorded: true,
      reason: null,
    })
    expect(answer.body.lease_expires_at >= activity.lease_expires_at).toBe(true)
    expect(answer.body.last_heartbeat_at).not.toBeNull()
    const history = await call('getRunHistory', { path: { workflow_id: run.workflowId, run_id: run.runId } })
    expect(history.body.events.at(-1).event_type).toBe('ActivityHeartbeatRecorded')
  })

  test('the newest details go to the next attempt', async () => {
    const { activity } = await claimed({ retry_policy: { max_attempts: 2, backoff_seconds: [0] } })
    await heartbeat(activity, { details: { page: 3 } })
    await fail(activity)
    const next = await claimActivity(served.client, { task_queue: mine })
    expect(next).toMatchObject({ attempt_number: 2, last_heartbeat_details: { page: 3 } })
  })

  test('of a cancelled run answers 200 and says stop', async () => {
    const { run, activity } = await claimed()
    await call('cancelWorkflow', { path: { workflow_id: run.workflowId } })
    const before = served.tables()
    const answer = await heartbeat(activity)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      can_continue: false,
      cancel_requested: true,
      heartbeat_recorded: false,
      reason: 'run_cancelled',
      run_closed_reason: 'cancelled',
    })
    expect(served.tables()).toEqual(before)
  })

  test('of an attempt that ended answers 200 and says stop', async () => {
    const { activity } = await claimed()
    await succeed(activity)
    const before = served.tables()
    expect((await heartbeat(activity)).body).toMatchObject({
      can_continue: false,
      cancel_requested: false,
      heartbeat_recorded: false,
      reason: 'attempt_closed',
    })
    expect(served.tables()).toEqual(before)
  })

  test('of an attempt that never was is refused', async () => {
    const answer = await heartbeat({ task_id: 'nothing', activity_attempt_id: 'nothing' })
    expect(answer).toMatchObject({ status: 404, body: { reason: 'attempt_not_found', recorded: false } })
  })

  test.each([
    [{ message: 'x'.repeat(281) }, 'message'],
    [{ unit: 'x'.repeat(65) }, 'unit'],
    [{ current: 'many' }, 'current'],
    [{ lease_owner: '' }, 'lease_owner'],
    [{ activity_attempt_id: undefined }, 'activity_attempt_id'],
  ])('refuses %j and names %s', async (fields, field) => {
    const answer = await heartbeat({ task_id: 't', activity_attempt_id: 'a' }, fields)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })
})

describe('reports', () => {
  test('a result resumes the run', async () => {
    const { activity } = await claimed()
    const answer = await succeed(activity)
    expect(answer.body).toMatchObject({
      task_id: activity.task_id,
      activity_attempt_id: activity.activity_attempt_id,
      outcome: 'completed',
      recorded: true,
      reason: null,
    })
    const task = await claim(served.client, { task_queue: mine })
    expect(task.task_id).toBe(answer.body.next_task_id)
    expect(task).toMatchObject({
      workflow_wait_kind: 'activity',
      resume_source_kind: 'activity_execution',
      activity_execution_id: activity.activity_execution_id,
    })
  })

  test('an exact repeat gets the recorded answer and writes nothing', async () => {
    const { activity } = await claimed()
    const first = await succeed(activity)
    const before = served.tables()
    expect(first.body.next_task_id).toEqual(expect.any(String))
    expect((await succeed(activity)).body).toEqual(first.body)
    expect(served.tables()).toEqual(before)
  })

  test.each([[undefined], [null]])('the result %s is no result', async (result) => {
    const { activity } = await claimed()
    expect((await succeed(activity, { result })).body.recorded).toBe(true)
  })

  test('a bare blob is a result', async () => {
    const { activity } = await claimed()
    expect((await succeed(activity, { result: resultOf(7).blob })).body.recorded).toBe(true)
  })

  test('a failure is retried as its policy says, or ends the activity', async () => {
    const { activity } = await claimed({ retry_policy: { max_attempts: 2, backoff_seconds: [0] } })
    const first = await fail(activity, { message: 'again', type: 'Flaky', class: 'shop.Flaky', stack_trace: 'at x' })
    expect(first.body).toMatchObject({ outcome: 'failed', recorded: true })
    const next = await claimActivity(served.client, { task_queue: mine })
    expect(next.attempt_number).toBe(2)
    await fail(next, { message: 'enough', non_retryable: true })
    const task = await claim(served.client, { task_queue: mine })
    expect(task.history_events.at(-1).event_type).toBe('ActivityFailed')
  })

  test('retryable false is the same as non_retryable true', async () => {
    const { activity } = await claimed({ retry_policy: { max_attempts: 5, backoff_seconds: [0] } })
    await fail(activity, { message: 'no', retryable: false })
    const task = await claim(served.client, { task_queue: mine })
    expect(task.history_events.at(-1).event_type).toBe('ActivityFailed')
  })

  test.each([
    [{ result: { codec: 'json', blob: 'e30=' } }, 'unsupported_payload_codec'],
    [{ result: { codec: 'avro' } }, 'validation_failed'],
    [{ result: 7 }, 'validation_failed'],
    [{ lease_owner: '' }, 'validation_failed'],
  ])('a result %j is refused with %s', async (fields, reason) => {
    const { activity } = await claimed()
    const before = served.tables()
    const answer = await succeed(activity, fields)
    expect(answer).toMatchObject({ status: 422, body: { reason, recorded: false, task_id: activity.task_id } })
    expect(served.tables()).toEqual(before)
  })

  test.each([
    [undefined, 'failure'],
    [{}, 'failure.message'],
    [{ message: 7 }, 'failure.message'],
    [{ message: 'm', code: 'x' }, 'failure.code'],
  ])('a failure %j is refused and %s named', async (failure, field) => {
    const answer = await call('failActivityTask', {
      path: { task_id: 't' },
      body: { activity_attempt_id: 'a', lease_owner: worker, failure },
    })
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('a message of 62 KiB is taken', async () => {
    const { activity } = await claimed()
    expect((await fail(activity, { message: 'x'.repeat(62 * 1024) })).body.recorded).toBe(true)
  })
})

describe('R-10 receipts of activity reports', () => {
  const reports = { succeed, fail: (attempt: Attempt, fields = {}) => fail(attempt, { message: 'no' }, fields) }

  describe.each(Object.entries(reports))('%s', (_name, report) => {
    test('of an attempt that never was', async () => {
      const answer = await report({ task_id: 'nothing', activity_attempt_id: 'nothing' })
      expect(answer.status).toBe(404)
      expect(['task_not_found', 'attempt_not_found']).toContain(answer.body.reason)
      expect(answer.body).toMatchObject({ recorded: false, task_id: 'nothing', activity_attempt_id: 'nothing' })
    })

    test('of another owner', async () => {
      const { activity } = await claimed()
      const before = served.tables()
      const answer = await report(activity, { lease_owner: 'stranger' })
      expect(answer).toMatchObject({ status: 409, body: { reason: 'lease_owner_mismatch', recorded: false } })
      expect(served.tables()).toEqual(before)
    })

    test('of an attempt that was superseded', async () => {
      const { activity } = await claimed({ retry_policy: { max_attempts: 3, backoff_seconds: [0] } })
      await fail(activity, { message: 'first' })
      await claimActivity(served.client, { task_queue: mine })
      const before = served.tables()
      const answer = await report(activity, { result: resultOf('late'), failure: { message: 'late' } })
      expect(answer).toMatchObject({
        status: 409,
        body: {
          reason: 'stale_attempt',
          recorded: false,
          task_id: activity.task_id,
          activity_attempt_id: activity.activity_attempt_id,
        },
      })
      expect(served.tables()).toEqual(before)
    })

    test.each([
      ['cancelWorkflow', 'run_cancelled', 'cancelled'],
      ['terminateWorkflow', 'run_terminated', 'terminated'],
    ] as const)('of a run that %s closed', async (operation, reason, status) => {
      const { run, activity } = await claimed()
      await call(operation, { path: { workflow_id: run.workflowId } })
      const before = served.tables()
      const answer = await report(activity)
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({
        reason,
        recorded: false,
        can_continue: false,
        cancel_requested: true,
        run_status: status,
        run_closed_reason: status,
        run_id: run.runId,
      })
      for (const field of ['activity_status', 'attempt_status', 'run_closed_at', 'error'])
        expect(answer.body).toHaveProperty(field)
      expect(served.tables()).toEqual(before)
    })
  })

  test('another namespace does not find the attempt', async () => {
    await call('createNamespace', { body: { name: 'far' } })
    const { activity } = await claimed()
    const before = served.tables()
    const answer = await call('completeActivityTask', {
      headers: { 'x-namespace': 'far' },
      path: { task_id: activity.task_id },
      body: { ...ids(activity), result: resultOf(1) },
    })
    expect(answer.status).toBe(404)
    expect(served.tables()).toEqual(before)
  })
})
