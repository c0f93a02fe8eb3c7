// May this attempt go on, and if not, why? The heartbeat, the completion and the failure of an activity ask the same
// question here, so that they cannot disagree.

import { type Activity, isOpenActivity } from '../state/activity.ts'
import { isLive } from '../state/claim.ts'
import { isOpen, type Run } from '../state/run.ts'
import { passedTimeout } from './deadlines.ts'
import { cancelRequested, stopReason } from './receipt.ts'

export type StopReason =
  | 'run_cancelled'
  | 'run_terminated'
  | 'run_closed'
  | 'attempt_closed'
  | 'stale_attempt'
  | 'activity_cancelled'
  | 'activity_not_running'

export type Verdict =
  | { readonly mayContinue: true }
  | { readonly mayContinue: false; readonly reason: StopReason; readonly cancelRequested: boolean }

/**
 * Judges an attempt of an activity: lease and deadlines first (L-16; equality is expired, L-09), then run, activity
 * and attempt states.
 *
 * @param attempt number of the attempt that asks; not above the activity's own
 * @param owner   the worker that asks
 */
export function verdict(run: Run, activity: Activity, attempt: number, owner: string, now: number): Verdict {
  if (attempt !== activity.attempt) return stop('attempt_closed')
  if (!isOpen(run)) return { mayContinue: false, reason: closedReason(run), cancelRequested: cancelRequested(run) }
  if (activity.status === 'cancelled')
    return { mayContinue: false, reason: 'activity_cancelled', cancelRequested: true }
  if (!isOpenActivity(activity) || activity.attemptStatus !== 'running') return stop('attempt_closed')
  const lease = activity.lease
  if (lease === undefined || lease.owner !== owner || !isLive(lease, now)) return stop('stale_attempt')
  return passedTimeout(activity, now) === undefined ? { mayContinue: true } : stop('stale_attempt')
}

function stop(reason: StopReason): Verdict {
  return { mayContinue: false, reason, cancelRequested: false }
}

function closedReason(run: Run): StopReason {
  const reason = stopReason(run)
  return reason === 'run_cancelled' || reason === 'run_terminated' ? reason : 'run_closed'
}
