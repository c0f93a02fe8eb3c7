// The schema as SQLite keeps it, beside the file that people read. Renew it with `vitest run packages/store-sql -u`.

import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { databaseDirectory } from '../support/directory.ts'

const directory = databaseDirectory()

test('the migrations make exactly the schema of schema.sqlite.sql', async () => {
  const file = directory.newFile()
  await (await openStore(`sqlite:${file}`)).close()
  await expect(schemaOf(file)).toMatchFileSnapshot('../../schema.sqlite.sql')
})

test('opening again changes nothing, and remembers when each migration was applied', async () => {
  const file = directory.newFile()
  await (await openStore(`sqlite:${file}`)).close()
  const before = [schemaOf(file), migrationsOf(file)]
  await (await openStore(`sqlite:${file}`)).close()
  expect([schemaOf(file), migrationsOf(file)]).toStrictEqual(before)
  expect(migrationsOf(file)).toMatchObject([{ name: '0001-initial' }])
})

test('a migration of a newer server does not disturb this one', async () => {
  const file = directory.newFile()
  await (await openStore(`sqlite:${file}`)).close()
  const database = new DatabaseSync(file)
  database.exec(`insert into migrations (name, applied_at) values ('9999-later', 1)`)
  database.exec(`alter table runs add column later text`)
  database.close()
  const store = await openStore(`sqlite:${file}`)
  expect(await store.list.namespaces()).toHaveLength(1)
  await store.close()
})

function schemaOf(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare(`select sql from sqlite_schema where sql is not null order by tbl_name, type desc, name`)
    .all()
  database.close()
  return `${rows.map((row) => readable(String(row.sql))).join(';\n\n')};\n`
}

/** One column a line. */
function readable(sql: string): string {
  if (!sql.startsWith('CREATE TABLE')) return sql
  return sql
    .replace('" (', '" (\n  ')
    .replaceAll(/, (?=["p])/g, ',\n  ')
    .replace(/(primary key \([^)]*\))?\) strict/, (end) =>
      end.replaceAll(',\n  ', ', ').replace(/\) strict$/, '\n) strict'),
    )
}

function migrationsOf(file: string): readonly unknown[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select name, applied_at from migrations order by name').all()
  database.close()
  return rows
}
