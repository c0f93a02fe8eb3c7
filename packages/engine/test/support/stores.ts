// The databases that tests of the shell run on: SQLite in memory, and PostgreSQL where there is one.

import { openStore } from '@durable-workflow/store-sql'
import { freshDatabase, onServer, postgresUrl, type TestDatabase } from '@durable-workflow/tests/support/postgres'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Store } from '../../src/ports.ts'

export type OpenStore = () => Promise<Store>

export const openSqlite: OpenStore = () => openStore('sqlite::memory:')

/**
 * The same tests on each database. Each store is empty; on PostgreSQL it is a schema of its own in one database.
 *
 * @param define defines the tests with what opens a store
 */
export function onEachDatabase(define: (open: OpenStore) => void): void {
  describe('on SQLite', () => define(openSqlite))
  describe.skipIf(postgresUrl() === undefined)('on PostgreSQL', () => define(emptySchemas()))
}

function emptySchemas(): OpenStore {
  let database: TestDatabase
  let count = 0
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())
  return async () => {
    count += 1
    const schema = `s${count}`
    await onServer(database.url, `create schema ${schema}`)
    return openStore(`${database.url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`, {
      notifications: false,
    })
  }
}
