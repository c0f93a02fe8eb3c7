// Starting: what is sent, what is repeated, and the settings of a client.
import { encodeArguments } from '@durable-workflow/codec'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { workflow } from '../../src/authoring/workflow.ts'
import { createClient } from '../../src/client/client.ts'
import { startStub } from '../transport/stub-server.ts'
import { checkout, open } from './open.ts'

describe('start', () => {
  test('sends the input as arguments, the policies it was given, and its headers', async () => {
    await using it = await open({ namespace: 'shop', token: 'secret' })
    const run = await it.client.start(checkout, {
      id: 'order-1',
      input: { id: 'o1' },
      taskQueue: 'orders',
      ifExists: 'use',
      executionTimeout: '1500ms',
      runTimeout: '2 minutes',
    })
    const [request] = it.stub.of('startWorkflow')
    expect(request?.body).toEqual({
      workflow_id: 'order-1',
      workflow_type: 'checkout',
      task_queue: 'orders',
      input: encodeArguments([{ id: 'o1' }]),
      duplicate_policy: 'use-existing',
      execution_timeout_seconds: 2,
      run_timeout_seconds: 120,
    })
    expect(request?.headers).toMatchObject({
      'x-namespace': 'shop',
      authorization: 'Bearer secret',
      'x-durable-workflow-control-plane-version': '2',
    })
    expect([run.workflowId, run.runId]).toEqual(['order-1', 'r1'])
  })

  test('a client may have a task queue of its own, and a start another one', async () => {
    await using it = await open({ taskQueue: 'orders' })
    await it.client.start(checkout, { input: { id: 'o1' } })
    await it.client.start(checkout, { input: { id: 'o2' }, taskQueue: 'returns' })
    expect(it.stub.of('startWorkflow').map(({ body }) => body.task_queue)).toEqual(['orders', 'returns'])
  })

  test('exact durations and a start id go to servers that know them', async () => {
    await using it = await open({ capabilities: { start_id: true, millisecond_durations: true } })
    await it.client.start(checkout, { input: { id: 'o1' }, runTimeout: '1500ms' })
    const [request] = it.stub.of('startWorkflow')
    expect(request?.body).toMatchObject({
      workflow_id: expect.stringMatching(/^checkout-[0-9a-f-]{36}$/),
      task_queue: 'default',
      run_timeout_seconds: 2,
      run_timeout_ms: 1_500,
      start_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(request?.body).not.toHaveProperty('duplicate_policy')
  })

  test('after a lost answer it is repeated with the same start id', async () => {
    await using it = await open({ capabilities: { start_id: true } })
    it.stub.on('startWorkflow', ({ body }, index) =>
      index === 0
        ? 'cut'
        : { status: 200, body: { workflow_id: body.workflow_id, run_id: 'r1', workflow_type: 'checkout' } },
    )
    await it.client.start(checkout, { input: { id: 'o1' } })
    const [first, second] = it.stub.of('startWorkflow')
    expect(second?.body).toEqual(first?.body)
  })

  test('without start ids a lost answer is an error that says so, and nothing is repeated', async () => {
    await using it = await open()
    it.stub.on('startWorkflow', () => 'cut')
    await expect(it.client.start(checkout, { input: { id: 'o1' } })).rejects.toMatchObject({
      name: 'TransportError',
      reason: 'answer_lost',
    })
    expect(it.stub.of('startWorkflow')).toHaveLength(1)
  })

  test('input that does not fit is refused before anything is sent', async () => {
    await using it = await open()
    const named = workflow('checkout', { input: z.object({ id: z.string().min(3) }) })
    await expect(it.client.start(named, { input: { id: 'x' } })).rejects.toMatchObject({
      name: 'ContractError',
      reason: 'invalid_input',
    })
    expect(it.stub.requests).toEqual([])
  })

  test('a duplicate is a RefusedError with reason, remedy and the answer', async () => {
    await using it = await open()
    const body = {
      reason: 'duplicate_not_allowed',
      message: 'order-1 exists.',
      workflow_id: 'order-1',
      run_id: 'r0',
      outcome: 'rejected_duplicate',
    }
    it.stub.on('startWorkflow', () => ({ status: 409, body }))
    await expect(it.client.start(checkout, { id: 'order-1', input: { id: 'o1' } })).rejects.toMatchObject({
      name: 'RefusedError',
      message: 'order-1 exists.',
      reason: 'duplicate_not_allowed',
      recorded: false,
      remedy: expect.any(String),
      facts: { status: 409, body },
    })
  })

  test('discovery is asked once', async () => {
    await using it = await open()
    await Promise.all([1, 2, 3].map((id) => it.client.start(checkout, { input: { id: String(id) } })))
    expect(it.stub.of('getClusterInfo')).toHaveLength(1)
  })
})

describe('settings', () => {
  test('the environment is used where no argument is given', async () => {
    const stub = await startStub()
    stub.on('listNamespaces', () => ({ status: 200, body: { namespaces: [] } }))
    const before = { ...process.env }
    Object.assign(process.env, {
      DURABLE_WORKFLOW_SERVER_URL: stub.url,
      DURABLE_WORKFLOW_NAMESPACE: 'from-env',
      DURABLE_WORKFLOW_AUTH_TOKEN: 'env-token',
    })
    try {
      const client = createClient()
      await client.namespaces.list()
      await client.close()
      expect(stub.requests[0]?.headers).toMatchObject({ 'x-namespace': 'from-env', authorization: 'Bearer env-token' })
    } finally {
      process.env = before
      await stub[Symbol.asyncDispose]()
    }
  })

  test.each(['ftp://x', 'nonsense', 'http://x/?q=1'])('%s is no server URL', (server) => {
    expect(() => createClient({ server })).toThrow(/is not an http or https URL/)
  })
})
