import type { Run, WorkflowListQuery } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { openRun } from '../partial.ts'
import { allOfQuery } from '../query.ts'
import { runOf } from '../rows.ts'
import { conditionOf } from './filter.ts'

/** SEARCH runs USING INDEX runs_started (namespace=?), in index order from the keyset position on. */
export async function listWorkflows(
  connection: Connection,
  dialect: Dialect,
  query: WorkflowListQuery,
): Promise<readonly Run[]> {
  const { namespace, filter, limit, after } = query
  const page = dialect.sql
    .selectFrom('runs')
    .selectAll()
    .where('namespace', '=', namespace)
    .where(conditionOf(filter, dialect))
    .orderBy('started_at', 'desc')
    .orderBy('run_id', 'desc')
    .limit(limit)
  const rest =
    after === undefined ? page : page.where(sql<boolean>`(started_at, run_id) < (${after.startedAt}, ${after.runId})`)
  return (await allOfQuery(connection, rest.compile())).map(runOf)
}

/** SEARCH runs USING INDEX runs_number (workflow_id=?). */
export async function listRuns(connection: Connection, dialect: Dialect, workflowId: string): Promise<readonly Run[]> {
  const query = dialect.sql
    .selectFrom('runs')
    .selectAll()
    .where('workflow_id', '=', workflowId)
    .orderBy('run_number')
    .compile()
  return (await allOfQuery(connection, query)).map(runOf)
}

/** SEARCH runs USING INDEX runs_open (run_id>?). */
export async function listOpenRuns(
  connection: Connection,
  dialect: Dialect,
  query: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly Run[]> {
  const page = dialect.sql
    .selectFrom('runs')
    .selectAll()
    .where(openRun)
    .where('run_id', '>', query.after ?? '')
    .orderBy('run_id')
    .limit(query.limit)
    .compile()
  return (await allOfQuery(connection, page)).map(runOf)
}
