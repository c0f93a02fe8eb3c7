// The schema as PostgreSQL keeps it, beside the file that people read. Renew it with `vitest run packages/store-sql -u`.

import { freshDatabase, onServer, postgresUrl, rowsIn } from '@durable-workflow/tests/support/postgres'
import { describe, expect, test } from 'vitest'
import {
  activityColumns,
  historyEventColumns,
  livenessColumns,
  namespaceColumns,
  queryTaskColumns,
  registrationColumns,
  runColumns,
  signalColumns,
  timerColumns,
  waitColumns,
  workflowColumns,
  workflowTaskColumns,
} from '../../src/columns.ts'
import { openStore } from '../../src/index.ts'
import { changes, run } from '../support/make.ts'
import { write } from '../support/suite.ts'
import { rowsOf, workWith } from '../support/work.ts'

describe.skipIf(postgresUrl() === undefined)('PostgreSQL: the schema', () => {
  test('the migrations make exactly the schema of schema.postgres.sql', async () => {
    await using database = await freshDatabase()
    await (await openStore(database.url)).close()
    await expect(await schemaOf(database.url)).toMatchFileSnapshot('../../schema.postgres.sql')
  })

  test('each column is of the type that its values are sent as', async () => {
    await using database = await freshDatabase()
    await (await openStore(database.url)).close()
    const rows = await rowsIn(
      database.url,
      `select table_name as table, column_name as name, data_type as type from information_schema.columns
         where table_schema = 'public' and table_name <> 'migrations' order by 1, 2`,
    )
    const holds = { text: 'text', integer: 'bigint', number: 'double precision' } as const
    const expected = tables.flatMap(({ table, columns }) =>
      columns.map((column) => ({ table, name: column.name, type: holds[column.holds] })),
    )
    expect(rows).toHaveLength(expected.length)
    expect(rows).toEqual(expect.arrayContaining(expected))
  })

  test('opening again changes nothing, and remembers when each migration was applied', async () => {
    await using database = await freshDatabase()
    await (await openStore(database.url)).close()
    const migrations = () => rowsIn(database.url, 'select name, applied_at from migrations order by name')
    const before = [await schemaOf(database.url), await migrations()]
    await (await openStore(database.url)).close()
    expect([await schemaOf(database.url), await migrations()]).toStrictEqual(before)
    expect(await migrations()).toMatchObject([{ name: '0001-initial' }])
  })

  test('a migration of a newer server does not disturb one that is at work, nor one that starts', async () => {
    await using database = await freshDatabase()
    const store = await openStore(database.url)
    const ids = ['a', 'b', 'c']
    await write(store, rowsOf(ids, 'inserted', 1))
    await workWith(store, ids)
    await onServer(database.url, `insert into migrations (name, applied_at) values ('9999-later', 1)`)
    for (const { table } of tables) await onServer(database.url, `alter table ${table} add column later text`)
    await workWith(store, ids)
    await write(store, changes({ runs: { inserted: [run()] } }))
    await store.close()
    const again = await openStore(database.url)
    expect(await again.list.runs({ workflowId: 'w1' })).toStrictEqual([run()])
    await again.close()
  })
})

const tables = [
  namespaceColumns,
  workflowColumns,
  runColumns,
  workflowTaskColumns,
  activityColumns,
  timerColumns,
  waitColumns,
  signalColumns,
  queryTaskColumns,
  registrationColumns,
  livenessColumns,
  historyEventColumns,
] as const

/** Tables and their indexes by name, one column a line. */
async function schemaOf(url: string): Promise<string> {
  const definitions = await rowsIn(
    url,
    `select t.oid::regclass::text as name,
       'CREATE TABLE ' || t.oid::regclass || E' (\\n' || (
         select string_agg('  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
             || case when c.collname <> 'default' then ' COLLATE ' || quote_ident(c.collname) else '' end
             || case when a.attnotnull then ' NOT NULL' else '' end, E',\\n' order by a.attnum)
           from pg_attribute a left join pg_collation c on c.oid = a.attcollation
           where a.attrelid = t.oid and a.attnum > 0)
       || coalesce(E',\\n  ' || (select pg_get_constraintdef(oid) from pg_constraint where conrelid = t.oid), '')
       || E'\\n)' || coalesce(' WITH (' || array_to_string(t.reloptions, ', ') || ')', '') as sql
     from pg_class t where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
     union all
     select indrelid::regclass || ' ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
     from pg_index join pg_class t on t.oid = indrelid
     where not indisprimary and t.relnamespace = 'public'::regnamespace
     order by name`,
  )
  return `${definitions.map(({ sql }) => String(sql)).join(';\n\n')};\n`
}
