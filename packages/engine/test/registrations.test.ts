// Workers come, go and are replaced: their leases are set free before the registration changes (L-14).

import { describe, expect, test } from 'vitest'
import { heartbeatWorkflowTask } from '../src/index.ts'
import {
  activityClaim,
  completeClaim,
  pollOf,
  queryClaim,
  registerOn,
  replyOf,
  startEngine,
  startOn,
  startWithWorker,
  type TestEngine,
  workflowClaim,
} from './support/engine.ts'
import { activityCommand, heartbeatActivity } from './support/operations.ts'

const later = { host: 'h', processId: '2', startedAt: 'b' }

/** A worker that holds one workflow task and one activity. */
async function busy(): Promise<
  TestEngine & {
    readonly task: ReturnType<typeof workflowClaim>['task']
    readonly attemptId: string
    readonly activityId: string
  }
> {
  const made = await startWithWorker()
  await startOn(made, 'order-1')
  const first = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  replyOf(await completeClaim(made, first, [activityCommand()]))
  const { attemptId, activity } = activityClaim(await made.settled(made.engine.poll(pollOf('activity'))))
  await startOn(made, 'order-2')
  const { task } = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
  return Object.assign(made, { task, attemptId, activityId: activity.activityId })
}

describe('L-14 another process under the same id', () => {
  test('surrenders the leases first; the count says how many workflow tasks', async () => {
    await using made = await busy()
    const { outcome, recoveredWorkflowTaskCount } = await registerOn(made, { process: later })
    expect(outcome.kind).toBe('accepted')
    expect(recoveredWorkflowTaskCount).toBe(1)
    const again = workflowClaim(await made.settled(made.engine.poll(pollOf('workflow'))))
    expect(again.task).toMatchObject({ taskId: made.task.taskId, attempt: 2, repairCount: 1 })
    expect(activityClaim(await made.settled(made.engine.poll(pollOf('activity')))).activity).toMatchObject({
      attempt: 2,
      closedAttempts: [{ attempt: 1, status: 'expired' }],
    })
  })

  test('the predecessor’s reports are refused, its heartbeat told to stop', async () => {
    await using made = await busy()
    await registerOn(made, { process: later })
    expect(
      await made.settled(
        made.engine.execute(
          heartbeatWorkflowTask({ taskId: made.task.taskId, namespace: 'default', leaseOwner: 'worker-1', attempt: 1 }),
        ),
      ),
    ).toMatchObject({ reason: 'task_not_leased' })
    expect(
      await made.settled(
        made.engine.execute(heartbeatActivity({ activityId: made.activityId, attemptId: made.attemptId })),
      ),
    ).toMatchObject({ reply: { canContinue: false, reason: 'attempt_closed' } })
  })

  test('the same process registers again and keeps what it holds', async () => {
    await using made = await busy()
    expect((await registerOn(made)).recoveredWorkflowTaskCount).toBe(0)
    expect(
      await made.settled(
        made.engine.execute(
          heartbeatWorkflowTask({ taskId: made.task.taskId, namespace: 'default', leaseOwner: 'worker-1', attempt: 1 }),
        ),
      ),
    ).toMatchObject({ kind: 'accepted' })
  })

  test('a poll after the change serves what the new registration says', async () => {
    await using made = await startWithWorker()
    await made.settled(made.engine.poll(pollOf('workflow', { timeoutMs: 0 })))
    await registerOn(made, { process: later, workflowTypes: [] })
    expect(await made.settled(made.engine.poll(pollOf('workflow', { timeoutMs: 0 })))).toMatchObject({
      status: 'no_workflow_capability',
    })
  })
})

describe('L-14 deregistration', () => {
  test('sets its leases free and counts the workflow tasks', async () => {
    await using made = await busy()
    await registerOn(made, { workerId: 'worker-2' })
    const { outcome, recoveredWorkflowTaskCount } = await made.settled(
      made.engine.deregister({ namespace: 'default', workerId: 'worker-1' }),
    )
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(recoveredWorkflowTaskCount).toBe(1)
    expect(
      workflowClaim(await made.settled(made.engine.poll(pollOf('workflow', { workerId: 'worker-2' })))).task.attempt,
    ).toBe(2)
    expect(await made.settled(made.engine.poll(pollOf('workflow', { timeoutMs: 0 })))).toMatchObject({
      reason: 'worker_not_registered',
    })
  })

  test('an unknown worker', async () => {
    await using made = await startEngine()
    expect(await made.settled(made.engine.deregister({ namespace: 'default', workerId: 'nobody' }))).toMatchObject({
      outcome: { reason: 'worker_not_found' },
      recoveredWorkflowTaskCount: 0,
    })
  })
})

test('a registration that another server changed is read again within a second', async () => {
  await using made = await startWithWorker()
  await made.settled(made.engine.poll(pollOf('workflow', { timeoutMs: 0 })))
  await using other = await startEngine({ beside: made })
  await made.settled(other.engine.deregister({ namespace: 'default', workerId: 'worker-1' }))
  await made.clock.advance(made.engine.settings.scanIntervalMs)
  expect(await made.settled(made.engine.poll(pollOf('workflow', { timeoutMs: 0 })))).toMatchObject({
    reason: 'worker_not_registered',
  })
})

test('a query lease of a predecessor is left to run out', async () => {
  await using made = await startWithWorker()
  await startOn(made)
  const asked = made.engine.query({
    namespace: 'default',
    workflowId: 'order-1',
    runId: undefined,
    queryName: 'q',
    arguments: undefined,
  })
  queryClaim(await made.settled(made.engine.poll(pollOf('query'))))
  expect((await registerOn(made, { process: later })).recoveredWorkflowTaskCount).toBe(0)
  await made.clock.advance(30_000)
  expect(await asked).toMatchObject({ reason: 'query_worker_timeout' })
})
