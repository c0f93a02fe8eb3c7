// Signals, queries, cancel and terminate.
import { decodeEnvelope, encodeArguments, encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { approved, checkout, open, pinged, priced, status } from './open.ts'

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

  test.each([
    ['repair_dispatched', true],
    ['repair_not_needed', false],
  ])('repair says whether a task was made: %s', async (outcome, made) => {
    await using it = await open()
    it.stub.on('repairWorkflow', () => ({ status: 200, body: { workflow_id: 'order-1', run_id: 'r1', outcome } }))
    it.stub.on('repairRun', () => ({ status: 200, body: { workflow_id: 'order-1', run_id: 'r1', outcome } }))
    expect(await it.client.get(checkout, 'order-1').repair()).toBe(made)
    expect(await it.client.get(checkout, 'order-1', { runId: 'r1' }).repair()).toBe(made)
    expect([...it.stub.of('repairWorkflow'), ...it.stub.of('repairRun')].map(({ path, body }) => [path, body])).toEqual(
      [
        ['/api/workflows/order-1/repair', { request_id: expect.any(String) }],
        ['/api/workflows/order-1/runs/r1/repair', { request_id: expect.any(String) }],
      ],
    )
  })

  test('a repair of a closed run is a RefusedError with its reason', async () => {
    await using it = await open()
    it.stub.on('repairWorkflow', () => ({
      status: 409,
      body: { reason: 'run_closed', outcome: 'rejected_run_closed' },
    }))
    await expect(it.client.get(checkout, 'order-1').repair()).rejects.toMatchObject({ name: 'RefusedError' })
  })

  test('cancel and terminate say why', async () => {
    await using it = await open()
    await it.client.get(checkout, 'order-1').cancel('changed my mind')
    await it.client.get(checkout, 'order-1', { runId: 'r7' }).terminate()
    expect(it.stub.of('cancelWorkflow')[0]?.body).toEqual({ request_id: expect.any(String), reason: 'changed my mind' })
    expect(it.stub.of('terminateRun')[0]?.path).toBe('/api/workflows/order-1/runs/r7/terminate')
  })
})
