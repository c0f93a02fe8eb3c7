// State → row. Each table says of each of its columns where its value comes from and when it changes: an update
// writes the changing ones only (what never changes may be large: arguments), and those that rarely change only when
// they have (an index that stands on them is written with them).

import type {
  Activity,
  HistoryEvent,
  Lease,
  Liveness,
  Namespace,
  QueryTask,
  Registration,
  Run,
  Signal,
  Timer,
  Wait,
  Workflow,
  WorkflowTask,
} from '@durable-workflow/engine/ports'
import type { Parameter } from './dialects/dialect.ts'
import type {
  ActivityRow,
  HistoryEventRow,
  LeaseColumns,
  LivenessRow,
  NamespaceRow,
  QueryTaskRow,
  RegistrationRow,
  RunRow,
  SignalRow,
  Tables,
  TimerRow,
  WaitRow,
  WorkflowRow,
  WorkflowTaskRow,
} from './schema.ts'

export type Changing = 'never' | 'rarely' | 'often'

export interface Column<State> {
  readonly name: string
  readonly changes: Changing
  of(state: State): Parameter
}

export interface TableColumns<State> {
  readonly table: keyof Tables
  readonly key: readonly string[]
  /** All columns in a fixed order. */
  readonly columns: readonly Column<State>[]
}

interface Source<State, Value> {
  readonly changes: Changing
  of(state: State): Value
}

type Sources<State, Row> = { readonly [Name in keyof Row]: Source<State, Row[Name]> }

export const namespaceColumns = table<Namespace, NamespaceRow>('namespaces', ['name'], {
  name: fixed((namespace) => namespace.name),
  description: changing((namespace) => namespace.description ?? null),
  retention_days: changing((namespace) => namespace.retentionDays),
  created_at: fixed((namespace) => namespace.createdAt),
})

export const workflowColumns = table<Workflow, WorkflowRow>('workflows', ['workflow_id'], {
  workflow_id: fixed((workflow) => workflow.workflowId),
  namespace: fixed((workflow) => workflow.namespace),
  workflow_type: changing((workflow) => workflow.workflowType),
  current_run_id: changing((workflow) => workflow.currentRunId),
  run_count: changing((workflow) => workflow.runCount),
})

export const runColumns = table<Run, RunRow>('runs', ['run_id'], {
  run_id: fixed((run) => run.runId),
  workflow_id: fixed((run) => run.workflowId),
  namespace: fixed((run) => run.namespace),
  workflow_type: fixed((run) => run.workflowType),
  task_queue: fixed((run) => run.taskQueue),
  run_number: fixed((run) => run.runNumber),
  status: changing((run) => run.status),
  closed_reason: rare((run) => run.closedReason ?? null),
  arguments_codec: fixed((run) => run.arguments.codec),
  arguments_blob: fixed((run) => run.arguments.blob),
  output_codec: rare((run) => run.output?.codec ?? null),
  output_blob: rare((run) => run.output?.blob ?? null),
  failure_json: rare((run) => json(run.failure)),
  business_key: fixed((run) => run.businessKey ?? null),
  execution_timeout_seconds: fixed((run) => run.executionTimeoutSeconds ?? null),
  run_timeout_seconds: fixed((run) => run.runTimeoutSeconds ?? null),
  execution_deadline_at: fixed((run) => run.executionDeadlineAt ?? null),
  run_deadline_at: fixed((run) => run.runDeadlineAt ?? null),
  start_id: fixed((run) => run.startId ?? null),
  started_at: fixed((run) => run.startedAt),
  closed_at: rare((run) => run.closedAt ?? null),
  last_progress_at: changing((run) => run.lastProgressAt),
  last_sequence: changing((run) => run.lastSequence),
  history_bytes: changing((run) => run.historyBytes),
  last_step: changing((run) => run.lastStep),
  last_id: changing((run) => run.lastId),
  command_sequence: changing((run) => run.commandSequence),
  open_activities: changing((run) => run.openActivities),
  open_timers: changing((run) => run.openTimers),
  open_signal_waits: changing((run) => run.openSignalWaits),
  open_condition_waits: changing((run) => run.openConditionWaits),
  parallel_groups_json: changing((run) => (run.parallelGroups.length === 0 ? '[]' : jsonText(run.parallelGroups))),
  signal_count: changing((run) => run.signalCount),
  cached_by: changing((run) => run.cachedBy ?? null),
  cached_sequence: changing((run) => run.cachedSequence),
  replay_blocked_reason: rare((run) => run.replayBlockedReason ?? null),
  replay_blocked_fingerprint: rare((run) => run.replayBlockedFingerprint ?? null),
  open_task_id: changing((run) => run.openTask?.taskId ?? null),
  open_task_leased: changing((run) => (run.openTask === undefined ? null : Number(run.openTask.leased))),
  progress: changing((run) => run.progress ?? null),
  due_at: rare((run) => run.dueAt ?? null),
})

export const workflowTaskColumns = table<WorkflowTask, WorkflowTaskRow>('workflow_tasks', ['task_id'], {
  task_id: fixed((task) => task.taskId),
  run_id: fixed((task) => task.runId),
  namespace: fixed((task) => task.namespace),
  task_queue: fixed((task) => task.taskQueue),
  workflow_type: fixed((task) => task.workflowType),
  status: changing((task) => task.status),
  available_at: changing((task) => task.availableAt),
  created_at: fixed((task) => task.createdAt),
  attempt: changing((task) => task.attempt),
  ...leaseColumns<WorkflowTask>(),
  repair_count: changing((task) => task.repairCount),
  failure_count: changing((task) => task.failureCount),
  resume_json: changing((task) => jsonText(task.resume)),
  pending_resume_json: changing((task) => json(task.pendingResume)),
  failure_json: changing((task) => json(task.failure)),
  claimed_sequence: changing((task) => task.claimedSequence),
  report_digest: changing((task) => task.reportDigest ?? null),
  report_reply: changing((task) => task.reportReply ?? null),
  closed_at: changing((task) => task.closedAt ?? null),
  due_at: changing((task) => task.dueAt ?? null),
})

export const activityColumns = table<Activity, ActivityRow>('activities', ['activity_id'], {
  activity_id: fixed((activity) => activity.activityId),
  run_id: fixed((activity) => activity.runId),
  workflow_id: fixed((activity) => activity.workflowId),
  namespace: fixed((activity) => activity.namespace),
  task_queue: fixed((activity) => activity.taskQueue),
  activity_type: fixed((activity) => activity.activityType),
  step: fixed((activity) => activity.step),
  group_json: fixed((activity) => json(activity.group)),
  status: changing((activity) => activity.status),
  arguments_codec: fixed((activity) => activity.arguments.codec),
  arguments_blob: fixed((activity) => activity.arguments.blob),
  timeouts_json: fixed((activity) => jsonText(activity.timeouts)),
  retry_json: fixed((activity) => jsonText(activity.retry)),
  retry_policy_text: fixed((activity) => activity.retryPolicyText ?? null),
  scheduled_at: fixed((activity) => activity.scheduledAt),
  available_at: changing((activity) => activity.availableAt),
  attempt: changing((activity) => activity.attempt),
  attempt_status: changing((activity) => activity.attemptStatus ?? null),
  ...leaseColumns<Activity>(),
  started_at: changing((activity) => activity.startedAt ?? null),
  last_heartbeat_at: changing((activity) => activity.lastHeartbeatAt ?? null),
  last_heartbeat_details_json: changing((activity) => json(activity.lastHeartbeatDetails)),
  schedule_deadline_at: changing((activity) => activity.scheduleDeadlineAt ?? null),
  schedule_to_close_deadline_at: changing((activity) => activity.scheduleToCloseDeadlineAt ?? null),
  close_deadline_at: changing((activity) => activity.closeDeadlineAt ?? null),
  heartbeat_deadline_at: changing((activity) => activity.heartbeatDeadlineAt ?? null),
  closed_attempts_json: changing((activity) =>
    activity.closedAttempts.length === 0 ? '[]' : jsonText(activity.closedAttempts),
  ),
  closed_at: changing((activity) => activity.closedAt ?? null),
  due_at: changing((activity) => activity.dueAt ?? null),
})

export const timerColumns = table<Timer, TimerRow>('timers', ['timer_id'], {
  timer_id: fixed((timer) => timer.timerId),
  run_id: fixed((timer) => timer.runId),
  kind: fixed((timer) => timer.kind),
  step: changing((timer) => timer.step),
  group_json: fixed((timer) => json(timer.group)),
  wait_id: changing((timer) => timer.waitId ?? null),
  delay_seconds: fixed((timer) => timer.delaySeconds),
  delay_ms: fixed((timer) => timer.delayMs),
  fire_at: changing((timer) => timer.fireAt),
  status: changing((timer) => timer.status),
  due_at: changing((timer) => timer.dueAt ?? null),
})

export const waitColumns = table<Wait, WaitRow>('waits', ['wait_id'], {
  wait_id: fixed((wait) => wait.waitId),
  run_id: fixed((wait) => wait.runId),
  kind: fixed((wait) => wait.kind),
  step: changing((wait) => wait.step),
  status: changing((wait) => wait.status),
  timeout_seconds: changing((wait) => wait.timeoutSeconds ?? null),
  deadline_at: changing((wait) => wait.deadlineAt ?? null),
  timer_id: changing((wait) => wait.timerId ?? null),
  opened_at: changing((wait) => wait.openedAt),
  closed_sequence: changing((wait) => wait.closedSequence ?? null),
  condition_key: changing((wait) => (wait.kind === 'condition' ? (wait.conditionKey ?? null) : null)),
  fingerprint: changing((wait) => (wait.kind === 'condition' ? (wait.fingerprint ?? null) : null)),
  occurrence_id: changing((wait) => (wait.kind === 'condition' ? (wait.occurrenceId ?? null) : null)),
  signal_name: fixed((wait) => (wait.kind === 'signal' ? wait.signalName : null)),
})

export const signalColumns = table<Signal, SignalRow>('signals', ['signal_id'], {
  signal_id: fixed((signal) => signal.signalId),
  run_id: fixed((signal) => signal.runId),
  name: fixed((signal) => signal.name),
  arguments_codec: fixed((signal) => signal.arguments.codec),
  arguments_blob: fixed((signal) => signal.arguments.blob),
  status: changing((signal) => signal.status),
  command_id: fixed((signal) => signal.commandId),
  command_sequence: fixed((signal) => signal.commandSequence),
  request_id: fixed((signal) => signal.requestId ?? null),
  received_at: fixed((signal) => signal.receivedAt),
})

export const queryTaskColumns = table<QueryTask, QueryTaskRow>('query_tasks', ['query_task_id'], {
  query_task_id: fixed((task) => task.queryTaskId),
  run_id: fixed((task) => task.runId),
  workflow_id: fixed((task) => task.workflowId),
  namespace: fixed((task) => task.namespace),
  task_queue: fixed((task) => task.taskQueue),
  workflow_type: fixed((task) => task.workflowType),
  query_name: fixed((task) => task.queryName),
  arguments_codec: fixed((task) => task.arguments.codec),
  arguments_blob: fixed((task) => task.arguments.blob),
  status: changing((task) => task.status),
  attempt: changing((task) => task.attempt),
  ...leaseColumns<QueryTask>(),
  outcome_json: changing((task) => json(task.outcome)),
  created_at: fixed((task) => task.createdAt),
  deadline_at: changing((task) => task.deadlineAt),
  due_at: changing((task) => task.dueAt),
})

export const registrationColumns = table<Registration, RegistrationRow>('registrations', ['namespace', 'worker_id'], {
  namespace: fixed((registration) => registration.namespace),
  worker_id: fixed((registration) => registration.workerId),
  registration_id: changing((registration) => registration.registrationId),
  task_queue: changing((registration) => registration.taskQueue),
  runtime: changing((registration) => registration.runtime),
  sdk_version: changing((registration) => registration.sdkVersion ?? null),
  build_id: changing((registration) => registration.buildId ?? null),
  protocol_version: changing((registration) => registration.protocolVersion),
  workflow_types_json: changing((registration) => jsonText(registration.workflowTypes)),
  activity_types_json: changing((registration) => jsonText(registration.activityTypes)),
  capabilities_json: changing((registration) => jsonText(registration.capabilities)),
  capability_manifest_json: changing((registration) => json(registration.capabilityManifest)),
  definition_fingerprints_json: changing((registration) => jsonText(registration.definitionFingerprints)),
  command_contracts_json: changing((registration) => json(registration.commandContracts)),
  max_concurrent_workflow_tasks: changing((registration) => registration.maxConcurrentWorkflowTasks),
  max_concurrent_activity_tasks: changing((registration) => registration.maxConcurrentActivityTasks),
  status: changing((registration) => registration.status),
  process_json: changing((registration) => json(registration.process)),
  heartbeat_interval_seconds: changing((registration) => registration.heartbeatIntervalSeconds),
  registered_at: changing((registration) => registration.registeredAt),
})

export const livenessColumns = table<Liveness, LivenessRow>('livenesses', ['namespace', 'worker_id'], {
  namespace: fixed((liveness) => liveness.namespace),
  worker_id: fixed((liveness) => liveness.workerId),
  last_heartbeat_at: changing((liveness) => liveness.lastHeartbeatAt),
  report_json: changing((liveness) => json(liveness.report)),
})

export const historyEventColumns = table<HistoryEvent, HistoryEventRow>('history_events', ['run_id', 'sequence'], {
  run_id: fixed((event) => event.runId),
  sequence: fixed((event) => event.sequence),
  event_id: fixed((event) => event.eventId),
  type: fixed((event) => event.type),
  payload: fixed((event) => event.payload),
  workflow_task_id: fixed((event) => event.workflowTaskId ?? null),
  command_id: fixed((event) => event.commandId ?? null),
  recorded_at: fixed((event) => event.recordedAt),
})

function leaseColumns<State extends { readonly lease: Lease | undefined }>(): Sources<State, LeaseColumns> {
  return {
    lease_owner: changing((state) => state.lease?.owner ?? null),
    leased_at: changing((state) => state.lease?.leasedAt ?? null),
    lease_expires_at: changing((state) => state.lease?.expiresAt ?? null),
    lease_ms: changing((state) => state.lease?.leaseMs ?? null),
    poll_request_id: changing((state) => state.lease?.proof.pollRequestId ?? null),
    lease_proof_json: changing((state) => (state.lease === undefined ? null : proofText(state.lease))),
  }
}

function proofText(lease: Lease): string {
  return JSON.stringify({ ...lease.proof, pollRequestId: undefined })
}

function table<State, Row>(
  name: keyof Tables,
  key: readonly (keyof Row & string)[],
  sources: Sources<State, Row>,
): TableColumns<State> {
  const entries: [string, Source<State, Parameter>][] = Object.entries(sources)
  return { table: name, key, columns: entries.map(([column, source]) => ({ name: column, ...source })) }
}

function fixed<State, Value>(of: (state: State) => Value): Source<State, Value> {
  return { changes: 'never', of }
}

/** Set once or twice in the life of a row. */
function rare<State, Value>(of: (state: State) => Value): Source<State, Value> {
  return { changes: 'rarely', of }
}

function changing<State, Value>(of: (state: State) => Value): Source<State, Value> {
  return { changes: 'often', of }
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function jsonText(value: object): string {
  return JSON.stringify(value)
}
