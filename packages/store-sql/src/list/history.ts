import type { HistoryEvent } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import { historyEventColumns } from '../columns.ts'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { historyEventOf } from '../rows.ts'
import { selectFrom } from '../select-from.ts'

export interface HistoryQuery {
  readonly runId: string
  readonly after: number
  readonly limit: number
}

/** SEARCH history_events USING PRIMARY KEY (run_id=? AND sequence>?): a run's events lie side by side. Hot: each claim reads a page. */
export function historyLister(
  dialect: Dialect,
): (connection: Connection, query: HistoryQuery) => Promise<readonly HistoryEvent[]> {
  const text = sql`${selectFrom(historyEventColumns)}
    where run_id = ${''} and sequence > ${0} order by sequence limit ${0}`.compile(dialect.sql).sql
  return async (connection, { runId, after, limit }) =>
    (await connection.all(text, [runId, after, limit])).map(historyEventOf)
}
