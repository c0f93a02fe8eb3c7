// Health and readiness where the database is in trouble, and while the server starts and drains.
import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import { afterEach, expect, test, vi } from 'vitest'
import { faultyStore } from './support/faulty-store.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './support/test-server.ts'
import { claim, register, start } from './support/wire.ts'

const healthWaitMs = 150

let served: TestServer
let fault: (() => Promise<never>) | undefined
afterEach(async () => {
  fault = undefined
  await served.close()
})

async function serve(options: TestServerOptions = {}): Promise<void> {
  fault = undefined
  served = await startTestServer({
    settings: { healthWaitMs },
    engineSettings: { scanIntervalMs: 20 },
    wrap: (store) => faultyStore(store, () => fault),
    ...options,
  })
}

const health = () => served.client.call('getHealth')
const ready = () => served.client.call('getReady')
const full = () => Promise.reject(new StoreUnavailableError('full', { cause: new Error('disk') }))

test('a database that hangs is unavailable after the bound, however many ask, and is asked one question at a time', async () => {
  await serve()
  let asked = 0
  const hanging: PromiseWithResolvers<never>[] = []
  fault = () => {
    asked += 1
    const question = Promise.withResolvers<never>()
    hanging.push(question)
    return question.promise
  }
  // The sweep's look hangs too: from then on only the probes ask.
  await vi.waitUntil(() => asked > 0)
  const before = asked
  const from = performance.now()
  const answers = await Promise.all([health(), ready(), health(), ready()])
  expect(performance.now() - from).toBeLessThan(healthWaitMs + 1500)
  expect(asked - before).toBe(1)
  expect(answers[0]).toMatchObject({ status: 503, body: { status: 'degraded', checks: { database: 'unavailable' } } })
  expect(answers[1]).toMatchObject({
    status: 503,
    body: { status: 'not_ready', checks: { database: 'unavailable', default_namespace: 'unavailable' } },
  })
  fault = undefined
  for (const question of hanging)
    question.reject(new StoreUnavailableError('unreachable', { cause: new Error('gone') }))
  await vi.waitUntil(async () => (await health()).status === 200)
  expect((await ready()).status).toBe(200)
})

test('a full database is said, and decides nothing: its workers need the 503 that only this server gives', async () => {
  await serve()
  await register(served.client)
  const body = { workflow_id: 'w', workflow_type: 't' }
  fault = full
  expect((await served.client.call('startWorkflow', { body })).status).toBe(503)
  fault = undefined
  expect(await health()).toMatchObject({ status: 200, body: { checks: { database: 'ok', writes: 'full' } } })
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready', checks: { writes: 'full' } } })
  // Reading, and being refused, says nothing about the disk.
  expect((await served.client.call('listWorkflows')).status).toBe(200)
  expect((await served.client.call('heartbeatWorker', { body: { worker_id: 'nobody' } })).status).toBe(404)
  expect((await ready()).body.checks.writes).toBe('full')
  expect((await served.client.call('startWorkflow', { body })).status).toBe(201)
  expect((await ready()).body.checks.writes).toBe('ok')
})

test('before it has started a server is healthy and not ready', async () => {
  await serve({ started: false })
  expect((await health()).status).toBe(200)
  expect(await ready()).toMatchObject({ status: 503, body: { checks: { accepting: 'not_accepting', database: 'ok' } } })
})

test('while it drains a server is healthy and not ready, and its metrics are there', async () => {
  await serve()
  await register(served.client)
  await start(served.client)
  await claim(served.client)
  const release = Promise.withResolvers<never>()
  let hanging = 0
  // A look that hangs keeps the drain from ending, so that there is a drain to ask in.
  fault = () => {
    hanging += 1
    return release.promise
  }
  await vi.waitUntil(() => hanging > 0)
  const closed = served.server.close()
  fault = undefined
  try {
    await vi.waitUntil(() => !served.engine.status.accepting)
    expect((await health()).status).toBe(200)
    const asked = await ready()
    expect(asked).toMatchObject({ status: 503, body: { status: 'not_ready', checks: { accepting: 'not_accepting' } } })
    expect(asked.headers.connection).toBe('close')
    expect((await served.client.call('getMetrics')).status).toBe(200)
  } finally {
    release.reject(new StoreUnavailableError('unreachable', { cause: new Error('gone') }))
  }
  await closed
})
