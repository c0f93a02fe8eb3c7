// Deadlines, retries, leases: who is due when, to the millisecond.

import { describe, expect, test } from 'vitest'
import { lease, pendingActivity, runningActivity, t0 } from '../../../test/support/make.ts'
import type { Activity } from '../state/activity.ts'
import { isLive, renewed } from '../state/claim.ts'
import { activityDueAt, after, passedTimeout } from './deadlines.ts'
import { backoffMs, retryAt } from './retry.ts'

const all = {
  scheduleDeadlineAt: t0 + 1,
  scheduleToCloseDeadlineAt: t0 + 4,
  closeDeadlineAt: t0 + 3,
  heartbeatDeadlineAt: t0 + 2,
}

const due: [string, Activity, number | undefined][] = [
  ['pending without deadlines: never', pendingActivity(), undefined],
  [
    'pending: schedule-to-start',
    pendingActivity({ scheduleDeadlineAt: t0 + 5, scheduleToCloseDeadlineAt: t0 + 9 }),
    t0 + 5,
  ],
  ['pending: schedule-to-close', pendingActivity({ scheduleToCloseDeadlineAt: t0 + 9 }), t0 + 9],
  ['pending: a heartbeat deadline does not count', pendingActivity({ heartbeatDeadlineAt: t0 + 1 }), undefined],
  ['running: the end of its lease', runningActivity(), t0 + 60_000],
  ['running: heartbeat before the lease', runningActivity({ heartbeatDeadlineAt: t0 + 9 }), t0 + 9],
  ['running: start-to-close', runningActivity({ closeDeadlineAt: t0 + 8, heartbeatDeadlineAt: t0 + 9 }), t0 + 8],
  ['running: schedule-to-start does not count', runningActivity({ scheduleDeadlineAt: t0 + 1 }), t0 + 60_000],
  ['completed: never', runningActivity({ ...all, status: 'completed' }), undefined],
  ['cancelled: never', runningActivity({ ...all, status: 'cancelled' }), undefined],
]
test.each(due)('due at: %s', (_name, activity, expected) => {
  expect(activityDueAt(activity)).toBe(expected)
})

const passed: [string, Activity, number, string | undefined][] = [
  ['L-09 schedule-to-start at equality', pendingActivity({ scheduleDeadlineAt: t0 }), t0, 'schedule_to_start'],
  ['L-09 a millisecond before', pendingActivity({ scheduleDeadlineAt: t0 }), t0 - 1, undefined],
  ['L-09 heartbeat at equality', runningActivity({ heartbeatDeadlineAt: t0 }), t0, 'heartbeat'],
  ['L-09 start-to-close at equality', runningActivity({ closeDeadlineAt: t0 }), t0, 'start_to_close'],
  ['L-09 schedule-to-close at equality', runningActivity({ scheduleToCloseDeadlineAt: t0 }), t0, 'schedule_to_close'],
  ['all have passed, running', runningActivity(all), t0 + 9, 'schedule_to_close'],
  ['all have passed, pending', pendingActivity(all), t0 + 9, 'schedule_to_close'],
  [
    'heartbeat and start-to-close',
    runningActivity({ ...all, scheduleToCloseDeadlineAt: undefined }),
    t0 + 9,
    'heartbeat',
  ],
  ['a closed activity', runningActivity({ ...all, status: 'failed' }), t0 + 9, undefined],
  ['a lost lease is no timeout', runningActivity(), t0 + 60_000, undefined],
]
test.each(passed)('passed: %s', (_name, activity, now, expected) => {
  expect(passedTimeout(activity, now)).toBe(expected)
})

test('L-09 a lease is valid while its end lies ahead; equality is expired', () => {
  expect(isLive(lease({ expiresAt: t0 + 1 }), t0)).toBe(true)
  expect(isLive(lease({ expiresAt: t0 }), t0)).toBe(false)
  expect(renewed(lease({ leaseMs: 8_000 }), t0 + 5)).toMatchObject({
    expiresAt: t0 + 8_005,
    leasedAt: t0,
    leaseMs: 8_000,
  })
  expect(after(t0, undefined)).toBeUndefined()
  expect(after(t0, 0)).toBe(t0)
})

describe('back-off', () => {
  const policy = { maxAttempts: 9, backoffMs: [1_000, 5_000], nonRetryableErrorTypes: ['Fatal', 'shop.Fatal'] }
  const delays: [attempt: number, ms: number][] = [
    [0, 1_000],
    [1, 1_000],
    [2, 5_000],
    [3, 5_000],
    [8, 5_000],
  ]
  test.each(delays)('after attempt %i: %i ms', (attempt, ms) => {
    expect(backoffMs(policy, attempt)).toBe(ms)
  })
  test('an empty list means at once', () => {
    expect(backoffMs({ ...policy, backoffMs: [] }, 3)).toBe(0)
  })

  const failure = { nonRetryable: false, types: ['Error', 'shop.Error'] }
  const running = (more: Partial<Activity> = {}) => runningActivity({ retry: policy, ...more })
  const retries: [string, number | undefined, number | undefined][] = [
    ['another attempt', retryAt(running(), failure, t0), t0 + 1_000],
    ['the last attempt but one', retryAt(running({ attempt: 8 }), failure, t0), t0 + 5_000],
    ['attempts used up', retryAt(running({ attempt: 9 }), failure, t0), undefined],
    ['attempts exceeded by lost leases', retryAt(running({ attempt: 12 }), failure, t0), undefined],
    ['non-retryable', retryAt(running(), { ...failure, nonRetryable: true }, t0), undefined],
    ['the short type is listed', retryAt(running(), { ...failure, types: ['Fatal'] }, t0), undefined],
    ['the qualified type is listed', retryAt(running(), { ...failure, types: ['x', 'shop.Fatal'] }, t0), undefined],
    ['types are compared exactly', retryAt(running(), { ...failure, types: ['fatal', 'Fatal2'] }, t0), t0 + 1_000],
    [
      'it would start at the schedule-to-close deadline',
      retryAt(running({ scheduleToCloseDeadlineAt: t0 + 1_000 }), failure, t0),
      undefined,
    ],
    [
      'it would start a millisecond before',
      retryAt(running({ scheduleToCloseDeadlineAt: t0 + 1_001 }), failure, t0),
      t0 + 1_000,
    ],
  ]
  test.each(retries)('%s', (_name, found, expected) => {
    expect(found).toBe(expected)
  })
})
