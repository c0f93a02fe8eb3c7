// The first schema.
//
// All that moves lies in order of insertion (heap): the newest rows move, and their pages are few. So do the events, with
// an index over (run, sequence) beside them: clustered by it, each run's newest events would lie on a page of their own
// (bench W1, 2026-11-30: 53 of 93 pages a commit were theirs, 31 of 80 as a heap; a tenth off the server's time a step).
//
// Indexes are partial: a row stands in them only while somebody looks for it there. An update writes every index
// that one of its columns stands in, even if the value stays: a run's are of columns that change at most once.

import { type CompiledQuery, sql } from 'kysely'
import type { Dialect, Storage } from '../dialects/dialect.ts'
import type { Migration } from './migration.ts'

export const initial: Migration = {
  name: '0001-initial',
  statements: (dialect, appliedAt) => [
    ...tables(dialect),
    ...indexes(dialect),
    dialect.sql
      .insertInto('namespaces')
      .values({ name: 'default', description: null, retention_days: 30, created_at: appliedAt })
      .compile(),
  ],
}

function tables(dialect: Dialect): readonly CompiledQuery[] {
  const { text, integer, number } = dialect.types
  const heap = (name: string, key: readonly string[], columns: Columns, updates: Storage['updates'] = 'often') =>
    createTable(dialect, name, key, columns, { order: 'insertion', updates })
  const clustered = (name: string, key: readonly string[], columns: Columns, updates: Storage['updates'] = 'rarely') =>
    createTable(dialect, name, key, columns, { order: 'key', updates })
  return [
    clustered('namespaces', ['name'], {
      name: text,
      description: optional(text),
      retention_days: integer,
      created_at: integer,
    }),
    heap('workflows', ['workflow_id'], {
      workflow_id: text,
      namespace: text,
      workflow_type: text,
      current_run_id: text,
      run_count: integer,
    }),
    heap('runs', ['run_id'], {
      run_id: text,
      workflow_id: text,
      namespace: text,
      workflow_type: text,
      task_queue: text,
      run_number: integer,
      status: text,
      closed_reason: optional(text),
      arguments_codec: text,
      arguments_blob: text,
      output_codec: optional(text),
      output_blob: optional(text),
      failure_json: optional(text),
      business_key: optional(text),
      execution_timeout_seconds: optional(number),
      run_timeout_seconds: optional(number),
      execution_deadline_at: optional(integer),
      run_deadline_at: optional(integer),
      start_id: optional(text),
      started_at: integer,
      closed_at: optional(integer),
      last_progress_at: integer,
      last_sequence: integer,
      history_bytes: integer,
      last_step: integer,
      last_id: integer,
      command_sequence: integer,
      open_activities: integer,
      open_timers: integer,
      open_signal_waits: integer,
      open_condition_waits: integer,
      parallel_groups_json: text,
      signal_count: integer,
      cached_by: optional(text),
      cached_sequence: integer,
      replay_blocked_reason: optional(text),
      replay_blocked_fingerprint: optional(text),
      open_task_id: optional(text),
      open_task_leased: optional(integer),
      progress: optional(text),
      due_at: optional(integer),
    }),
    heap('workflow_tasks', ['task_id'], {
      task_id: text,
      run_id: text,
      namespace: text,
      task_queue: text,
      workflow_type: text,
      status: text,
      available_at: integer,
      created_at: integer,
      attempt: integer,
      lease_owner: optional(text),
      leased_at: optional(integer),
      lease_expires_at: optional(integer),
      lease_ms: optional(integer),
      poll_request_id: optional(text),
      lease_proof_json: optional(text),
      repair_count: integer,
      failure_count: integer,
      resume_json: text,
      pending_resume_json: optional(text),
      failure_json: optional(text),
      claimed_sequence: integer,
      report_digest: optional(text),
      report_reply: optional(text),
      closed_at: optional(integer),
      due_at: optional(integer),
    }),
    heap('activities', ['activity_id'], {
      activity_id: text,
      run_id: text,
      workflow_id: text,
      namespace: text,
      task_queue: text,
      activity_type: text,
      step: integer,
      group_json: optional(text),
      status: text,
      arguments_codec: text,
      arguments_blob: text,
      timeouts_json: text,
      retry_json: text,
      retry_policy_text: optional(text),
      scheduled_at: integer,
      available_at: integer,
      attempt: integer,
      lease_owner: optional(text),
      leased_at: optional(integer),
      lease_expires_at: optional(integer),
      lease_ms: optional(integer),
      poll_request_id: optional(text),
      lease_proof_json: optional(text),
      attempt_status: optional(text),
      started_at: optional(integer),
      last_heartbeat_at: optional(integer),
      last_heartbeat_details_json: optional(text),
      schedule_deadline_at: optional(integer),
      schedule_to_close_deadline_at: optional(integer),
      close_deadline_at: optional(integer),
      heartbeat_deadline_at: optional(integer),
      closed_attempts_json: text,
      closed_at: optional(integer),
      due_at: optional(integer),
    }),
    heap('timers', ['timer_id'], {
      timer_id: text,
      run_id: text,
      kind: text,
      step: integer,
      group_json: optional(text),
      wait_id: optional(text),
      delay_seconds: number,
      delay_ms: number,
      fire_at: integer,
      status: text,
      due_at: optional(integer),
    }),
    heap('waits', ['wait_id'], {
      wait_id: text,
      run_id: text,
      kind: text,
      step: integer,
      status: text,
      timeout_seconds: optional(number),
      deadline_at: optional(integer),
      timer_id: optional(text),
      opened_at: integer,
      closed_sequence: optional(integer),
      condition_key: optional(text),
      fingerprint: optional(text),
      occurrence_id: optional(text),
      signal_name: optional(text),
    }),
    heap('signals', ['signal_id'], {
      signal_id: text,
      run_id: text,
      name: text,
      arguments_codec: text,
      arguments_blob: text,
      status: text,
      command_id: text,
      command_sequence: integer,
      request_id: optional(text),
      received_at: integer,
    }),
    heap('query_tasks', ['query_task_id'], {
      query_task_id: text,
      run_id: text,
      workflow_id: text,
      namespace: text,
      task_queue: text,
      workflow_type: text,
      query_name: text,
      arguments_codec: text,
      arguments_blob: text,
      status: text,
      attempt: integer,
      lease_owner: optional(text),
      leased_at: optional(integer),
      lease_expires_at: optional(integer),
      lease_ms: optional(integer),
      poll_request_id: optional(text),
      lease_proof_json: optional(text),
      outcome_json: optional(text),
      created_at: integer,
      deadline_at: integer,
      due_at: integer,
    }),
    clustered('registrations', ['namespace', 'worker_id'], {
      namespace: text,
      worker_id: text,
      registration_id: text,
      task_queue: text,
      runtime: text,
      sdk_version: optional(text),
      build_id: optional(text),
      protocol_version: text,
      workflow_types_json: text,
      activity_types_json: text,
      capabilities_json: text,
      capability_manifest_json: optional(text),
      definition_fingerprints_json: text,
      command_contracts_json: optional(text),
      max_concurrent_workflow_tasks: integer,
      max_concurrent_activity_tasks: integer,
      status: text,
      process_json: optional(text),
      heartbeat_interval_seconds: number,
      registered_at: integer,
    }),
    clustered(
      'livenesses',
      ['namespace', 'worker_id'],
      { namespace: text, worker_id: text, last_heartbeat_at: integer, report_json: optional(text) },
      'often',
    ),
    heap(
      'history_events',
      ['run_id', 'sequence'],
      {
        run_id: text,
        sequence: integer,
        event_id: text,
        type: text,
        payload: text,
        workflow_task_id: optional(text),
        command_id: optional(text),
        recorded_at: integer,
      },
      'rarely',
    ),
  ]
}

type Columns = Readonly<Record<string, string | Optional>>

interface Optional {
  readonly optional: string
}

function optional(type: string): Optional {
  return { optional: type }
}

function createTable(
  dialect: Dialect,
  name: string,
  key: readonly string[],
  columns: Columns,
  rows: Storage,
): CompiledQuery {
  const definitions = Object.entries(columns).map(([column, type]) =>
    typeof type === 'string'
      ? sql`${sql.ref(column)} ${sql.raw(type)} not null`
      : sql`${sql.ref(column)} ${sql.raw(type.optional)}`,
  )
  const primaryKey = sql`primary key (${sql.join(key.map((column) => sql.ref(column)))})`
  return sql`create table ${sql.table(name)} (${sql.join([...definitions, primaryKey])}) ${dialect.storage(rows)}`.compile(
    dialect.sql,
  )
}

function indexes(dialect: Dialect): readonly CompiledQuery[] {
  const of = (table: string) => (name: string, columns: readonly string[], where?: string) =>
    createIndex(dialect, `create index`, table, name, columns, where)
  const unique = (table: string) => (name: string, columns: readonly string[], where?: string) =>
    createIndex(dialect, `create unique index`, table, name, columns, where)
  const runs = of('runs')
  const workflowTasks = of('workflow_tasks')
  const activities = of('activities')
  const queryTasks = of('query_tasks')
  return [
    unique('runs')('runs_number', ['workflow_id', 'run_number']),
    runs('runs_started', ['namespace', 'started_at desc', 'run_id desc']),
    runs('runs_open', ['run_id'], `closed_at is null`),
    runs('runs_due', ['due_at'], `due_at is not null`),
    runs('runs_blocked', ['namespace', 'workflow_type', 'run_id'], `replay_blocked_reason is not null`),

    // A run has at most one workflow task that is ready or leased.
    unique('workflow_tasks')('workflow_tasks_open', ['run_id'], `status in ('ready', 'leased')`),
    workflowTasks('workflow_tasks_ready', ready('workflow_type', 'available_at'), `status = 'ready'`),
    workflowTasks('workflow_tasks_leased', ['namespace', 'lease_owner'], `status = 'leased'`),
    workflowTasks('workflow_tasks_due', ['due_at'], `due_at is not null`),

    activities('activities_open', ['run_id'], `status in ('pending', 'running')`),
    activities('activities_ready', ready('activity_type', 'available_at'), `status = 'pending'`),
    activities('activities_leased', ['namespace', 'lease_owner'], `status = 'running'`),
    activities('activities_due', ['due_at'], `due_at is not null`),

    of('timers')('timers_open', ['run_id'], `status = 'pending'`),
    of('timers')('timers_due', ['due_at'], `due_at is not null`),
    of('waits')('waits_live', ['run_id'], `status in ('open', 'expired')`),
    of('signals')('signals_held', ['run_id', 'command_sequence'], `status = 'held'`),
    of('signals')('signals_unread', ['run_id', 'name', 'command_sequence'], `status = 'received'`),

    queryTasks('query_tasks_open', ['namespace', 'task_queue'], `status in ('ready', 'leased')`),
    queryTasks('query_tasks_ready', ready('workflow_type', 'created_at'), `status = 'ready'`),
    queryTasks('query_tasks_leased', ['namespace', 'lease_owner'], `status = 'leased'`),
    queryTasks('query_tasks_due', ['due_at']),
  ]
}

function ready(type: string, availableAt: string): readonly string[] {
  return ['namespace', 'task_queue', type, availableAt]
}

function createIndex(
  dialect: Dialect,
  create: string,
  table: string,
  name: string,
  columns: readonly string[],
  where: string | undefined,
): CompiledQuery {
  const condition = where === undefined ? sql`` : sql` where ${sql.raw(where)}`
  const listed = sql.join(columns.map((column) => sql.raw(column)))
  return sql`${sql.raw(create)} ${sql.raw(name)} on ${sql.table(table)} (${listed})${condition}`.compile(dialect.sql)
}
