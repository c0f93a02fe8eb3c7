// Requests of the same process meet what requests of a socket meet.
import type { InjectedRequest } from '@durable-workflow/server'
import { expect, test, vi } from 'vitest'
import { startTestServer } from './support/test-server.ts'
import { queue, register, worker } from './support/wire.ts'

const headers = { 'content-type': 'application/json', 'x-durable-workflow-protocol-version': '1.19' }
const poll = JSON.stringify({ worker_id: worker, task_queue: queue, timeout_seconds: 60 })
const path = '/api/worker/workflow-tasks/poll'

test.for<InjectedRequest & { readonly title: string }>([
  { title: 'served', method: 'GET', path: '/api/cluster/info', headers: {} },
  { title: 'refused by a gate', method: 'POST', path, headers: { 'content-type': 'application/json' }, body: '{}' },
  { title: 'refused by a validator', method: 'POST', path, headers, body: '{}' },
  { title: 'no JSON', method: 'POST', path, headers, body: '{' },
  { title: 'nothing there', method: 'GET', path: '/api/nowhere', headers: {} },
])('$title: the answer is that of a socket', async ({ title: _, ...request }) => {
  await using served = await startTestServer()
  const injected = await served.server.inject(request)
  const answered = await served.client.raw(request.method, request.path, {
    headers: request.headers,
    ...(request.body === undefined ? {} : { rawBody: request.body }),
  })
  expect(injected.status).toBe(answered.status)
  expect(JSON.parse(injected.text)).toEqual(answered.body)
  expect(injected.headers['content-type']).toBe(answered.headers['content-type'])
})

test('AP3 a held request whose caller goes is no waiter any more', async () => {
  await using served = await startTestServer()
  await register(served.client)
  const caller = new AbortController()
  const held = served.server.inject({ method: 'POST', path, headers, body: poll, signal: caller.signal })
  const refused = expect(held).rejects.toThrow('gone')
  await vi.waitUntil(() => served.engine.status.waiters === 1)
  expect(served.server.heldCount).toBe(1)
  caller.abort(new Error('gone'))
  await refused
  await vi.waitUntil(() => served.engine.status.waiters === 0)
  expect([served.server.heldCount, served.server.openCount]).toEqual([0, 0])
})

test('a server that closes answers what it holds', async () => {
  await using served = await startTestServer()
  await register(served.client)
  const held = served.server.inject({ method: 'POST', path, headers, body: poll })
  await vi.waitUntil(() => served.engine.status.waiters === 1)
  await served.server.close()
  expect(JSON.parse((await held).text)).toMatchObject({ task: null, poll_status: 'empty' })
})
