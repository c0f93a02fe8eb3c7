// Forward only. Migrations that a newer server applied stay unknown to this one and do not disturb it.

import { sql } from 'kysely'
import type { Connection, Database, Dialect } from './dialects/dialect.ts'
import { migrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import { allOfQuery, runQuery } from './query.ts'
import { nameOf } from './rows.ts'
import { transact } from './transact.ts'

/** Held while migrating: of several servers that start together one migrates. */
const migrationLock = 'migrations'

export async function migrate(dialect: Dialect, database: Database, lockWaitMs: number): Promise<void> {
  // A database that is up to date is only read: a server starts although another one writes, or nobody can.
  const missing = await database.withSnapshot((connection) => missingMigrations(dialect, connection))
  if (missing.length === 0) return
  const wanted = { locks: [migrationLock], whereFree: [], lockWaitMs }
  await transact(database, wanted, (connection) => applyMissing(dialect, connection))
}

async function applyMissing(dialect: Dialect, connection: Connection): Promise<void> {
  const appliedAt = Date.now()
  const missing = await missingMigrations(dialect, connection)
  await runQuery(connection, migrationTable(dialect))
  for (const { name, statements } of missing) {
    for (const statement of statements(dialect, appliedAt)) await runQuery(connection, statement)
    await runQuery(connection, dialect.sql.insertInto('migrations').values({ name, applied_at: appliedAt }).compile())
  }
}

async function missingMigrations(dialect: Dialect, connection: Connection): Promise<readonly Migration[]> {
  const tables = (await connection.all(dialect.tableNames, [])).map(nameOf)
  if (!tables.includes('migrations')) return migrations
  const applied = (await allOfQuery(connection, dialect.sql.selectFrom('migrations').select('name').compile())).map(
    nameOf,
  )
  return migrations.filter((migration) => !applied.includes(migration.name))
}

function migrationTable(dialect: Dialect) {
  const { text, integer } = dialect.types
  return dialect.sql.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', sql.raw(text), (column) => column.primaryKey().notNull())
    .addColumn('applied_at', sql.raw(integer), (column) => column.notNull())
    .modifyEnd(dialect.storage({ order: 'key', updates: 'rarely' }))
    .compile()
}
