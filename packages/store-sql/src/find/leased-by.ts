// The leases that a worker holds, through the three …_leased indexes (namespace=? AND lease_owner=?).

import type { HeldLease } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { leasedActivity, leasedTask } from '../partial.ts'
import { heldLeaseOf } from '../rows.ts'

export type FindLeasedBy = (
  connection: Connection,
  query: { readonly namespace: string; readonly owner: string; readonly pollRequestId?: string },
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
        and (${null} is null or poll_request_id = ${null})`,
  )
  const text = sql.join(each, sql` union all `).compile(dialect.sql).sql
  return async (connection, { namespace, owner, pollRequestId }) => {
    const poll = pollRequestId ?? null
    const parameters = sources.flatMap(() => [namespace, owner, poll, poll])
    return (await connection.all(text, parameters)).map(heldLeaseOf)
  }
}
