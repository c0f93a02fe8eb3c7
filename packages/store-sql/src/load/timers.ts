import type { Timer } from '@durable-workflow/engine/ports'
import type { Dialect } from '../dialects/dialect.ts'
import { pendingTimer } from '../partial.ts'
import { timerOf } from '../rows.ts'
import { eachOnce, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH timers USING PRIMARY KEY; USING INDEX timers_open. */
export function timerLoader(dialect: Dialect): Loader<Timer> {
  const all = dialect.sql.selectFrom('timers').selectAll()
  const byId = all.where('timer_id', 'in', dialect.keys()).compile().sql
  const openOfRun = all.where('run_id', 'in', dialect.keys()).where(pendingTimer).compile().sql
  return async (connection, asked) => {
    const named = await rowsByKeys(dialect, connection, byId, asked.timer)
    const open = await rowsByKeys(dialect, connection, openOfRun, asked.openTimers)
    return eachOnce(named.map(timerOf), open.map(timerOf), (timer) => timer.timerId)
  }
}
