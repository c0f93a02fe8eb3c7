// The pooled transport: what it calls not sent, what lost, and that held requests keep nothing waiting.
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openTransport } from '../../src/transport/undici.ts'
import { startStub } from './stub-server.ts'

const get = { method: 'GET', headers: {}, held: false, timeoutMs: 5_000 }

test('a port where nobody listens: not sent', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => server.close(resolve))
  const transport = openTransport({ origin: `http://127.0.0.1:${port}` })
  await expect(transport.send({ ...get, path: '/api/health' })).rejects.toMatchObject({
    name: 'TransportError',
    reason: 'not_sent',
    facts: { code: 'ECONNREFUSED' },
  })
  await transport.close()
})

test('a connection that closes before the answer: answer lost, with its cause', async () => {
  await using stub = await startStub()
  stub.on('getHealth', () => 'cut')
  const transport = openTransport({ origin: stub.url })
  const failed = transport.send({ ...get, path: '/api/health?x=1' })
  await expect(failed).rejects.toMatchObject({
    reason: 'answer_lost',
    facts: { path: '/api/health' },
    cause: expect.any(Error),
  })
  await transport.close()
})

test('held requests never make another one wait for a connection', async () => {
  await using stub = await startStub()
  stub.on('pollWorkflowTask', () => 'hold')
  stub.on('getHealth', () => ({ status: 200, body: { status: 'serving' } }))
  const transport = openTransport({ origin: stub.url, connections: 1 })
  const stopping = new AbortController()
  const poll = {
    method: 'POST',
    path: '/api/worker/workflow-tasks/poll',
    headers: {},
    body: '{}',
    held: true,
    timeoutMs: 60_000,
  }
  const polls = Array.from({ length: 5 }, () => transport.send({ ...poll, signal: stopping.signal }))
  await stub.arrived('pollWorkflowTask', 5)
  expect((await transport.send({ ...get, path: '/api/health' })).status).toBe(200)
  stopping.abort(new Error('stopped'))
  for (const settled of await Promise.allSettled(polls)) expect(settled.status).toBe('rejected')
  await transport.close()
})

test('a text is read whole, also when a character arrives in two pieces; the byte order mark is no part of it', async () => {
  const text = 'Größe €'
  const bytes = Buffer.from(`\uFEFF${text}`)
  const cut = bytes.indexOf(Buffer.from('€')) + 1
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\nretry-after: 3\r\nx-other: y\r\n\r\n`)
      socket.write(bytes.subarray(0, cut), () => setImmediate(() => socket.end(bytes.subarray(cut))))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const transport = openTransport({ origin: `http://127.0.0.1:${port}` })
  const answer = await transport.send({ ...get, path: '/' })
  expect(answer).toEqual({ status: 200, headers: { 'retry-after': '3' }, text })
  await transport.close()
  await new Promise((resolve) => server.close(resolve))
})

test('an answer that ends before its length is lost', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const transport = openTransport({ origin: `http://127.0.0.1:${port}` })
  await expect(transport.send({ ...get, path: '/' })).rejects.toMatchObject({ reason: 'answer_lost' })
  await transport.close()
  await new Promise((resolve) => server.close(resolve))
})

test('what is aborted ends with the reason, on its way and while it waits for a connection, and is not sent later', async () => {
  await using stub = await startStub()
  stub.on('getHealth', () => 'hold')
  const transport = openTransport({ origin: stub.url, connections: 1 })
  const first = new AbortController()
  const second = new AbortController()
  const sent = transport.send({ ...get, path: '/api/health', signal: first.signal })
  await stub.arrived('getHealth')
  const waiting = transport.send({ ...get, path: '/api/ready', signal: second.signal })
  second.abort('enough')
  await expect(waiting).rejects.toBe('enough')
  const reason = new Error('stopped')
  first.abort(reason)
  await expect(sent).rejects.toBe(reason)
  expect((await transport.send({ ...get, path: '/api/cluster/info' })).status).toBe(200)
  expect(stub.requests.map(({ operation }) => operation)).toEqual(['getHealth', 'getClusterInfo'])
  await transport.close()
})

test('a slow answer is lost at its timeout', async () => {
  await using stub = await startStub()
  stub.on('getHealth', () => 'hold')
  const transport = openTransport({ origin: stub.url })
  const failed = transport.send({ ...get, path: '/api/health', timeoutMs: 50 })
  await expect(failed).rejects.toMatchObject({
    reason: 'answer_lost',
    facts: { code: 'UND_ERR_HEADERS_TIMEOUT', timeoutMs: 50 },
  })
  await transport.close()
})
