import type { Activity } from '@durable-workflow/engine/ports'
import type { Dialect } from '../dialects/dialect.ts'
import { openActivity } from '../partial.ts'
import { activityOf } from '../rows.ts'
import { eachOnce, keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH activities USING PRIMARY KEY; USING INDEX activities_open. */
export function activityLoader(dialect: Dialect): Loader<Activity> {
  const all = dialect.sql.selectFrom('activities').selectAll()
  const byId = keyedText(dialect, (keys) => all.where('activity_id', 'in', keys))
  const openOfRun = keyedText(dialect, (keys) => all.where('run_id', 'in', keys).where(openActivity))
  return async (connection, asked) => {
    const named = await rowsByKeys(dialect, connection, byId, asked.activity)
    const open = await rowsByKeys(dialect, connection, openOfRun, asked.openActivities)
    return eachOnce(named.map(activityOf), open.map(activityOf), (activity) => activity.activityId)
  }
}
