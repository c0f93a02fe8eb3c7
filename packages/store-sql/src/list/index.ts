import type { List } from '@durable-workflow/engine/ports'
import type { Database, Dialect } from '../dialects/dialect.ts'
import { historyLister } from './history.ts'
import { countOpenQueryTasks, listNamespaces, listRegistrations } from './workers.ts'
import { listOpenRuns, listRuns, listWorkflows } from './workflows.ts'

export function createList(dialect: Dialect, database: Database): List {
  const history = historyLister(dialect)
  return {
    history: (query) => database.withSnapshot((connection) => history(connection, query)),
    workflows: (query) => database.withSnapshot((connection) => listWorkflows(connection, dialect, query)),
    runs: ({ workflowId }) => database.withSnapshot((connection) => listRuns(connection, dialect, workflowId)),
    openRuns: (query) => database.withSnapshot((connection) => listOpenRuns(connection, dialect, query)),
    namespaces: () => database.withSnapshot((connection) => listNamespaces(connection, dialect)),
    registrations: (query) => database.withSnapshot((connection) => listRegistrations(connection, dialect, query)),
    openQueryTaskCount: (query) =>
      database.withSnapshot((connection) => countOpenQueryTasks(connection, dialect, query)),
  }
}
