import { decodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { finishedRun, queue, register, resultOf, start, worker, workflowType } from '../support/wire.ts'

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

/** A query that waits, and the task in which a worker got it. */
async function asked(body: Readonly<Record<string, unknown>> = { input: ['x'] }) {
  const run = await start(served.client, { task_queue: mine })
  const answer = call('queryWorkflow', { path: { workflow_id: run.workflowId, query_name: 'total' }, body })
  const polled = await call('pollQueryTask', { body: { worker_id: worker, task_queue: mine, timeout_seconds: 5 } })
  return { run, answer, task: polled.body.task }
}

const reply = (task: { query_task_id: string }, fields = {}) =>
  call('completeQueryTask', {
    path: { query_task_id: task.query_task_id },
    body: { lease_owner: worker, query_task_attempt: 1, result_envelope: resultOf({ total: 9 }), ...fields },
  })
const decline = (task: { query_task_id: string }, failure: object) =>
  call('failQueryTask', {
    path: { query_task_id: task.query_task_id },
    body: { lease_owner: worker, query_task_attempt: 1, failure },
  })

test('a query goes to a worker as a task with everything that it checks, and its answer comes back', async () => {
  const { run, answer, task } = await asked()
  expect(task).toMatchObject({
    query_task_attempt: 1,
    workflow_id: run.workflowId,
    run_id: run.runId,
    workflow_type: workflowType,
    query_name: 'total',
    payload_codec: 'avro',
    namespace: 'default',
    task_queue: mine,
    lease_owner: worker,
    run_status: 'pending',
  })
  expect(decodeArguments(task.query_arguments)).toEqual(['x'])
  expect(decodeArguments(task.workflow_arguments)).toEqual(['first', 2])
  expect(task.history_events).toHaveLength(task.last_history_sequence)
  expect(Date.parse(task.lease_expires_at)).toBeGreaterThan(Date.now())
  // Both or none of them; none is what every published worker takes.
  for (const absent of ['query_admitted_at', 'query_deadline_at']) expect(task).not.toHaveProperty(absent)
  const taken = await reply(task)
  expect(taken).toMatchObject({
    status: 200,
    body: { query_task_id: task.query_task_id, query_task_attempt: 1, outcome: 'completed', status: 200 },
  })
  const answered = await answer
  expect(answered.status).toBe(200)
  expect(answered.body).toMatchObject({
    workflow_id: run.workflowId,
    run_id: run.runId,
    query_name: 'total',
    result: { total: 9 },
    result_envelope: resultOf({ total: 9 }),
    reason: null,
    control_plane: { operation: 'query', operation_name: 'total', operation_name_field: 'query_name' },
  })
})

test('an answer that is too large is refused, and the query can still be answered', async () => {
  await using small = await startTestServer({ settings: { payloadBytesMax: 1_000 } })
  const { client } = small
  await register(client, { task_queue: queue })
  const { workflowId } = await start(client)
  const answer = client.call('queryWorkflow', { path: { workflow_id: workflowId, query_name: 'total' }, body: {} })
  const polled = await client.call('pollQueryTask', {
    body: { worker_id: worker, task_queue: queue, timeout_seconds: 5 },
  })
  const complete = (envelope: object) =>
    client.call('completeQueryTask', {
      path: { query_task_id: polled.body.task.query_task_id },
      body: { lease_owner: worker, query_task_attempt: 1, result_envelope: envelope },
    })
  expect(await complete({ codec: 'avro', blob: 'A'.repeat(2_000) })).toMatchObject({
    status: 422,
    body: { reason: 'structural_limit_exceeded', limit_kind: 'payload_size', configured_limit: 1_000 },
  })
  expect((await complete(resultOf(9))).status).toBe(200)
  expect((await answer).body.result).toBe(9)
})

test('the plain view that a worker sends wins over ours', async () => {
  const { answer, task } = await asked()
  await reply(task, { result: { shown: true } })
  expect((await answer).body.result).toEqual({ shown: true })
})

test('a query leaves nothing in history', async () => {
  const { run, answer, task } = await asked()
  const path = { workflow_id: run.workflowId, run_id: run.runId }
  const before = await call('getRunHistory', { path })
  await reply(task)
  await answer
  expect((await call('getRunHistory', { path })).body.events).toEqual(before.body.events)
})

describe('a worker that does not answer', () => {
  test.each([
    ['rejected_unknown_query', 404, 'rejected_unknown_query'],
    ['query_rejected', 409, 'query_rejected'],
    ['query_workflow_state_unavailable', 409, 'query_workflow_state_unavailable'],
    ['query_payload_decode_failed', 409, 'query_rejected'],
    ['run_closed', 409, 'query_rejected'],
    [undefined, 409, 'query_rejected'],
  ])('with reason %s becomes %i %s', async (reason, status, told) => {
    const { answer, task } = await asked()
    const taken = await decline(task, {
      message: 'the handler says no',
      reason,
      type: 'QueryFailed',
      validation_errors: { a: ['b'] },
    })
    expect(taken).toMatchObject({ status: 200, body: { outcome: 'failed', reason: reason ?? null } })
    const answered = await answer
    expect(answered.status).toBe(status)
    expect(answered.body).toMatchObject({
      reason: told,
      message: 'the handler says no',
      query_name: 'total',
      recorded: false,
    })
    if (reason !== undefined && reason !== told) expect(answered.body.worker_reason).toBe(reason)
  })
})

describe('a query that nobody can take', () => {
  test('without a worker for the type there is no waiting', async () => {
    const { workflowId } = await start(served.client, { task_queue: 'nobody-is-here' })
    const before = served.tables()
    const answer = await call('queryWorkflow', { path: { workflow_id: workflowId, query_name: 'total' } })
    expect(answer).toMatchObject({
      status: 409,
      body: { reason: 'query_worker_unavailable', recorded: false, task_queue: 'nobody-is-here' },
    })
    expect(served.tables()).toEqual(before)
  })

  test('a completed run answers, a terminated one does not', async () => {
    const { workflowId, runId } = await start(served.client, { task_queue: mine })
    await call('terminateWorkflow', { path: { workflow_id: workflowId } })
    const answer = await call('queryWorkflow', { path: { workflow_id: workflowId, query_name: 'total' } })
    expect(answer).toMatchObject({
      status: 409,
      body: { reason: 'run_not_active', run_status: 'terminated', run_id: runId },
    })
    const done = await finishedRun(served.client)
    const asking = call('queryRun', { path: { workflow_id: done.workflowId, run_id: done.runId, query_name: 'total' } })
    const { body } = await call('pollQueryTask', { body: { ...done.place, timeout_seconds: 5 } })
    await call('completeQueryTask', {
      path: { query_task_id: body.task.query_task_id },
      body: { lease_owner: done.place.worker_id, query_task_attempt: 1, result_envelope: resultOf(1) },
    })
    expect((await asking).body.result).toBe(1)
  })

  test('is not claimed, or not answered, in time', async () => {
    const quick = await startTestServer({ engineSettings: { queryTimeoutMs: 200 } })
    try {
      await register(quick.client)
      const { workflowId } = await start(quick.client)
      const path = { workflow_id: workflowId, query_name: 'total' }
      expect(await quick.client.call('queryWorkflow', { path })).toMatchObject({
        status: 504,
        body: { reason: 'query_task_not_claimed', recorded: false },
      })
      const asking = quick.client.call('queryWorkflow', { path })
      await quick.client.call('pollQueryTask', { body: { worker_id: worker, task_queue: queue, timeout_seconds: 5 } })
      expect(await asking).toMatchObject({ status: 504, body: { reason: 'query_worker_timeout' } })
    } finally {
      await quick.close()
    }
  })

  test.each([
    ['query_name', { query_name: 'x'.repeat(257) }, {}],
    ['input', {}, { input: 7 }],
  ])('refuses a bad %s', async (field, path, body) => {
    const { workflowId } = await start(served.client, { task_queue: mine })
    const answer = await call('queryWorkflow', { path: { workflow_id: workflowId, query_name: 'q', ...path }, body })
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('refuses an envelope that holds no list', async () => {
    const { workflowId } = await start(served.client, { task_queue: mine })
    const answer = await call('queryWorkflow', {
      path: { workflow_id: workflowId, query_name: 'q' },
      body: { input: encodeEnvelope('alone') },
    })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'invalid_query_arguments' } })
  })
})

describe('rejections of answers', () => {
  test.each([
    ['query_task_not_found', 404, { query_task_id: 'nothing' }, {}],
    ['lease_owner_mismatch', 409, {}, { lease_owner: 'stranger' }],
    ['query_task_attempt_mismatch', 409, {}, { query_task_attempt: 2 }],
  ])('%s', async (reason, status, path, fields) => {
    const { answer, task } = await asked()
    const refused = await call('completeQueryTask', {
      path: { query_task_id: task.query_task_id, ...path },
      body: { lease_owner: worker, query_task_attempt: 1, result_envelope: resultOf(1), ...fields },
    })
    expect(refused.status).toBe(status)
    expect(refused.body).toMatchObject({ reason, outcome: 'rejected', status, recorded: false })
    await reply(task)
    await answer
  })

  test('a second answer', async () => {
    const { answer, task } = await asked()
    await reply(task)
    await answer
    const again = await decline(task, { message: 'late' })
    expect(again).toMatchObject({
      status: 409,
      body: { reason: 'query_task_not_leased', outcome: 'rejected', recorded: false },
    })
  })

  test.each([
    [{ lease_owner: undefined }, 'lease_owner'],
    [{ query_task_attempt: 0 }, 'query_task_attempt'],
    [{ result_envelope: 7 }, 'result_envelope'],
  ])('refuses %j and names %s', async (fields, field) => {
    const answer = await reply({ query_task_id: 'q' }, fields)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })
})
