// Every table and column, once. Instants are epoch milliseconds; columns that end in `_json` hold JSON text.
//
// Keys lead with a run id (or with an id that is made from one), with a workflow id or with a namespace: what a
// distributed database would shard by. No foreign keys: the engine writes whole, decided states.

import type {
  ActivityStatus,
  AttemptStatus,
  ClosedReason,
  ProgressKind,
  QueryTaskStatus,
  RunStatus,
  SignalStatus,
  TaskStatus,
  TimerKind,
  TimerStatus,
  WaitStatus,
  WorkerStatus,
} from '@durable-workflow/engine/ports'

export type NamespaceRow = {
  name: string
  description: string | null
  retention_days: number
  created_at: number
}

export type WorkflowRow = {
  workflow_id: string
  namespace: string
  workflow_type: string
  current_run_id: string
  run_count: number
}

export type RunRow = {
  run_id: string
  workflow_id: string
  namespace: string
  workflow_type: string
  task_queue: string
  run_number: number
  status: RunStatus
  closed_reason: ClosedReason | null
  arguments_codec: string
  arguments_blob: string
  output_codec: string | null
  output_blob: string | null
  failure_json: string | null
  business_key: string | null
  execution_timeout_seconds: number | null
  run_timeout_seconds: number | null
  execution_deadline_at: number | null
  run_deadline_at: number | null
  start_id: string | null
  started_at: number
  closed_at: number | null
  last_progress_at: number
  last_sequence: number
  history_bytes: number
  last_step: number
  last_id: number
  command_sequence: number
  open_activities: number
  open_timers: number
  open_signal_waits: number
  open_condition_waits: number
  parallel_groups_json: string
  signal_count: number
  cached_by: string | null
  cached_sequence: number
  replay_blocked_reason: string | null
  replay_blocked_fingerprint: string | null
  open_task_id: string | null
  /** 1 leased, 0 ready; null without an open task. */
  open_task_leased: number | null
  progress: ProgressKind | null
  due_at: number | null
}

/** The lease of a workflow task, an activity or a query task; all null when there is none. */
export type LeaseColumns = {
  lease_owner: string | null
  leased_at: number | null
  lease_expires_at: number | null
  lease_ms: number | null
  poll_request_id: string | null
  /** The claim proof without its poll request id. */
  lease_proof_json: string | null
}

export type WorkflowTaskRow = LeaseColumns & {
  task_id: string
  run_id: string
  namespace: string
  task_queue: string
  workflow_type: string
  status: TaskStatus
  available_at: number
  created_at: number
  attempt: number
  repair_count: number
  failure_count: number
  resume_json: string
  pending_resume_json: string | null
  failure_json: string | null
  claimed_sequence: number
  report_digest: string | null
  report_reply: string | null
  closed_at: number | null
  due_at: number | null
}

export type ActivityRow = LeaseColumns & {
  activity_id: string
  run_id: string
  workflow_id: string
  namespace: string
  task_queue: string
  activity_type: string
  step: number
  group_json: string | null
  status: ActivityStatus
  arguments_codec: string
  arguments_blob: string
  timeouts_json: string
  retry_json: string
  retry_policy_text: string | null
  scheduled_at: number
  available_at: number
  attempt: number
  attempt_status: AttemptStatus | null
  started_at: number | null
  last_heartbeat_at: number | null
  last_heartbeat_details_json: string | null
  schedule_deadline_at: number | null
  schedule_to_close_deadline_at: number | null
  close_deadline_at: number | null
  heartbeat_deadline_at: number | null
  closed_attempts_json: string
  closed_at: number | null
  due_at: number | null
}

export type TimerRow = {
  timer_id: string
  run_id: string
  kind: TimerKind
  step: number
  group_json: string | null
  wait_id: string | null
  delay_seconds: number
  delay_ms: number
  fire_at: number
  status: TimerStatus
  due_at: number | null
}

export type WaitRow = {
  wait_id: string
  run_id: string
  kind: 'condition' | 'signal'
  step: number
  status: WaitStatus
  timeout_seconds: number | null
  deadline_at: number | null
  timer_id: string | null
  opened_at: number
  closed_sequence: number | null
  condition_key: string | null
  fingerprint: string | null
  occurrence_id: string | null
  /** Of a signal wait. */
  signal_name: string | null
}

export type SignalRow = {
  signal_id: string
  run_id: string
  name: string
  arguments_codec: string
  arguments_blob: string
  status: SignalStatus
  command_id: string
  command_sequence: number
  request_id: string | null
  received_at: number
}

export type QueryTaskRow = LeaseColumns & {
  query_task_id: string
  run_id: string
  workflow_id: string
  namespace: string
  task_queue: string
  workflow_type: string
  query_name: string
  arguments_codec: string
  arguments_blob: string
  status: QueryTaskStatus
  attempt: number
  outcome_json: string | null
  created_at: number
  deadline_at: number
  due_at: number
}

export type RegistrationRow = {
  namespace: string
  worker_id: string
  registration_id: string
  task_queue: string
  runtime: string
  sdk_version: string | null
  build_id: string | null
  protocol_version: string
  workflow_types_json: string
  activity_types_json: string
  capabilities_json: string
  capability_manifest_json: string | null
  definition_fingerprints_json: string
  command_contracts_json: string | null
  max_concurrent_workflow_tasks: number
  max_concurrent_activity_tasks: number
  status: WorkerStatus
  process_json: string | null
  heartbeat_interval_seconds: number
  registered_at: number
}

export type LivenessRow = {
  namespace: string
  worker_id: string
  last_heartbeat_at: number
  report_json: string | null
}

export type HistoryEventRow = {
  run_id: string
  sequence: number
  event_id: string
  type: string
  payload: string
  workflow_task_id: string | null
  command_id: string | null
  recorded_at: number
}

export type MigrationRow = {
  name: string
  applied_at: number
}

export type Tables = {
  namespaces: NamespaceRow
  workflows: WorkflowRow
  runs: RunRow
  workflow_tasks: WorkflowTaskRow
  activities: ActivityRow
  timers: TimerRow
  waits: WaitRow
  signals: SignalRow
  query_tasks: QueryTaskRow
  registrations: RegistrationRow
  livenesses: LivenessRow
  history_events: HistoryEventRow
  migrations: MigrationRow
}
