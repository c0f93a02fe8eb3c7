// Settlement receipts: refusals complete enough that a worker may drop its report. One function makes their
// facts, so that every path answers the same body.

import { type Refused, refuse } from '../decision/outcome.ts'
import type { JsonObject } from '../state/json.ts'
import { isOpen, type Run } from '../state/run.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'

export type ClosedRunReason = 'run_timed_out' | 'run_closed'

/** What closed the run, in the receipt's words. */
export function stopReason(
  run: Run,
): 'run_cancelled' | 'run_terminated' | 'run_completed' | 'run_failed' | 'run_closed' {
  switch (run.status) {
    case 'cancelled':
      return 'run_cancelled'
    case 'terminated':
      return 'run_terminated'
    case 'completed':
      return 'run_completed'
    case 'failed':
      return 'run_failed'
    default:
      return 'run_closed'
  }
}

export function cancelRequested(run: Run): boolean {
  return run.status === 'cancelled' || run.status === 'terminated'
}

/** The facts of a closed run that every receipt carries. */
export function closedRunFacts(run: Run): JsonObject {
  return {
    runId: run.runId,
    runStatus: run.status,
    runClosedReason: run.closedReason,
    runClosedAt: run.closedAt,
    stopReason: stopReason(run),
    cancelRequested: cancelRequested(run),
    canContinue: false,
  }
}

/** The receipt for a report on a workflow task whose run is closed; its own deadline has its own reason. */
export function refuseClosedRun(run: Run, task: WorkflowTask, reportedAttempt: number): Refused<ClosedRunReason> {
  return refuse(run.closedReason === 'timed_out' ? 'run_timed_out' : 'run_closed', {
    taskId: task.taskId,
    workflowTaskAttempt: reportedAttempt,
    ...closedRunFacts(run),
    ...taskFacts(task),
  })
}

/** Who holds a task, until when. */
export function taskFacts(task: WorkflowTask): JsonObject {
  return {
    taskStatus: task.status,
    leaseOwner: task.lease?.owner ?? null,
    leaseExpiresAt: task.lease?.expiresAt ?? null,
  }
}

/** Facts of any refusal on a workflow task of an open run. */
export function openRunFacts(run: Run, task: WorkflowTask, reportedAttempt: number): JsonObject {
  return {
    taskId: task.taskId,
    workflowTaskAttempt: reportedAttempt,
    runId: run.runId,
    runStatus: run.status,
    canContinue: isOpen(run),
    ...taskFacts(task),
  }
}
