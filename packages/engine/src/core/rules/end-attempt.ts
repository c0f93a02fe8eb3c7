// How an attempt that did not succeed goes on: another attempt, or the failure of the activity. One author for
// ActivityRetryScheduled, for a failed report and a timeout ask the same question.

import type { Draft } from '../decision/draft.ts'
import { append } from '../history/append.ts'
import type { Activity, TimeoutKind } from '../state/activity.ts'
import { attemptIdOf } from '../state/ids.ts'
import { formatInstant } from '../state/instant.ts'
import type { JsonObject } from '../state/json.ts'
import { type AttemptEnding, closeAttempt } from './cancel-open-work.ts'
import { activityDueAt, after } from './deadlines.ts'
import { toldProblem } from './told-problem.ts'

/** Why there will be another attempt, as ActivityRetryScheduled tells it. */
export interface RetryCause {
  readonly message: string
  readonly exceptionType: string | undefined
  readonly exceptionClass: string | undefined
  readonly exception: JsonObject | undefined
  readonly timeoutKind: TimeoutKind | undefined
  readonly reportDigest: string | undefined
}

/** Ends the attempt and makes the activity available for the next one at `retryAt` (epoch ms). */
export function scheduleRetry(
  draft: Draft,
  activity: Activity,
  cause: RetryCause,
  retryAt: number,
  now: number,
): Activity {
  append(
    draft,
    activity.runId,
    {
      type: 'ActivityRetryScheduled',
      payload: {
        activity_execution_id: activity.activityId,
        activity_type: activity.activityType,
        sequence: activity.step,
        activity_attempt_id: attemptIdOf(activity.activityId, activity.attempt),
        retry_task_id: activity.activityId,
        retry_after_attempt: activity.attempt,
        retry_available_at: formatInstant(retryAt),
        retry_backoff_seconds: Math.ceil((retryAt - now) / 1000),
        retry_reason: cause.timeoutKind === undefined ? 'failure' : 'timeout',
        max_attempts: activity.retry.maxAttempts,
        message: cause.message,
        ...(cause.timeoutKind === undefined ? {} : { timeout_kind: cause.timeoutKind }),
        ...(cause.exceptionType === undefined ? {} : { exception_type: cause.exceptionType }),
        ...(cause.exceptionClass === undefined ? {} : { exception_class: cause.exceptionClass }),
        ...(cause.exception === undefined ? {} : { exception: cause.exception }),
        ...activity.group?.facts,
      },
    },
    now,
  )
  const digest = cause.reportDigest
  const report = digest === undefined ? undefined : { digest, nextTaskId: activity.activityId, retryAt }
  const problem = toldProblem(cause.exceptionType, cause.message)
  return makeAvailable(draft, activity, { status: 'failed', report, problem }, retryAt, now)
}

/** Sets an activity free for its next attempt: after a retry's back-off, or at once after a lost lease (L-15). */
export function makeAvailable(
  draft: Draft,
  activity: Activity,
  ending: AttemptEnding,
  availableAt: number,
  now: number,
): Activity {
  const free: Activity = {
    ...closeAttempt(activity, ending, now),
    status: 'pending',
    lease: undefined,
    availableAt,
    scheduleDeadlineAt: after(availableAt, activity.timeouts.scheduleToStartMs),
    closeDeadlineAt: undefined,
    heartbeatDeadlineAt: undefined,
  }
  return draft.putActivity({ ...free, dueAt: activityDueAt(free) })
}
