// Runs whose replay is blocked: SEARCH runs USING INDEX runs_blocked (namespace=? …), read in index order. Blocked runs are
// few, and the index holds only them.

import type { BlockedRun, BlockedRunQuery } from '@durable-workflow/engine/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { blockedRun } from '../partial.ts'
import { blockedRunOf } from '../rows.ts'

export type FindBlockedRuns = (connection: Connection, query: BlockedRunQuery) => Promise<readonly BlockedRun[]>

export function blockedRunFinder(dialect: Dialect): FindBlockedRuns {
  const ofAllTypes = textOf(dialect, sql``)
  const ofTypes = textOf(dialect, sql`and ${dialect.isListed('workflow_type')}`)
  return async (connection, { namespace, types, after, limit }) => {
    const place = [after?.workflowType ?? '', after?.runId ?? '', limit]
    const rows =
      types === undefined
        ? await connection.all(ofAllTypes, [namespace, ...place])
        : await connection.all(ofTypes, [namespace, dialect.keyParameter(types), ...place])
    return rows.map(blockedRunOf)
  }
}

function textOf(dialect: Dialect, condition: RawBuilder<unknown>): string {
  const select = sql`select run_id, workflow_type, task_queue, replay_blocked_fingerprint, started_at from runs
    where namespace = ${''} and ${blockedRun} ${condition} and (workflow_type, run_id) > (${''}, ${''})
    order by workflow_type, run_id limit ${0}`
  return select.compile(dialect.sql).sql
}
