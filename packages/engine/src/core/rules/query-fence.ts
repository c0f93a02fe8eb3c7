import type { Draft } from '../decision/draft.ts'
import { type Refused, refuse } from '../decision/outcome.ts'
import { isLive } from '../state/claim.ts'
import type { QueryOutcome, QueryTask } from '../state/query-task.ts'

/** What a worker's answer to a query says of itself. */
export interface QueryReporter {
  /** A question of another namespace is not found. */
  readonly namespace: string
  readonly queryTaskId: string
  readonly leaseOwner: string
  readonly attempt: number
}

export type QueryFenceReason =
  | 'query_task_not_found'
  | 'query_task_not_leased'
  | 'query_task_timed_out'
  | 'lease_expired'
  | 'lease_owner_mismatch'
  | 'query_task_attempt_mismatch'

/** Records an answer from the claim that holds the question, or says why not (worker plane §7.4). */
export function answerQuery(
  draft: Draft,
  report: QueryReporter,
  outcome: QueryOutcome,
  now: number,
): QueryTask | Refused<QueryFenceReason> {
  const task = draft.queryTask(report.queryTaskId)
  if (task === undefined || task.namespace !== report.namespace)
    return refuse('query_task_not_found', { queryTaskId: report.queryTaskId })
  const facts = {
    queryTaskId: task.queryTaskId,
    queryTaskAttempt: report.attempt,
    leaseOwner: task.lease?.owner ?? null,
  }
  const lease = task.lease
  if (task.status !== 'leased' || lease === undefined) return refuse('query_task_not_leased', facts)
  if (lease.owner !== report.leaseOwner) return refuse('lease_owner_mismatch', facts)
  if (task.attempt !== report.attempt)
    return refuse('query_task_attempt_mismatch', { ...facts, currentAttempt: task.attempt })
  if (!isLive(lease, now)) return refuse('lease_expired', facts)
  if (task.deadlineAt <= now) return refuse('query_task_timed_out', facts)
  return draft.putQueryTask({ ...task, status: outcome.kind, outcome })
}
