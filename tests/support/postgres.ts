// PostgreSQL for tests: the server is somebody else's, each test's database is its own.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

/**
 * The server that tests may use: `DW_TEST_POSTGRES_URL`, the URL of a maintenance database and of a role that may create
 * databases. `undefined` where it is not set: tests then skip and name PostgreSQL.
 */
export const postgresUrl = (): string | undefined => process.env.DW_TEST_POSTGRES_URL

/** An empty database of one test. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly url: string
  /** Ends all its connections and removes it. */
  drop(): Promise<void>
}

/** Makes an empty database. @throws Error when `DW_TEST_POSTGRES_URL` is not set, or the server's own */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = postgresUrl()
  if (server === undefined) throw new Error('DW_TEST_POSTGRES_URL is not set: there is no PostgreSQL to test on.')
  const name = `dw_test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = () => onServer(server, `drop database if exists ${name} with (force)`)
  return { name, url: url.href, drop, [Symbol.asyncDispose]: drop }
}

/** Runs one statement on the maintenance database, or on the database of the URL. */
export async function onServer(url: string, statement: string): Promise<void> {
  await rowsIn(url, statement)
}

/** The rows of one statement, on a connection of its own. */
export async function rowsIn(url: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url, application_name: 'durable-workflow-test' })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}
