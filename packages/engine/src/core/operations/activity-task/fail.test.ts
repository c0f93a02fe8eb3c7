// Failures of attempts: another attempt after the policy's back-off, or the failure of the activity.

import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import { activityId, runId, runningActivity, t0 } from '../../../../test/support/make.ts'
import { failActivity } from '../../../../test/support/operations.ts'
import { decide, given } from '../../../../test/support/world.ts'

const policy = { maxAttempts: 3, backoffMs: [1_000, 5_000], nonRetryableErrorTypes: ['Fatal'] }
const world = (given_: Parameters<typeof runningActivity>[0] = {}) =>
  given({ activities: [runningActivity({ retry: policy, ...given_ })] })
const failed = {
  runs: [{ openActivities: 0, progress: 'workflow_task_ready' }],
  activities: [{ status: 'failed', attemptStatus: 'failed', closedAt: at, dueAt: undefined }],
  workflowTasks: [{ status: 'ready' }],
}

describe('another attempt', () => {
  check([
    {
      name: 'after the back-off of its number',
      given: world(),
      operation: failActivity({ type: 'CardError', class: 'shop.CardError' }),
      accepted: { nextTaskId: activityId(), retryAt: at + 1_000, repeated: false },
      events: [
        [
          'ActivityRetryScheduled',
          {
            retry_after_attempt: 1,
            retry_backoff_seconds: 1,
            max_attempts: 3,
            retry_reason: 'failure',
            message: 'no funds',
            exception_type: 'CardError',
            exception_class: 'shop.CardError',
            exception: { message: 'no funds' },
          },
        ],
      ],
      rows: {
        runs: [{ openActivities: 1 }],
        activities: [
          {
            status: 'pending',
            attempt: 1,
            attemptStatus: 'failed',
            lease: undefined,
            availableAt: at + 1_000,
            dueAt: undefined,
            closedAttempts: [
              {
                attempt: 1,
                status: 'failed',
                owner: 'worker-1',
                closedAt: at,
                report: { digest: 'digest-1', nextTaskId: activityId(), retryAt: at + 1_000 },
                problem: 'CardError: no funds',
              },
            ],
          },
        ],
      },
    },
    {
      name: 'a back-off below a second is rounded up in history',
      given: world({ retry: { ...policy, backoffMs: [250] } }),
      operation: failActivity(),
      accepted: { retryAt: at + 250 },
      events: [['ActivityRetryScheduled', { retry_backoff_seconds: 1 }]],
      rows: { runs: [{}], activities: [{ availableAt: at + 250 }] },
    },
    {
      name: 'schedule-to-start counts anew from the instant at which it may start',
      given: world({
        timeouts: { scheduleToStartMs: 4_000, startToCloseMs: 9_000, scheduleToCloseMs: undefined, heartbeatMs: 2_000 },
        closeDeadlineAt: at + 9_000,
        heartbeatDeadlineAt: at + 2_000,
        dueAt: at + 2_000,
      }),
      operation: failActivity(),
      events: ['ActivityRetryScheduled'],
      rows: {
        runs: [{}],
        activities: [
          {
            scheduleDeadlineAt: at + 5_000,
            closeDeadlineAt: undefined,
            heartbeatDeadlineAt: undefined,
            dueAt: at + 5_000,
          },
        ],
      },
    },
  ])
})

describe('the failure of the activity', () => {
  check([
    {
      name: 'non-retryable',
      given: world(),
      operation: failActivity({ nonRetryable: true }),
      accepted: { nextTaskId: `${runId}t102`, retryAt: undefined },
      events: [
        [
          'ActivityFailed',
          { non_retryable: true, failure_category: 'activity', attempt_number: 1, message: 'no funds' },
        ],
      ],
      rows: failed,
    },
    {
      name: 'its type is listed',
      given: world(),
      operation: failActivity({ type: 'Fatal' }),
      events: ['ActivityFailed'],
      rows: failed,
    },
    {
      name: 'its class is listed',
      given: world(),
      operation: failActivity({ class: 'Fatal' }),
      events: ['ActivityFailed'],
      rows: failed,
    },
    {
      name: 'attempts are used up',
      given: world({ attempt: 3 }),
      operation: failActivity({}, { attemptId: `${activityId()}x3` }),
      events: ['ActivityFailed'],
      rows: failed,
    },
    {
      name: 'one attempt where no policy came',
      given: given({ activities: [runningActivity()] }),
      operation: failActivity(),
      events: ['ActivityFailed'],
      rows: failed,
    },
    {
      name: 'the next attempt could not start before schedule-to-close',
      given: world({ scheduleToCloseDeadlineAt: at + 1_000, dueAt: at + 1_000 }),
      operation: failActivity(),
      events: ['ActivityFailed'],
      rows: failed,
    },
    {
      name: 'a code is kept',
      given: world(),
      operation: failActivity({ nonRetryable: true, code: 7 }),
      events: [['ActivityFailed', { code: 7 }]],
      rows: failed,
    },
  ])
})

describe('refused', () => {
  check([
    { name: 'unknown activity', given: given(), operation: failActivity(), refused: 'task_not_found' },
    {
      name: 'an attempt of another activity',
      given: world(),
      operation: failActivity({}, { attemptId: `${activityId(2)}x1` }),
      refused: 'task_mismatch',
    },
    {
      name: 'an unknown attempt',
      given: world(),
      operation: failActivity({}, { attemptId: `${activityId()}x9` }),
      refused: 'attempt_not_found',
    },
    {
      name: 'another owner',
      given: world(),
      operation: failActivity({}, { leaseOwner: 'worker-2' }),
      refused: 'lease_owner_mismatch',
    },
    {
      name: 'L-09 L-16 a lease that ends exactly now',
      given: world(),
      at: t0 + 60_000,
      operation: failActivity(),
      refused: 'stale_attempt',
    },
    {
      name: 'R-10 a terminated run',
      given: given({
        run: { status: 'terminated', closedReason: 'terminated', closedAt: t0 },
        activities: [runningActivity({ status: 'cancelled', attemptStatus: 'cancelled' })],
      }),
      operation: failActivity(),
      refused: 'run_terminated',
    },
    {
      name: 'R-10 a run that timed out is run_closed',
      given: given({
        run: { status: 'failed', closedReason: 'timed_out', closedAt: t0 },
        activities: [runningActivity({ status: 'cancelled', attemptStatus: 'cancelled' })],
      }),
      operation: failActivity(),
      refused: 'run_closed',
    },
  ])
})

test('an exact repeat of a failure that was retried gets the recorded reply and writes nothing', () => {
  const first = decide(world(), failActivity(), at)
  const again = decide(first.world, failActivity(), at + 5)
  const reply = { nextTaskId: activityId(), retryAt: at + 1_000, repeated: true }
  expect(again.outcome).toMatchObject({ kind: 'accepted', reply })
  expect(again.world).toEqual(first.world)
})
