// A server and an SDK of one checkout are made from the same documents, and say so to each other. On SQLite alone: no row is read.
import { type, workflow } from '@durable-workflow/sdk'
import { createWorker } from '@durable-workflow/sdk/worker'
import { expect, test } from 'vitest'
import { openClient } from '../drills/open-client.ts'
import { startServer } from '../support/server-process.ts'

const greet = workflow('greet', { output: type<string>() }, async () => 'hello')

test('a client finds no differing operation, and a worker has nothing to warn of', async () => {
  await using server = await startServer()
  await using client = openClient(server.url)
  expect(await client.describeServer()).toMatchObject({
    workerProtocol: '1.19',
    controlPlane: '2',
    operationsCompared: true,
    differingOperations: [],
  })
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const log = { debug: warn, info: () => {}, warn, error: warn }
  const worker = await createWorker({ server: server.url, taskQueue: 'greetings', workflows: [greet], log })
  const run = worker.run()
  expect(await client.execute(greet, { taskQueue: 'greetings' })).toBe('hello')
  await worker.stop()
  await run
  expect(warnings).toEqual([])
})
