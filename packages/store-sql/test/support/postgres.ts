import { freshDatabase, onServer, postgresUrl, type TestDatabase } from '@durable-workflow/tests/support/postgres'
import { afterAll, beforeAll } from 'vitest'
import { openStore } from '../../src/index.ts'
import type { OpenFresh } from './suite.ts'

/**
 * Opens stores on empty schemas of one database, which goes when the tests of the file are done: a new database costs
 * the server a checkpoint, and so does its end.
 */
export function freshPostgresSchemas(makeDatabase: () => Promise<TestDatabase> = freshDatabase): OpenFresh {
  let database: TestDatabase
  let count = 0
  beforeAll(async () => {
    database = await makeDatabase()
  })
  afterAll(() => database.drop())
  return async (options) => {
    count += 1
    const schema = `s${count}`
    await onServer(database.url, `create schema ${schema}`)
    return openStore(`${database.url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`, options)
  }
}

/** A database whose texts sort as an English dictionary has them, which is not the order of their bytes. */
export async function dictionaryDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase()
  await database.drop()
  const server = postgresUrl() ?? ''
  await onServer(
    server,
    `create database ${database.name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-US'`,
  )
  return database
}

/** Ends what others have open on a database. */
export function endConnections({ url, name }: TestDatabase, where = 'true'): Promise<void> {
  return onServer(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = '${name}' and pid <> pg_backend_pid() and ${where}`,
  )
}
