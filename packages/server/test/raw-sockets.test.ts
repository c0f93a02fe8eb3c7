// What an HTTP client would not send: bytes that are no request, requests that never end, many at once. Each is answered or
// cut within a bound, nothing is recorded, and the server serves the next one.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bytesOf, RawConnection, type RawOutcome } from './support/raw-connection.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { start } from './support/wire.ts'

const requestTimeoutMs = 400
/** A test's own bound: ten times what the server may take. */
const withinMs = 10 * requestTimeoutMs
const bodyBytesMax = 10_000

let served: TestServer
let before: Record<string, string>
const opened = new Set<RawConnection>()

beforeAll(async () => {
  served = await startTestServer({ settings: { requestTimeoutMs, bodyBytesMax } })
})
afterAll(() => served.close())
beforeEach(() => {
  before = served.tables()
})
afterEach(async () => {
  for (const connection of opened) connection.close()
  opened.clear()
  expect((await served.client.call('getHealth')).body.status).toBe('serving')
  expect(served.tables()).toEqual(before)
})

async function connected(): Promise<RawConnection> {
  const connection = await RawConnection.open(served.url)
  opened.add(connection)
  return connection
}

async function sent(bytes: string | Uint8Array): Promise<RawOutcome> {
  const connection = await connected()
  connection.write(bytes)
  return connection.answer(withinMs)
}

const reasonOf = (outcome: RawOutcome) =>
  outcome === 'cut' ? 'cut' : { status: outcome.status, reason: JSON.parse(outcome.text || '{}').reason }

const versioned = 'host: a\r\nx-durable-workflow-control-plane-version: 2\r\ncontent-type: application/json\r\n'
const health = 'GET /api/health HTTP/1.1\r\nhost: a\r\n\r\n'
const startWith = (headers: string, body: string) => `POST /api/workflows HTTP/1.1\r\n${versioned}${headers}\r\n${body}`

test.each([
  ['no request at all', 'hello\r\n\r\n'],
  ['bytes of another protocol', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
  ['another method than HTTP has', 'BLAH /api/health HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['another version than HTTP has', 'GET /api/health HTTP/3.7\r\nhost: a\r\n\r\n'],
  ['a header without a colon', 'GET /api/health HTTP/1.1\r\nhost: a\r\nno colon\r\n\r\n'],
  ['a header name with a space', 'GET /api/health HTTP/1.1\r\nhost: a\r\nx y: 1\r\n\r\n'],
  ['a NUL in a header', 'GET /api/health HTTP/1.1\r\nhost: a\r\nx: a\u0000b\r\n\r\n'],
  ['a line feed alone between headers', 'GET /api/health HTTP/1.1\r\nhost: a\nx: 1\r\n\r\n'],
  ['a folded header', 'GET /api/health HTTP/1.1\r\nhost: a\r\nx: 1\r\n\t2\r\n\r\n'],
  ['two lengths', startWith('content-length: 2\r\ncontent-length: 3\r\n', '{}')],
  ['a length and chunks', startWith('content-length: 2\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')],
  ['a negative length', startWith('content-length: -2\r\n', '{}')],
  ['a length that is no number', startWith('content-length: 0x10\r\n', '{}')],
  ['a length that no number holds', startWith(`content-length: ${'9'.repeat(30)}\r\n`, '{}')],
  ['a chunk of no length', startWith('transfer-encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n')],
  ['a space in the path', 'GET /api/workflows/a b HTTP/1.1\r\nhost: a\r\n\r\n'],
])('%s is a malformed request, and the connection ends', async (_what, bytes) => {
  const connection = await connected()
  connection.write(bytes)
  const answer = await connection.answer(withinMs)
  expect(reasonOf(answer)).toEqual({ status: 400, reason: 'malformed_request' })
  expect(answer).toMatchObject({ headers: { connection: 'close', 'content-type': 'application/json; charset=utf-8' } })
  await connection.cut(withinMs)
})

test.each([
  ['a header', `GET /api/health HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
  ['many headers', `GET /api/health HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
  ['a path', `GET /api/workflows/${'x'.repeat(100_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
  ['a query', `GET /api/workflows?query=${'x'.repeat(100_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
])('%s beyond the bound is refused with the bound', async (_what, bytes) => {
  const answer = await sent(bytes)
  expect(reasonOf(answer)).toEqual({ status: 431, reason: 'request_headers_too_large' })
  expect(answer === 'cut' ? undefined : JSON.parse(answer.text)).toMatchObject({ limit: 16_384, recorded: false })
})

test.each([
  ['half a request line', 'GET /api/hea'],
  ['headers that never end', 'GET /api/health HTTP/1.1\r\nhost: a\r\nx: 1\r\n'],
  ['less body than its length says', startWith('content-length: 30\r\n', '{"workflow_type":"t"')],
  ['chunks that never end', startWith('transfer-encoding: chunked\r\n', '3\r\n{"w\r\n')],
])('%s is cut after the time that a request may take', async (_what, bytes) => {
  const answer = await sent(bytes)
  expect(reasonOf(answer)).toEqual({ status: 408, reason: 'request_timeout' })
  expect(answer === 'cut' ? undefined : JSON.parse(answer.text)).toMatchObject({
    limit_seconds: requestTimeoutMs / 1000,
    recorded: false,
  })
})

test('a body that comes byte by byte is cut after the same time', async () => {
  const connection = await connected()
  connection.write(startWith('content-length: 9000\r\n', '{'))
  const dripping = setInterval(() => connection.write(' '), requestTimeoutMs / 20)
  try {
    expect(reasonOf(await connection.answer(withinMs))).toEqual({ status: 408, reason: 'request_timeout' })
  } finally {
    clearInterval(dripping)
  }
})

test('an answer may be held longer than a request may take to come', async () => {
  const { runId, workflowId } = await start(served.client)
  before = served.tables()
  const since = performance.now()
  const held = await served.client.call('describeRun', {
    path: { workflow_id: workflowId, run_id: runId },
    query: { wait_closed: '1', wait_timeout_seconds: '1' },
  })
  expect(held.body.status).toBe('pending')
  expect(performance.now() - since).toBeGreaterThan(2 * requestTimeoutMs)
})

test.each([
  ['by its length', startWith(`content-length: ${bodyBytesMax + 1}\r\n`, '')],
  [
    'in chunks, whatever their number',
    startWith('transfer-encoding: chunked\r\n', `400\r\n${'x'.repeat(1024)}\r\n`.repeat(30)),
  ],
])('a body beyond the limit %s is refused before it is read whole', async (_how, bytes) => {
  expect(reasonOf(await sent(bytes))).toEqual({ status: 413, reason: 'payload_too_large' })
})

test('requests that come together are answered in their order', async () => {
  const connection = await connected()
  const missing = 'GET /api/nowhere HTTP/1.1\r\nhost: a\r\n\r\n'
  const bad = startWith('content-length: 1\r\n', '{')
  connection.write(`${health}${missing}${bad}${health}`)
  const statuses: unknown[] = []
  for (let count = 0; count < 4; count++) {
    const answer = await connection.answer(withinMs)
    statuses.push(answer === 'cut' ? 'cut' : answer.status)
  }
  expect(statuses).toEqual([200, 404, 400, 200])
})

test('what follows a request and is none ends the connection after its answer', async () => {
  const connection = await connected()
  connection.write(`${health}rubbish\r\n\r\n`)
  const first = await connection.answer(withinMs)
  // The answer may be overtaken: the connection is over either way.
  if (first !== 'cut' && first.status === 200) {
    expect(reasonOf(await connection.answer(withinMs))).toEqual({ status: 400, reason: 'malformed_request' })
  } else expect(reasonOf(first)).toEqual({ status: 400, reason: 'malformed_request' })
  await connection.cut(withinMs)
})

test('more body than its length says is read as the next request, and refused', async () => {
  const connection = await connected()
  connection.write(startWith('content-length: 2\r\n', '{}{"workflow_type":"t"}'))
  expect(reasonOf(await connection.answer(withinMs))).toMatchObject({ status: expect.any(Number) })
  expect(connection.isOpen ? reasonOf(await connection.answer(withinMs)) : 'cut').not.toMatchObject({ status: 200 })
})

test('a client that asks and goes leaves nothing behind', async () => {
  for (let count = 0; count < 50; count++) {
    const connection = await connected()
    connection.write(startWith('content-length: 2\r\n', '{'))
    connection.close()
  }
  await expect.poll(() => served.server.openCount).toBe(0)
})

test('two hundred silent connections keep nobody from being served', async () => {
  const silent = await Promise.all(Array.from({ length: 200 }, connected))
  for (const connection of silent) connection.write('POST /api/workflows HTTP/1.1\r\nhost: a\r\n')
  expect(reasonOf(await sent(health))).toMatchObject({ status: 200 })
  const outcomes = await Promise.all(silent.map((connection) => connection.answer(withinMs)))
  expect(new Set(outcomes.map((outcome) => (outcome === 'cut' ? 'cut' : outcome.status)))).toEqual(new Set([408]))
})

test.each([
  ['an expectation that nobody meets', startWith('expect: something\r\ncontent-length: 2\r\n', '{}'), 417],
  ['a request that names no host', 'GET /api/health HTTP/1.1\r\n\r\n', 400],
  ['a tunnel', 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: a\r\n\r\n', 'cut'],
  ['a path that is a URL', 'GET http://127.0.0.1/api/health HTTP/1.1\r\nhost: a\r\n\r\n', 200],
  ['HTTP 1.0', 'GET /api/health HTTP/1.0\r\n\r\n', 200],
  [
    'an upgrade to what is not spoken',
    `GET /api/health HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n`,
    200,
  ],
] as const)('%s is answered or cut', async (_what, bytes, status) => {
  const outcome = await sent(bytes)
  expect(outcome === 'cut' ? 'cut' : outcome.status).toBe(status)
})

test('an expectation to go on is met', async () => {
  const connection = await connected()
  const body = Buffer.from('{}')
  const bytes = bytesOf({ method: 'POST', target: '/api/workflows', headers: [['expect', '100-continue']], body })
  connection.write(bytes)
  expect(reasonOf(await connection.answer(withinMs))).toMatchObject({ status: 415 })
})
