import type { Activity } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import { activityColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { openActivity } from '../partial.ts'
import { activityOf } from '../rows.ts'
import { eachOnce, keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH activities USING PRIMARY KEY; USING INDEX activities_open. */
export function activityLoader(dialect: Dialect): Loader<Activity> {
  const byId = keyedText(dialect, activityColumns, (isAsked) => isAsked('activity_id'))
  const openOfRun = keyedText(dialect, activityColumns, (isAsked) => sql`${isAsked('run_id')} and ${openActivity}`)
  return async (connection, asked) => {
    const [named, open] = await Promise.all([
      rowsByKeys(dialect, connection, byId, asked.activity),
      rowsByKeys(dialect, connection, openOfRun, asked.openActivities),
    ])
    return eachOnce(named.map(activityOf), open.map(activityOf), (activity) => activity.activityId)
  }
}
