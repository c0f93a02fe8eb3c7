import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { parseJsonObject } from './process.ts'
import { startPublishedWorker } from './published-worker.ts'
import { waitFor } from './wait-for.ts'

type Answer = (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** A server that answers every request 503 with these members. */
async function refusing(answer: Answer) {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    requests.push(text)
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
    response.end(JSON.stringify(answer(parseJsonObject(text) ?? {})))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

const contract: Answer = (body) => ({
  reason: 'backend_unavailable',
  operation: 'register_worker',
  outcome: 'unknown',
  retryable: true,
  retry_after_seconds: 1,
  worker_id: body.worker_id,
  task_queue: body.task_queue,
})

test('a 503 that keeps its contract is answered with the very same request', async () => {
  await using server = await refusing(contract)
  await using worker = startPublishedWorker({ url: server.url, taskQueue: 'q' })
  await waitFor('it has asked again', () => server.requests.length > 1)
  expect(server.requests[1]).toBe(server.requests[0])
  expect(worker.ended).toBeUndefined()
  expect(worker.repeats).toBeGreaterThan(0)
})

test.each(['reason', 'operation', 'outcome', 'retryable', 'retry_after_seconds', 'worker_id', 'task_queue'])(
  'without %s it ends',
  async (missing) => {
    await using server = await refusing((body) => {
      const { [missing]: _, ...others } = contract(body)
      return others
    })
    await using worker = startPublishedWorker({ url: server.url, taskQueue: 'q' })
    const ended = await waitFor('it has ended', () => worker.ended)
    expect(ended.message).toContain(missing)
    expect(server.requests).toHaveLength(1)
  },
)

test('nobody there: it gives up after so many transport errors, or never', async () => {
  await using worker = startPublishedWorker({ url: 'http://127.0.0.1:1', taskQueue: 'q', transportErrorsMax: 1 })
  await using patient = startPublishedWorker({ url: 'http://127.0.0.1:1', taskQueue: 'q' })
  expect((await waitFor('it has ended', () => worker.ended)).message).toContain('gave up')
  expect(patient.ended).toBeUndefined()
})
