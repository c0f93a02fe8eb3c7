import type { Activity, RetryPolicy } from '../state/activity.ts'
import { instantAfter } from '../state/instant.ts'

/** Delay before the attempt that follows `attempt`; the last entry repeats, an empty list means at once (worker plane §9.6). */
export function backoffMs(policy: RetryPolicy, attempt: number): number {
  const last = policy.backoffMs.length - 1
  return policy.backoffMs[Math.min(Math.max(attempt - 1, 0), last)] ?? 0
}

/** What a failed attempt says that decides over its retry. */
export interface AttemptFailure {
  readonly nonRetryable: boolean
  /** Short and qualified type names, compared exactly with the policy's list. */
  readonly types: readonly string[]
}

/**
 * When the next attempt may start, or undefined when there is none: non-retryable, its type is listed, attempts are
 * used up, or it could not start before the schedule-to-close deadline (then this failure is the better answer).
 */
export function retryAt(activity: Activity, failure: AttemptFailure, now: number): number | undefined {
  const policy = activity.retry
  if (failure.nonRetryable || activity.attempt >= policy.maxAttempts) return undefined
  if (failure.types.some((type) => policy.nonRetryableErrorTypes.includes(type))) return undefined
  const at = instantAfter(now, backoffMs(policy, activity.attempt))
  const deadline = activity.scheduleToCloseDeadlineAt
  return deadline !== undefined && at >= deadline ? undefined : at
}
