import type { Liveness, Registration } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import { livenessColumns, registrationColumns, type TableColumns } from '../columns.ts'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { livenessOf, registrationOf } from '../rows.ts'
import { selectFrom } from '../select-from.ts'
import type { Loader } from './loader.ts'

/** SEARCH registrations USING PRIMARY KEY. */
export function registrationLoader(dialect: Dialect): Loader<Registration> {
  const byWorker = workersOf(dialect, registrationColumns)
  return async (connection, asked) =>
    (await rowsByPairs(dialect, connection, byWorker, asked.registration)).map(registrationOf)
}

/** SEARCH livenesses USING PRIMARY KEY. */
export function livenessLoader(dialect: Dialect): Loader<Liveness> {
  const byWorker = workersOf(dialect, livenessColumns)
  return async (connection, asked) => (await rowsByPairs(dialect, connection, byWorker, asked.liveness)).map(livenessOf)
}

function workersOf<State>(dialect: Dialect, table: TableColumns<State>): string {
  const isAsked = dialect.isListedPair(['namespace', 'worker_id'])
  return sql`${selectFrom(table)} where ${isAsked}`.compile(dialect.sql).sql
}

async function rowsByPairs(
  dialect: Dialect,
  connection: Connection,
  statement: string,
  pairs: ReadonlyMap<string, readonly [string, string]>,
): Promise<readonly unknown[]> {
  if (pairs.size === 0) return []
  return await connection.all(statement, [dialect.keyParameter([...pairs.values()])])
}
