// The fence: a report must come from the claim that holds the task now. The order of the checks is the wire's
// (worker plane 1.19 §6.5); every refusal is a receipt.

import type { Draft } from '../decision/draft.ts'
import { type Refused, refuse } from '../decision/outcome.ts'
import { isLive, type Lease } from '../state/claim.ts'
import { isOpen, type Run } from '../state/run.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'
import { type ClosedRunReason, openRunFacts, refuseClosedRun } from './receipt.ts'

export type FenceReason =
  | 'task_not_found'
  | ClosedRunReason
  | 'task_not_leased'
  | 'lease_expired'
  | 'lease_owner_mismatch'
  | 'workflow_task_attempt_mismatch'

/** What a report on a workflow task says of itself. */
export interface Reporter {
  /** A task of another namespace is not found. */
  readonly namespace: string
  readonly taskId: string
  readonly leaseOwner: string
  readonly attempt: number
}

export interface Held {
  readonly kind: 'held'
  readonly run: Run
  readonly task: WorkflowTask
  readonly lease: Lease
}

/** Checks that the reporter holds the task: task, run, lease, expiry (equality is expired, L-09), owner, attempt. */
export function fence(draft: Draft, report: Reporter, now: number): Held | Refused<FenceReason> {
  const task = draft.workflowTask(report.taskId)
  const run = task === undefined ? undefined : draft.run(task.runId)
  if (task === undefined || run === undefined || task.namespace !== report.namespace) {
    return refuse('task_not_found', { taskId: report.taskId, workflowTaskAttempt: report.attempt })
  }
  if (!isOpen(run)) return refuseClosedRun(run, task, report.attempt)
  const facts = openRunFacts(run, task, report.attempt)
  const lease = task.lease
  if (task.status !== 'leased' || lease === undefined) return refuse('task_not_leased', facts)
  if (!isLive(lease, now)) return refuse('lease_expired', facts)
  if (lease.owner !== report.leaseOwner) return refuse('lease_owner_mismatch', facts)
  if (task.attempt !== report.attempt) {
    return refuse('workflow_task_attempt_mismatch', { ...facts, currentAttempt: task.attempt })
  }
  return { kind: 'held', run, task, lease }
}
