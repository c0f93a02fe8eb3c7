// every refusal of a report of a closed run is a receipt by which a worker may drop the report.
import { describe, expect, test } from 'vitest'
import { ownQueue } from '../support/own-queue.ts'
import { complete, finish, worker } from '../support/wire.ts'

const own = ownQueue()
const { call, startMine, claimMine } = own

describe('R-01 settlement receipts', () => {
  const reports = {
    complete: (task: { task_id: string }, fields: object) =>
      call('completeWorkflowTask', {
        path: { task_id: task.task_id },
        body: { lease_owner: worker, workflow_task_attempt: 1, commands: [finish()], ...fields },
      }),
    fail: (task: { task_id: string }, fields: object) =>
      call('failWorkflowTask', {
        path: { task_id: task.task_id },
        body: { lease_owner: worker, workflow_task_attempt: 1, failure: { message: 'm' }, ...fields },
      }),
    heartbeat: (task: { task_id: string }, fields: object) =>
      call('heartbeatWorkflowTask', {
        path: { task_id: task.task_id },
        body: { lease_owner: worker, workflow_task_attempt: 1, ...fields },
      }),
  }

  describe.each(Object.entries(reports))('%s', (_name, report) => {
    test('of a task that nobody knows', async () => {
      const answer = await report({ task_id: 'nothing' }, {})
      expect(answer).toMatchObject({
        status: 404,
        body: { reason: 'task_not_found', recorded: false, task_id: 'nothing', workflow_task_attempt: 1 },
      })
    })

    test('of another owner', async () => {
      const { runId } = await startMine()
      const task = await claimMine()
      const answer = await report(task, { lease_owner: 'stranger' })
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({
        reason: 'lease_owner_mismatch',
        lease_owner: worker,
        run_id: runId,
        task_id: task.task_id,
        workflow_task_attempt: 1,
        recorded: false,
      })
    })

    test('of another attempt', async () => {
      await startMine()
      const answer = await report(await claimMine(), { workflow_task_attempt: 7 })
      expect(answer).toMatchObject({
        status: 409,
        body: {
          reason: 'workflow_task_attempt_mismatch',
          workflow_task_attempt: 7,
          current_attempt: 1,
          recorded: false,
        },
      })
    })

    test.each([
      ['cancelWorkflow', 'cancelled', 'run_cancelled', true],
      ['terminateWorkflow', 'terminated', 'run_terminated', true],
    ] as const)('of a run that %s closed', async (operation, status, stopReason, cancelRequested) => {
      const { workflowId, runId } = await startMine()
      const task = await claimMine()
      await call(operation, { path: { workflow_id: workflowId } })
      const before = own.served.tables()
      const answer = await report(task, {})
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({
        reason: 'run_closed',
        recorded: false,
        task_id: task.task_id,
        workflow_task_attempt: 1,
        run_id: runId,
        stop_reason: stopReason,
        cancel_requested: cancelRequested,
        can_continue: false,
        run_status: status,
        run_closed_reason: status,
        task_status: 'cancelled',
      })
      for (const field of ['error', 'message', 'run_closed_at', 'lease_owner', 'lease_expires_at'])
        expect(answer.body).toHaveProperty(field)
      expect(answer.body.run_closed_at).toMatch(/Z$/)
      expect(own.served.tables()).toEqual(before)
    })

    test('of a run that completed', async () => {
      await startMine()
      const task = await claimMine()
      await complete(own.served.client, task, [finish()])
      const answer = await report(task, {})
      expect(answer).toMatchObject({
        status: 409,
        body: {
          reason: 'run_closed',
          stop_reason: 'run_completed',
          cancel_requested: false,
          run_status: 'completed',
          recorded: false,
        },
      })
    })
  })

  test('a report in another namespace does not find the task', async () => {
    await call('createNamespace', { body: { name: 'far' } })
    await startMine()
    const task = await claimMine()
    const before = own.served.tables()
    const answer = await call('completeWorkflowTask', {
      headers: { 'x-namespace': 'far' },
      path: { task_id: task.task_id },
      body: { lease_owner: worker, workflow_task_attempt: 1, commands: [finish()] },
    })
    expect(answer.body.reason).toBe('task_not_found')
    expect(own.served.tables()).toEqual(before)
  })
})
