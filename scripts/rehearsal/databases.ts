// The databases that acceptance runs on: SQLite always, PostgreSQL where there is one.
import { join } from 'node:path'
import { root } from '../published.ts'
import { keep } from './children.ts'
import type { Database } from './rehearsal.ts'

export interface Found {
  readonly databases: readonly Database[]
  /** What must be said of them. */
  readonly aloud: readonly string[]
  stop(): Promise<void>
}

const sqlite: Database = { name: 'sqlite', argument: 'sqlite' }
const postgresAt = (url: string): Database => ({ name: 'postgres', argument: `postgres=${url}` })
const nothingToStop = async (): Promise<void> => undefined

/**
 * Finds them; without PostgreSQL the policy of the rehearsal asks for SQLite alone, and that is said.
 *
 * @param given URL of a server, from the command line
 * @param without names that are not wanted
 * @param before what the rehearsal that goes on began with; empty for a new one
 */
export async function databasesFor(
  given: string | undefined,
  without: readonly string[],
  before: readonly string[],
  log: string,
): Promise<Found> {
  const isWanted = !without.includes('postgres') && (before.length === 0 || before.includes('postgres'))
  if (!isWanted) return withoutPostgres('it was not wanted')
  const url = given ?? process.env.DW_TEST_POSTGRES_URL
  if (url !== undefined) return { databases: [sqlite, postgresAt(url)], aloud: [], stop: nothingToStop }
  const cluster = await keep(process.execPath, [join(root, 'scripts/postgres.mjs')], log)
  if ('ended' in cluster) return withoutPostgres(`none could be started, see ${log}`)
  const started = cluster.said.replace('DW_TEST_POSTGRES_URL=', '')
  return { databases: [sqlite, postgresAt(started)], aloud: ['a private PostgreSQL was started'], stop: cluster.stop }
}

const withoutPostgres = (why: string): Found => ({
  databases: [sqlite],
  aloud: [`NOT REHEARSED ON POSTGRESQL: ${why}; the policy of this rehearsal asks for SQLite alone`],
  stop: nothingToStop,
})
