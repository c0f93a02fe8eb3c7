import type { List } from '@durable-workflow/engine/ports'
import type { Database, Dialect } from '../dialects/dialect.ts'
import { historyLister } from './history.ts'
import { countOpenQueryTasks, listNamespaces, listRegistrations } from './workers.ts'
import { listOpenRuns, listRuns, listWorkflows } from './workflows.ts'

export function createList(dialect: Dialect, database: Database): List {
  const history = historyLister(dialect)
  return {
    history: (query) => database.withReader((connection) => history(connection, query)),
    workflows: (query) => database.withReader((connection) => listWorkflows(connection, dialect, query)),
    runs: ({ workflowId }) => database.withReader((connection) => listRuns(connection, dialect, workflowId)),
    openRuns: (query) => database.withReader((connection) => listOpenRuns(connection, dialect, query)),
    namespaces: () => database.withReader((connection) => listNamespaces(connection, dialect)),
    registrations: (query) => database.withReader((connection) => listRegistrations(connection, dialect, query)),
    openQueryTaskCount: (query) => database.withReader((connection) => countOpenQueryTasks(connection, dialect, query)),
  }
}
