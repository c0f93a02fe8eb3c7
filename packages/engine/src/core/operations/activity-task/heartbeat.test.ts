import { describe } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import { activityId, lease, pendingActivity, runningActivity, t0 } from '../../../../test/support/make.ts'
import { heartbeatActivity } from '../../../../test/support/operations.ts'
import { given } from '../../../../test/support/world.ts'

const timeouts = {
  scheduleToStartMs: undefined,
  startToCloseMs: undefined,
  scheduleToCloseMs: undefined,
  heartbeatMs: 3_000,
}
const beating = runningActivity({
  timeouts,
  heartbeatDeadlineAt: t0 + 3_000,
  dueAt: t0 + 3_000,
  lastHeartbeatDetails: { page: 1 },
})
const stopped = { canContinue: false, heartbeatRecorded: false }

describe('recorded', () => {
  check([
    {
      name: 'renews the lease, moves the heartbeat deadline, keeps the details whole',
      given: given({ activities: [beating] }),
      operation: heartbeatActivity({ details: { page: 2, deep: [1, { two: '2' }] } }),
      accepted: { canContinue: true, cancelRequested: false, heartbeatRecorded: true, reason: undefined },
      events: [
        [
          'ActivityHeartbeatRecorded',
          { attempt_number: 1, progress: { details: { page: 2, deep: [1, { two: '2' }] } } },
        ],
      ],
      rows: {
        runs: [{}],
        activities: [
          {
            lease: lease({ expiresAt: at + 60_000 }),
            lastHeartbeatAt: at,
            heartbeatDeadlineAt: at + 3_000,
            dueAt: at + 3_000,
            lastHeartbeatDetails: { page: 2, deep: [1, { two: '2' }] },
          },
        ],
      },
    },
    {
      name: 'a heartbeat without details keeps the newest ones',
      given: given({ activities: [beating] }),
      operation: heartbeatActivity(),
      accepted: { heartbeatRecorded: true },
      events: ['ActivityHeartbeatRecorded'],
      rows: { runs: [{}], activities: [{ lastHeartbeatDetails: { page: 1 } }] },
    },
    {
      name: 'details that are null are details',
      given: given({ activities: [beating] }),
      operation: heartbeatActivity({ details: null }),
      accepted: { heartbeatRecorded: true },
      events: [['ActivityHeartbeatRecorded', { progress: { details: null } }]],
      rows: { runs: [{}], activities: [{ lastHeartbeatDetails: null }] },
    },
  ])
})

describe('told to stop, nothing changes', () => {
  check([
    {
      name: 'L-16 a lease that ends exactly now is not revived',
      given: given({ activities: [runningActivity()] }),
      at: t0 + 60_000,
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'stale_attempt', cancelRequested: false },
    },
    {
      name: 'L-16 a heartbeat deadline that ends exactly now is not revived',
      given: given({ activities: [beating] }),
      at: t0 + 3_000,
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'stale_attempt' },
    },
    {
      name: 'L-16 start-to-close has passed',
      given: given({ activities: [runningActivity({ closeDeadlineAt: at, dueAt: at })] }),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'stale_attempt' },
    },
    {
      name: 'L-15 redelivered, not yet claimed again',
      given: given({ activities: [pendingActivity({ attempt: 1, attemptStatus: 'expired' })] }),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'attempt_closed', cancelRequested: false },
    },
    {
      name: 'L-15 superseded by the next attempt',
      given: given({ activities: [runningActivity({ attempt: 2 })] }),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'attempt_closed', cancelRequested: false },
    },
    {
      name: 'another worker',
      given: given({ activities: [runningActivity()] }),
      operation: heartbeatActivity({ leaseOwner: 'worker-2' }),
      accepted: { ...stopped, reason: 'stale_attempt' },
    },
    {
      name: 'a cancelled run',
      given: closedRun('cancelled'),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'run_cancelled', cancelRequested: true },
    },
    {
      name: 'a terminated run',
      given: closedRun('terminated'),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'run_terminated', cancelRequested: true },
    },
    {
      name: 'a completed run',
      given: closedRun('completed'),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'run_closed', cancelRequested: false },
    },
    {
      name: 'a failed run',
      given: closedRun('failed'),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'run_closed', cancelRequested: false },
    },
    {
      name: 'a completed attempt',
      given: given({ activities: [runningActivity({ status: 'completed', attemptStatus: 'completed' })] }),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'attempt_closed' },
    },
    {
      name: 'an activity cancelled alone',
      given: given({ activities: [runningActivity({ status: 'cancelled', attemptStatus: 'cancelled' })] }),
      operation: heartbeatActivity(),
      accepted: { ...stopped, reason: 'activity_cancelled', cancelRequested: true },
    },
  ])
})

function closedRun(status: 'cancelled' | 'terminated' | 'completed' | 'failed') {
  return given({
    run: { status, closedReason: status, closedAt: t0 },
    activities: [runningActivity({ status: 'cancelled', attemptStatus: 'cancelled', dueAt: undefined })],
  })
}

describe('refused', () => {
  check([
    { name: 'unknown activity', given: given(), operation: heartbeatActivity(), refused: 'attempt_not_found' },
    {
      name: 'no attempt id',
      given: given({ activities: [beating] }),
      operation: heartbeatActivity({ attemptId: 'no' }),
      refused: 'attempt_not_found',
    },
    {
      name: 'an attempt of another activity',
      given: given({ activities: [beating] }),
      operation: heartbeatActivity({ attemptId: `${activityId(2)}x1` }),
      refused: 'attempt_not_found',
    },
    {
      name: 'an attempt that was never claimed',
      given: given({ activities: [beating] }),
      operation: heartbeatActivity({ attemptId: `${activityId()}x2` }),
      refused: 'attempt_not_found',
    },
  ])
})
