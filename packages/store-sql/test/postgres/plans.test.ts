// The plans that count are those of a server that has run since its database was empty: its statements are prepared, their
// plans are kept. So a store works on empty tables, the tables are filled behind its back, and it works again. PostgreSQL
// itself says what it read: no table from end to end, and of no index more than a few rows for each that was asked for.
//
// 100,000 rows a table; DW_TEST_PLAN_ROWS=1000000 for a million.

import { freshDatabase, onServer, postgresUrl, rowsIn } from '@durable-workflow/tests/support/postgres'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { write } from '../support/suite.ts'
import { rowsOf, workWith } from '../support/work.ts'

const rowCount = Number(process.env.DW_TEST_PLAN_ROWS ?? 100_000)

/** 64 + 2 + 1: every piece of a write that is not the largest of its kind. */
const ids = Array.from({ length: 67 }, (_, i) => `r${i}`)

/** What a turn of work may read in an index, for each row that it asks for: it asks in some ten ways. */
const readsPerRow = 60

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: plans', () => {
  test(`a server that was warm while its database was empty reads no table when it holds ${rowCount} rows`, {
    timeout: 240_000 + rowCount,
  }, async () => {
    await using database = await freshDatabase()
    const { url } = database
    const store = await openStore(url)
    await write(store, rowsOf(ids, 'inserted', 1))
    // What PostgreSQL might do by itself at the worst moment: it now knows that there are 67 rows.
    await onServer(url, 'vacuum analyze')
    for (let turn = 0; turn < 3; turn++) await workWith(store, ids)
    await write(store, rowsOf(ids, 'removed'))
    for (const statement of filling) await onServer(url, statement)
    await write(store, rowsOf(ids, 'inserted', 2))
    await onServer(url, 'select pg_stat_reset()')
    await workWith(store, ids)
    // Sessions report what they read when they end.
    await store.close()
    const scans = await rowsIn(
      url,
      `select relname as table, seq_scan::int as scans, seq_tup_read::int as rows from pg_stat_user_tables
         where seq_scan > 0 and relname not in ('namespaces', 'migrations')`,
    )
    expect(scans).toStrictEqual([])
    const read = await rowsIn(
      url,
      `select indexrelname as index, idx_tup_read::int as rows from pg_stat_user_indexes
         where idx_tup_read > ${ids.length * readsPerRow}`,
    )
    expect(read).toStrictEqual([])
    const used = await rowsIn(url, `select indexrelname from pg_stat_user_indexes where idx_scan > 0`)
    expect(used.length).toBeGreaterThan(20)
  })
})

const series = `generate_series(1, ${rowCount}) as n`

/** Rows of other runs, in other places of every index: open ones and closed ones, due long ago and never. */
const filling = [
  `insert into workflows select 'f' || n, 'default', 'Order', 'f' || n, 1 from ${series}`,
  `insert into runs (run_id, workflow_id, namespace, workflow_type, task_queue, run_number, status, arguments_codec,
      arguments_blob, started_at, closed_at, last_progress_at, last_sequence, history_bytes, last_step, last_id,
      command_sequence, open_activities, open_timers, open_signal_waits, open_condition_waits, signal_count,
      cached_sequence, due_at)
    select 'f' || n, 'f' || n, 'default', 'Order', 'default', 1, 'running', '', '', n, case when n % 2 = 0 then n end, n, 1, 1,
      1, 1, 1, 1, 0, 0, 0, 0, 0, case when n % 2 = 1 then 9000000000000 + n end from ${series}`,
  `insert into workflow_tasks (task_id, run_id, namespace, task_queue, workflow_type, status, available_at, created_at,
      attempt, repair_count, failure_count, resume_json, claimed_sequence, lease_owner, due_at)
    select 'f' || n || '-t1', 'f' || n, 'default', 'q' || n % 10, 'Order', (array['ready', 'leased', 'completed'])[1 + n % 3],
      n, n, 1, 0, 0, '{}', 1, 'w' || n % 1000, case when n % 3 < 2 then 9000000000000 + n end from ${series}`,
  `insert into activities (activity_id, run_id, workflow_id, namespace, task_queue, activity_type, step, status,
      arguments_codec, arguments_blob, timeouts_json, retry_json, scheduled_at, available_at, attempt, closed_attempts_json,
      lease_owner, due_at)
    select 'f' || n || '-a1', 'f' || n, 'f' || n, 'default', 'q' || n % 10, 'charge', 1,
      (array['pending', 'running', 'completed'])[1 + n % 3], '', '', '{}', '{}', n, n, 1, '[]', 'w' || n % 1000,
      case when n % 3 < 2 then 9000000000000 + n end from ${series}`,
  `insert into timers select 'f' || n || '-i1', 'f' || n, 'user', 1, null, 1, 1000, n,
      (array['pending', 'fired'])[1 + n % 2], case when n % 2 = 0 then 9000000000000 + n end from ${series}`,
  `insert into waits (wait_id, run_id, kind, step, status, opened_at)
    select 'f' || n || '-w1', 'f' || n, 'condition', 1, (array['open', 'satisfied'])[1 + n % 2], n from ${series}`,
  `insert into signals select 'f' || n || '-s1', 'f' || n, 'approve', '', '', (array['received', 'held', 'applied'])[1 + n % 3],
      'c', n, null, n from ${series}`,
  `insert into query_tasks (query_task_id, run_id, workflow_id, namespace, task_queue, workflow_type, query_name,
      arguments_codec, arguments_blob, status, attempt, created_at, deadline_at, due_at)
    select 'f' || n || '-q1', 'f' || n, 'f' || n, 'default', 'q' || n % 10, 'Order', 'state', '', '',
      (array['ready', 'leased', 'completed'])[1 + n % 3], 1, n, n, 9000000000000 + n from ${series}`,
  `insert into history_events select 'f' || n / 100, n % 100, 'f' || n, 'WorkflowStarted', '{}', null, null, n from ${series}`,
]
