// The proxy against a server that counts what it processed. Concerns: transparency, one test a fault, the n-th match,
// a server that goes away and comes back, clients that leave.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type JsonClient, jsonClient } from './http.ts'
import { waitFor } from './wait-for.ts'

interface Counted {
  readonly url: string
  readonly port: number
  readonly server: Server
  readonly processed: string[]
  readonly headers: IncomingMessage['headers'][]
  readonly left: string[]
}

async function countingServer(port = 0): Promise<Counted> {
  const processed: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const left: string[] = []
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse, body: string): void => {
    processed.push(`${incoming.method} ${incoming.url} ${body}`)
    headers.push(incoming.headers)
    if (incoming.url === '/api/worker/poll') {
      outgoing.on('close', () => left.push(incoming.url ?? ''))
      return
    }
    const text = JSON.stringify({ count: processed.length, echo: body })
    if (incoming.headers['accept-encoding'] === 'gzip') {
      outgoing.writeHead(201, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-own': 'yes' })
      outgoing.end(gzipSync(text))
      return
    }
    outgoing.writeHead(201, { 'content-type': 'application/json', 'x-own': 'yes' })
    outgoing.end(text)
  }
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    incoming.on('end', () => answer(incoming, outgoing, body))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, server, processed, headers, left }
}

async function closed(counted: Counted): Promise<void> {
  counted.server.closeAllConnections()
  await new Promise<void>((resolve) => counted.server.close(() => resolve()))
}

let behind: Counted
let proxy: FaultProxy
let client: JsonClient

beforeEach(async () => {
  behind = await countingServer()
  proxy = await startFaultProxy(behind.url)
  client = jsonClient({ url: proxy.url, token: 'secret' })
})

afterEach(async () => {
  await client.close()
  await proxy.close()
  await closed(behind)
})

test('without a fault method, path with query, body, headers, status and reply pass unchanged', async () => {
  const reply = await client.control('POST', '/workflows?limit=2', { a: 1.5 })
  expect(reply.status).toBe(201)
  expect(reply.headers['x-own']).toBe('yes')
  expect(reply.body).toEqual({ count: 1, echo: '{"a":1.5}' })
  expect(behind.processed).toEqual(['POST /api/workflows?limit=2 {"a":1.5}'])
  expect(behind.headers[0]).toMatchObject({
    authorization: 'Bearer secret',
    'content-type': 'application/json',
    'x-namespace': 'default',
    'x-durable-workflow-control-plane-version': '2',
  })
  expect(proxy.exchanges).toMatchObject([
    { method: 'POST', path: '/api/workflows', requestText: '{"a":1.5}', status: 201, replyText: reply.text },
  ])
})

test('a compressed reply passes as it is and is recorded readable', async () => {
  const reply = await client.raw('GET', '/plain', undefined, { headers: { 'accept-encoding': 'gzip' } })
  expect(reply.headers['content-encoding']).toBe('gzip')
  expect(proxy.exchanges[0]?.replyText).toBe('{"count":1,"echo":""}')
})

test('a dropped reply is lost after the server processed the request, once', async () => {
  const injection = proxy.inject({ method: 'POST', path: /\/complete$/, fault: { kind: 'drop-reply' } })
  await expect(client.worker('POST', '/activity-tasks/t/complete', { n: 1 })).rejects.toThrow()
  expect(await injection.met).toMatchObject({ status: 201, fault: 'drop-reply' })
  expect(behind.processed).toHaveLength(1)
  expect((await client.worker('POST', '/activity-tasks/t/complete', { n: 1 })).status).toBe(201)
  expect(behind.processed).toHaveLength(2)
})

test('a fault meets the n-th request that fits method and path', async () => {
  proxy.inject({ method: 'POST', path: '/api/workflows', nth: 2, fault: { kind: 'drop-reply' } })
  expect((await client.control('GET', '/workflows')).status).toBe(201)
  expect((await client.control('POST', '/workflows', {})).status).toBe(201)
  expect((await client.control('POST', '/workflows/other', {})).status).toBe(201)
  await expect(client.control('POST', '/workflows', {})).rejects.toThrow()
  expect((await client.control('POST', '/workflows', {})).status).toBe(201)
})

test('a cut request never reaches the server', async () => {
  const injection = proxy.inject({ path: /./, fault: { kind: 'cut-request' } })
  await expect(client.control('POST', '/workflows', {})).rejects.toThrow()
  expect(await injection.met).toMatchObject({ status: undefined })
  expect(behind.processed).toEqual([])
})

test('a cut reply arrives in part', async () => {
  proxy.inject({ path: /./, fault: { kind: 'cut-reply' } })
  await expect(client.control('POST', '/workflows', {})).rejects.toThrow()
  expect(behind.processed).toHaveLength(1)
})

test('a held reply waits for its release; other requests pass meanwhile', async () => {
  const injection = proxy.inject({ path: '/api/worker/held', fault: { kind: 'hold-reply' } })
  const held = client.worker('POST', '/held', {})
  expect(await injection.met).toMatchObject({ status: 201 })
  expect((await client.worker('POST', '/free', {})).numberAt('count')).toBe(2)
  injection.release()
  expect((await held).numberAt('count')).toBe(1)
})

test('a held request reaches the server after its release', async () => {
  const injection = proxy.inject({ path: '/api/worker/held', fault: { kind: 'hold-request' } })
  const held = client.worker('POST', '/held', {})
  await injection.met
  expect((await client.worker('POST', '/free', {})).numberAt('count')).toBe(1)
  injection.release()
  expect((await held).numberAt('count')).toBe(2)
})

test('a delayed reply and a delayed request take at least their time', async () => {
  for (const kind of ['delay-reply', 'delay-request'] as const) {
    proxy.inject({ path: /./, fault: { kind, delayMs: 60 } })
    const began = performance.now()
    expect((await client.worker('POST', '/x', {})).status).toBe(201)
    expect(performance.now() - began).toBeGreaterThanOrEqual(55)
  }
})

test('a client that leaves ends its request at the server', async () => {
  const leaving = new AbortController()
  const poll = client.worker('POST', '/poll', {}, { signal: leaving.signal })
  await waitFor('the server holds the poll', () => behind.processed.length === 1)
  leaving.abort()
  await expect(poll).rejects.toThrow()
  await waitFor('the server sees the end of the poll', () => behind.left.length === 1)
})

test('a server that is away breaks the connection, and its restart on the same port is found', async () => {
  expect((await client.worker('POST', '/x', {})).status).toBe(201)
  await closed(behind)
  await expect(client.worker('POST', '/x', {})).rejects.toThrow()
  behind = await countingServer(behind.port)
  expect((await client.worker('POST', '/x', {})).status).toBe(201)
})

test('an exchange is awaited by method, path and status, and a missing one is named', async () => {
  const wait = proxy.waitForExchange('the registration', { method: 'POST', path: '/api/worker/register', status: 201 })
  await client.worker('POST', '/register', { worker_id: 'w' })
  expect(await wait).toMatchObject({ requestText: '{"worker_id":"w"}' })
  const never = proxy.waitForExchange('a poll', { path: '/api/worker/poll' }, { timeoutMs: 30 })
  await expect(never).rejects.toThrow(/"a poll".*POST \/api\/worker\/register 201/s)
})
