// Whether anything was recorded: a digest of every row, taken only where something was written since the last one.
import { hash } from 'node:crypto'
import { type DatabaseReader, openReader } from '@durable-workflow/tests/support/database-reader'
import type { DatabaseName } from '@durable-workflow/tests/support/databases'

/** Table → digest of its rows. */
export type Digests = Readonly<Record<string, string>>

export interface Stored extends AsyncDisposable {
  /** Handed to the store: hears of every statement before the database does. */
  readonly onStatement: (statement: string) => void
  /** The digests of all tables; remembered until the next statement that writes. */
  digests(): Promise<Digests>
  /** The digests of all tables as they are, whatever was heard. */
  freshDigests(): Promise<Digests>
  /** Whether time must act on a row at this instant (epoch ms). */
  isAnythingDue(now: number): Promise<boolean>
}

const writes = /\b(insert|update|delete|replace|create|drop|alter)\b/i

const tablesWithTime = ['activities', 'query_tasks', 'runs', 'timers', 'workflow_tasks'] as const

/** @param databaseUrl  of a database that has its tables */
export function openStored(on: DatabaseName, databaseUrl: string): Stored {
  let remembered: Digests | undefined
  let names: readonly string[] | undefined
  let reader: DatabaseReader | undefined
  const rows: DatabaseReader['rows'] = (sql, ...parameters) => {
    reader ??= openReader(databaseUrl)
    return reader.rows(sql, ...parameters)
  }
  const freshDigests = async (): Promise<Digests> => {
    names ??= (await rows(tableNames[on])).map(({ name }) => String(name))
    if (on === 'postgres') {
      const [row] = await rows(`select ${names.map(digestInPostgres).join(', ')}`)
      return Object.fromEntries(Object.entries(row ?? {}).map(([name, digest]) => [name, String(digest)]))
    }
    const digested = names.map(async (name) => {
      return [name, hash('sha256', JSON.stringify(await rows(`select * from "${name}"`)))] as const
    })
    return Object.fromEntries(await Promise.all(digested))
  }
  return {
    onStatement: (statement) => {
      if (writes.test(statement.replaceAll(/for (no key )?update/gi, ''))) remembered = undefined
    },
    digests: async () => {
      remembered ??= await freshDigests()
      return remembered
    },
    freshDigests,
    async isAnythingDue(now) {
      const due = tablesWithTime.map((name) => `select 1 from "${name}" where due_at <= ?`)
      return (await rows(`${due.join(' union all ')} limit 1`, ...tablesWithTime.map(() => now))).length > 0
    },
    [Symbol.asyncDispose]: async () => await reader?.close(),
  }
}

const tableNames: Readonly<Record<DatabaseName, string>> = {
  sqlite: "select name from sqlite_master where type = 'table' order by name",
  postgres: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
}

function digestInPostgres(table: string): string {
  return `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from "${table}" t) as "${table}"`
}
