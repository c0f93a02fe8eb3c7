import { expect, test, vi } from 'vitest'
import { startTestServer } from './support/test-server.ts'
import { claim, queue, register, start, worker, workflowType } from './support/wire.ts'

const poll = { worker_id: worker, task_queue: queue, timeout_seconds: 60 }

test('a held poll gets the task that comes while it waits', async () => {
  const served = await startTestServer()
  try {
    await register(served.client)
    const waiting = claim(served.client, { timeout_seconds: 60 })
    await vi.waitUntil(() => served.engine.status.waiters === 1)
    const { runId } = await start(served.client)
    expect((await waiting).run_id).toBe(runId)
  } finally {
    await served.close()
  }
})

test('AP3 a poll whose client goes is no waiter any more, and claims nothing', async () => {
  const served = await startTestServer()
  try {
    await register(served.client)
    const client = new AbortController()
    const gone = served.client.raw('POST', '/api/worker/workflow-tasks/poll', {
      headers: { 'x-durable-workflow-protocol-version': '1.19' },
      body: poll,
      signal: client.signal,
    })
    await vi.waitUntil(() => served.engine.status.waiters === 1)
    client.abort()
    await expect(gone).rejects.toThrow()
    await vi.waitUntil(() => served.engine.status.waiters === 0 && served.server.heldCount === 0)
    await start(served.client)
    expect((await claim(served.client)).workflow_task_attempt).toBe(1)
  } finally {
    await served.close()
  }
})

test('on drain held polls answer empty, held reads answer what is, and nothing new is taken', async () => {
  const served = await startTestServer()
  await register(served.client)
  const { workflowId, runId } = await start(served.client, { task_queue: 'elsewhere' })
  const polls = (['pollWorkflowTask', 'pollActivityTask', 'pollQueryTask'] as const).map((operation) =>
    served.client.call(operation, { body: poll }),
  )
  const reads = [
    served.client.call('describeWorkflow', {
      path: { workflow_id: workflowId },
      query: { wait_closed: '1', wait_timeout_seconds: '60' },
    }),
    served.client.call('getRunHistory', {
      path: { workflow_id: workflowId, run_id: runId },
      query: { wait_new_event: '1', next_page_token: Buffer.from('99').toString('base64') },
    }),
  ]
  await vi.waitUntil(() => served.server.heldCount === 5)
  const closing = served.close()
  for (const answer of await Promise.all(polls))
    expect(answer).toMatchObject({ status: 200, body: { task: null, poll_status: 'empty' } })
  const [described, history] = await Promise.all(reads)
  expect(described?.body.status).toBe('pending')
  expect(history?.body.events).toEqual([])
  await closing
  await expect(fetch(`${served.url}/api/health`)).rejects.toThrow()
})

test('while it drains the server refuses what still arrives with a receipt that says: repeat', async () => {
  const served = await startTestServer()
  await register(served.client)
  await served.engine.drain()
  const refused = await served.client.call('startWorkflow', { body: { workflow_type: workflowType } })
  expect(refused).toMatchObject({
    status: 503,
    body: { reason: 'backend_unavailable', recorded: false, retryable: true },
  })
  expect((await served.client.call('getReady')).status).toBe(503)
  expect((await served.client.call('getHealth')).status).toBe(200)
  await served.close()
})

test('closing twice is closing once', async () => {
  const served = await startTestServer()
  await Promise.all([served.server.close(), served.server.close()])
  await served.close()
})
