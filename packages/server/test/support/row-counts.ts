import { DatabaseSync } from 'node:sqlite'

/** Everything that a database file holds, table by table, as text: two equal snapshots mean that nothing was recorded. */
export function tablesOf(file: string): Record<string, string> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const names = database.prepare("select name from sqlite_master where type = 'table' order by name").all()
    return Object.fromEntries(
      names.map(({ name }) => [String(name), JSON.stringify(database.prepare(`select * from "${name}"`).all(), text)]),
    )
  } finally {
    database.close()
  }
}

const text = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
