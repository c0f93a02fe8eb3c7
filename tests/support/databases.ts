// The databases that everything with real servers is tested on.
import { describe } from 'vitest'
import { freshDatabase, postgresUrl } from './postgres.ts'

export type DatabaseName = 'sqlite' | 'postgres'

interface TestedDatabase {
  readonly name: DatabaseName
  /** As test names call it; where it is not here, with what is missing. */
  readonly title: string
  readonly isHere: boolean
}

const hasPostgres = postgresUrl() !== undefined

export const databases: readonly TestedDatabase[] = [
  { name: 'sqlite', title: 'SQLite', isHere: true },
  { name: 'postgres', title: hasPostgres ? 'PostgreSQL' : 'PostgreSQL (needs postgres)', isHere: hasPostgres },
]

/** Declares the same tests once for every database; skipped, by name, where the database is not here. */
export function eachDatabase(declare: (on: DatabaseName) => void): void {
  for (const { name, title, isHere } of databases) describe.skipIf(!isHere)(`on ${title}`, () => declare(name))
}

/** A database of one test, empty. */
export interface EmptyDatabase {
  readonly url: string
  /** Ends what is connected and removes it. */
  remove(): Promise<void>
}

/** @param folder  where an SQLite file is made; removing the folder is the caller's. Default: the database is in memory */
export async function emptyDatabase(on: DatabaseName, folder?: string): Promise<EmptyDatabase> {
  switch (on) {
    case 'sqlite':
      return {
        url: folder === undefined ? 'sqlite::memory:' : `sqlite:${folder}/durable-workflow.db`,
        remove: async () => {},
      }
    case 'postgres': {
      const { url, drop } = await freshDatabase()
      return { url, remove: drop }
    }
  }
}
