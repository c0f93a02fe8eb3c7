import type { Liveness, Registration } from '@durable-workflow/engine/ports'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { livenessOf, registrationOf } from '../rows.ts'
import type { Loader } from './loader.ts'

/** SEARCH registrations USING PRIMARY KEY. */
export function registrationLoader(dialect: Dialect): Loader<Registration> {
  const byWorker = workersOf(dialect, 'registrations')
  return async (connection, asked) =>
    (await rowsByPairs(dialect, connection, byWorker, asked.registration)).map(registrationOf)
}

/** SEARCH livenesses USING PRIMARY KEY. */
export function livenessLoader(dialect: Dialect): Loader<Liveness> {
  const byWorker = workersOf(dialect, 'livenesses')
  return async (connection, asked) => (await rowsByPairs(dialect, connection, byWorker, asked.liveness)).map(livenessOf)
}

function workersOf(dialect: Dialect, table: 'registrations' | 'livenesses'): string {
  return dialect.sql
    .selectFrom(table)
    .selectAll()
    .where(dialect.isListedPair(['namespace', 'worker_id']))
    .compile().sql
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
