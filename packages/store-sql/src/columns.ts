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
import type { Holds, Parameter } from './dialects/dialect.ts'
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
  readonly holds: Holds
  readonly changes: Changing
  of(state: State): Parameter
  /** Whether two states have the same value here; false is always safe. */
  isSame(state: State, before: State): boolean
}

export interface TableColumns<State> {
  readonly table: keyof Tables
  readonly key: Key<string>
  /** All columns in a fixed order. */
  readonly columns: readonly Column<State>[]
}

/** One column or two. */
type Key<Name> = readonly [Name] | readonly [Name, Name]

interface Source<State, Value> {
  readonly holds: HoldsOf<Value>
  readonly changes: Changing
  of(state: State): Value
  /** Default: the values themselves are compared. */
  readonly isSame?: (state: State, before: State) => boolean
}

type HoldsOf<Value> = [Value] extends [string | null] ? 'text' : 'integer' | 'number'

type Sources<State, Row> = { readonly [Name in keyof Row]: Source<State, Row[Name]> }

export const namespaceColumns = table<Namespace, NamespaceRow>('namespaces', ['name'], {
  name: fixed('text', (namespace) => namespace.name),
  description: changing('text', (namespace) => namespace.description ?? null),
  retention_days: changing('integer', (namespace) => namespace.retentionDays),
  created_at: fixed('integer', (namespace) => namespace.createdAt),
})

export const workflowColumns = table<Workflow, WorkflowRow>('workflows', ['workflow_id'], {
  workflow_id: fixed('text', (workflow) => workflow.workflowId),
  namespace: fixed('text', (workflow) => workflow.namespace),
  workflow_type: changing('text', (workflow) => workflow.workflowType),
  current_run_id: changing('text', (workflow) => workflow.currentRunId),
  run_count: changing('integer', (workflow) => workflow.runCount),
})

export const runColumns = table<Run, RunRow>('runs', ['run_id'], {
  run_id: fixed('text', (run) => run.runId),
  workflow_id: fixed('text', (run) => run.workflowId),
  namespace: fixed('text', (run) => run.namespace),
  workflow_type: fixed('text', (run) => run.workflowType),
  task_queue: fixed('text', (run) => run.taskQueue),
  run_number: fixed('integer', (run) => run.runNumber),
  status: changing('text', (run) => run.status),
  closed_reason: rare('text', (run) => run.closedReason ?? null),
  arguments_codec: fixed('text', (run) => run.arguments.codec),
  arguments_blob: fixed('text', (run) => run.arguments.blob),
  output_codec: rare('text', (run) => run.output?.codec ?? null),
  output_blob: rare('text', (run) => run.output?.blob ?? null),
  failure_json: rare('text', (run) => json(run.failure)),
  business_key: fixed('text', (run) => run.businessKey ?? null),
  execution_timeout_seconds: fixed('number', (run) => run.executionTimeoutSeconds ?? null),
  run_timeout_seconds: fixed('number', (run) => run.runTimeoutSeconds ?? null),
  execution_deadline_at: fixed('integer', (run) => run.executionDeadlineAt ?? null),
  run_deadline_at: fixed('integer', (run) => run.runDeadlineAt ?? null),
  start_id: fixed('text', (run) => run.startId ?? null),
  started_at: fixed('integer', (run) => run.startedAt),
  closed_at: rare('integer', (run) => run.closedAt ?? null),
  last_progress_at: changing('integer', (run) => run.lastProgressAt),
  last_sequence: changing('integer', (run) => run.lastSequence),
  history_bytes: changing('integer', (run) => run.historyBytes),
  last_step: changing('integer', (run) => run.lastStep),
  last_id: changing('integer', (run) => run.lastId),
  command_sequence: changing('integer', (run) => run.commandSequence),
  open_activities: changing('integer', (run) => run.openActivities),
  open_timers: changing('integer', (run) => run.openTimers),
  open_signal_waits: changing('integer', (run) => run.openSignalWaits),
  open_condition_waits: changing('integer', (run) => run.openConditionWaits),
  parallel_groups_json: changing('text', (run) =>
    run.parallelGroups.length === 0 ? '[]' : jsonText(run.parallelGroups),
  ),
  signal_count: changing('integer', (run) => run.signalCount),
  cached_by: changing('text', (run) => run.cachedBy ?? null),
  cached_sequence: changing('integer', (run) => run.cachedSequence),
  replay_blocked_reason: rare('text', (run) => run.replayBlockedReason ?? null),
  replay_blocked_fingerprint: rare('text', (run) => run.replayBlockedFingerprint ?? null),
  open_task_id: changing('text', (run) => run.openTask?.taskId ?? null),
  open_task_leased: changing('integer', (run) => (run.openTask === undefined ? null : Number(run.openTask.leased))),
  progress: changing('text', (run) => run.progress ?? null),
  due_at: rare('integer', (run) => run.dueAt ?? null),
})

export const workflowTaskColumns = table<WorkflowTask, WorkflowTaskRow>('workflow_tasks', ['task_id'], {
  task_id: fixed('text', (task) => task.taskId),
  run_id: fixed('text', (task) => task.runId),
  namespace: fixed('text', (task) => task.namespace),
  task_queue: fixed('text', (task) => task.taskQueue),
  workflow_type: fixed('text', (task) => task.workflowType),
  status: changing('text', (task) => task.status),
  available_at: rare('integer', (task) => task.availableAt),
  created_at: fixed('integer', (task) => task.createdAt),
  attempt: rare('integer', (task) => task.attempt),
  ...leaseColumns<WorkflowTask>(),
  repair_count: rare('integer', (task) => task.repairCount),
  failure_count: rare('integer', (task) => task.failureCount),
  resume_json: rareJson(
    'text',
    (task) => task.resume,
    (task) => jsonText(task.resume),
  ),
  pending_resume_json: rareJson(
    'text',
    (task) => task.pendingResume,
    (task) => json(task.pendingResume),
  ),
  failure_json: rareJson(
    'text',
    (task) => task.failure,
    (task) => json(task.failure),
  ),
  claimed_sequence: rare('integer', (task) => task.claimedSequence),
  report_digest: changing('text', (task) => task.reportDigest ?? null),
  report_reply: changing('text', (task) => task.reportReply ?? null),
  closed_at: changing('integer', (task) => task.closedAt ?? null),
  due_at: changing('integer', (task) => task.dueAt ?? null),
})

export const activityColumns = table<Activity, ActivityRow>('activities', ['activity_id'], {
  activity_id: fixed('text', (activity) => activity.activityId),
  run_id: fixed('text', (activity) => activity.runId),
  workflow_id: fixed('text', (activity) => activity.workflowId),
  namespace: fixed('text', (activity) => activity.namespace),
  task_queue: fixed('text', (activity) => activity.taskQueue),
  activity_type: fixed('text', (activity) => activity.activityType),
  step: fixed('integer', (activity) => activity.step),
  group_json: fixed('text', (activity) => json(activity.group)),
  status: changing('text', (activity) => activity.status),
  arguments_codec: fixed('text', (activity) => activity.arguments.codec),
  arguments_blob: fixed('text', (activity) => activity.arguments.blob),
  timeouts_json: fixed('text', (activity) => jsonText(activity.timeouts)),
  retry_json: fixed('text', (activity) => jsonText(activity.retry)),
  retry_policy_text: fixed('text', (activity) => activity.retryPolicyText ?? null),
  scheduled_at: fixed('integer', (activity) => activity.scheduledAt),
  available_at: rare('integer', (activity) => activity.availableAt),
  attempt: rare('integer', (activity) => activity.attempt),
  attempt_status: changing('text', (activity) => activity.attemptStatus ?? null),
  ...leaseColumns<Activity>(),
  started_at: rare('integer', (activity) => activity.startedAt ?? null),
  last_heartbeat_at: rare('integer', (activity) => activity.lastHeartbeatAt ?? null),
  last_heartbeat_details_json: changing('text', (activity) => json(activity.lastHeartbeatDetails)),
  schedule_deadline_at: rare('integer', (activity) => activity.scheduleDeadlineAt ?? null),
  schedule_to_close_deadline_at: rare('integer', (activity) => activity.scheduleToCloseDeadlineAt ?? null),
  close_deadline_at: rare('integer', (activity) => activity.closeDeadlineAt ?? null),
  heartbeat_deadline_at: rare('integer', (activity) => activity.heartbeatDeadlineAt ?? null),
  closed_attempts_json: changing('text', (activity) =>
    activity.closedAttempts.length === 0 ? '[]' : jsonText(activity.closedAttempts),
  ),
  closed_at: changing('integer', (activity) => activity.closedAt ?? null),
  due_at: changing('integer', (activity) => activity.dueAt ?? null),
})

export const timerColumns = table<Timer, TimerRow>('timers', ['timer_id'], {
  timer_id: fixed('text', (timer) => timer.timerId),
  run_id: fixed('text', (timer) => timer.runId),
  kind: fixed('text', (timer) => timer.kind),
  step: changing('integer', (timer) => timer.step),
  group_json: fixed('text', (timer) => json(timer.group)),
  wait_id: changing('text', (timer) => timer.waitId ?? null),
  delay_seconds: fixed('number', (timer) => timer.delaySeconds),
  delay_ms: fixed('number', (timer) => timer.delayMs),
  fire_at: changing('integer', (timer) => timer.fireAt),
  status: changing('text', (timer) => timer.status),
  due_at: changing('integer', (timer) => timer.dueAt ?? null),
})

export const waitColumns = table<Wait, WaitRow>('waits', ['wait_id'], {
  wait_id: fixed('text', (wait) => wait.waitId),
  run_id: fixed('text', (wait) => wait.runId),
  kind: fixed('text', (wait) => wait.kind),
  step: changing('integer', (wait) => wait.step),
  status: changing('text', (wait) => wait.status),
  timeout_seconds: changing('number', (wait) => wait.timeoutSeconds ?? null),
  deadline_at: changing('integer', (wait) => wait.deadlineAt ?? null),
  timer_id: changing('text', (wait) => wait.timerId ?? null),
  opened_at: changing('integer', (wait) => wait.openedAt),
  closed_sequence: changing('integer', (wait) => wait.closedSequence ?? null),
  condition_key: changing('text', (wait) => (wait.kind === 'condition' ? (wait.conditionKey ?? null) : null)),
  fingerprint: changing('text', (wait) => (wait.kind === 'condition' ? (wait.fingerprint ?? null) : null)),
  occurrence_id: changing('text', (wait) => (wait.kind === 'condition' ? (wait.occurrenceId ?? null) : null)),
  signal_name: fixed('text', (wait) => (wait.kind === 'signal' ? wait.signalName : null)),
})

export const signalColumns = table<Signal, SignalRow>('signals', ['signal_id'], {
  signal_id: fixed('text', (signal) => signal.signalId),
  run_id: fixed('text', (signal) => signal.runId),
  name: fixed('text', (signal) => signal.name),
  arguments_codec: fixed('text', (signal) => signal.arguments.codec),
  arguments_blob: fixed('text', (signal) => signal.arguments.blob),
  status: changing('text', (signal) => signal.status),
  command_id: fixed('text', (signal) => signal.commandId),
  command_sequence: fixed('integer', (signal) => signal.commandSequence),
  request_id: fixed('text', (signal) => signal.requestId ?? null),
  received_at: fixed('integer', (signal) => signal.receivedAt),
})

export const queryTaskColumns = table<QueryTask, QueryTaskRow>('query_tasks', ['query_task_id'], {
  query_task_id: fixed('text', (task) => task.queryTaskId),
  run_id: fixed('text', (task) => task.runId),
  workflow_id: fixed('text', (task) => task.workflowId),
  namespace: fixed('text', (task) => task.namespace),
  task_queue: fixed('text', (task) => task.taskQueue),
  workflow_type: fixed('text', (task) => task.workflowType),
  query_name: fixed('text', (task) => task.queryName),
  arguments_codec: fixed('text', (task) => task.arguments.codec),
  arguments_blob: fixed('text', (task) => task.arguments.blob),
  status: changing('text', (task) => task.status),
  attempt: changing('integer', (task) => task.attempt),
  ...leaseColumns<QueryTask>(),
  outcome_json: changing('text', (task) => json(task.outcome)),
  created_at: fixed('integer', (task) => task.createdAt),
  deadline_at: changing('integer', (task) => task.deadlineAt),
  due_at: changing('integer', (task) => task.dueAt),
})

export const registrationColumns = table<Registration, RegistrationRow>('registrations', ['namespace', 'worker_id'], {
  namespace: fixed('text', (registration) => registration.namespace),
  worker_id: fixed('text', (registration) => registration.workerId),
  registration_id: changing('text', (registration) => registration.registrationId),
  task_queue: changing('text', (registration) => registration.taskQueue),
  runtime: changing('text', (registration) => registration.runtime),
  sdk_version: changing('text', (registration) => registration.sdkVersion ?? null),
  build_id: changing('text', (registration) => registration.buildId ?? null),
  protocol_version: changing('text', (registration) => registration.protocolVersion),
  workflow_types_json: changing('text', (registration) => jsonText(registration.workflowTypes)),
  activity_types_json: changing('text', (registration) => jsonText(registration.activityTypes)),
  capabilities_json: changing('text', (registration) => jsonText(registration.capabilities)),
  capability_manifest_json: changing('text', (registration) => json(registration.capabilityManifest)),
  definition_fingerprints_json: changing('text', (registration) => jsonText(registration.definitionFingerprints)),
  command_contracts_json: changing('text', (registration) => json(registration.commandContracts)),
  max_concurrent_workflow_tasks: changing('integer', (registration) => registration.maxConcurrentWorkflowTasks),
  max_concurrent_activity_tasks: changing('integer', (registration) => registration.maxConcurrentActivityTasks),
  status: changing('text', (registration) => registration.status),
  process_json: changing('text', (registration) => json(registration.process)),
  heartbeat_interval_seconds: changing('number', (registration) => registration.heartbeatIntervalSeconds),
  registered_at: changing('integer', (registration) => registration.registeredAt),
})

export const livenessColumns = table<Liveness, LivenessRow>('livenesses', ['namespace', 'worker_id'], {
  namespace: fixed('text', (liveness) => liveness.namespace),
  worker_id: fixed('text', (liveness) => liveness.workerId),
  last_heartbeat_at: changing('integer', (liveness) => liveness.lastHeartbeatAt),
  report_json: changing('text', (liveness) => json(liveness.report)),
})

export const historyEventColumns = table<HistoryEvent, HistoryEventRow>('history_events', ['run_id', 'sequence'], {
  run_id: fixed('text', (event) => event.runId),
  sequence: fixed('integer', (event) => event.sequence),
  event_id: fixed('text', (event) => event.eventId),
  type: fixed('text', (event) => event.type),
  payload: fixed('text', (event) => event.payload),
  workflow_task_id: fixed('text', (event) => event.workflowTaskId ?? null),
  command_id: fixed('text', (event) => event.commandId ?? null),
  recorded_at: fixed('integer', (event) => event.recordedAt),
})

function leaseColumns<State extends { readonly lease: Lease | undefined }>(): Sources<State, LeaseColumns> {
  return {
    lease_owner: rare('text', (state) => state.lease?.owner ?? null),
    leased_at: rare('integer', (state) => state.lease?.leasedAt ?? null),
    lease_expires_at: rare('integer', (state) => state.lease?.expiresAt ?? null),
    lease_ms: rare('integer', (state) => state.lease?.leaseMs ?? null),
    poll_request_id: rare('text', (state) => state.lease?.proof.pollRequestId ?? null),
    lease_proof_json: rareJson(
      'text',
      (state) => state.lease,
      (state) => (state.lease === undefined ? null : proofText(state.lease)),
    ),
  }
}

function proofText(lease: Lease): string {
  return JSON.stringify({ ...lease.proof, pollRequestId: undefined })
}

function table<State, Row>(
  name: keyof Tables,
  key: Key<keyof Row & string>,
  sources: Sources<State, Row>,
): TableColumns<State> {
  const entries: [string, Source<State, Parameter>][] = Object.entries(sources)
  return { table: name, key, columns: entries.map(([column, source]) => columnOf(column, source)) }
}

function columnOf<State>(name: string, source: Source<State, Parameter>): Column<State> {
  return { name, isSame: (state, before) => source.of(state) === source.of(before), ...source }
}

function fixed<State, Value>(holds: HoldsOf<Value>, of: (state: State) => Value): Source<State, Value> {
  return { holds, changes: 'never', of }
}

/** Set once or twice in the life of a row. */
function rare<State, Value>(holds: HoldsOf<Value>, of: (state: State) => Value): Source<State, Value> {
  return { holds, changes: 'rarely', of }
}

/** The same for what becomes a text: what was not replaced has not changed, and needs no text to say so. */
function rareJson<State, Value>(
  holds: HoldsOf<Value>,
  part: (state: State) => object | undefined,
  of: (state: State) => Value,
): Source<State, Value> {
  return { ...rare(holds, of), isSame: (state, before) => part(state) === part(before) }
}

function changing<State, Value>(holds: HoldsOf<Value>, of: (state: State) => Value): Source<State, Value> {
  return { holds, changes: 'often', of }
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function jsonText(value: object): string {
  return JSON.stringify(value)
}
