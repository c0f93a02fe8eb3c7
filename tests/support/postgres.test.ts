import { Client } from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase, onServer, postgresUrl } from './postgres.ts'

const hasPostgres = postgresUrl() !== undefined

test.skipIf(!hasPostgres)('PostgreSQL: a fresh database is empty, its own, and gone after the test', async () => {
  const url = await (async () => {
    await using database = await freshDatabase()
    await onServer(database.url, 'create table only_here (a int)')
    expect(await tablesOf(database.url)).toEqual(['only_here'])
    await using other = await freshDatabase()
    expect(await tablesOf(other.url)).toEqual([])
    return database.url
  })()
  await expect(tablesOf(url)).rejects.toThrow('does not exist')
})

async function tablesOf(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ tablename: string }>(
      "select tablename from pg_tables where schemaname = 'public'",
    )
    return rows.map((row) => row.tablename)
  } finally {
    await client.end()
  }
}
