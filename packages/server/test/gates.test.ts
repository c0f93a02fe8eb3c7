import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sent } from './support/test-client.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const tokens = [
  { name: 'DW_WORKER_TOKEN', token: 'worker-token', roles: ['worker'] },
  { name: 'DW_OPERATOR_TOKEN', token: 'operator-token', roles: ['operator'] },
] as const

let served: TestServer
beforeAll(async () => {
  served = await startTestServer({ settings: { tokens, bodyBytesMax: 1000 } })
})
afterAll(() => served.close())

/** Without tokens and with the usual limits. */
let open: TestServer
beforeAll(async () => {
  open = await startTestServer()
})
afterAll(() => open.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

// Each row repairs what the row before was refused for and leaves everything after it wrong: the first no is the answer.
const large = JSON.stringify({ text: 'x'.repeat(2000) })
const rows = (plane: 'worker' | 'control') => {
  const right = plane === 'worker' ? 'worker-token' : 'operator-token'
  const wrong = plane === 'worker' ? 'operator-token' : 'worker-token'
  const header = plane === 'worker' ? 'x-durable-workflow-protocol-version' : 'x-durable-workflow-control-plane-version'
  const version = plane === 'worker' ? '1.19' : '2'
  const none = { 'content-type': 'text/plain', 'x-namespace': 'nowhere', authorization: undefined, [header]: undefined }
  const json = { ...none, 'content-type': 'application/json' }
  const known = { ...json, ...bearer(wrong) }
  const allowed = { ...json, ...bearer(right) }
  const versioned = { ...allowed, [header]: version }
  return [
    ['body limit', 413, 'payload_too_large', { rawBody: large, headers: none }],
    ['media type', 415, 'unsupported_media_type', { rawBody: '{', headers: none }],
    ['JSON', 400, 'malformed_json', { rawBody: '{', headers: json }],
    ['token', 401, 'unauthorized', { rawBody: '{}', headers: json }],
    ['token that nobody has', 401, 'unauthorized', { rawBody: '{}', headers: { ...json, ...bearer('somebody-else') } }],
    ['role', 403, 'forbidden', { rawBody: '{}', headers: known }],
    [
      'version',
      400,
      plane === 'worker' ? 'missing_protocol_version' : 'missing_control_plane_version',
      { rawBody: '{}', headers: allowed },
    ],
    ['namespace', 404, 'namespace_not_found', { rawBody: '{}', headers: versioned }],
    ['fields', 422, 'validation_failed', { rawBody: '{}', headers: { ...versioned, 'x-namespace': 'default' } }],
  ] as const satisfies readonly (readonly [string, number, string, Sent])[]
}

describe.each(['worker', 'control'] as const)('gates of the %s plane', (plane) => {
  const operation = plane === 'worker' ? 'pollWorkflowTask' : 'startWorkflow'
  test.each(rows(plane))(
    'AP1 AP2 %s is refused first among what is wrong (%i %s), and nothing is recorded',
    async (_gate, status, reason, sent) => {
      const before = served.tables()
      const answer = await served.client.call(operation, sent)
      expect({ status: answer.status, reason: answer.body.reason }).toEqual({ status, reason })
      expect(answer.body.recorded).toBe(false)
      expect(answer.body.message).not.toBe('')
      expect(answer.body.remedy).not.toBe('')
      expect(served.tables()).toEqual(before)
    },
  )
})

test('a refusal of each gate says what is wrong and what would be right', async () => {
  const worker = { headers: bearer('worker-token') }
  const tooLarge = await served.client.call('pollWorkflowTask', { ...worker, rawBody: large })
  expect(tooLarge.body.limit).toBe(1000)
  const media = await served.client.call('pollWorkflowTask', {
    rawBody: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(media.body.accepted_content_types).toEqual(['application/json', 'application/*+json'])
  const broken = await served.client.call('pollWorkflowTask', { ...worker, rawBody: '{"a":' })
  expect(broken.body.json_error).toContain('JSON')
  const role = await served.client.call('startWorkflow', { ...worker, body: {} })
  expect(role.body).toMatchObject({ role: 'worker', allowed_roles: ['operator', 'admin'] })
  const fields = await served.client.call('pollWorkflowTask', {
    ...worker,
    body: { task_queue: '', timeout_seconds: 61 },
  })
  expect(Object.keys(fields.body.errors).sort()).toEqual(['task_queue', 'timeout_seconds', 'worker_id'])
  expect(fields.body.validation_errors).toEqual(fields.body.errors)
})

test.each([
  ['application/json; charset=utf-8'],
  ['application/vnd.durable-workflow.poll.v1+json'],
  ['APPLICATION/JSON'],
])('%s is JSON', async (contentType) => {
  const answer = await served.client.call('pollWorkflowTask', {
    rawBody: '{}',
    headers: { ...bearer('worker-token'), 'content-type': contentType },
  })
  expect(answer.body.reason).toBe('validation_failed')
})

test.each([['[]'], ['{}'], ['']])('the body %j means: no fields', async (rawBody) => {
  const answer = await served.client.call('startWorkflow', { rawBody, headers: bearer('operator-token') })
  expect(Object.keys(answer.body.errors)).toEqual(['workflow_type'])
})

test('GET and DELETE are taken with a JSON content type and no body, as published clients send them', async () => {
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  const list = await served.client.call('listWorkflows', { headers: { ...bearer('operator-token'), ...json } })
  expect(list.status).toBe(200)
  const gone = await served.client.call('deregisterWorker', {
    path: { worker_id: 'nobody' },
    headers: { ...bearer('worker-token'), ...json },
  })
  expect(gone.body.reason).toBe('worker_not_found')
})

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test.each([
  ['a member named __proto__', '{"workflow_type":"t","__proto__":{"workflow_id":"x"}}', '__proto__'],
  [
    'a member whose escapes spell __proto__',
    '{"workflow_type":"t","\\u005f_proto__":{"workflow_id":"x"}}',
    '__proto__',
  ],
  ['half a surrogate pair', '{"workflow_type":"\\ud83d"}', 'lone surrogate'],
  ['half a surrogate pair in a name', '{"workflow_type":"t","\\uDE00":1}', 'lone surrogate'],
  ['one level too many', `{"workflow_type":"t","x":${deep(1024)}}`, 'deeper than 1024 levels'],
  ['very many levels', `{"workflow_type":"t","x":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, '1024 levels'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'no UTF-8'],
  ['a surrogate as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'no UTF-8'],
  ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), 'JSON'],
  ['a compressed document', gzipSync('{"workflow_type":"t"}'), 'no UTF-8'],
])('a body with %s is malformed, and nothing is recorded', async (_what, rawBody, says) => {
  const before = open.tables()
  const answer = await open.client.call('startWorkflow', { rawBody })
  expect(answer).toMatchObject({ status: 400, body: { reason: 'malformed_json', recorded: false } })
  expect(answer.body.json_error).toContain(says)
  expect(open.tables()).toEqual(before)
})

test.each([
  ['a surrogate pair in escapes', '{"workflow_type":"\\ud83d\\ude00"}', '😀'],
  ['control characters in escapes', '{"workflow_type":"a\\u0000b"}', 'a\u0000b'],
  ['as many levels as may be', `{"workflow_type":"t","x":${deep(1023)}}`, 't'],
  ['many brackets in a text', `{"workflow_type":"t","x":"${'[{\\"'.repeat(2000)}"}`, 't'],
  ['many lists side by side', `{"workflow_type":"t","x":[${Array(2000).fill('[]').join()}]}`, 't'],
])('a body with %s is taken as it is', async (_what, rawBody, workflowType) => {
  const answer = await open.client.call('startWorkflow', { rawBody })
  expect(answer).toMatchObject({ status: 201, body: { workflow_type: workflowType } })
})

test.each([['json'], ['application/'], ['text/plain'], ['application/json-seq'], [';']])(
  'the media type %j is refused by its name, but not where no body could be wrong',
  async (contentType) => {
    const headers = { 'content-type': contentType }
    const answer = await open.client.call('startWorkflow', { rawBody: '{}', headers })
    expect(answer).toMatchObject({ status: 415, body: { content_type: contentType, recorded: false } })
    const version = { 'x-durable-workflow-control-plane-version': '2', 'x-durable-workflow-protocol-version': '1.19' }
    const sent = { rawBody: '{}', headers: { ...headers, ...version } }
    const planned = await open.client.raw('POST', '/api/schedules', sent)
    expect(planned).toMatchObject({ status: 501, body: { reason: 'not_implemented' } })
    const bodyless = await open.client.raw('DELETE', '/api/worker/registrations/nobody', sent)
    expect(bodyless).toMatchObject({ status: 404, body: { reason: 'worker_not_found' } })
  },
)

test('the namespace comes from X-Namespace in any case, else from ?namespace=, else it is default', async () => {
  const as = (headers: Sent['headers'], query?: Record<string, string>) =>
    served.client.call('listWorkflows', {
      headers: { ...bearer('operator-token'), ...headers },
      ...(query ? { query } : {}),
    })
  expect((await as({ 'x-namespace': 'Default' })).status).toBe(200)
  expect((await as({}, { namespace: 'Nowhere' })).body.namespace).toBe('nowhere')
  expect((await as({ 'x-namespace': 'default' }, { namespace: 'nowhere' })).status).toBe(200)
})

test.each(['page_size', 'namespace', 'no_such'])(
  'the query parameter %s given twice is refused: nobody can tell which was meant',
  async (name) => {
    const headers = { 'x-durable-workflow-control-plane-version': '2' }
    const answer = await open.client.raw('GET', `/api/workflows?${name}=default&${name}=nowhere`, { headers })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'validation_failed', recorded: false } })
    expect(answer.body.errors).toEqual({ [name]: ['is given more than once'] })
  },
)

test('health and readiness ask for no token; discovery asks for any', async () => {
  expect((await served.client.call('getHealth')).body.status).toBe('serving')
  expect((await served.client.call('getReady')).body.status).toBe('ready')
  expect((await served.client.call('getClusterInfo')).body.reason).toBe('unauthorized')
  for (const token of ['worker-token', 'operator-token']) {
    expect((await served.client.call('getClusterInfo', { headers: bearer(token) })).status).toBe(200)
  }
})

test('an unknown path is not_found, a wrong method is method_not_allowed', async () => {
  const nowhere = await served.client.raw('GET', '/api/nowhere')
  expect(nowhere).toMatchObject({ status: 404, body: { reason: 'not_found', recorded: false } })
  const wrong = await served.client.raw('PATCH', '/api/workflows/w-1')
  expect(wrong).toMatchObject({ status: 405, body: { reason: 'method_not_allowed', allowed_methods: ['GET'] } })
  expect(wrong.headers.allow).toBe('GET')
  const worker = await served.client.raw('GET', '/api/worker/register')
  expect(worker).toMatchObject({ status: 405, body: { protocol_version: '1.19' } })
  const broken = await served.client.raw('GET', '/api/workflows/%E0%A4%A')
  expect(broken).toMatchObject({ status: 404, body: { reason: 'not_found' } })
})

test('before the engine has started nothing is taken, and readiness says so', async () => {
  const early = await startTestServer({ started: false })
  try {
    const before = early.tables()
    const refused = await early.client.call('startWorkflow', { body: { workflow_type: 'checkout' } })
    expect(refused).toMatchObject({ status: 503, body: { reason: 'backend_unavailable', recorded: false } })
    const ready = await early.client.call('getReady')
    expect(ready).toMatchObject({ status: 503, body: { status: 'not_ready', checks: { accepting: 'not_accepting' } } })
    expect(early.tables()).toEqual(before)
  } finally {
    await early.close()
  }
})
