// Settlement as a managed worker lives it: what it drops, what it stops on, and that it goes on afterwards.
import { describe, expect, test } from 'vitest'
import { activity } from '../../src/authoring/activity.ts'
import { openConnection } from '../../src/transport/connection.ts'
import { startStub } from '../transport/stub-server.ts'
import { activityTask, closedReceipt, completed, startWorker, workerId, workflowTask } from './harness.ts'

test('R-03 a settled report is dropped once, and the same worker records the next task', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', (_, index) => (index === 0 ? { status: 409, body: closedReceipt('t1') } : completed))
  stub.offer('workflow', workflowTask('t1'))
  const { worker, run } = await startWorker(stub)
  await stub.arrived('completeWorkflowTask', 1)
  stub.offer('workflow', workflowTask('t2'))
  await stub.arrived('completeWorkflowTask', 2)
  await worker.stop()
  await run
  expect(stub.of('completeWorkflowTask').map(({ path }) => path)).toEqual([
    '/api/worker/workflow-tasks/t1/complete',
    '/api/worker/workflow-tasks/t2/complete',
  ])
  expect(stub.of('failWorkflowTask')).toEqual([])
})

test('R-07 the worker that settled is the same process and registration afterwards', async () => {
  await using stub = await startStub()
  stub.on('completeWorkflowTask', (_, index) =>
    index < 2
      ? {
          status: 409,
          body: closedReceipt(index === 0 ? 't1' : 't2', { run_status: 'terminated', stop_reason: 'run_terminated' }),
        }
      : completed,
  )
  const { worker, run } = await startWorker(stub)
  for (const [index, id] of ['t1', 't2', 't3'].entries()) {
    stub.offer('workflow', workflowTask(id))
    await stub.arrived('completeWorkflowTask', index + 1)
  }
  await worker.stop()
  await run
  expect(stub.of('registerWorker')).toHaveLength(1)
  expect(new Set(stub.of('pollWorkflowTask').map(({ body }) => body.worker_id))).toEqual(new Set([workerId]))
})

test('R-08 WT1 a failure report is settled too, and nothing else is sent for its task', async () => {
  await using stub = await startStub()
  // The type is not registered: the task fails, and its run was terminated meanwhile.
  stub.on('failWorkflowTask', () => ({
    status: 409,
    body: closedReceipt('t1', { run_status: 'terminated', stop_reason: 'run_terminated' }),
  }))
  stub.on('completeWorkflowTask', () => completed)
  stub.offer('workflow', workflowTask('t1', { workflow_type: 'nowhere' }))
  const { worker, run } = await startWorker(stub)
  await stub.arrived('failWorkflowTask')
  stub.offer('workflow', workflowTask('t2'))
  await stub.arrived('completeWorkflowTask')
  await worker.stop()
  await run
  expect(stub.of('failWorkflowTask')).toHaveLength(1)
  expect(stub.of('completeWorkflowTask')).toHaveLength(1)
})

describe('R-02 incomplete bodies are no receipts: the worker stops with the original error', () => {
  test.each([
    [
      'without recorded and run_id',
      {
        task_id: 't1',
        workflow_task_attempt: 1,
        reason: 'run_closed',
        error: 'Workflow run is closed.',
        stop_reason: 'run_cancelled',
        cancel_requested: true,
        can_continue: false,
        run_status: 'cancelled',
        run_closed_reason: 'cancelled',
        task_status: 'cancelled',
      },
    ],
    [
      'the small guard body',
      {
        task_id: 't1',
        workflow_task_attempt: 1,
        error: 'Workflow run is closed.',
        reason: 'run_closed',
        task_status: 'cancelled',
      },
    ],
  ])('%s', async (_, body) => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => ({ status: 409, body }))
    stub.offer('workflow', workflowTask('t1'))
    const { run } = await startWorker(stub)
    await expect(run).rejects.toMatchObject({
      name: 'RefusedError',
      reason: 'run_closed',
      facts: { status: 409, body },
    })
    expect(stub.of('completeWorkflowTask')).toHaveLength(1)
    expect(stub.of('failWorkflowTask')).toEqual([])
  })
})

describe('R-04 WK2 the worker stops with the original error', () => {
  test.each([
    [409, 'lease_owner_mismatch', 'RefusedError', 1],
    [422, 'validation_failed', 'RefusedError', 1],
    [404, 'task_not_found', 'RefusedError', 1],
    // Answers of 5xx may be repeated; in the end they are as fatal.
    [500, 'run_closed', 'RefusedError', 3],
  ])('after %i %s', async (status, reason, name, sent) => {
    await using stub = await startStub()
    const body = closedReceipt('t1', { reason })
    stub.on('completeWorkflowTask', () => ({ status, body }))
    stub.offer('workflow', workflowTask('t1'))
    const { run } = await startWorker(stub)
    await expect(run).rejects.toMatchObject({ name, reason, facts: { status, body } })
    expect(stub.of('completeWorkflowTask')).toHaveLength(sent)
    expect(stub.of('failWorkflowTask')).toEqual([])
  })

  test('after a body that is no JSON', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', () => ({ status: 409, text: 'closed' }))
    stub.offer('workflow', workflowTask('t1'))
    const { run } = await startWorker(stub)
    await expect(run).rejects.toMatchObject({ reason: 'http_409', facts: { status: 409, body: undefined } })
  })

  test('and a lost answer is repeated byte for byte until it is recorded', async () => {
    await using stub = await startStub()
    stub.on('completeWorkflowTask', (_, index) => (index < 2 ? 'cut' : completed))
    stub.offer('workflow', workflowTask('t1'))
    const { worker, run } = await startWorker(stub)
    await stub.arrived('completeWorkflowTask', 3)
    await worker.stop()
    await run
    const bodies = stub.of('completeWorkflowTask').map(({ body }) => JSON.stringify(body))
    expect(new Set(bodies).size).toBe(1)
  })
})

test('R-05 a direct call sees the original answer, also of a perfect receipt', async () => {
  await using stub = await startStub()
  const body = closedReceipt('t1')
  stub.on('completeWorkflowTask', () => ({ status: 409, body }))
  const connection = openConnection({ server: stub.url, workerProtocol: '1.19' })
  const call = connection.call('completeWorkflowTask', {
    path: { task_id: 't1' },
    body: { lease_owner: workerId, workflow_task_attempt: 1, commands: [] },
  })
  await expect(call).rejects.toMatchObject({ name: 'RefusedError', facts: { status: 409, body } })
  await connection.close()
})

test('R-06 WT2 a settled report leaves no trace in the sticky cache: the next task of the run is replayed cold', async () => {
  await using stub = await startStub({ serverCapabilities: { history_cache: true } })
  const task = { workflow_type: 'checkout', run_id: 'run-1' }
  const receipt = closedReceipt('t1', { run_id: 'run-1', reason: 'task_not_leased' })
  stub.on('completeWorkflowTask', (_, index) => (index === 0 ? { status: 409, body: receipt } : completed))
  const { worker, run } = await startWorker(stub)
  stub.offer('workflow', workflowTask('t1', task))
  await stub.arrived('completeWorkflowTask', 1)
  // A kept replay would have emitted its command already and have nothing to say; a cold one says it again.
  stub.offer('workflow', workflowTask('t2', task))
  const second = await stub.arrived('completeWorkflowTask', 2)
  expect(second.body.commands).toMatchObject([{ type: 'schedule_activity', activity_type: 'charge' }])
  await worker.stop()
  await run
})

describe('R-10 activity reports', () => {
  const charge = activity('charge', {}, async () => 'paid')
  const body = {
    task_id: 'a1',
    activity_attempt_id: 'attempt-a1',
    recorded: false,
    reason: 'run_cancelled',
    activity_status: 'cancelled',
    attempt_status: 'cancelled',
    task_status: 'cancelled',
  }

  test('a terminal cancel during the callback settles, and the worker completes another activity', async () => {
    await using stub = await startStub()
    stub.on('completeActivityTask', (_, index) => (index === 0 ? { status: 409, body } : completed))
    const { worker, run } = await startWorker(stub, { workflows: [], activities: [charge] })
    stub.offer('activity', activityTask('a1'))
    await stub.arrived('completeActivityTask', 1)
    stub.offer('activity', activityTask('a2'))
    await stub.arrived('completeActivityTask', 2)
    await worker.stop()
    await run
    expect(stub.of('failActivityTask')).toEqual([])
  })

  test('the same body with another task id is fatal', async () => {
    await using stub = await startStub()
    stub.on('completeActivityTask', () => ({ status: 409, body: { ...body, task_id: 'a9' } }))
    stub.offer('activity', activityTask('a1'))
    const { run } = await startWorker(stub, { workflows: [], activities: [charge] })
    await expect(run).rejects.toMatchObject({ reason: 'run_cancelled', facts: { status: 409 } })
  })
})
