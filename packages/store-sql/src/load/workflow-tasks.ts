import type { WorkflowTask } from '@durable-workflow/engine/ports'
import type { Dialect } from '../dialects/dialect.ts'
import { openWorkflowTask } from '../partial.ts'
import { workflowTaskOf } from '../rows.ts'
import { eachOnce, keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH workflow_tasks USING PRIMARY KEY; USING INDEX workflow_tasks_open. */
export function workflowTaskLoader(dialect: Dialect): Loader<WorkflowTask> {
  const all = dialect.sql.selectFrom('workflow_tasks').selectAll()
  const byId = keyedText(dialect, (keys) => all.where('task_id', 'in', keys))
  const openOfRun = keyedText(dialect, (keys) => all.where('run_id', 'in', keys).where(openWorkflowTask))
  return async (connection, asked) => {
    const named = await rowsByKeys(dialect, connection, byId, asked.workflowTask)
    const open = await rowsByKeys(dialect, connection, openOfRun, asked.openWorkflowTask)
    return eachOnce(named.map(workflowTaskOf), open.map(workflowTaskOf), (task) => task.taskId)
  }
}
