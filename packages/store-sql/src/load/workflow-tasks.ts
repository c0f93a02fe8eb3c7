import type { WorkflowTask } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import { workflowTaskColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { openWorkflowTask } from '../partial.ts'
import { workflowTaskOf } from '../rows.ts'
import { eachOnce, keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH workflow_tasks USING PRIMARY KEY; USING INDEX workflow_tasks_open. */
export function workflowTaskLoader(dialect: Dialect): Loader<WorkflowTask> {
  const byId = keyedText(dialect, workflowTaskColumns, (isAsked) => isAsked('task_id'))
  const openOfRun = keyedText(
    dialect,
    workflowTaskColumns,
    (isAsked) => sql`${isAsked('run_id')} and ${openWorkflowTask}`,
  )
  return async (connection, asked) => {
    const [named, open] = await Promise.all([
      rowsByKeys(dialect, connection, byId, asked.workflowTask),
      rowsByKeys(dialect, connection, openOfRun, asked.openWorkflowTask),
    ])
    return eachOnce(named.map(workflowTaskOf), open.map(workflowTaskOf), (task) => task.taskId)
  }
}
