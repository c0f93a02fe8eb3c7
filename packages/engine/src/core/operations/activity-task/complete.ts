import { limits } from '@durable-workflow/protocol'
import { blobBytes } from '../../commands/payload.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { append } from '../../history/append.ts'
import { closeAttempt, countOutActivity } from '../../rules/cancel-open-work.ts'
import { wakeForEnd } from '../../rules/parallel-groups.ts'
import {
  attemptKeys,
  type OutcomeReport,
  reportedAttempt,
  settledOutcome,
  taskClosed,
} from '../../rules/reported-attempt.ts'
import { activityResume } from '../../rules/resume.ts'
import { openTaskKeys } from '../../rules/run-keys.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import { type Envelope, payloadCodec } from '../../state/payload.ts'

export interface CompleteActivityTask extends OutcomeReport {
  readonly result: Envelope | undefined
}

/**
 * Records the result of an attempt that still holds its lease, and wakes the run.
 *
 * @source completeActivityTask; worker plane §9.2, L-16, R-10
 */
export const completeActivityTask = defineOperation({
  kind: 'completeActivityTask',
  locks: (input: CompleteActivityTask) => [lockOf(input.activityId)],
  slice: (input) => attemptKeys(input),
  follow: (draft, input) => openTaskKeys(draft.run(runIdOf(input.activityId))),
  decide(draft, input, now) {
    const reported = reportedAttempt(draft, input)
    if (reported.kind === 'refused') return reported
    const { run, activity, attempt } = reported
    const settled = settledOutcome(reported, input, now)
    if (settled !== undefined) return settled
    const bytes = input.result === undefined ? 0 : blobBytes(input.result.blob)
    if (bytes > limits.payloadBytesMax) {
      return refuse('structural_limit_exceeded', {
        taskId: input.activityId,
        activityAttemptId: input.attemptId,
        runId: run.runId,
        limitKind: 'payload_size',
        currentValue: bytes,
        configuredLimit: limits.payloadBytesMax,
      })
    }
    append(
      draft,
      run.runId,
      {
        type: 'ActivityCompleted',
        payload: {
          activity_execution_id: activity.activityId,
          activity_type: activity.activityType,
          sequence: activity.step,
          activity_attempt_id: input.attemptId,
          attempt_number: attempt,
          ...(input.result === undefined ? {} : { result: input.result, payload_codec: payloadCodec }),
          ...activity.group?.facts,
        },
      },
      now,
    )
    countOutActivity(draft, activity)
    const nextTaskId = wakeForEnd(draft, activity, 'succeeded', activityResume(activity, 'ActivityCompleted'), now)
    const report = { digest: input.reportDigest, nextTaskId, retryAt: undefined }
    draft.putActivity({
      ...closeAttempt(activity, { status: 'completed', report }, now),
      status: 'completed',
      closedAt: now,
      dueAt: undefined,
    })
    return accept(taskClosed(reported, input, report))
  },
})
