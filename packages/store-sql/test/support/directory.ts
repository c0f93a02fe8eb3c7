import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A directory for the database files of one test file; gone when its tests are. */
export function databaseDirectory(): { readonly newFile: () => string } {
  const directory = mkdtempSync(join(tmpdir(), 'store-sql-'))
  let count = 0
  afterAll(() => rmSync(directory, { recursive: true }))
  return {
    newFile: () => {
      count += 1
      return join(directory, `${count}.db`)
    },
  }
}
