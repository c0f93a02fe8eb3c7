// Results of attempts: recorded once, refused with a receipt, repeated after a lost reply.

import { limits } from '@durable-workflow/protocol'
import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  activityId,
  lease,
  leasedTask,
  pendingActivity,
  readyTask,
  runId,
  runningActivity,
  t0,
  taskId,
} from '../../../../test/support/make.ts'
import { claimActivity, completeActivity } from '../../../../test/support/operations.ts'
import { decide, given, type World } from '../../../../test/support/world.ts'

const running = given({ activities: [runningActivity()] })
const attemptId = `${activityId()}x1`
type Ending = 'cancelled' | 'terminated' | 'completed' | 'failed'
const cancelledRun = (status: Ending, closedReason: Ending | 'timed_out' = status): World =>
  given({
    run: { status, closedReason, closedAt: t0 },
    activities: [runningActivity({ status: 'cancelled', attemptStatus: 'cancelled', dueAt: undefined })],
  })

describe('recorded', () => {
  const done = { status: 'completed', attemptStatus: 'completed', closedAt: at, dueAt: undefined }
  const rows = (nextTaskId?: string) => ({ activities: [{ ...done, closedAttempts: [closed(nextTaskId)] }] })
  check([
    {
      name: 'the result is in history and makes the next workflow task',
      given: running,
      operation: completeActivity(),
      accepted: {
        activityId: activityId(),
        attemptId,
        nextTaskId: `${runId}t101`,
        retryAt: undefined,
        repeated: false,
      },
      events: [
        [
          'ActivityCompleted',
          {
            activity_attempt_id: attemptId,
            attempt_number: 1,
            sequence: 1,
            result: { codec: 'avro', blob: 'AA==' },
            payload_codec: 'avro',
          },
        ],
      ],
      rows: {
        ...rows(`${runId}t101`),
        runs: [{ openActivities: 0, progress: 'workflow_task_ready' }],
        workflowTasks: [
          {
            status: 'ready',
            resume: {
              waitKind: 'activity',
              openWaitId: `activity:${activityId()}`,
              sourceKind: 'activity_execution',
              sourceId: activityId(),
              step: 1,
              eventType: 'ActivityCompleted',
            },
          },
        ],
      },
    },
    {
      name: 'without a result payload_codec is absent, not null',
      given: given({ activities: [runningActivity()], task: readyTask() }),
      operation: completeActivity({ result: undefined }),
      accepted: { nextTaskId: undefined },
      events: ['ActivityCompleted'],
      rows: { ...rows(), runs: [{}] },
    },
    {
      name: 'a result of exactly the payload limit',
      given: running,
      operation: completeActivity({ result: { codec: 'avro', blob: blobOf(limits.payloadBytesMax) } }),
      events: ['ActivityCompleted'],
      rows: { ...rows(`${runId}t101`), runs: [{}], workflowTasks: [{}] },
    },
    {
      name: 'while a workflow task is leased it leaves a mark, once',
      given: given({ activities: [runningActivity()], task: leasedTask() }),
      operation: completeActivity(),
      accepted: { nextTaskId: undefined },
      events: ['ActivityCompleted'],
      rows: {
        ...rows(),
        runs: [{ progress: 'workflow_task_leased' }],
        workflowTasks: [{ taskId, status: 'leased', pendingResume: expect.objectContaining({ waitKind: 'activity' }) }],
      },
    },
    {
      name: 'a replay-blocked run gets no task',
      given: given({ activities: [runningActivity()], run: { replayBlockedReason: 'workflow_nondeterministic' } }),
      operation: completeActivity(),
      accepted: { nextTaskId: undefined },
      events: ['ActivityCompleted'],
      rows: { ...rows(), runs: [{ progress: 'replay_blocked' }] },
    },
  ])
})

function closed(nextTaskId: string | undefined) {
  const report = { digest: 'digest-1', nextTaskId, retryAt: undefined }
  return { attempt: 1, status: 'completed', owner: 'worker-1', closedAt: at, report }
}

describe('refused', () => {
  const facts = { taskId: activityId(), activityAttemptId: attemptId, runId, canContinue: false }
  check([
    { name: 'unknown activity', given: given(), operation: completeActivity(), refused: 'task_not_found' },
    {
      name: 'an activity of another namespace',
      given: running,
      operation: completeActivity({ namespace: 'other' }),
      refused: 'task_not_found',
    },
    {
      name: 'an attempt id that is none',
      given: running,
      operation: completeActivity({ attemptId: 'x' }),
      refused: 'attempt_not_found',
    },
    {
      name: 'an attempt of another activity',
      given: running,
      operation: completeActivity({ attemptId: `${activityId(2)}x1` }),
      refused: 'task_mismatch',
    },
    {
      name: 'an attempt that was never claimed',
      given: running,
      operation: completeActivity({ attemptId: `${activityId()}x2` }),
      refused: 'attempt_not_found',
    },
    {
      name: 'attempt 0',
      given: running,
      operation: completeActivity({ attemptId: `${activityId()}x0` }),
      refused: 'attempt_not_found',
    },
    {
      name: 'another owner',
      given: running,
      operation: completeActivity({ leaseOwner: 'worker-2' }),
      refused: 'lease_owner_mismatch',
      facts: { ...facts, leaseOwner: 'worker-1' },
    },
    {
      name: 'L-09 L-16 a lease that ends exactly now',
      given: running,
      at: t0 + 60_000,
      operation: completeActivity(),
      refused: 'stale_attempt',
      facts: { ...facts, activityStatus: 'running', attemptStatus: 'running', taskStatus: 'leased' },
    },
    {
      name: 'L-16 start-to-close that ends exactly now',
      given: given({ activities: [runningActivity({ closeDeadlineAt: at, dueAt: at })] }),
      operation: completeActivity(),
      refused: 'stale_attempt',
    },
    {
      name: 'L-16 a heartbeat deadline that has passed',
      given: given({ activities: [runningActivity({ heartbeatDeadlineAt: at - 1, dueAt: at - 1 })] }),
      operation: completeActivity(),
      refused: 'stale_attempt',
    },
    {
      name: 'L-15 R-10 redelivered and not yet claimed again',
      given: given({
        activities: [
          pendingActivity({
            attempt: 1,
            attemptStatus: 'expired',
            closedAttempts: [{ attempt: 1, status: 'expired', owner: 'worker-1', closedAt: t0, report: undefined }],
          }),
        ],
      }),
      operation: completeActivity(),
      refused: 'stale_attempt',
      facts: { ...facts, activityStatus: 'pending', attemptStatus: 'expired', taskStatus: 'ready', leaseOwner: null },
    },
    {
      name: 'L-15 R-10 superseded by the next attempt',
      given: given({ activities: [runningActivity({ attempt: 2, lease: lease({ owner: 'worker-2' }) })] }),
      operation: completeActivity(),
      refused: 'stale_attempt',
      facts: { ...facts, attemptStatus: 'expired', currentAttemptId: `${activityId()}x2`, leaseOwner: 'worker-2' },
    },
    {
      name: 'R-10 a cancelled run',
      given: cancelledRun('cancelled'),
      operation: completeActivity(),
      refused: 'run_cancelled',
      facts: {
        ...facts,
        outcome: 'ignored',
        cancelRequested: true,
        runStatus: 'cancelled',
        activityStatus: 'cancelled',
        attemptStatus: 'cancelled',
        taskStatus: 'cancelled',
        runClosedAt: t0,
      },
    },
    {
      name: 'R-10 a terminated run',
      given: cancelledRun('terminated'),
      operation: completeActivity(),
      refused: 'run_terminated',
      facts: { outcome: 'ignored', stopReason: 'run_terminated' },
    },
    {
      name: 'R-10 a completed run',
      given: cancelledRun('completed'),
      operation: completeActivity(),
      refused: 'run_closed',
      facts: { stopReason: 'run_completed', cancelRequested: false },
    },
    {
      name: 'R-10 a failed run',
      given: cancelledRun('failed'),
      operation: completeActivity(),
      refused: 'run_closed',
      facts: { stopReason: 'run_failed' },
    },
    {
      name: 'R-10 a run that timed out is run_closed: a published worker settles on nothing else',
      given: cancelledRun('failed', 'timed_out'),
      operation: completeActivity(),
      refused: 'run_closed',
      facts: { runClosedReason: 'timed_out' },
    },
    {
      name: 'a result above the payload limit; the attempt goes on',
      given: running,
      operation: completeActivity({
        result: { codec: 'avro', blob: 'A'.repeat((limits.payloadBytesMax / 3) * 4 + 400) },
      }),
      refused: 'structural_limit_exceeded',
      facts: { limitKind: 'payload_size', configuredLimit: limits.payloadBytesMax },
    },
  ])
})

describe('repeats', () => {
  const first = decide(running, completeActivity(), at)
  test('an exact repeat gets the recorded reply and writes nothing', () => {
    const again = decide(first.world, completeActivity(), at + 5)
    expect(again.outcome).toMatchObject({ kind: 'accepted', reply: { nextTaskId: `${runId}t101`, repeated: true } })
    expect(again.world).toEqual(first.world)
  })
  check([
    {
      name: 'another body is stale',
      given: first.world,
      operation: completeActivity({ reportDigest: 'digest-2' }),
      refused: 'stale_attempt',
    },
    {
      name: 'the same body from another owner is stale',
      given: first.world,
      operation: completeActivity({ leaseOwner: 'worker-2' }),
      refused: 'stale_attempt',
    },
  ])
  test('a completed activity is not claimed again', () => {
    expect(decide(first.world, claimActivity(), at + 5).outcome).toMatchObject({ reason: 'task_not_ready' })
  })
})

/** A blob whose text has this many bytes: the text is what is stored and counted. */
function blobOf(bytes: number): string {
  return 'A'.repeat(bytes)
}
