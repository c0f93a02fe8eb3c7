import { freshDatabase, postgresUrl } from '@durable-workflow/tests/support/postgres'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { assertDurable } from './postgres.ts'

const without = postgresUrl() === undefined

test.skipIf(without)('PostgreSQL: a server that does not wait for the disk is no floor', async () => {
  await using database = await freshDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    await assertDurable(client)
    await client.query('set synchronous_commit = off')
    await expect(assertDurable(client)).rejects.toThrow('synchronous_commit = off')
  } finally {
    await client.end()
  }
})
