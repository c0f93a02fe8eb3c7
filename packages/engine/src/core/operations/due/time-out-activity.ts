import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { append, nextId } from '../../history/append.ts'
import { attemptFacts, closeAttempt, countOutActivity } from '../../rules/cancel-open-work.ts'
import { passedTimeout } from '../../rules/deadlines.ts'
import { makeAvailable, scheduleRetry } from '../../rules/end-attempt.ts'
import { wakeForEnd } from '../../rules/parallel-groups.ts'
import { activityResume } from '../../rules/resume.ts'
import { retryAt } from '../../rules/retry.ts'
import { openTaskKeys } from '../../rules/run-keys.ts'
import { type Activity, isOpenActivity, type TimeoutKind } from '../../state/activity.ts'
import { isLive } from '../../state/claim.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import { isOpen } from '../../state/run.ts'

/**
 * Acts on an activity for which time has come: a timeout (the gravest that has passed) ends the attempt and perhaps the
 * activity; else a lost lease redelivers it, without an event and past the policy's attempts (L-15).
 *
 * Retried: heartbeat and start-to-close. Not retried: schedule-to-close, which is all attempts together, and
 * schedule-to-start, for which a retry would only queue the same task again.
 *
 * @source worker plane §9.6
 */
export const timeOutActivity = defineOperation({
  kind: 'timeOutActivity',
  locks: (input: { readonly activityId: string }) => [lockOf(input.activityId)],
  slice: (input) => [
    { of: 'activity', activityId: input.activityId },
    { of: 'run', runId: runIdOf(input.activityId) },
  ],
  follow: (draft, input) => openTaskKeys(draft.run(runIdOf(input.activityId))),
  decide(draft, input, now) {
    const activity = draft.activity(input.activityId)
    const run = activity === undefined ? undefined : draft.run(activity.runId)
    if (activity === undefined || run === undefined || !isOpen(run) || !isOpenActivity(activity)) {
      return refuse('not_due', { taskId: input.activityId })
    }
    const kind = passedTimeout(activity, now)
    if (kind !== undefined) return accept({ happened: timeOut(draft, activity, kind, now) })
    const lease = activity.lease
    if (activity.status !== 'running' || lease === undefined || isLive(lease, now)) {
      return refuse('not_due', { taskId: input.activityId })
    }
    makeAvailable(draft, activity, { status: 'expired' }, now, now)
    return accept({ happened: 'redelivered' })
  },
})

function timeOut(draft: Draft, activity: Activity, kind: TimeoutKind, now: number): 'retried' | 'timed_out' {
  const message = `Activity ${activity.activityType} timed out: its ${kind} timeout passed.`
  const retryable = kind === 'heartbeat' || kind === 'start_to_close'
  const at = retryable ? retryAt(activity, { nonRetryable: false, types: ['ActivityTimedOut'] }, now) : undefined
  if (at !== undefined) {
    const cause = {
      message,
      exceptionType: 'ActivityTimedOut',
      exceptionClass: undefined,
      exception: undefined,
      timeoutKind: kind,
      reportDigest: undefined,
    }
    scheduleRetry(draft, activity, cause, at, now)
    return 'retried'
  }
  append(
    draft,
    activity.runId,
    {
      type: 'ActivityTimedOut',
      payload: {
        activity_execution_id: activity.activityId,
        activity_type: activity.activityType,
        sequence: activity.step,
        ...attemptFacts(activity),
        failure_id: nextId(draft, activity.runId, 'failure'),
        failure_category: 'timeout',
        timeout_kind: kind,
        message,
        exception_type: 'ActivityTimedOut',
        exception_class: 'ActivityTimedOutException',
        ...activity.group?.facts,
      },
    },
    now,
  )
  countOutActivity(draft, activity)
  draft.putActivity({
    ...closeAttempt(activity, { status: 'failed' }, now),
    status: 'failed',
    closedAt: now,
    dueAt: undefined,
  })
  wakeForEnd(draft, activity, 'failed', activityResume(activity, 'ActivityTimedOut'), now)
  return 'timed_out'
}
