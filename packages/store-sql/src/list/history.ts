import type { HistoryEvent } from '@durable-workflow/engine/ports'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { historyEventOf } from '../rows.ts'

export interface HistoryQuery {
  readonly runId: string
  readonly after: number
  readonly limit: number
}

/** SEARCH history_events USING PRIMARY KEY (run_id=? AND sequence>?): a run's events lie side by side. Hot: each claim reads a page. */
export function historyLister(
  dialect: Dialect,
): (connection: Connection, query: HistoryQuery) => Promise<readonly HistoryEvent[]> {
  const text = dialect.sql
    .selectFrom('history_events')
    .selectAll()
    .where('run_id', '=', '')
    .where('sequence', '>', 0)
    .orderBy('sequence')
    .limit(0)
    .compile().sql
  return async (connection, { runId, after, limit }) =>
    (await connection.all(text, [runId, after, limit])).map(historyEventOf)
}
