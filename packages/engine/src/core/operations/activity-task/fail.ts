import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept } from '../../decision/outcome.ts'
import { append, nextId } from '../../history/append.ts'
import { closeAttempt, countOutActivity } from '../../rules/cancel-open-work.ts'
import { scheduleRetry } from '../../rules/end-attempt.ts'
import { wakeForEnd } from '../../rules/parallel-groups.ts'
import {
  attemptKeys,
  type OutcomeReport,
  type ReportedAttempt,
  reportedAttempt,
  settledOutcome,
  taskClosed,
} from '../../rules/reported-attempt.ts'
import { activityResume } from '../../rules/resume.ts'
import { retryAt } from '../../rules/retry.ts'
import { openTaskKeys } from '../../rules/run-keys.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import type { JsonObject } from '../../state/json.ts'

/** How authored code, or the worker for it, failed an attempt. */
export interface AttemptFailureReport {
  readonly message: string
  readonly type: string | undefined
  readonly class: string | undefined
  readonly code: number | undefined
  readonly nonRetryable: boolean
  /** The report as it came, kept whole in history for the program that catches it. */
  readonly exception: JsonObject
}

export interface FailActivityTask extends OutcomeReport {
  readonly failure: AttemptFailureReport
}

/**
 * Records the failure of an attempt: another attempt after the policy's back-off, or the failure of the activity.
 *
 * @source failActivityTask; worker plane §9.3, §9.6
 */
export const failActivityTask = defineOperation({
  kind: 'failActivityTask',
  locks: (input: FailActivityTask) => [lockOf(input.activityId)],
  slice: (input) => attemptKeys(input),
  follow: (draft, input) => openTaskKeys(draft.run(runIdOf(input.activityId))),
  decide(draft, input, now) {
    const reported = reportedAttempt(draft, input)
    if (reported.kind === 'refused') return reported
    const settled = settledOutcome(reported, input, now)
    if (settled !== undefined) return settled
    const { failure } = input
    const { activity } = reported
    const types = [failure.type, failure.class].filter((type) => type !== undefined)
    const at = retryAt(activity, { nonRetryable: failure.nonRetryable, types }, now)
    if (at === undefined) {
      const nextTaskId = failActivity(draft, reported, input, now)
      return accept(taskClosed(reported, input, { nextTaskId, retryAt: undefined }))
    }
    const cause = {
      message: failure.message,
      exceptionType: failure.type,
      exceptionClass: failure.class,
      exception: failure.exception,
      timeoutKind: undefined,
      reportDigest: input.reportDigest,
    }
    scheduleRetry(draft, activity, cause, at, now)
    return accept(taskClosed(reported, input, { nextTaskId: activity.activityId, retryAt: at }))
  },
})

function failActivity(
  draft: Draft,
  { run, activity, attempt }: ReportedAttempt,
  input: FailActivityTask,
  now: number,
): string | undefined {
  const { failure } = input
  append(
    draft,
    run.runId,
    {
      type: 'ActivityFailed',
      payload: {
        activity_execution_id: activity.activityId,
        activity_type: activity.activityType,
        sequence: activity.step,
        activity_attempt_id: input.attemptId,
        attempt_number: attempt,
        failure_id: nextId(draft, run.runId, 'failure'),
        failure_category: 'activity',
        non_retryable: failure.nonRetryable,
        message: failure.message,
        ...(failure.type === undefined ? {} : { exception_type: failure.type }),
        ...(failure.class === undefined ? {} : { exception_class: failure.class }),
        ...(failure.code === undefined ? {} : { code: failure.code }),
        exception: failure.exception,
        ...activity.group?.facts,
      },
    },
    now,
  )
  countOutActivity(draft, activity)
  const nextTaskId = wakeForEnd(draft, activity, 'failed', activityResume(activity, 'ActivityFailed'), now)
  draft.putActivity({
    ...closeAttempt(
      activity,
      { status: 'failed', report: { digest: input.reportDigest, nextTaskId, retryAt: undefined } },
      now,
    ),
    status: 'failed',
    closedAt: now,
    dueAt: undefined,
  })
  return nextTaskId
}
