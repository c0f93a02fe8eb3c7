import type { QueryTask } from '@durable-workflow/engine/ports'
import { queryTaskColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { queryTaskOf } from '../rows.ts'
import { keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH query_tasks USING PRIMARY KEY. */
export function queryTaskLoader(dialect: Dialect): Loader<QueryTask> {
  const byId = keyedText(dialect, queryTaskColumns, (isAsked) => isAsked('query_task_id'))
  return async (connection, asked) => (await rowsByKeys(dialect, connection, byId, asked.queryTask)).map(queryTaskOf)
}
