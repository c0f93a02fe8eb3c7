import type { Workflow } from '@durable-workflow/engine/ports'
import { workflowColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { workflowOf } from '../rows.ts'
import { keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH workflows USING PRIMARY KEY. Their current runs are read with the other runs. */
export function workflowLoader(dialect: Dialect): Loader<Workflow> {
  const byId = keyedText(dialect, workflowColumns, (isAsked) => isAsked('workflow_id'))
  return async (connection, asked) => (await rowsByKeys(dialect, connection, byId, asked.workflow)).map(workflowOf)
}
