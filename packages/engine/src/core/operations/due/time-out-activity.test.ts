// Time acts on an activity: the gravest timeout that has passed, else a lost lease.

import { describe, expect, test } from 'vitest'
import { at, check, type Part } from '../../../../test/support/check.ts'
import { activityId, lease, pendingActivity, runId, runningActivity, t0 } from '../../../../test/support/make.ts'
import { claimActivity, completeActivity, heartbeatActivity } from '../../../../test/support/operations.ts'
import { decide, given, play } from '../../../../test/support/world.ts'
import type { Activity } from '../../state/activity.ts'
import { timeOutActivity } from './time-out-activity.ts'

const act = () => timeOutActivity({ activityId: activityId() })
const retry = { maxAttempts: 3, backoffMs: [2_000], nonRetryableErrorTypes: [] }
const running = (more: Partial<Activity>) => given({ activities: [runningActivity({ retry, dueAt: at, ...more })] })
const pending = (more: Partial<Activity>) => given({ activities: [pendingActivity({ retry, dueAt: at, ...more })] })
const over = (kind: string, more: Part = {}) => ({
  accepted: { happened: 'timed_out' },
  events: [
    [
      'ActivityTimedOut',
      { timeout_kind: kind, failure_category: 'timeout', exception_type: 'ActivityTimedOut', ...more },
    ],
  ] as const,
  rows: {
    runs: [{ openActivities: 0, progress: 'workflow_task_ready' }],
    activities: [{ status: 'failed', closedAt: at, dueAt: undefined }],
    workflowTasks: [{ status: 'ready' }],
  },
})
const retried = (kind: string) => ({
  accepted: { happened: 'retried' },
  events: [
    [
      'ActivityRetryScheduled',
      { timeout_kind: kind, retry_reason: 'timeout', retry_after_attempt: 1, retry_backoff_seconds: 2 },
    ],
  ] as const,
  rows: {
    runs: [{ openActivities: 1 }],
    activities: [{ status: 'pending', attemptStatus: 'failed', availableAt: at + 2_000, lease: undefined }],
  },
})

describe('timeouts', () => {
  check([
    {
      name: 'L-09 schedule-to-start, exactly now: never retried',
      given: pending({ scheduleDeadlineAt: at }),
      operation: act(),
      ...over('schedule_to_start'),
    },
    {
      name: 'schedule-to-close of a pending one',
      given: pending({ scheduleToCloseDeadlineAt: at }),
      operation: act(),
      ...over('schedule_to_close'),
    },
    {
      name: 'schedule-to-close of a running one: never retried',
      given: running({ scheduleToCloseDeadlineAt: at }),
      operation: act(),
      ...over('schedule_to_close', { attempt_number: 1, activity_attempt_id: `${activityId()}x1` }),
    },
    {
      name: 'L-09 heartbeat, exactly now: retried',
      given: running({ heartbeatDeadlineAt: at }),
      operation: act(),
      ...retried('heartbeat'),
    },
    {
      name: 'start-to-close: retried',
      given: running({ closeDeadlineAt: at }),
      operation: act(),
      ...retried('start_to_close'),
    },
    {
      name: 'heartbeat, attempts used up',
      given: running({ attempt: 3, heartbeatDeadlineAt: at }),
      operation: act(),
      ...over('heartbeat', { attempt_number: 3 }),
    },
    {
      name: 'start-to-close, its type is listed as non-retryable',
      given: running({ closeDeadlineAt: at, retry: { ...retry, nonRetryableErrorTypes: ['ActivityTimedOut'] } }),
      operation: act(),
      ...over('start_to_close'),
    },
    {
      name: 'start-to-close, the retry could not start before schedule-to-close',
      given: running({ closeDeadlineAt: at, scheduleToCloseDeadlineAt: at + 2_000 }),
      operation: act(),
      ...over('start_to_close'),
    },
    {
      name: 'the gravest first: schedule-to-close before heartbeat',
      given: running({
        heartbeatDeadlineAt: at - 5,
        closeDeadlineAt: at - 5,
        scheduleToCloseDeadlineAt: at,
        dueAt: at - 5,
      }),
      operation: act(),
      ...over('schedule_to_close'),
    },
    {
      name: 'heartbeat before start-to-close',
      given: running({ heartbeatDeadlineAt: at, closeDeadlineAt: at }),
      operation: act(),
      ...retried('heartbeat'),
    },
    {
      name: 'a timeout before a lost lease',
      given: running({ heartbeatDeadlineAt: at, lease: lease({ expiresAt: at }) }),
      operation: act(),
      ...retried('heartbeat'),
    },
  ])
})

describe('a lost lease', () => {
  check([
    {
      name: 'L-15 at exactly its end: the same activity, no event, also past the attempts',
      given: given({ activities: [runningActivity()] }),
      at: t0 + 60_000,
      operation: act(),
      accepted: { happened: 'redelivered' },
      rows: {
        activities: [
          {
            activityId: activityId(),
            status: 'pending',
            attempt: 1,
            attemptStatus: 'expired',
            availableAt: t0 + 60_000,
            lease: undefined,
            dueAt: undefined,
          },
        ],
      },
    },
    {
      name: 'L-15 not a millisecond before',
      given: given({ activities: [runningActivity()] }),
      at: t0 + 59_999,
      operation: act(),
      refused: 'not_due',
    },
  ])

  test('L-15 the next attempt is number 2, the old one is told so', () => {
    const ends = t0 + 60_000
    const { world } = play(
      given({ activities: [runningActivity()] }),
      [act(), claimActivity({ proof: { ...lease().proof, workerId: 'worker-2' } })],
      ends,
    )
    expect(decide(world, heartbeatActivity(), ends + 1).outcome).toMatchObject({
      reply: { canContinue: false, reason: 'attempt_closed', heartbeatRecorded: false, cancelRequested: false },
    })
    expect(decide(world, completeActivity(), ends + 1).outcome).toMatchObject({
      reason: 'stale_attempt',
      facts: { attemptStatus: 'expired' },
    })
    const done = decide(world, completeActivity({ leaseOwner: 'worker-2', attemptId: `${activityId()}x2` }), ends + 2)
    expect(done.world.events.map((event) => event.type)).toEqual(['ActivityStarted', 'ActivityCompleted'])
  })

  test('L-15 the row remembers the newest ended attempts only, and late reports still get an answer', () => {
    let world = given({ activities: [runningActivity()] })
    let now = t0
    for (let n = 0; n < 14; n++) {
      now += 60_000
      world = play(world, [act(), claimActivity()], now).world
    }
    expect(world.activities[0]?.closedAttempts.map((closed) => closed.attempt)).toEqual([
      5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    ])
    expect(decide(world, completeActivity(), now).outcome).toMatchObject({
      reason: 'stale_attempt',
      facts: { attemptStatus: 'expired' },
    })
  })
})

describe('SW2 what is not due any more', () => {
  check([
    { name: 'unknown activity', given: given(), operation: act(), refused: 'not_due' },
    { name: 'nothing has passed', given: running({ dueAt: t0 + 60_000 }), operation: act(), refused: 'not_due' },
    {
      name: 'completed meanwhile',
      given: given({
        activities: [runningActivity({ status: 'completed', attemptStatus: 'completed', dueAt: undefined })],
      }),
      at: t0 + 99_000,
      operation: act(),
      refused: 'not_due',
    },
    {
      name: 'of a closed run',
      given: given({
        activities: [pendingActivity({ status: 'cancelled' })],
        run: { runId, status: 'completed', closedReason: 'completed' },
      }),
      operation: act(),
      refused: 'not_due',
    },
  ])
})
