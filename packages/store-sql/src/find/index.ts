import type { Find } from '@durable-workflow/engine/ports'
import type { Database, Dialect } from '../dialects/dialect.ts'
import { blockedRunFinder } from './blocked-runs.ts'
import { dueFinder } from './due.ts'
import { leasedByFinder } from './leased-by.ts'
import { readyTaskFinder } from './ready-tasks.ts'

export function createFind(dialect: Dialect, database: Database): Find {
  const readyTasks = readyTaskFinder(dialect)
  const due = dueFinder(dialect)
  const leasedBy = leasedByFinder(dialect)
  const blockedRuns = blockedRunFinder(dialect)
  return {
    readyTasks: (query) => database.withReader((connection) => readyTasks(connection, query)),
    due: (query) => database.withReader((connection) => due(connection, query)),
    leasedBy: (query) => database.withReader((connection) => leasedBy(connection, query)),
    blockedRuns: (query) => database.withReader((connection) => blockedRuns(connection, query)),
  }
}
