import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { databaseDirectory } from '../support/directory.ts'
import { fullChanges } from '../support/full.ts'
import { write } from '../support/suite.ts'

const directory = databaseDirectory()

test('a transaction that throws leaves every table with as many rows as before; one that does not, does not', async () => {
  const file = directory.newFile()
  const store = await openStore(`sqlite:${file}`)
  const before = rowCounts(file)
  const outcome = store.transact([], async (transaction) => {
    await transaction.write(fullChanges)
    throw new Error('refused by the test')
  })
  await expect(outcome).rejects.toThrow('refused by the test')
  expect(rowCounts(file)).toStrictEqual(before)
  await write(store, fullChanges)
  const written = Object.entries(rowCounts(file)).filter(([table, count]) => count > (before[table] ?? 0))
  expect(written).toHaveLength(12)
  await store.close()
})

function rowCounts(file: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all()
  const counts = tables.map(({ name }) => {
    const row = database.prepare(`select count(*) as count from "${name}"`).get()
    return [String(name), Number(row?.count)] as const
  })
  database.close()
  return Object.fromEntries(counts)
}
