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

/** What tasks of all kinds have in common. */
const queued = {
  run_id: `'f' || n`,
  task_queue: `'q' || n % 10`,
  lease_owner: `'w' || n % 1000`,
  due_at: 'case when n % 3 < 2 then 9000000000000 + n end',
}

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
    for (const statement of filling) await onServer(url, statement)
    await write(store, rowsOf(ids, 'removed'))
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

/** Rows of other runs, in other places of every index: open ones and closed ones, due far away and never. */
const filling = [
  copies('workflows', { workflow_id: `'f' || n`, current_run_id: `'f' || n` }),
  copies('runs', {
    run_id: `'f' || n`,
    workflow_id: `'f' || n`,
    started_at: 'n',
    closed_at: 'case when n % 2 = 0 then n end',
    due_at: 'case when n % 2 = 1 then 9000000000000 + n end',
    replay_blocked_reason: `case when n % 4 = 1 then 'x' end`,
  }),
  copies('workflow_tasks', {
    task_id: `'f' || n || '-t1'`,
    status: `(array['ready', 'leased', 'completed'])[1 + n % 3]`,
    ...queued,
  }),
  copies('activities', {
    activity_id: `'f' || n || '-a1'`,
    status: `(array['pending', 'running', 'completed'])[1 + n % 3]`,
    ...queued,
  }),
  copies('timers', {
    timer_id: `'f' || n || '-i1'`,
    run_id: `'f' || n`,
    status: `(array['pending', 'fired'])[1 + n % 2]`,
    due_at: 'case when n % 2 = 0 then 9000000000000 + n end',
  }),
  copies('waits', {
    wait_id: `'f' || n || '-w1'`,
    run_id: `'f' || n`,
    status: `(array['open', 'satisfied'])[1 + n % 2]`,
  }),
  copies('signals', {
    signal_id: `'f' || n || '-s1'`,
    run_id: `'f' || n`,
    status: `(array['received', 'held', 'applied'])[1 + n % 3]`,
  }),
  copies('query_tasks', {
    query_task_id: `'f' || n || '-q1'`,
    status: `(array['ready', 'leased', 'completed'])[1 + n % 3]`,
    ...queued,
    due_at: '9000000000000 + n',
  }),
  copies('history_events', { run_id: `'f' || n / 100`, sequence: 'n % 100' }),
]

/** Copies of a row that is there, each with its own values in some columns; `n` counts them. */
function copies(table: string, values: Readonly<Record<string, string>>): string {
  const named = Object.entries(values).flatMap(([column, value]) => [`'${column}'`, value])
  return `insert into ${table} select copy.* from (select * from ${table} limit 1) as one,
    generate_series(1, ${rowCount}) as n,
    jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(${named.join(', ')})) as copy`
}
