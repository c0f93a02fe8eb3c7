import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { append } from '../../history/append.ts'
import { activityDueAt, after, passedTimeout } from '../../rules/deadlines.ts'
import type { Activity } from '../../state/activity.ts'
import type { ClaimProof } from '../../state/claim.ts'
import { attemptIdOf, lockOf, runIdOf } from '../../state/ids.ts'
import { formatInstant } from '../../state/instant.ts'
import { isOpen } from '../../state/run.ts'

export interface ClaimActivityTask {
  readonly activityId: string
  readonly proof: ClaimProof
  /** Length of the lease in ms. */
  readonly leaseMs: number
}

export interface ActivityTaskClaimed {
  readonly kind: 'activity'
  readonly activity: Activity
  readonly attemptId: string
}

/** Leases a pending activity: its next attempt, with deadlines from now and one ActivityStarted. Re-checked under the lock. */
export const claimActivityTask = defineOperation({
  kind: 'claimActivityTask',
  locks: (input: ClaimActivityTask) => [lockOf(input.activityId)],
  slice: (input) => [
    { of: 'activity', activityId: input.activityId },
    { of: 'run', runId: runIdOf(input.activityId) },
  ],
  decide(draft, input, now) {
    const activity = draft.activity(input.activityId)
    const run = activity === undefined ? undefined : draft.run(activity.runId)
    if (activity === undefined || run === undefined) return refuse('task_not_found', { taskId: input.activityId })
    const ready = isOpen(run) && activity.status === 'pending' && activity.availableAt <= now
    if (!ready || passedTimeout(activity, now) !== undefined) {
      return refuse('task_not_ready', { taskId: input.activityId, activityStatus: activity.status })
    }
    return accept(startAttempt(draft, activity, input, now))
  },
})

function startAttempt(draft: Draft, activity: Activity, input: ClaimActivityTask, now: number): ActivityTaskClaimed {
  const attempt = activity.attempt + 1
  const attemptId = attemptIdOf(activity.activityId, attempt)
  const expiresAt = now + input.leaseMs
  append(
    draft,
    activity.runId,
    {
      type: 'ActivityStarted',
      payload: {
        activity_execution_id: activity.activityId,
        activity_type: activity.activityType,
        sequence: activity.step,
        activity_attempt_id: attemptId,
        attempt_number: attempt,
        lease_expires_at: formatInstant(expiresAt),
        ...activity.group?.facts,
      },
    },
    now,
  )
  const started: Activity = {
    ...activity,
    status: 'running',
    attempt,
    attemptStatus: 'running',
    lease: { owner: input.proof.workerId, leasedAt: now, expiresAt, leaseMs: input.leaseMs, proof: input.proof },
    startedAt: now,
    closeDeadlineAt: after(now, activity.timeouts.startToCloseMs),
    heartbeatDeadlineAt: after(now, activity.timeouts.heartbeatMs),
  }
  return { kind: 'activity', activity: draft.putActivity({ ...started, dueAt: activityDueAt(started) }), attemptId }
}
