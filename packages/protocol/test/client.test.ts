import { expect, expectTypeOf, test } from 'vitest'
import { type CallOptions, createProtocolClient, type ProtocolRequest, type ProtocolResponse } from '../src/client.ts'
import type { controlPlane, ReasonOf, RequestOf, ResponseOf } from '../src/index.ts'

function recorder(response: Partial<ProtocolResponse>) {
  const requests: ProtocolRequest[] = []
  const send = async (request: ProtocolRequest): Promise<ProtocolResponse> => {
    requests.push(request)
    return { status: 200, headers: {}, text: '{}', ...response }
  }
  return { requests, send }
}

test('a call becomes one request: encoded path, query, body, headers in order of nearness', async () => {
  const { requests, send } = recorder({})
  const client = createProtocolClient({
    send,
    baseUrl: 'http://127.0.0.1:7400/',
    headers: { 'x-namespace': 'default', a: '1' },
  })
  await client.call('describeRun', {
    path: { workflow_id: 'a/b', run_id: 'r 1' },
    query: { wait_closed: 'true' },
    headers: { a: '2' },
  })
  await client.call('signalWorkflow', { path: { workflow_id: 'w', signal_name: 's' }, body: { input: [1] } })
  expect(requests).toEqual([
    {
      method: 'GET',
      url: 'http://127.0.0.1:7400/api/workflows/a%2Fb/runs/r%201?wait_closed=true',
      headers: { accept: 'application/json', 'x-namespace': 'default', a: '2' },
      body: undefined,
    },
    {
      method: 'POST',
      url: 'http://127.0.0.1:7400/api/workflows/w/signal/s',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-namespace': 'default', a: '1' },
      body: '{"input":[1]}',
    },
  ])
})

test('a documented status carries its body; the text is kept as it came', async () => {
  const { send } = recorder({ status: 409, text: '{ "reason": "run_closed" }' })
  const reply = await createProtocolClient({ send }).call('heartbeatWorkflowTask', {
    path: { task_id: 't' },
    body: { lease_owner: 'w', workflow_task_attempt: 1 },
  })
  expect(reply).toMatchObject({
    documented: true,
    status: 409,
    body: { reason: 'run_closed' },
    text: '{ "reason": "run_closed" }',
  })
})

test('a body of plain text is the text', async () => {
  const { send } = recorder({ text: '# HELP a', headers: { 'content-type': 'text/plain; version=0.0.4' } })
  const reply = await createProtocolClient({ send }).call('getMetrics', {})
  expect(reply).toMatchObject({ documented: true, status: 200, body: '# HELP a', text: '# HELP a' })
})

test.each([
  ['a status that the document does not list', 418, '{"a":1}', { a: 1 }],
  ['a body that is no JSON', 502, '<html>', undefined],
  ['an empty body', 200, '', undefined],
])('%s is undocumented and loses nothing', async (_, status, text, body) => {
  const { send } = recorder({ status, text })
  const reply = await createProtocolClient({ send }).call('listNamespaces', {})
  expect(reply).toEqual({ documented: false, status, headers: {}, body, text })
})

test('a missing path parameter is an error before anything is sent', async () => {
  const { requests, send } = recorder({})
  await expect(createProtocolClient({ send }).call('describeWorkflow', { path: { workflow_id: '' } })).rejects.toThrow(
    /needs workflow_id/,
  )
  expect(requests).toEqual([])
})

test('what a caller aborts is handed to send', async () => {
  const { requests, send } = recorder({})
  const { signal } = new AbortController()
  await createProtocolClient({ send }).call('getHealth', { signal })
  expect(requests[0]?.signal).toBe(signal)
})

test('types: requests, responses and reasons follow the operation', () => {
  expectTypeOf<RequestOf<'startWorkflow'>>().toEqualTypeOf<controlPlane.StartWorkflowRequest>()
  expectTypeOf<ResponseOf<'startWorkflow'>>().toEqualTypeOf<controlPlane.StartWorkflowReply>()
  expectTypeOf<ResponseOf<'requestCancellation'>>().toBeNever()
  expectTypeOf<'duplicate_not_allowed'>().toExtend<ReasonOf<'startWorkflow'>>()
  expectTypeOf<'run_closed'>().not.toExtend<ReasonOf<'startWorkflow'>>()
  expectTypeOf<{ body: { workflow_type: string } }>().toExtend<CallOptions<'startWorkflow'>>()
  expectTypeOf<{ headers: Record<string, string> }>().not.toExtend<CallOptions<'startWorkflow'>>()
  expectTypeOf<{ body: { workflow_type: string } }>().not.toExtend<CallOptions<'getHealth'>>()
  expectTypeOf<{ path: { workflow_id: string } }>().not.toExtend<CallOptions<'describeRun'>>()
})
