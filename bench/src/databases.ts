// The databases that a workload runs on: a new one for every stage, removed with it.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freshDatabase, postgresUrl } from '@durable-workflow/tests/support/postgres'
import { clusterOf } from './cluster.ts'
import { UsageError } from './usage-error.ts'

export const databaseNames = ['sqlite', 'postgres'] as const
export type DatabaseName = (typeof databaseNames)[number]

export const isDatabaseName = (name: string): name is DatabaseName => databaseNames.some((known) => known === name)

/** An empty database of one stage. */
export interface StageDatabase extends AsyncDisposable {
  readonly name: DatabaseName
  /** As `DW_DATABASE_URL` takes it. */
  readonly url: string
  /** CPU milliseconds of the database's own processes so far; `undefined` where it has none or they cannot be seen. */
  cpuMs(): number | undefined
}

/**
 * Which databases are measured: those that were asked for, else all that are there.
 *
 * @param say hears that PostgreSQL is left out
 * @throws UsageError when PostgreSQL was asked for and there is none
 */
export function databasesToMeasure(
  asked: readonly DatabaseName[],
  say: (line: string) => void,
): readonly DatabaseName[] {
  const hasPostgres = postgresUrl() !== undefined
  if (!hasPostgres && asked.includes('postgres')) {
    throw new UsageError(
      '--database postgres: DW_TEST_POSTGRES_URL is not set; set it to the URL of a maintenance database.',
    )
  }
  if (asked.length > 0) return databaseNames.filter((name) => asked.includes(name))
  if (hasPostgres) return databaseNames
  say('PostgreSQL skipped: DW_TEST_POSTGRES_URL is not set')
  return ['sqlite']
}

/** @param parentFolder where files go; on a real disk, or commits cost nothing */
export async function openDatabase(name: DatabaseName, parentFolder: string): Promise<StageDatabase> {
  if (name === 'sqlite') {
    const folder = await mkdtemp(join(parentFolder, 'durable-workflow-bench-'))
    return {
      name,
      url: `sqlite:${join(folder, 'bench.db')}`,
      cpuMs: () => undefined,
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    }
  }
  const database = await freshDatabase()
  try {
    const cluster = await clusterOf(database.url)
    return { name, url: database.url, cpuMs: () => cluster?.cpuMs(), [Symbol.asyncDispose]: () => database.drop() }
  } catch (error) {
    await database.drop()
    throw error
  }
}
