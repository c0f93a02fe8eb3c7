// A claimed activity task in the words of the worker plane (§9.1).
import { type Activity, type ActivityTaskClaim, formatInstant } from '@durable-workflow/engine'
import { defaults } from '@durable-workflow/protocol'
import type { Additions } from '../settings.ts'
import { instantOrAbsent, type WireFacts } from '../wire-facts.ts'
import { leaseOf } from './poll.ts'
import { envelopeOrNull } from './run-documents.ts'

/** A claimed activity task; what has no value is absent. */
export function activityTaskDocument({ activity, attemptId }: ActivityTaskClaim, additions: Additions): WireFacts {
  const lease = leaseOf(activity)
  return {
    task_id: activity.activityId,
    activity_attempt_id: attemptId,
    activity_execution_id: activity.activityId,
    activity_type: activity.activityType,
    payload_codec: defaults.payloadCodec,
    arguments: envelopeOrNull(activity.arguments),
    attempt_number: activity.attempt,
    lease_owner: lease.owner,
    lease_expires_at: formatInstant(lease.expiresAt),
    workflow_id: activity.workflowId,
    run_id: activity.runId,
    namespace: activity.namespace,
    task_queue: activity.taskQueue,
    // The same for every attempt: what an external system may use to know a repeat.
    idempotency_key: activity.activityId,
    retry_policy: retrySnapshot(activity),
    deadlines: deadlinesOf(activity),
    last_heartbeat_details: additions.heartbeatDetails ? activity.lastHeartbeatDetails : undefined,
  }
}

/** The policy that decides about the next attempt (worker plane §9.6); absent where the command gave none. */
function retrySnapshot(activity: Activity): WireFacts | undefined {
  const { retry, timeouts } = activity
  const hasTimeout = Object.values(timeouts).some((value) => value !== undefined)
  if (activity.retryPolicyText === undefined && !hasTimeout) return undefined
  return {
    snapshot_version: 1,
    max_attempts: retry.maxAttempts,
    backoff_seconds: retry.backoffMs.map((ms) => Math.ceil(ms / 1000)),
    start_to_close_timeout: secondsOf(timeouts.startToCloseMs),
    schedule_to_start_timeout: secondsOf(timeouts.scheduleToStartMs),
    schedule_to_close_timeout: secondsOf(timeouts.scheduleToCloseMs),
    heartbeat_timeout: secondsOf(timeouts.heartbeatMs),
    non_retryable_error_types: [...retry.nonRetryableErrorTypes],
  }
}

function secondsOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.ceil(ms / 1000)
}

function deadlinesOf(activity: Activity): WireFacts {
  return {
    schedule_to_start: instantOrAbsent(activity.scheduleDeadlineAt),
    start_to_close: instantOrAbsent(activity.closeDeadlineAt),
    schedule_to_close: instantOrAbsent(activity.scheduleToCloseDeadlineAt),
    heartbeat: instantOrAbsent(activity.heartbeatDeadlineAt),
  }
}
