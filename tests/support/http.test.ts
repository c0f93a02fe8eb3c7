import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonClient } from './http.ts'

const seen: IncomingMessage[] = []
const server = createServer((incoming, outgoing) => {
  seen.push(incoming)
  incoming.resume()
  outgoing.end(
    incoming.url === '/text' ? 'plain' : JSON.stringify({ task: { id: 't1', attempt: 2, events: [{ type: 'x' }] } }),
  )
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address !== null && typeof address !== 'string') url = `http://127.0.0.1:${address.port}`
})
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

test('each plane sends its own version header, and a header can be left out', async () => {
  await using client = jsonClient({ url, namespace: 'orders', workerProtocolVersion: '1.20' })
  await client.worker('POST', '/register', {})
  expect(seen.at(-1)?.headers).toMatchObject({ 'x-durable-workflow-protocol-version': '1.20', 'x-namespace': 'orders' })
  expect(seen.at(-1)?.headers).not.toHaveProperty('x-durable-workflow-control-plane-version')
  await client.control('GET', '/workflows')
  expect(seen.at(-1)?.url).toBe('/api/workflows')
  expect(seen.at(-1)?.headers).toMatchObject({ 'x-durable-workflow-control-plane-version': '2' })
  expect(seen.at(-1)?.headers).not.toHaveProperty('content-type')
  await client.worker('POST', '/x', {}, { headers: { 'x-durable-workflow-protocol-version': undefined } })
  expect(seen.at(-1)?.headers).not.toHaveProperty('x-durable-workflow-protocol-version')
})

test('a reply is read by dotted paths, and a missing value is named with status and body', async () => {
  await using client = jsonClient({ url })
  const reply = await client.worker('POST', '/poll', {})
  expect(reply.stringAt('task.id')).toBe('t1')
  expect(reply.numberAt('task.attempt')).toBe(2)
  expect(reply.at('task.events.0.type')).toBe('x')
  expect(reply.listAt('task.events')).toHaveLength(1)
  expect(reply.at('task.nothing.deeper')).toBeUndefined()
  expect(() => reply.stringAt('task.attempt')).toThrow(/no string at "task.attempt": status 200, body \{"task"/)
})

test('a reply that is no JSON has a text and no body', async () => {
  await using client = jsonClient({ url })
  const reply = await client.raw('GET', '/text', undefined)
  expect(reply.text).toBe('plain')
  expect(reply.body).toBeUndefined()
})
