import { decodeArguments, encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { finishedRun, register, start, workflowType } from '../support/wire.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
  await register(served.client)
})
afterAll(() => served.close())

const starting = (fields: object) =>
  served.client.call('startWorkflow', { body: { workflow_type: workflowType, ...fields } })

describe('startWorkflow', () => {
  test('starts a run and says so', async () => {
    const answer = await starting({
      workflow_id: 'a:1',
      task_queue: 'elsewhere',
      business_key: 'order 7',
      input: ['x'],
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      workflow_id: 'a:1',
      workflow_type: workflowType,
      namespace: 'default',
      status: 'pending',
      business_key: 'order 7',
      payload_codec: 'avro',
      outcome: 'started_new',
      command_status: 'accepted',
      command_source: 'control_plane',
      reason: null,
      control_plane: { operation: 'start', workflow_id: 'a:1', outcome: 'started_new' },
    })
  })

  test('makes a workflow id and takes the default queue when none is given', async () => {
    const { body } = await starting({})
    expect(body.workflow_id).toMatch(/^[a-zA-Z0-9._:-]{1,128}$/)
    const described = await served.client.call('describeWorkflow', { path: { workflow_id: body.workflow_id } })
    expect(described.body.task_queue).toBe('default')
  })

  test.each([
    ['nothing', undefined, []],
    ['null', null, []],
    ['an empty list', [], []],
    ['a list', [1, 'two', { three: 3 }], [1, 'two', { three: 3 }]],
    ['an object, whose values are taken by position', { a: 1, b: 'two' }, [1, 'two']],
    ['an envelope, as it is', encodeArguments(['from', 'afar']), ['from', 'afar']],
  ])('takes %s as input', async (name, input, values) => {
    const workflowId = `input-${name.replaceAll(/\W/g, '-')}`
    await starting({ workflow_id: workflowId, input, task_queue: 'elsewhere' })
    const { body } = await served.client.call('describeWorkflow', { path: { workflow_id: workflowId } })
    expect(decodeArguments(body.input_envelope)).toEqual(values)
  })

  test.each([
    [{ workflow_type: undefined }, 'workflow_type'],
    [{ workflow_type: '' }, 'workflow_type'],
    [{ workflow_type: 'x'.repeat(256) }, 'workflow_type'],
    [{ workflow_id: 'with space' }, 'workflow_id'],
    [{ workflow_id: 'x'.repeat(129) }, 'workflow_id'],
    [{ task_queue: 'x'.repeat(256) }, 'task_queue'],
    [{ duplicate_policy: 'use_existing' }, 'duplicate_policy'],
    [{ execution_timeout_seconds: 0 }, 'execution_timeout_seconds'],
    [{ run_timeout_seconds: 1.5 }, 'run_timeout_seconds'],
    [{ payload_codec: 'json' }, 'payload_codec'],
    [{ input: 7 }, 'input'],
    [{ input: { codec: 'json', blob: 'e30=' } }, 'input.codec'],
    [{ input: { codec: 'avro', blob: 'not base64!' } }, 'input.blob'],
    [{ input: { codec: 'avro', external_storage: {} } }, 'input.blob'],
    [{ memo: { a: 1 } }, 'memo'],
    [{ search_attributes: { A: 1 } }, 'search_attributes'],
    [{ priority: 1 }, 'priority'],
    [{ build_id: 'b' }, 'build_id'],
    [{ retry_policy: {} }, 'retry_policy'],
    [{ request_id: 'r' }, 'request_id'],
  ])('refuses %j and names %s', async (fields, field) => {
    const before = served.tables()
    const answer = await starting({ workflow_id: 'never', ...fields })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ reason: 'validation_failed', recorded: false })
    expect(Object.keys(answer.body.errors)).toContain(field)
    expect(answer.body.validation_errors).toEqual(answer.body.errors)
    expect(served.tables()).toEqual(before)
  })

  test('explicit nulls are no fields', async () => {
    const answer = await starting({
      workflow_id: 'nulls',
      memo: null,
      business_key: null,
      duplicate_policy: null,
      priority: null,
    })
    expect(answer.status).toBe(201)
  })

  test('a second start of an id is a recorded rejection', async () => {
    const { runId } = await start(served.client, { workflow_id: 'twice' })
    const again = await starting({ workflow_id: 'twice' })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({
      reason: 'duplicate_not_allowed',
      rejection_reason: 'instance_already_started',
      outcome: 'rejected_duplicate',
      command_status: 'rejected',
      workflow_id: 'twice',
      run_id: runId,
      workflow_type: workflowType,
    })
    expect(again.body).not.toHaveProperty('recorded')
    const history = await served.client.call('getRunHistory', { path: { workflow_id: 'twice', run_id: runId } })
    expect(history.body.events.at(-1).event_type).toBe('StartRejected')
  })

  test('use-existing returns an open run, and refuses a closed one', async () => {
    const open = await start(served.client, { workflow_id: 'shared', task_queue: 'elsewhere' })
    const again = await starting({ workflow_id: 'shared', duplicate_policy: 'use-existing' })
    expect(again).toMatchObject({ status: 200, body: { outcome: 'returned_existing_active', run_id: open.runId } })
    const closed = await finishedRun(served.client)
    const late = await starting({ workflow_id: closed.workflowId, duplicate_policy: 'use-existing' })
    expect(late).toMatchObject({ status: 409, body: { reason: 'duplicate_not_allowed' } })
  })

  test('start_id: a start repeated after a lost reply gets the first answer and records nothing', async () => {
    const first = await starting({ workflow_id: 'once', start_id: 's-1' })
    const before = served.tables()
    const again = await starting({ workflow_id: 'once', start_id: 's-1' })
    expect(again.status).toBe(201)
    expect(again.body).toMatchObject({ run_id: first.body.run_id, outcome: 'started_new', start_id: 's-1' })
    expect(served.tables()).toEqual(before)
    expect((await starting({ workflow_id: 'once', start_id: 's-2' })).body.reason).toBe('duplicate_not_allowed')
  })

  test('another type under the same id is a wrong field; an id of another namespace is reserved', async () => {
    await start(served.client, { workflow_id: 'typed', task_queue: 'elsewhere' })
    const other = await starting({ workflow_id: 'typed', workflow_type: 'refund' })
    expect(other).toMatchObject({ status: 422, body: { reason: 'validation_failed', recorded: false } })
    expect(Object.keys(other.body.errors)).toEqual(['workflow_type'])
    await served.client.call('createNamespace', { body: { name: 'second' } })
    const reserved = await served.client.call('startWorkflow', {
      headers: { 'x-namespace': 'second' },
      body: { workflow_id: 'typed', workflow_type: workflowType },
    })
    expect(reserved).toMatchObject({
      status: 409,
      body: { reason: 'workflow_id_reserved_in_namespace', recorded: false },
    })
  })

  test('a payload above the limit is refused at intake, with kind, value and limit', async () => {
    const small = await startTestServer({ settings: { payloadBytesMax: 100 } })
    try {
      const before = small.tables()
      const answer = await small.client.call('startWorkflow', {
        body: { workflow_type: workflowType, input: ['x'.repeat(200)] },
      })
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        reason: 'structural_limit_exceeded',
        limit_kind: 'payload_size',
        configured_limit: 100,
        recorded: false,
      })
      expect(answer.body.current_value).toBeGreaterThan(200)
      expect(small.tables()).toEqual(before)
    } finally {
      await small.close()
    }
  })
})

describe('listWorkflows', () => {
  let listed: TestServer
  beforeAll(async () => {
    listed = await startTestServer()
    await register(listed.client)
    for (const id of ['one', 'two', 'three'])
      await start(listed.client, { workflow_id: `list-${id}`, task_queue: 'elsewhere', business_key: `key ${id}` })
    await finishedRun(listed.client)
  })
  afterAll(() => listed.close())

  const list = (query: Record<string, string> = {}) => listed.client.call('listWorkflows', { query })

  test('lists every run, newest first, page by page, each once', async () => {
    const seen: string[] = []
    let token: string | null = null
    do {
      const { body } = await list({ page_size: '3', ...(token === null ? {} : { next_page_token: token }) })
      expect(body.workflow_count).toBe(body.workflows.length)
      seen.push(...body.workflows.map((item: { workflow_id: string }) => item.workflow_id))
      token = body.next_page_token
    } while (token !== null)
    expect(seen).toHaveLength(4)
    expect(new Set(seen).size).toBe(4)
  })

  test.each([
    [{ status: 'running' }, 3],
    [{ status: 'completed' }, 1],
    [{ status: 'failed' }, 0],
    [{ status: 'cancelled' }, 0],
    [{ workflow_type: workflowType }, 4],
    [{ workflow_type: 'other' }, 0],
    [{ query: "WorkflowId = 'list-one'" }, 1],
    [{ query: 'key t' }, 2],
    [{ query: 'NoSuchField = 1' }, 0],
    [{ query: "Status = 'completed'", workflow_type: workflowType }, 1],
  ])('%j finds %i', async (query, count) => {
    expect((await list(query)).body.workflow_count).toBe(count)
  })

  test.each([
    [{ page_size: '0' }, 'page_size'],
    [{ page_size: '201' }, 'page_size'],
    [{ page_size: 'many' }, 'page_size'],
    [{ next_page_token: 'bm9uc2Vuc2U' }, 'next_page_token'],
    [{ query: "Status = 'a" }, 'query'],
    [{ status: 'waiting' }, 'status'],
    [{ status: 'busy' }, 'status'],
  ])('refuses %j and names %s', async (query, field) => {
    const answer = await list(query)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('an alias of a status is refused with the bucket that it belongs to', async () => {
    expect((await list({ status: 'pending' })).body.errors.status[0]).toContain('running')
  })
})

describe('signals', () => {
  test('takes a signal to a workflow and to a run', async () => {
    const { workflowId, runId } = await start(served.client, { task_queue: 'elsewhere' })
    const first = await served.client.call('signalWorkflow', {
      path: { workflow_id: workflowId, signal_name: 'paid' },
      body: { input: [1], request_id: 'r-1' },
    })
    expect(first.status).toBe(202)
    expect(first.body).toMatchObject({
      workflow_id: workflowId,
      run_id: runId,
      outcome: 'signal_received',
      signal_name: 'paid',
      request_id: 'r-1',
      command_status: 'accepted',
      target_scope: 'instance',
      requested_run_id: null,
      resolved_run_id: runId,
      control_plane: { operation: 'signal', operation_name: 'paid', operation_name_field: 'signal_name' },
    })
    const second = await served.client.call('signalRun', {
      path: { workflow_id: workflowId, run_id: runId, signal_name: 'paid with/slash' },
    })
    expect(second).toMatchObject({ status: 202, body: { target_scope: 'run', signal_name: 'paid with/slash' } })
    const history = await served.client.call('getRunHistory', { path: { workflow_id: workflowId, run_id: runId } })
    const signals = history.body.events.filter((event: { event_type: string }) => event.event_type === 'SignalReceived')
    expect(signals).toHaveLength(2)
    expect(decodeArguments(signals[0].payload.arguments)).toEqual([1])
  })

  test.each([
    ['signal_name', { signal_name: 'x'.repeat(257) }, {}],
    ['signal_name', { signal_name: 'line\nbreak' }, {}],
    ['request_id', {}, { request_id: 'x'.repeat(256) }],
    ['observability_context', {}, { observability_context: { schema: 'x' } }],
    ['input.codec', {}, { input: { codec: 'json', blob: '' } }],
  ])('refuses a bad %s', async (field, path, body) => {
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    const before = served.tables()
    const answer = await served.client.call('signalWorkflow', {
      path: { workflow_id: workflowId, signal_name: 'paid', ...path },
      body,
    })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
    expect(served.tables()).toEqual(before)
  })

  test('refuses an envelope that holds no list', async () => {
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    const answer = await served.client.call('signalWorkflow', {
      path: { workflow_id: workflowId, signal_name: 'paid' },
      body: { input: encodeEnvelope('alone') },
    })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'invalid_signal_arguments', recorded: false } })
  })
})

describe('cancel and terminate', () => {
  test.each([
    ['cancelWorkflow', 'cancelled'],
    ['terminateWorkflow', 'terminated'],
  ] as const)('%s closes the run at once', async (operation, status) => {
    const { workflowId, runId } = await start(served.client, { task_queue: 'elsewhere' })
    const answer = await served.client.call(operation, {
      path: { workflow_id: workflowId },
      body: { reason: 'not wanted', request_id: 'c-1' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      outcome: status,
      status,
      run_id: runId,
      reason: 'not wanted',
      request_id: 'c-1',
      command_status: 'accepted',
    })
    const { body } = await served.client.call('describeWorkflow', { path: { workflow_id: workflowId } })
    expect(body).toMatchObject({ status, closed_reason: status, is_terminal: true, status_bucket: 'failed' })
  })

  test('both take the form that names the run, and no body at all', async () => {
    const first = await start(served.client, { task_queue: 'elsewhere' })
    const second = await start(served.client, { task_queue: 'elsewhere' })
    const path = (run: typeof first) => ({ workflow_id: run.workflowId, run_id: run.runId })
    expect((await served.client.call('cancelRun', { path: path(first) })).body).toMatchObject({
      outcome: 'cancelled',
      target_scope: 'run',
      reason: null,
    })
    expect((await served.client.call('terminateRun', { path: path(second) })).body).toMatchObject({
      outcome: 'terminated',
    })
  })

  test('a reason that is too long is refused', async () => {
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    const answer = await served.client.call('cancelWorkflow', {
      path: { workflow_id: workflowId },
      body: { reason: 'x'.repeat(1001) },
    })
    expect(Object.keys(answer.body.errors)).toEqual(['reason'])
  })
})

describe('what every command refuses', () => {
  const commands = [
    ['signalWorkflow', { signal_name: 's' }],
    ['cancelWorkflow', {}],
    ['terminateWorkflow', {}],
    ['queryWorkflow', { query_name: 'q' }],
    ['requestCancellation', {}],
  ] as const
  const runCommands = [
    ['signalRun', { signal_name: 's' }],
    ['cancelRun', {}],
    ['terminateRun', {}],
    ['queryRun', { query_name: 'q' }],
    ['requestRunCancellation', {}],
  ] as const

  test.each(commands)('%s of a workflow that is not there', async (operation, path) => {
    const before = served.tables()
    const answer = await served.client.call(operation, { path: { workflow_id: 'nobody', ...path } })
    expect(answer).toMatchObject({
      status: 404,
      body: { reason: 'instance_not_found', recorded: false, workflow_id: 'nobody', command_status: 'rejected' },
    })
    expect(served.tables()).toEqual(before)
  })

  test.each(commands)('%s of a workflow in another namespace', async (operation, path) => {
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    await served.client.call('createNamespace', { body: { name: 'third' } })
    const answer = await served.client.call(operation, {
      headers: { 'x-namespace': 'third' },
      path: { workflow_id: workflowId, ...path },
    })
    expect(answer).toMatchObject({ status: 404, body: { reason: 'instance_not_found' } })
  })

  test.each(runCommands)('%s of a run that is not there', async (operation, path) => {
    const { workflowId } = await start(served.client, { task_queue: 'elsewhere' })
    const answer = await served.client.call(operation, {
      path: { workflow_id: workflowId, run_id: 'nothing', ...path },
    })
    expect(answer).toMatchObject({ status: 404, body: { reason: 'run_not_found', run_id: 'nothing', recorded: false } })
  })

  test.each([
    ['signalWorkflow', { signal_name: 's' }],
    ['cancelWorkflow', {}],
    ['terminateWorkflow', {}],
  ] as const)('%s of a run that is closed', async (operation, path) => {
    const { workflowId, runId } = await finishedRun(served.client)
    const before = served.tables()
    const answer = await served.client.call(operation, { path: { workflow_id: workflowId, ...path } })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      reason: 'run_not_active',
      outcome: 'rejected_not_active',
      run_id: runId,
      run_status: 'completed',
      recorded: false,
    })
    expect(served.tables()).toEqual(before)
  })

  test.each(['1.19', '1.20'] as const)(
    'C-05 cooperative cancellation at a %s server',
    async (workerProtocolVersion) => {
      const other = await startTestServer({ settings: { workerProtocolVersion } })
      try {
        const { workflowId, runId } = await start(other.client)
        const before = other.tables()
        const plain = await other.client.call('requestCancellation', {
          path: { workflow_id: workflowId },
          body: { reason: 'stop', cleanup_timeout_seconds: 30 },
        })
        const named = await other.client.call('requestRunCancellation', {
          path: { workflow_id: workflowId, run_id: runId },
        })
        for (const answer of [plain, named]) {
          expect(answer).toMatchObject({
            status: 409,
            body: {
              reason: 'cooperative_cancellation_not_supported',
              minimum_protocol_version: '1.20',
              recorded: false,
            },
          })
        }
        expect(other.tables()).toEqual(before)
      } finally {
        await other.close()
      }
    },
  )
})

test('a run that a worker completed is described with its result', async () => {
  const { workflowId } = await finishedRun(served.client)
  const { body } = await served.client.call('describeWorkflow', { path: { workflow_id: workflowId } })
  expect(body).toMatchObject({ status: 'completed', closed_reason: 'completed', output: 'done' })
})
