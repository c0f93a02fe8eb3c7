import { at, check } from '../../../../test/support/check.ts'
import { activityId, lease, pendingActivity, proof, runningActivity, t0 } from '../../../../test/support/make.ts'
import { claimActivity } from '../../../../test/support/operations.ts'
import { given } from '../../../../test/support/world.ts'

const timeouts = { scheduleToStartMs: 5_000, startToCloseMs: 20_000, scheduleToCloseMs: 90_000, heartbeatMs: 3_000 }

check([
  {
    name: 'the next attempt: lease, deadlines from now, one ActivityStarted',
    given: given({
      activities: [
        pendingActivity({
          timeouts,
          scheduleDeadlineAt: t0 + 5_000,
          scheduleToCloseDeadlineAt: t0 + 90_000,
          dueAt: t0 + 5_000,
        }),
      ],
    }),
    operation: claimActivity(),
    accepted: { kind: 'activity', attemptId: `${activityId()}x1` },
    events: [
      [
        'ActivityStarted',
        {
          activity_execution_id: activityId(),
          activity_attempt_id: `${activityId()}x1`,
          attempt_number: 1,
          sequence: 1,
        },
      ],
    ],
    rows: {
      runs: [{ progress: 'activity' }],
      activities: [
        {
          status: 'running',
          attempt: 1,
          attemptStatus: 'running',
          startedAt: at,
          closeDeadlineAt: at + 20_000,
          heartbeatDeadlineAt: at + 3_000,
          scheduleToCloseDeadlineAt: t0 + 90_000,
          dueAt: at + 3_000,
          lease: lease({ leasedAt: at, expiresAt: at + 60_000, proof: proof() }),
        },
      ],
    },
  },
  {
    name: 'L-15 a redelivered activity gets another attempt id',
    given: given({ activities: [pendingActivity({ attempt: 1, attemptStatus: 'expired' })] }),
    operation: claimActivity({ proof: proof({ workerId: 'worker-2' }) }),
    accepted: { attemptId: `${activityId()}x2` },
    events: [['ActivityStarted', { attempt_number: 2 }]],
    rows: { runs: [{}], activities: [{ attempt: 2, dueAt: at + 60_000 }] },
  },
  { name: 'unknown activity', given: given(), operation: claimActivity(), refused: 'task_not_found' },
  {
    name: 'a running one',
    given: given({ activities: [runningActivity()] }),
    operation: claimActivity(),
    refused: 'task_not_ready',
    facts: { activityStatus: 'running' },
  },
  {
    name: 'one that waits for its back-off',
    given: given({ activities: [pendingActivity({ availableAt: at + 1 })] }),
    operation: claimActivity(),
    refused: 'task_not_ready',
  },
  {
    name: 'L-09 schedule-to-start that ends exactly now',
    given: given({ activities: [pendingActivity({ scheduleDeadlineAt: at, dueAt: at })] }),
    operation: claimActivity(),
    refused: 'task_not_ready',
  },
  {
    name: 'L-09 schedule-to-close that ends exactly now',
    given: given({ activities: [pendingActivity({ scheduleToCloseDeadlineAt: at, dueAt: at })] }),
    operation: claimActivity(),
    refused: 'task_not_ready',
  },
  {
    name: 'one of a closed run',
    given: given({
      activities: [pendingActivity({ status: 'cancelled' })],
      run: { status: 'failed', closedReason: 'failed' },
    }),
    operation: claimActivity(),
    refused: 'task_not_ready',
  },
])
