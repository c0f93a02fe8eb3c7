// The bodies that bad input is made from are good: a completion with one command of every kind is recorded whole.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodies } from './support/good-bodies.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { claim, register, start } from './support/wire.ts'

let served: TestServer
beforeAll(async () => {
  served = await startTestServer()
  await register(served.client)
})
afterAll(() => served.close())

test('completeWorkflowTask', async () => {
  await start(served.client)
  const task = await claim(served.client)
  const path = { task_id: task.task_id }
  const answer = await served.client.call('completeWorkflowTask', { path, body: bodies.completeWorkflowTask })
  expect(answer.body, answer.text).toMatchObject({ recorded: true })
})
