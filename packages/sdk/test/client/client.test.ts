// What a client sends, what it repeats, and how answers become values and errors.
import { decodeEnvelope, encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { query, signal } from '../../src/authoring/message.ts'
import { workflow } from '../../src/authoring/workflow.ts'
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts'
import { type Stub, type StubOptions, startStub } from '../transport/stub-server.ts'

const Order = z.object({ id: z.string() })
const approved = signal('approved', z.object({ by: z.string() }))
const pinged = signal('pinged')
const status = query('status', { output: z.string() })
const priced = query('priced', { input: z.int(), output: z.int() })
const checkout = workflow('checkout', {
  input: Order,
  output: z.object({ paid: z.boolean() }),
  handles: [approved, pinged, status, priced],
})

async function open(
  options: StubOptions & ClientOptions = {},
): Promise<{ stub: Stub; client: Client } & AsyncDisposable> {
  const stub = await startStub(options)
  const client = createClient({ server: stub.url, retry: { attemptsMax: 3, firstMs: 1, longestMs: 2 }, ...options })
  stub.on('startWorkflow', ({ body }) => ({
    status: 201,
    body: { workflow_id: body.workflow_id, run_id: 'r1', workflow_type: body.workflow_type, outcome: 'started_new' },
  }))
  return {
    stub,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await stub[Symbol.asyncDispose]()
    },
  }
}

describe('start', () => {
  test('sends the input as arguments, the policies it was given, and its headers', async () => {
    await using it = await open({ namespace: 'shop', token: 'secret' })
    const run = await it.client.start(checkout, {
      id: 'order-1',
      input: { id: 'o1' },
      taskQueue: 'orders',
      ifExists: 'use',
      executionTimeout: '1500ms',
      runTimeout: '2 minutes',
    })
    const [request] = it.stub.of('startWorkflow')
    expect(request?.body).toEqual({
      workflow_id: 'order-1',
      workflow_type: 'checkout',
      task_queue: 'orders',
      input: encodeArguments([{ id: 'o1' }]),
      duplicate_policy: 'use-existing',
      execution_timeout_seconds: 2,
      run_timeout_seconds: 120,
    })
    expect(request?.headers).toMatchObject({
      'x-namespace': 'shop',
      authorization: 'Bearer secret',
      'x-durable-workflow-control-plane-version': '2',
    })
    expect([run.workflowId, run.runId]).toEqual(['order-1', 'r1'])
  })

  test('exact durations and a start id go to servers that know them', async () => {
    await using it = await open({ capabilities: { start_id: true, millisecond_durations: true } })
    await it.client.start(checkout, { input: { id: 'o1' }, runTimeout: '1500ms' })
    const [request] = it.stub.of('startWorkflow')
    expect(request?.body).toMatchObject({
      workflow_id: expect.stringMatching(/^checkout-[0-9a-f-]{36}$/),
      task_queue: 'default',
      run_timeout_seconds: 2,
      run_timeout_ms: 1_500,
      start_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(request?.body).not.toHaveProperty('duplicate_policy')
  })

  test('after a lost answer it is repeated with the same start id', async () => {
    await using it = await open({ capabilities: { start_id: true } })
    it.stub.on('startWorkflow', ({ body }, index) =>
      index === 0
        ? 'cut'
        : { status: 200, body: { workflow_id: body.workflow_id, run_id: 'r1', workflow_type: 'checkout' } },
    )
    await it.client.start(checkout, { input: { id: 'o1' } })
    const [first, second] = it.stub.of('startWorkflow')
    expect(second?.body).toEqual(first?.body)
  })

  test('without start ids a lost answer is an error that says so, and nothing is repeated', async () => {
    await using it = await open()
    it.stub.on('startWorkflow', () => 'cut')
    await expect(it.client.start(checkout, { input: { id: 'o1' } })).rejects.toMatchObject({
      name: 'TransportError',
      reason: 'answer_lost',
    })
    expect(it.stub.of('startWorkflow')).toHaveLength(1)
  })

  test('input that does not fit is refused before anything is sent', async () => {
    await using it = await open()
    const named = workflow('checkout', { input: z.object({ id: z.string().min(3) }) })
    await expect(it.client.start(named, { input: { id: 'x' } })).rejects.toMatchObject({
      name: 'ContractError',
      reason: 'invalid_input',
    })
    expect(it.stub.requests).toEqual([])
  })

  test('a duplicate is a RefusedError with reason, remedy and the answer', async () => {
    await using it = await open()
    const body = {
      reason: 'duplicate_not_allowed',
      message: 'order-1 exists.',
      workflow_id: 'order-1',
      run_id: 'r0',
      outcome: 'rejected_duplicate',
    }
    it.stub.on('startWorkflow', () => ({ status: 409, body }))
    await expect(it.client.start(checkout, { id: 'order-1', input: { id: 'o1' } })).rejects.toMatchObject({
      name: 'RefusedError',
      message: 'order-1 exists.',
      reason: 'duplicate_not_allowed',
      recorded: false,
      remedy: expect.any(String),
      facts: { status: 409, body },
    })
  })

  test('discovery is asked once', async () => {
    await using it = await open()
    await Promise.all([1, 2, 3].map((id) => it.client.start(checkout, { input: { id: String(id) } })))
    expect(it.stub.of('getClusterInfo')).toHaveLength(1)
  })
})

const closed = {
  workflow_id: 'order-1',
  run_id: 'r1',
  workflow_type: 'checkout',
  status: 'completed',
  closed_reason: 'completed',
  is_terminal: true,
  output_envelope: encodeEnvelope({ paid: true }),
}
const running = { ...closed, status: 'running', closed_reason: null, is_terminal: false, output_envelope: null }

describe('result', () => {
  test('is one held request, repeated until the run is closed', async () => {
    await using it = await open({ capabilities: { wait_closed: true } })
    it.stub.on('describeRun', (_, index) => ({ status: 200, body: index < 2 ? running : closed }))
    const run = await it.client.start(checkout, { id: 'order-1', input: { id: 'o1' } })
    expect(await run.result()).toEqual({ paid: true })
    const requests = it.stub.of('describeRun')
    expect(requests).toHaveLength(3)
    expect(requests[0]?.query).toEqual({ wait_closed: 'true', wait_timeout_seconds: '60' })
  })

  test('a server that is away for a while does not end the waiting', async () => {
    await using it = await open({ capabilities: { wait_closed: true } })
    it.stub.on('describeRun', (_, index) => (index < 5 ? 'cut' : { status: 200, body: closed }))
    const run = await it.client.start(checkout, { id: 'order-1', input: { id: 'o1' } })
    expect(await run.result()).toEqual({ paid: true })
    expect(it.stub.of('describeRun')).toHaveLength(6)
  })

  test('what returned nothing is undefined, or null where the schema wants it', async () => {
    await using it = await open({ capabilities: { wait_closed: true } })
    it.stub.on('describeWorkflow', () => ({ status: 200, body: { ...closed, output_envelope: encodeEnvelope(null) } }))
    const outputs = [undefined, z.void(), z.string().nullable()]
    const results = outputs.map((output) => it.client.get(workflow('checkout', { output }), 'order-1').result())
    expect(await Promise.all(results)).toEqual([undefined, undefined, null])
    await expect(it.client.get(checkout, 'order-1').result()).rejects.toMatchObject({ reason: 'invalid_output' })
  })

  test('elsewhere waits on history between descriptions', async () => {
    await using it = await open()
    it.stub.on('describeRun', (_, index) => ({ status: 200, body: index === 0 ? running : closed }))
    it.stub.on('getRunHistory', () => ({
      status: 200,
      body: { workflow_id: 'order-1', run_id: 'r1', events: [], next_page_token: null },
    }))
    const run = await it.client.start(checkout, { id: 'order-1', input: { id: 'o1' } })
    expect(await run.result()).toEqual({ paid: true })
    expect(it.stub.of('getRunHistory')[0]?.query).toMatchObject({ wait_new_event: 'true' })
  })

  test('output that does not fit the contract is a ContractError', async () => {
    await using it = await open({ capabilities: { wait_closed: true } })
    it.stub.on('describeRun', () => ({
      status: 200,
      body: { ...closed, output_envelope: encodeEnvelope({ paid: 'maybe' }) },
    }))
    const run = await it.client.start(checkout, { id: 'order-1', input: { id: 'o1' } })
    await expect(run.result()).rejects.toMatchObject({ name: 'ContractError', reason: 'invalid_output' })
  })

  test('an abort ends the waiting with its reason', async () => {
    await using it = await open({ capabilities: { wait_closed: true } })
    it.stub.on('describeRun', () => 'hold')
    const run = await it.client.start(checkout, { id: 'order-1', input: { id: 'o1' } })
    const controller = new AbortController()
    const result = run.result({ signal: controller.signal })
    await it.stub.arrived('describeRun')
    controller.abort(new Error('enough'))
    await expect(result).rejects.toThrow('enough')
  })

  test.each([
    [
      'failed',
      {
        status: 'failed',
        closed_reason: 'failed',
        failure: {
          message: 'nobody approved',
          exception_type: 'ApprovalTimeout',
          non_retryable: true,
          exception: { details: { after: 3 }, cause: { type: 'RangeError', message: 'root' } },
        },
      },
      {
        name: 'WorkflowFailure',
        message: 'nobody approved',
        type: 'ApprovalTimeout',
        nonRetryable: true,
        details: { after: 3 },
        cause: { type: 'RangeError', message: 'root' },
      },
    ],
    [
      'failed in another language',
      {
        status: 'failed',
        closed_reason: 'failed',
        failure: { message: 'boom', exception_class: 'builtins.RuntimeError' },
      },
      { name: 'WorkflowFailure', message: 'boom', type: 'builtins.RuntimeError' },
    ],
    [
      'cancelled',
      { status: 'cancelled', closed_reason: 'cancelled', reason: 'changed my mind' },
      { name: 'CancellationFailure', message: 'changed my mind', type: 'WorkflowCancelled' },
    ],
    [
      'terminated',
      { status: 'terminated', closed_reason: 'terminated' },
      { name: 'CancellationFailure', type: 'WorkflowTerminated' },
    ],
    [
      'timed out',
      {
        status: 'failed',
        closed_reason: 'timed_out',
        failure: { message: 'too long', timeout_kind: 'execution_timeout' },
      },
      { name: 'TimeoutFailure', message: 'too long', kind: 'execution_timeout' },
    ],
  ])('a run that was %s', async (_, description, error) => {
    await using it = await open({ capabilities: { wait_closed: true } })
    it.stub.on('describeWorkflow', () => ({ status: 200, body: { ...closed, output_envelope: null, ...description } }))
    await expect(it.client.get(checkout, 'order-1').result()).rejects.toMatchObject(error)
  })
})

describe('messages', () => {
  test('a signal has its payload and a request id, for the current run unless the handle is pinned', async () => {
    await using it = await open()
    const accepted = { status: 202, body: { outcome: 'signal_received' } }
    it.stub.on('signalWorkflow', () => accepted)
    it.stub.on('signalRun', () => accepted)
    await it.client.get(checkout, 'order-1').signal(approved, { by: 'ada' })
    await it.client.get(checkout, 'order-1').signal(pinged)
    await it.client.get(checkout, 'order-1', { runId: 'r7' }).signal(pinged)
    const [first, second] = it.stub.of('signalWorkflow')
    expect(first?.path).toBe('/api/workflows/order-1/signal/approved')
    expect(first?.body).toEqual({ request_id: expect.any(String), input: encodeArguments([{ by: 'ada' }]) })
    expect(second?.body).toEqual({ request_id: expect.any(String) })
    expect(it.stub.of('signalRun')[0]?.path).toBe('/api/workflows/order-1/runs/r7/signal/pinged')
  })

  test('a signal whose answer was lost is not repeated', async () => {
    await using it = await open()
    it.stub.on('signalWorkflow', () => ({ status: 500, body: {} }))
    await expect(it.client.get(checkout, 'order-1').signal(pinged)).rejects.toMatchObject({ name: 'TransportError' })
    expect(it.stub.of('signalWorkflow')).toHaveLength(1)
  })

  test('a signal that the server did not admit is repeated', async () => {
    await using it = await open()
    it.stub.on('signalWorkflow', (_, index) =>
      index === 0
        ? { status: 503, body: { reason: 'backend_unavailable', recorded: false } }
        : { status: 202, body: {} },
    )
    await it.client.get(checkout, 'order-1').signal(pinged)
    expect(it.stub.of('signalWorkflow')).toHaveLength(2)
  })

  test('a query’s answer comes from the envelope, validated', async () => {
    await using it = await open()
    it.stub.on('queryWorkflow', ({ path, body }) => ({
      status: 200,
      body: path.endsWith('/priced')
        ? { result: null, result_envelope: encodeEnvelope(Number([decodeEnvelope(body.input)].flat()[0]) * 2) }
        : { result: 'paid', result_envelope: null },
    }))
    const handle = it.client.get(checkout, 'order-1')
    expect(await handle.query(status)).toBe('paid')
    expect(await handle.query(priced, 21)).toBe(42)
  })

  test.each([
    [404, 'rejected_unknown_query'],
    [409, 'query_worker_unavailable'],
    [504, 'query_worker_timeout'],
  ])('a query answered %i is a RefusedError %s, asked once', async (code, reason) => {
    await using it = await open()
    it.stub.on('queryWorkflow', () => ({ status: code, body: { reason, message: 'no' } }))
    await expect(it.client.get(checkout, 'order-1').query(status)).rejects.toMatchObject({
      name: 'RefusedError',
      reason,
    })
    expect(it.stub.of('queryWorkflow')).toHaveLength(1)
  })

  test('cancel and terminate say why', async () => {
    await using it = await open()
    await it.client.get(checkout, 'order-1').cancel('changed my mind')
    await it.client.get(checkout, 'order-1', { runId: 'r7' }).terminate()
    expect(it.stub.of('cancelWorkflow')[0]?.body).toEqual({ request_id: expect.any(String), reason: 'changed my mind' })
    expect(it.stub.of('terminateRun')[0]?.path).toBe('/api/workflows/order-1/runs/r7/terminate')
  })
})

describe('reading', () => {
  test('history follows its pages, oldest first', async () => {
    await using it = await open()
    it.stub.on('getRunHistory', ({ query: asked }) => ({
      status: 200,
      body:
        asked.next_page_token === undefined
          ? {
              events: [
                { sequence: 1, event_type: 'WorkflowStarted', timestamp: '2026-11-30T08:00:00.000000Z', payload: {} },
              ],
              next_page_token: 'Mg==',
            }
          : {
              events: [
                {
                  sequence: 2,
                  event_type: 'WorkflowCompleted',
                  timestamp: '2026-11-30T08:00:01.000000Z',
                  payload: { a: 1 },
                },
              ],
              next_page_token: null,
            },
    }))
    const events = []
    for await (const event of it.client.get(checkout, 'order-1', { runId: 'r1' }).history()) events.push(event)
    expect(events).toEqual([
      { sequence: 1, type: 'WorkflowStarted', recordedAt: new Date('2026-11-30T08:00:00Z'), payload: {} },
      { sequence: 2, type: 'WorkflowCompleted', recordedAt: new Date('2026-11-30T08:00:01Z'), payload: { a: 1 } },
    ])
  })

  test('a list follows its pages and asks for type, status and more', async () => {
    await using it = await open()
    it.stub.on('listWorkflows', (_, index) => ({
      status: 200,
      body: {
        workflows: [{ ...closed, run_id: `r${index}`, task_queue: 'orders' }],
        next_page_token: index === 0 ? 'next' : null,
      },
    }))
    const runs = []
    for await (const run of it.client.list({ type: checkout, status: 'cancelled', where: "TaskQueue = 'orders'" }))
      runs.push(run.runId)
    expect(runs).toEqual(['r0', 'r1'])
    expect(it.stub.of('listWorkflows').map((request) => request.query)).toEqual([
      { page_size: '100', workflow_type: 'checkout', query: "Status = 'cancelled' AND TaskQueue = 'orders'" },
      {
        page_size: '100',
        workflow_type: 'checkout',
        query: "Status = 'cancelled' AND TaskQueue = 'orders'",
        next_page_token: 'next',
      },
    ])
  })

  test('describe speaks in camel case, dates and values', async () => {
    await using it = await open()
    it.stub.on('describeWorkflow', () => ({
      status: 200,
      body: {
        ...closed,
        started_at: '2026-11-30T08:00:00.000000Z',
        input_envelope: encodeArguments([{ id: 'o1' }]),
        wait_kind: null,
      },
    }))
    expect(await it.client.get(checkout, 'order-1').describe()).toMatchObject({
      workflowId: 'order-1',
      runId: 'r1',
      status: 'completed',
      startedAt: new Date('2026-11-30T08:00:00Z'),
      input: [{ id: 'o1' }],
      output: { paid: true },
      waitKind: undefined,
    })
  })

  test('explain takes the server’s sentences, else makes its own', async () => {
    await using it = await open()
    it.stub.on('debugWorkflow', (_, index) => ({
      status: 200,
      body:
        index === 0
          ? {
              explanation: ['It waits for signal "approved".'],
              findings: [{ severity: 'warning', code: 'no_active_pollers', message: 'Nobody polls queue orders.' }],
            }
          : {
              diagnostic_status: 'waiting',
              execution: { status: 'waiting', wait_reason: 'Waiting for an activity.' },
              pending_workflow_tasks: [{ status: 'leased', lease_owner: 'w1', lease_expired: true }],
              pending_activities: [{ activity_type: 'charge', status: 'running', attempt_count: 2 }],
            },
    }))
    const handle = it.client.get(checkout, 'order-1')
    expect(await handle.explain()).toEqual(['It waits for signal "approved".', 'Nobody polls queue orders.'])
    expect(await handle.explain()).toEqual([
      'The run is waiting (waiting).',
      'Waiting for an activity.',
      'Its workflow task is leased by w1, and that lease has expired.',
      'Activity "charge" is running after 2 attempts.',
    ])
  })

  test('namespaces are listed, created and described', async () => {
    await using it = await open()
    const shop = { name: 'shop', description: null, retention_days: 30, created_at: '2026-11-30T08:00:00.000000Z' }
    it.stub.on('listNamespaces', () => ({ status: 200, body: { namespaces: [shop] } }))
    it.stub.on('createNamespace', () => ({ status: 201, body: shop }))
    it.stub.on('describeNamespace', () => ({
      status: 404,
      body: { reason: 'namespace_not_found', message: 'no shop' },
    }))
    expect(await it.client.namespaces.list()).toMatchObject([{ name: 'shop', retentionDays: 30 }])
    await it.client.namespaces.create({ name: 'shop', retentionDays: 30 })
    expect(it.stub.of('createNamespace')[0]?.body).toEqual({ name: 'shop', retention_days: 30 })
    await expect(it.client.namespaces.describe('shop')).rejects.toMatchObject({ reason: 'namespace_not_found' })
  })
})

describe('settings', () => {
  test('the environment is used where no argument is given', async () => {
    const stub = await startStub()
    stub.on('listNamespaces', () => ({ status: 200, body: { namespaces: [] } }))
    const before = { ...process.env }
    Object.assign(process.env, {
      DURABLE_WORKFLOW_SERVER_URL: stub.url,
      DURABLE_WORKFLOW_NAMESPACE: 'from-env',
      DURABLE_WORKFLOW_AUTH_TOKEN: 'env-token',
    })
    try {
      const client = createClient()
      await client.namespaces.list()
      await client.close()
      expect(stub.requests[0]?.headers).toMatchObject({ 'x-namespace': 'from-env', authorization: 'Bearer env-token' })
    } finally {
      process.env = before
      await stub[Symbol.asyncDispose]()
    }
  })

  test.each(['ftp://x', 'nonsense', 'http://x/?q=1'])('%s is no server URL', (server) => {
    expect(() => createClient({ server })).toThrow(/is not an http or https URL/)
  })
})
