import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { append } from '../../history/append.ts'
import { activityDueAt, after } from '../../rules/deadlines.ts'
import { type AttemptReporter, attemptKeys, reportedAttempt } from '../../rules/reported-attempt.ts'
import { type StopReason, verdict } from '../../rules/verdict.ts'
import type { Activity } from '../../state/activity.ts'
import { renewed } from '../../state/claim.ts'
import { lockOf } from '../../state/ids.ts'
import { formatInstant } from '../../state/instant.ts'
import type { Json } from '../../state/json.ts'
import type { Run } from '../../state/run.ts'

export interface HeartbeatActivityTask extends AttemptReporter {
  /** Free JSON, kept whole; undefined when the heartbeat brings none: the newest details stay. */
  readonly details: Json | undefined
}

/** What a heartbeat answers: whether the attempt may go on, and whether the heartbeat counted. */
export interface HeartbeatReply {
  readonly canContinue: boolean
  readonly cancelRequested: boolean
  readonly reason: StopReason | undefined
  /** Whether this heartbeat renewed the lease and is in history. */
  readonly heartbeatRecorded: boolean
  readonly activity: Activity
  readonly attemptId: string
  readonly run: Run
}

/**
 * Records progress of an attempt and renews its lease, or tells it to stop; a stopped one changes nothing and keeps
 * its timestamps (L-15, L-16).
 *
 * @source heartbeatActivityTask; worker plane §9.5
 */
export const heartbeatActivityTask = defineOperation({
  kind: 'heartbeatActivityTask',
  locks: (input: HeartbeatActivityTask) => [lockOf(input.activityId)],
  slice: (input) => attemptKeys(input),
  decide(draft, input, now) {
    const reported = reportedAttempt(draft, input)
    if (reported.kind === 'refused') return refuse('attempt_not_found', reported.facts)
    const { run, activity, attempt } = reported
    const judged = verdict(run, activity, attempt, input.leaseOwner, now)
    const lease = activity.lease
    if (!judged.mayContinue || lease === undefined) {
      return accept<HeartbeatReply>({
        canContinue: false,
        cancelRequested: !judged.mayContinue && judged.cancelRequested,
        reason: judged.mayContinue ? 'stale_attempt' : judged.reason,
        heartbeatRecorded: false,
        activity,
        attemptId: input.attemptId,
        run,
      })
    }
    const next = renewed(lease, now)
    append(
      draft,
      run.runId,
      {
        type: 'ActivityHeartbeatRecorded',
        payload: {
          activity_execution_id: activity.activityId,
          activity_type: activity.activityType,
          sequence: activity.step,
          activity_attempt_id: input.attemptId,
          attempt_number: attempt,
          heartbeat_at: formatInstant(now),
          lease_expires_at: formatInstant(next.expiresAt),
          ...(input.details === undefined ? {} : { progress: { details: input.details } }),
          ...activity.group?.facts,
        },
      },
      now,
    )
    const beaten: Activity = {
      ...activity,
      lease: next,
      lastHeartbeatAt: now,
      lastHeartbeatDetails: input.details === undefined ? activity.lastHeartbeatDetails : input.details,
      heartbeatDeadlineAt: after(now, activity.timeouts.heartbeatMs),
    }
    return accept<HeartbeatReply>({
      canContinue: true,
      cancelRequested: false,
      reason: undefined,
      heartbeatRecorded: true,
      activity: draft.putActivity({ ...beaten, dueAt: activityDueAt(beaten) }),
      attemptId: input.attemptId,
      run,
    })
  },
})
