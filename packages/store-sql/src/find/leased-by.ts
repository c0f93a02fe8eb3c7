// The leases that a worker holds, through the three …_leased indexes (namespace=? AND lease_owner=?).

import type { Find, HeldLease, TaskKind } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { leasedActivity, leasedTask } from '../partial.ts'
import { heldLeaseOf } from '../rows.ts'

export type FindLeasedBy = (
  connection: Connection,
  query: Parameters<Find['leasedBy']>[0],
) => Promise<readonly HeldLease[]>

const sources = [
  { kind: 'workflow', table: 'workflow_tasks', id: 'task_id', isLeased: leasedTask },
  { kind: 'activity', table: 'activities', id: 'activity_id', isLeased: leasedActivity },
  { kind: 'query', table: 'query_tasks', id: 'query_task_id', isLeased: leasedTask },
] as const

export function leasedByFinder(dialect: Dialect): FindLeasedBy {
  const each = sources.map(
    ({ kind, table, id, isLeased }) => sql`select ${sql.lit(kind)} as kind, ${sql.ref(id)} as id, attempt,
      poll_request_id, lease_expires_at from ${sql.table(table)}
      where ${isLeased} and namespace = ${''} and lease_owner = ${''}
        and (cast(${null} as text) is null or poll_request_id = ${null})`,
  )
  const textOfAll = sql.join(each, sql` union all `).compile(dialect.sql).sql
  const textOf = new Map<TaskKind, string>()
  for (const [index, { kind }] of sources.entries())
    textOf.set(kind, each[index]?.compile(dialect.sql).sql ?? textOfAll)
  return async (connection, { namespace, owner, pollRequestId, kind }) => {
    const poll = pollRequestId ?? null
    const one = [namespace, owner, poll, poll]
    // Every poll asks this of its own kind: one index instead of three.
    const text = kind === undefined ? undefined : textOf.get(kind)
    const rows =
      text === undefined ? await connection.all(textOfAll, [...one, ...one, ...one]) : await connection.all(text, one)
    return rows.map(heldLeaseOf)
  }
}
