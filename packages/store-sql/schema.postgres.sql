CREATE TABLE activities (
  activity_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  task_queue text COLLATE "C" NOT NULL,
  activity_type text COLLATE "C" NOT NULL,
  step bigint NOT NULL,
  group_json text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  arguments_codec text COLLATE "C" NOT NULL,
  arguments_blob text COLLATE "C" NOT NULL,
  timeouts_json text COLLATE "C" NOT NULL,
  retry_json text COLLATE "C" NOT NULL,
  retry_policy_text text COLLATE "C",
  scheduled_at bigint NOT NULL,
  available_at bigint NOT NULL,
  attempt bigint NOT NULL,
  lease_owner text COLLATE "C",
  leased_at bigint,
  lease_expires_at bigint,
  lease_ms bigint,
  poll_request_id text COLLATE "C",
  lease_proof_json text COLLATE "C",
  attempt_status text COLLATE "C",
  started_at bigint,
  last_heartbeat_at bigint,
  last_heartbeat_details_json text COLLATE "C",
  schedule_deadline_at bigint,
  schedule_to_close_deadline_at bigint,
  close_deadline_at bigint,
  heartbeat_deadline_at bigint,
  closed_attempts_json text COLLATE "C" NOT NULL,
  closed_at bigint,
  due_at bigint,
  PRIMARY KEY (activity_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX activities_due ON public.activities USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX activities_leased ON public.activities USING btree (namespace, lease_owner) WHERE (status = 'running'::text);

CREATE INDEX activities_open ON public.activities USING btree (run_id) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));

CREATE INDEX activities_ready ON public.activities USING btree (namespace, task_queue, activity_type, available_at) WHERE (status = 'pending'::text);

CREATE TABLE history_events (
  run_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  payload text COLLATE "C" NOT NULL,
  workflow_task_id text COLLATE "C",
  command_id text COLLATE "C",
  recorded_at bigint NOT NULL,
  PRIMARY KEY (run_id, sequence)
);

CREATE TABLE livenesses (
  namespace text COLLATE "C" NOT NULL,
  worker_id text COLLATE "C" NOT NULL,
  last_heartbeat_at bigint NOT NULL,
  report_json text COLLATE "C",
  PRIMARY KEY (namespace, worker_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE TABLE migrations (
  name text COLLATE "C" NOT NULL,
  applied_at bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE namespaces (
  name text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  retention_days bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE query_tasks (
  query_task_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  task_queue text COLLATE "C" NOT NULL,
  workflow_type text COLLATE "C" NOT NULL,
  query_name text COLLATE "C" NOT NULL,
  arguments_codec text COLLATE "C" NOT NULL,
  arguments_blob text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempt bigint NOT NULL,
  lease_owner text COLLATE "C",
  leased_at bigint,
  lease_expires_at bigint,
  lease_ms bigint,
  poll_request_id text COLLATE "C",
  lease_proof_json text COLLATE "C",
  outcome_json text COLLATE "C",
  created_at bigint NOT NULL,
  deadline_at bigint NOT NULL,
  due_at bigint NOT NULL,
  PRIMARY KEY (query_task_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX query_tasks_due ON public.query_tasks USING btree (due_at);

CREATE INDEX query_tasks_leased ON public.query_tasks USING btree (namespace, lease_owner) WHERE (status = 'leased'::text);

CREATE INDEX query_tasks_open ON public.query_tasks USING btree (namespace, task_queue) WHERE (status = ANY (ARRAY['ready'::text, 'leased'::text]));

CREATE INDEX query_tasks_ready ON public.query_tasks USING btree (namespace, task_queue, workflow_type, created_at) WHERE (status = 'ready'::text);

CREATE TABLE registrations (
  namespace text COLLATE "C" NOT NULL,
  worker_id text COLLATE "C" NOT NULL,
  registration_id text COLLATE "C" NOT NULL,
  task_queue text COLLATE "C" NOT NULL,
  runtime text COLLATE "C" NOT NULL,
  sdk_version text COLLATE "C",
  build_id text COLLATE "C",
  protocol_version text COLLATE "C" NOT NULL,
  workflow_types_json text COLLATE "C" NOT NULL,
  activity_types_json text COLLATE "C" NOT NULL,
  capabilities_json text COLLATE "C" NOT NULL,
  capability_manifest_json text COLLATE "C",
  definition_fingerprints_json text COLLATE "C" NOT NULL,
  command_contracts_json text COLLATE "C",
  max_concurrent_workflow_tasks bigint NOT NULL,
  max_concurrent_activity_tasks bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  process_json text COLLATE "C",
  heartbeat_interval_seconds double precision NOT NULL,
  registered_at bigint NOT NULL,
  PRIMARY KEY (namespace, worker_id)
);

CREATE TABLE runs (
  run_id text COLLATE "C" NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  workflow_type text COLLATE "C" NOT NULL,
  task_queue text COLLATE "C" NOT NULL,
  run_number bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  closed_reason text COLLATE "C",
  arguments_codec text COLLATE "C" NOT NULL,
  arguments_blob text COLLATE "C" NOT NULL,
  output_codec text COLLATE "C",
  output_blob text COLLATE "C",
  failure_json text COLLATE "C",
  business_key text COLLATE "C",
  execution_timeout_seconds double precision,
  run_timeout_seconds double precision,
  execution_deadline_at bigint,
  run_deadline_at bigint,
  start_id text COLLATE "C",
  started_at bigint NOT NULL,
  closed_at bigint,
  last_progress_at bigint NOT NULL,
  last_sequence bigint NOT NULL,
  history_bytes bigint NOT NULL,
  last_step bigint NOT NULL,
  last_id bigint NOT NULL,
  command_sequence bigint NOT NULL,
  open_activities bigint NOT NULL,
  open_timers bigint NOT NULL,
  open_signal_waits bigint NOT NULL,
  open_condition_waits bigint NOT NULL,
  parallel_groups_json text COLLATE "C" NOT NULL,
  signal_count bigint NOT NULL,
  cached_by text COLLATE "C",
  cached_sequence bigint NOT NULL,
  replay_blocked_reason text COLLATE "C",
  replay_blocked_fingerprint text COLLATE "C",
  open_task_id text COLLATE "C",
  open_task_leased bigint,
  progress text COLLATE "C",
  due_at bigint,
  PRIMARY KEY (run_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX runs_blocked ON public.runs USING btree (namespace, workflow_type, run_id) WHERE (replay_blocked_reason IS NOT NULL);

CREATE INDEX runs_due ON public.runs USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX runs_number ON public.runs USING btree (workflow_id, run_number);

CREATE INDEX runs_open ON public.runs USING btree (run_id) WHERE (closed_at IS NULL);

CREATE INDEX runs_started ON public.runs USING btree (namespace, started_at DESC, run_id DESC);

CREATE TABLE signals (
  signal_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  arguments_codec text COLLATE "C" NOT NULL,
  arguments_blob text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  command_id text COLLATE "C" NOT NULL,
  command_sequence bigint NOT NULL,
  request_id text COLLATE "C",
  received_at bigint NOT NULL,
  PRIMARY KEY (signal_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX signals_held ON public.signals USING btree (run_id, command_sequence) WHERE (status = 'held'::text);

CREATE INDEX signals_unread ON public.signals USING btree (run_id, name, command_sequence) WHERE (status = 'received'::text);

CREATE TABLE timers (
  timer_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  step bigint NOT NULL,
  group_json text COLLATE "C",
  wait_id text COLLATE "C",
  delay_seconds double precision NOT NULL,
  delay_ms double precision NOT NULL,
  fire_at bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  due_at bigint,
  PRIMARY KEY (timer_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX timers_due ON public.timers USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX timers_open ON public.timers USING btree (run_id) WHERE (status = 'pending'::text);

CREATE TABLE waits (
  wait_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  step bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  timeout_seconds double precision,
  deadline_at bigint,
  timer_id text COLLATE "C",
  opened_at bigint NOT NULL,
  closed_sequence bigint,
  condition_key text COLLATE "C",
  fingerprint text COLLATE "C",
  occurrence_id text COLLATE "C",
  signal_name text COLLATE "C",
  PRIMARY KEY (wait_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX waits_live ON public.waits USING btree (run_id) WHERE (status = ANY (ARRAY['open'::text, 'expired'::text]));

CREATE TABLE workflow_tasks (
  task_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  task_queue text COLLATE "C" NOT NULL,
  workflow_type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  available_at bigint NOT NULL,
  created_at bigint NOT NULL,
  attempt bigint NOT NULL,
  lease_owner text COLLATE "C",
  leased_at bigint,
  lease_expires_at bigint,
  lease_ms bigint,
  poll_request_id text COLLATE "C",
  lease_proof_json text COLLATE "C",
  repair_count bigint NOT NULL,
  failure_count bigint NOT NULL,
  resume_json text COLLATE "C" NOT NULL,
  pending_resume_json text COLLATE "C",
  failure_json text COLLATE "C",
  claimed_sequence bigint NOT NULL,
  report_digest text COLLATE "C",
  report_reply text COLLATE "C",
  closed_at bigint,
  due_at bigint,
  PRIMARY KEY (task_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX workflow_tasks_due ON public.workflow_tasks USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX workflow_tasks_leased ON public.workflow_tasks USING btree (namespace, lease_owner) WHERE (status = 'leased'::text);

CREATE UNIQUE INDEX workflow_tasks_open ON public.workflow_tasks USING btree (run_id) WHERE (status = ANY (ARRAY['ready'::text, 'leased'::text]));

CREATE INDEX workflow_tasks_ready ON public.workflow_tasks USING btree (namespace, task_queue, workflow_type, available_at) WHERE (status = 'ready'::text);

CREATE TABLE workflows (
  workflow_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  workflow_type text COLLATE "C" NOT NULL,
  current_run_id text COLLATE "C" NOT NULL,
  run_count bigint NOT NULL,
  PRIMARY KEY (workflow_id)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0);
