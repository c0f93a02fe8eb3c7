CREATE TABLE "activities" (
  "activity_id" text not null,
  "run_id" text not null,
  "workflow_id" text not null,
  "namespace" text not null,
  "task_queue" text not null,
  "activity_type" text not null,
  "step" integer not null,
  "group_json" text,
  "status" text not null,
  "arguments_codec" text not null,
  "arguments_blob" text not null,
  "timeouts_json" text not null,
  "retry_json" text not null,
  "retry_policy_text" text,
  "scheduled_at" integer not null,
  "available_at" integer not null,
  "attempt" integer not null,
  "lease_owner" text,
  "leased_at" integer,
  "lease_expires_at" integer,
  "lease_ms" integer,
  "poll_request_id" text,
  "lease_proof_json" text,
  "attempt_status" text,
  "started_at" integer,
  "last_heartbeat_at" integer,
  "last_heartbeat_details_json" text,
  "schedule_deadline_at" integer,
  "schedule_to_close_deadline_at" integer,
  "close_deadline_at" integer,
  "heartbeat_deadline_at" integer,
  "closed_attempts_json" text not null,
  "closed_at" integer,
  "due_at" integer,
  primary key ("activity_id")
) strict;

CREATE INDEX activities_due on "activities" (due_at) where due_at is not null;

CREATE INDEX activities_leased on "activities" (namespace, lease_owner) where status = 'running';

CREATE INDEX activities_open on "activities" (run_id) where status in ('pending', 'running');

CREATE INDEX activities_ready on "activities" (namespace, task_queue, activity_type, available_at) where status = 'pending';

CREATE TABLE "history_events" (
  "run_id" text not null,
  "sequence" integer not null,
  "event_id" text not null,
  "type" text not null,
  "payload" text not null,
  "workflow_task_id" text,
  "command_id" text,
  "recorded_at" integer not null,
  primary key ("run_id", "sequence")
) strict;

CREATE TABLE "livenesses" (
  "namespace" text not null,
  "worker_id" text not null,
  "last_heartbeat_at" integer not null,
  "report_json" text,
  primary key ("namespace", "worker_id")
) strict, without rowid;

CREATE TABLE "migrations" (
  "name" text not null primary key,
  "applied_at" integer not null
) strict, without rowid;

CREATE TABLE "namespaces" (
  "name" text not null,
  "description" text,
  "retention_days" integer not null,
  "created_at" integer not null,
  primary key ("name")
) strict, without rowid;

CREATE TABLE "query_tasks" (
  "query_task_id" text not null,
  "run_id" text not null,
  "workflow_id" text not null,
  "namespace" text not null,
  "task_queue" text not null,
  "workflow_type" text not null,
  "query_name" text not null,
  "arguments_codec" text not null,
  "arguments_blob" text not null,
  "status" text not null,
  "attempt" integer not null,
  "lease_owner" text,
  "leased_at" integer,
  "lease_expires_at" integer,
  "lease_ms" integer,
  "poll_request_id" text,
  "lease_proof_json" text,
  "outcome_json" text,
  "created_at" integer not null,
  "deadline_at" integer not null,
  "due_at" integer not null,
  primary key ("query_task_id")
) strict;

CREATE INDEX query_tasks_due on "query_tasks" (due_at);

CREATE INDEX query_tasks_leased on "query_tasks" (namespace, lease_owner) where status = 'leased';

CREATE INDEX query_tasks_open on "query_tasks" (namespace, task_queue) where status in ('ready', 'leased');

CREATE INDEX query_tasks_ready on "query_tasks" (namespace, task_queue, workflow_type, created_at) where status = 'ready';

CREATE TABLE "registrations" (
  "namespace" text not null,
  "worker_id" text not null,
  "registration_id" text not null,
  "task_queue" text not null,
  "runtime" text not null,
  "sdk_version" text,
  "build_id" text,
  "protocol_version" text not null,
  "workflow_types_json" text not null,
  "activity_types_json" text not null,
  "capabilities_json" text not null,
  "capability_manifest_json" text,
  "definition_fingerprints_json" text not null,
  "command_contracts_json" text,
  "max_concurrent_workflow_tasks" integer not null,
  "max_concurrent_activity_tasks" integer not null,
  "status" text not null,
  "process_json" text,
  "heartbeat_interval_seconds" real not null,
  "registered_at" integer not null,
  primary key ("namespace", "worker_id")
) strict, without rowid;

CREATE TABLE "runs" (
  "run_id" text not null,
  "workflow_id" text not null,
  "namespace" text not null,
  "workflow_type" text not null,
  "task_queue" text not null,
  "run_number" integer not null,
  "status" text not null,
  "closed_reason" text,
  "arguments_codec" text not null,
  "arguments_blob" text not null,
  "output_codec" text,
  "output_blob" text,
  "failure_json" text,
  "business_key" text,
  "execution_timeout_seconds" real,
  "run_timeout_seconds" real,
  "execution_deadline_at" integer,
  "run_deadline_at" integer,
  "start_id" text,
  "started_at" integer not null,
  "closed_at" integer,
  "last_progress_at" integer not null,
  "last_sequence" integer not null,
  "history_bytes" integer not null,
  "last_step" integer not null,
  "last_id" integer not null,
  "command_sequence" integer not null,
  "open_activities" integer not null,
  "open_timers" integer not null,
  "open_signal_waits" integer not null,
  "open_condition_waits" integer not null,
  "parallel_groups_json" text not null,
  "signal_count" integer not null,
  "cached_by" text,
  "cached_sequence" integer not null,
  "replay_blocked_reason" text,
  "replay_blocked_fingerprint" text,
  "open_task_id" text,
  "open_task_leased" integer,
  "progress" text,
  "due_at" integer,
  primary key ("run_id")
) strict;

CREATE INDEX runs_blocked on "runs" (namespace, workflow_type, run_id) where replay_blocked_reason is not null;

CREATE INDEX runs_due on "runs" (due_at) where due_at is not null;

CREATE UNIQUE INDEX runs_number on "runs" (workflow_id, run_number);

CREATE INDEX runs_open on "runs" (run_id) where closed_at is null;

CREATE INDEX runs_started on "runs" (namespace, started_at desc, run_id desc);

CREATE TABLE "signals" (
  "signal_id" text not null,
  "run_id" text not null,
  "name" text not null,
  "arguments_codec" text not null,
  "arguments_blob" text not null,
  "status" text not null,
  "command_id" text not null,
  "command_sequence" integer not null,
  "request_id" text,
  "received_at" integer not null,
  primary key ("signal_id")
) strict;

CREATE INDEX signals_held on "signals" (run_id, command_sequence) where status = 'held';

CREATE INDEX signals_unread on "signals" (run_id, name, command_sequence) where status = 'received';

CREATE TABLE "timers" (
  "timer_id" text not null,
  "run_id" text not null,
  "kind" text not null,
  "step" integer not null,
  "group_json" text,
  "wait_id" text,
  "delay_seconds" real not null,
  "delay_ms" real not null,
  "fire_at" integer not null,
  "status" text not null,
  "due_at" integer,
  primary key ("timer_id")
) strict;

CREATE INDEX timers_due on "timers" (due_at) where due_at is not null;

CREATE INDEX timers_open on "timers" (run_id) where status = 'pending';

CREATE TABLE "waits" (
  "wait_id" text not null,
  "run_id" text not null,
  "kind" text not null,
  "step" integer not null,
  "status" text not null,
  "timeout_seconds" real,
  "deadline_at" integer,
  "timer_id" text,
  "opened_at" integer not null,
  "closed_sequence" integer,
  "condition_key" text,
  "fingerprint" text,
  "occurrence_id" text,
  "signal_name" text,
  primary key ("wait_id")
) strict;

CREATE INDEX waits_live on "waits" (run_id) where status in ('open', 'expired');

CREATE TABLE "workflow_tasks" (
  "task_id" text not null,
  "run_id" text not null,
  "namespace" text not null,
  "task_queue" text not null,
  "workflow_type" text not null,
  "status" text not null,
  "available_at" integer not null,
  "created_at" integer not null,
  "attempt" integer not null,
  "lease_owner" text,
  "leased_at" integer,
  "lease_expires_at" integer,
  "lease_ms" integer,
  "poll_request_id" text,
  "lease_proof_json" text,
  "repair_count" integer not null,
  "failure_count" integer not null,
  "resume_json" text not null,
  "pending_resume_json" text,
  "failure_json" text,
  "claimed_sequence" integer not null,
  "report_digest" text,
  "report_reply" text,
  "closed_at" integer,
  "due_at" integer,
  primary key ("task_id")
) strict;

CREATE INDEX workflow_tasks_due on "workflow_tasks" (due_at) where due_at is not null;

CREATE INDEX workflow_tasks_leased on "workflow_tasks" (namespace, lease_owner) where status = 'leased';

CREATE UNIQUE INDEX workflow_tasks_open on "workflow_tasks" (run_id) where status in ('ready', 'leased');

CREATE INDEX workflow_tasks_ready on "workflow_tasks" (namespace, task_queue, workflow_type, available_at) where status = 'ready';

CREATE TABLE "workflows" (
  "workflow_id" text not null,
  "namespace" text not null,
  "workflow_type" text not null,
  "current_run_id" text not null,
  "run_count" integer not null,
  primary key ("workflow_id")
) strict;
