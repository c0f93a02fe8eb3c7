// Waiting for a result.
import { encodeEnvelope } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { workflow } from '../../src/authoring/workflow.ts'
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
