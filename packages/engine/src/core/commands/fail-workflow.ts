import type { Commands } from '@durable-workflow/protocol'
import { append, nextId } from '../history/append.ts'
import { closeRun, endOpenWork } from '../rules/close-run.ts'
import type { JsonObject } from '../state/json.ts'
import type { RunFailure } from '../state/run.ts'
import type { CommandContext, CommandRefusal } from './command.ts'

/** Ends the run with authored code's failure; the structured exception fills blanks and is kept whole. */
export function failWorkflow(context: CommandContext, command: Commands['fail_workflow']): CommandRefusal | undefined {
  const { draft, runId, now } = context
  const exception: JsonObject | undefined = command.exception ?? undefined
  const exceptionType = command.exception_type ?? text(exception, 'type')
  const exceptionClass = command.exception_class ?? text(exception, 'class')
  const failure: RunFailure = {
    failureId: nextId(draft, runId, 'failure'),
    category: categoryOf(exceptionType),
    message: command.message,
    exceptionType,
    exceptionClass,
    nonRetryable: command.non_retryable === true,
    exception,
  }
  endOpenWork(draft, runId, undefined, now)
  append(
    draft,
    runId,
    {
      type: 'WorkflowFailed',
      payload: {
        failure_id: failure.failureId,
        failure_category: failure.category,
        non_retryable: failure.nonRetryable,
        message: failure.message,
        ...(exceptionType === undefined ? {} : { exception_type: exceptionType }),
        ...(exceptionClass === undefined ? {} : { exception_class: exceptionClass }),
        ...(exception === undefined ? {} : { exception }),
        ...(command.failed_step_sequence == null ? {} : { failed_step_sequence: command.failed_step_sequence }),
        ...(command.failed_activity_execution_id == null
          ? {}
          : { failed_activity_execution_id: command.failed_activity_execution_id }),
      },
      workflowTaskId: context.task.taskId,
    },
    now,
  )
  closeRun(draft, runId, { status: 'failed', closedReason: 'failed', failure }, now)
  return undefined
}

// The published SDKs name an escaped activity failure by its exception type (rust-worker §7).
function categoryOf(exceptionType: string | undefined): string {
  switch (exceptionType) {
    case 'ActivityFailed':
    case 'ActivityFailure':
    case 'ActivityCancelled':
      return 'activity'
    case 'ActivityTimedOut':
    case 'TimeoutFailure':
      return 'timeout'
    default:
      return 'application'
  }
}

function text(exception: JsonObject | undefined, key: string): string | undefined {
  const value = exception?.[key]
  return typeof value === 'string' ? value : undefined
}
