import type { Draft } from '../decision/draft.ts'
import { type Refused, refuseAfterTime } from '../decision/outcome.ts'
import { append, nextId } from '../history/append.ts'
import { formatInstant } from '../state/instant.ts'
import type { Run, RunFailure } from '../state/run.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'
import { closeRun, endOpenWork } from './close-run.ts'
import { recordHeldSignals } from './messages.ts'
import { type ClosedRunReason, refuseClosedRun } from './receipt.ts'

/** Closes a run whose own deadline has passed: status `failed`, closed reason `timed_out`. */
export function closeExpired(draft: Draft, run: Run, now: number): Run {
  recordHeldSignals(draft, run.runId, now)
  const kind = run.runDeadlineAt !== undefined && run.runDeadlineAt <= now ? 'run_timeout' : 'execution_timeout'
  const at = kind === 'run_timeout' ? run.runDeadlineAt : run.executionDeadlineAt
  const failure: RunFailure = {
    failureId: nextId(draft, run.runId, 'failure'),
    category: 'timeout',
    message: `Workflow run timed out: its ${kind} ended${at === undefined ? '' : ` at ${formatInstant(at)}`}.`,
    exceptionType: 'WorkflowTimedOut',
    exceptionClass: 'WorkflowTimedOutException',
    nonRetryable: true,
    exception: undefined,
  }
  endOpenWork(draft, run.runId, undefined, now)
  append(
    draft,
    run.runId,
    {
      type: 'WorkflowTimedOut',
      payload: {
        failure_id: failure.failureId,
        timeout_kind: kind,
        failure_category: 'timeout',
        message: failure.message,
        exception_class: 'WorkflowTimedOutException',
        ...(run.executionDeadlineAt === undefined
          ? {}
          : { execution_deadline_at: formatInstant(run.executionDeadlineAt) }),
        ...(run.runDeadlineAt === undefined ? {} : { run_deadline_at: formatInstant(run.runDeadlineAt) }),
      },
    },
    now,
  )
  return closeRun(draft, run.runId, { status: 'failed', closedReason: 'timed_out', failure }, now)
}

/** What the report of a held task gets whose run's deadline has passed: the run is closed and the receipt says so. */
export function closeExpiredInstead(draft: Draft, run: Run, task: WorkflowTask, now: number): Refused<ClosedRunReason> {
  const closed = closeExpired(draft, run, now)
  const { reason, facts } = refuseClosedRun(closed, draft.workflowTask(task.taskId) ?? task, task.attempt)
  return refuseAfterTime(reason, facts)
}

/** Whether a run's own deadline has passed; equality has passed. */
export function isExpired(run: Run, now: number): boolean {
  return run.dueAt !== undefined && run.dueAt <= now
}
