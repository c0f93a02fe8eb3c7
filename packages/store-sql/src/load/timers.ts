import type { Timer } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import { timerColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { pendingTimer } from '../partial.ts'
import { timerOf } from '../rows.ts'
import { eachOnce, keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH timers USING PRIMARY KEY; USING INDEX timers_open. */
export function timerLoader(dialect: Dialect): Loader<Timer> {
  const byId = keyedText(dialect, timerColumns, (isAsked) => isAsked('timer_id'))
  const openOfRun = keyedText(dialect, timerColumns, (isAsked) => sql`${isAsked('run_id')} and ${pendingTimer}`)
  return async (connection, asked) => {
    const [named, open] = await Promise.all([
      rowsByKeys(dialect, connection, byId, asked.timer),
      rowsByKeys(dialect, connection, openOfRun, asked.openTimers),
    ])
    return eachOnce(named.map(timerOf), open.map(timerOf), (timer) => timer.timerId)
  }
}
