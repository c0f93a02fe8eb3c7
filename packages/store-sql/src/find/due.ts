// Everything that time must act on, earliest first. Five tables have a due instant; each is searched through its own
// partial index (SEARCH … USING INDEX …_due (due_at<?)) for at most `limit` rows, in index order.

import type { DueThings } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import type { Connection, Dialect, Parameter } from '../dialects/dialect.ts'
import { dueThingOf, numberOf } from '../rows.ts'

export type FindDue = (
  connection: Connection,
  query: { readonly now: number; readonly limit: number },
) => Promise<DueThings>

const sources = [
  { kind: 'workflowTask', table: 'workflow_tasks', id: 'task_id' },
  { kind: 'activity', table: 'activities', id: 'activity_id' },
  { kind: 'timer', table: 'timers', id: 'timer_id' },
  { kind: 'run', table: 'runs', id: 'run_id' },
  { kind: 'queryTask', table: 'query_tasks', id: 'query_task_id' },
] as const

export function dueFinder(dialect: Dialect): FindDue {
  const things = thingsText(dialect)
  const next = nextText(dialect)
  return async (connection, { now, limit }) => {
    const parameters: Parameter[] = sources.flatMap(() => [now, limit])
    const [rows, [later]] = await Promise.all([
      connection.all(things, [...parameters, limit]),
      connection.all(
        next,
        sources.map(() => now),
      ),
    ])
    return { things: rows.map(dueThingOf), nextDueAt: numberOf(later) }
  }
}

function thingsText(dialect: Dialect): string {
  const each = sources.map(
    ({ kind, table, id }) => sql`select * from (
      select ${sql.lit(kind)} as kind, ${sql.ref(id)} as id, due_at from ${sql.table(table)}
      where due_at is not null and due_at <= ${0} order by due_at limit ${0}) as candidates`,
  )
  const all = sql`select kind, id, due_at from (${sql.join(each, sql` union all `)}) as merged
    order by due_at, id limit ${0}`
  return all.compile(dialect.sql).sql
}

function nextText(dialect: Dialect): string {
  const each = sources.map(
    ({ table }) => sql`select min(due_at) as value from ${sql.table(table)} where due_at is not null and due_at > ${0}`,
  )
  const all = sql`select min(value) as value from (${sql.join(each, sql` union all `)}) as merged`
  return all.compile(dialect.sql).sql
}
