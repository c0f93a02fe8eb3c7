// A run in the words of the control plane (control plane 2, §6.2, §6.5, §6.6).
import { type Envelope, isOpen, type Run, type RunFailure, statusBucket, type Workflow } from '@durable-workflow/engine'
import { viewOf } from '../payload-intake.ts'
import { instantOrNull, type WireFacts } from '../wire-facts.ts'

const codec = 'avro'

/** One line of a list of runs. */
export function runItem(run: Run): WireFacts {
  return {
    workflow_id: run.workflowId,
    run_id: run.runId,
    workflow_type: run.workflowType,
    namespace: run.namespace,
    business_key: run.businessKey ?? null,
    status: run.status,
    status_bucket: statusBucket(run.status),
    is_terminal: !isOpen(run),
    closed_reason: run.closedReason ?? null,
    task_queue: run.taskQueue,
    payload_codec: codec,
    started_at: instantOrNull(run.startedAt),
    closed_at: instantOrNull(run.closedAt),
    search_attributes: {},
    memo: {},
  }
}

/** One line of the runs of a workflow. */
export function runOfWorkflow(run: Run, isCurrent: boolean): WireFacts {
  return {
    workflow_id: run.workflowId,
    run_id: run.runId,
    run_number: run.runNumber,
    is_current_run: isCurrent,
    workflow_type: run.workflowType,
    business_key: run.businessKey ?? null,
    status: run.status,
    status_bucket: statusBucket(run.status),
    closed_reason: run.closedReason ?? null,
    task_queue: run.taskQueue,
    started_at: instantOrNull(run.startedAt),
    closed_at: instantOrNull(run.closedAt),
  }
}

/** The whole of a run. `failures` is a list or absent: published clients do not read a null there. */
export function runDescription(run: Run, workflow: Workflow): WireFacts {
  const isCurrent = workflow.currentRunId === run.runId
  return {
    ...runItem(run),
    run_number: run.runNumber,
    run_count: workflow.runCount,
    is_current_run: isCurrent,
    execution_timeout_seconds: wholeSeconds(run.executionTimeoutSeconds),
    run_timeout_seconds: wholeSeconds(run.runTimeoutSeconds),
    execution_deadline_at: instantOrNull(run.executionDeadlineAt),
    run_deadline_at: instantOrNull(run.runDeadlineAt),
    input: viewOf(run.arguments),
    output: viewOf(run.output),
    input_envelope: envelopeOrNull(run.arguments),
    output_envelope: envelopeOrNull(run.output),
    last_progress_at: instantOrNull(run.lastProgressAt),
    ...waitFacts(run),
    actions: actionsOf(run, isCurrent),
    ...failureFacts(run.failure),
  }
}

export function envelopeOrNull(envelope: Envelope | undefined): WireFacts | null {
  return envelope === undefined ? null : { codec: envelope.codec, blob: envelope.blob }
}

function wholeSeconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.ceil(seconds)
}

function waitFacts(run: Run): WireFacts {
  const { progress } = run
  if (progress === undefined) return { wait_kind: null, wait_reason: null }
  if (progress === 'parallel_group')
    return { wait_kind: run.openActivities > 0 ? 'activity' : 'timer', wait_reason: progress }
  return { wait_kind: waitKinds[progress] ?? null, wait_reason: progress }
}

const waitKinds: Readonly<Record<string, string>> = {
  activity: 'activity',
  timer: 'timer',
  signal_wait: 'signal',
  condition_wait: 'condition',
}

function actionsOf(run: Run, isCurrent: boolean): WireFacts {
  const takesCommands = isOpen(run) && isCurrent
  return {
    can_signal: takesCommands,
    // A completed run answers queries from its history; a failed, cancelled or terminated one does not.
    can_query: isOpen(run) || run.status === 'completed',
    can_update: false,
    can_cancel: takesCommands,
    can_terminate: takesCommands,
    can_repair: takesCommands,
    can_archive: false,
  }
}

function failureFacts(failure: RunFailure | undefined): WireFacts {
  if (failure === undefined) return { error: null }
  const document = {
    message: failure.message,
    failure_id: failure.failureId,
    failure_category: failure.category,
    exception_type: failure.exceptionType ?? null,
    exception_class: failure.exceptionClass ?? null,
    non_retryable: failure.nonRetryable,
    exception: failure.exception,
  }
  return { error: failure.message, failure: document, failures: [document], exception: failure.exception }
}
