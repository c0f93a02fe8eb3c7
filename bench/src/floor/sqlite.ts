import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { median, rounded } from '../statistics.ts'
import type { CommitFigures } from './commits.ts'

const rowsInAGroup = 50

/** Commits of one row and of 50 rows into a file of its own, with the durability the server uses. */
export function measureSqlite(parentFolder: string): CommitFigures {
  const folder = mkdtempSync(join(parentFolder, 'durable-workflow-floor-'))
  const db = new DatabaseSync(join(folder, 'floor.db'))
  try {
    db.exec('pragma journal_mode=wal; pragma synchronous=full')
    db.exec('create table event(run text, sequence integer, payload text, primary key(run, sequence)) without rowid')
    const insert = db.prepare('insert into event values(?, ?, ?)')
    let sequence = 0
    const group = (rows: number): void => {
      db.exec('begin immediate')
      for (let row = 0; row < rows; row += 1) insert.run('r', sequence++, '{"index":1,"value":"hello"}')
      db.exec('commit')
    }
    const rowsPerSecond = (groups: number, rows: number): number => {
      const began = performance.now()
      for (let index = 0; index < groups; index += 1) group(rows)
      return (groups * rows * 1_000) / (performance.now() - began)
    }
    rowsPerSecond(200, 1)
    const three = (groups: number, rows: number): number =>
      rounded(median([1, 2, 3].map(() => rowsPerSecond(groups, rows))))
    return { single_commits_per_second: three(1_000, 1), grouped_rows_per_second: three(400, rowsInAGroup) }
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
