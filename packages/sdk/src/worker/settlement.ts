// The exact receipt rule: which refusal lets a worker drop its report and go on.
//
// A refusal settles only when it says, field by field, that this very report was not recorded and why nobody waits for it any
// more. Nothing is inferred: absent is not false, a status is not a reason, and looser rules of other SDKs are not copied.
import { isJson, type Json } from '../transport/json.ts'
import type { RawReply } from '../transport/retry.ts'

/** What was claimed, as the claim's own reply stated it. */
export interface WorkflowTaskClaim {
  readonly taskId: string
  readonly attempt: number
  readonly runId: string
}

export interface ActivityTaskClaim {
  readonly taskId: string
  readonly attemptId: string
}

/** The reason under which a report may be dropped. */
export type Settlement = string

const stopReasonOf: Readonly<Record<string, string>> = {
  cancelled: 'run_cancelled',
  terminated: 'run_terminated',
  completed: 'run_completed',
  failed: 'run_failed',
}

/**
 * @returns the reason when `reply` is a full receipt for `claim`, undefined when it is anything else
 * @source; design §7; the receipts run_closed, run_timed_out and task_not_leased
 */
export function settlementOfWorkflowTask(reply: RawReply, claim: WorkflowTaskClaim): Settlement | undefined {
  const { status, body } = reply
  if (status !== 409 || !isJson(body) || body.recorded !== false) return undefined
  if (body.task_id !== claim.taskId || body.workflow_task_attempt !== claim.attempt || body.run_id !== claim.runId) {
    return undefined
  }
  switch (body.reason) {
    case 'run_closed':
      return isClosedRun(body) ? body.reason : undefined
    case 'run_timed_out':
      return body.run_status === 'failed' ? body.reason : undefined
    case 'task_not_leased':
      return body.reason
    default:
      return undefined
  }
}

function isClosedRun(body: Json): boolean {
  const { run_status: runStatus, stop_reason: stopReason } = body
  return (
    typeof runStatus === 'string' &&
    Object.hasOwn(stopReasonOf, runStatus) &&
    stopReason === stopReasonOf[runStatus] &&
    body.can_continue === false
  )
}

const finalActivityReasons: readonly string[] = [
  'run_cancelled',
  'run_terminated',
  'attempt_closed',
  'stale_attempt',
  'activity_cancelled',
  'task_cancelled',
  'run_closed',
  'activity_not_running',
  'attempt_not_found',
]

/**
 * @returns the reason when the attempt is over for everybody and this report was not recorded
 * @source R-10
 */
export function settlementOfActivityTask(reply: RawReply, claim: ActivityTaskClaim): Settlement | undefined {
  const { status, body } = reply
  if (!isJson(body) || body.recorded !== false) return undefined
  const { reason } = body
  if (typeof reason !== 'string' || !finalActivityReasons.includes(reason)) return undefined
  if (status !== (reason === 'attempt_not_found' ? 404 : 409)) return undefined
  return body.task_id === claim.taskId && body.activity_attempt_id === claim.attemptId ? reason : undefined
}

const finalQueryReasons: readonly string[] = [
  'lease_expired',
  'query_task_not_found',
  'query_task_not_leased',
  'query_task_timed_out',
]

/**
 * A query answered too late: whoever asked has been told so.
 *
 * @source worker plane §7.4
 */
export function settlementOfQueryTask(reply: RawReply, queryTaskId: string): Settlement | undefined {
  const { status, body } = reply
  if ((status !== 404 && status !== 409) || !isJson(body) || body.query_task_id !== queryTaskId) return undefined
  return typeof body.reason === 'string' && finalQueryReasons.includes(body.reason) ? body.reason : undefined
}
