// Descriptions, histories, lists, explanations, namespaces.
import { encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { eventTypes, plannedEventTypes } from '@durable-workflow/protocol'
import { describe, expect, test } from 'vitest'
import { checkout, open } from './open.ts'

const closed = {
  workflow_id: 'order-1',
  run_id: 'r1',
  workflow_type: 'checkout',
  status: 'completed',
  closed_reason: 'completed',
  is_terminal: true,
  output_envelope: encodeEnvelope({ paid: true }),
}

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

  test('an export has the input of the run, and every event as the wire writes it', async () => {
    await using it = await open()
    const input = encodeArguments([{ id: 'o1' }])
    const rows = [1, 2].map((sequence) => ({
      sequence,
      event_type: 'SignalReceived',
      timestamp: '2026-11-30T08:00:00.000000Z',
      payload: { signal_name: 'approved' },
    }))
    it.stub.on('describeWorkflow', () => ({
      status: 200,
      body: { ...closed, namespace: 'shop', task_queue: 'orders', input_envelope: input },
    }))
    it.stub.on('getRunHistory', ({ query: asked }) => ({
      status: 200,
      body: {
        events: [rows[asked.next_page_token === undefined ? 0 : 1]],
        next_page_token: asked.next_page_token === undefined ? 'Mg==' : null,
      },
    }))
    expect(await it.client.get(checkout, 'order-1').export()).toEqual({
      workflow_id: 'order-1',
      run_id: 'r1',
      workflow_type: 'checkout',
      namespace: 'shop',
      task_queue: 'orders',
      arguments: input,
      history_events: rows,
    })
  })

  test('history shows every event type of the wire, and one that nobody knows', async () => {
    await using it = await open()
    const types: string[] = [...eventTypes, ...plannedEventTypes, 'InventedLater']
    it.stub.on('getRunHistory', () => ({
      status: 200,
      body: {
        events: types.map((type, at) => ({ sequence: at + 1, event_type: type, payload: { kept: type } })),
        next_page_token: null,
      },
    }))
    const events = []
    for await (const event of it.client.get(checkout, 'order-1', { runId: 'r1' }).history()) events.push(event)
    expect(events).toEqual(
      types.map((type, at) => ({ sequence: at + 1, type, recordedAt: undefined, payload: { kept: type } })),
    )
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
