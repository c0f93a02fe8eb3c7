import type { Timer } from '@durable-workflow/engine/ports'
import type { Dialect } from '../dialects/dialect.ts'
import { pendingTimer } from '../partial.ts'
import { timerOf } from '../rows.ts'
import { eachOnce, keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH timers USING PRIMARY KEY; USING INDEX timers_open. */
export function timerLoader(dialect: Dialect): Loader<Timer> {
  const all = dialect.sql.selectFrom('timers').selectAll()
  const byId = keyedText(dialect, (keys) => all.where('timer_id', 'in', keys))
  const openOfRun = keyedText(dialect, (keys) => all.where('run_id', 'in', keys).where(pendingTimer))
  return async (connection, asked) => {
    const named = await rowsByKeys(dialect, connection, byId, asked.timer)
    const open = await rowsByKeys(dialect, connection, openOfRun, asked.openTimers)
    return eachOnce(named.map(timerOf), open.map(timerOf), (timer) => timer.timerId)
  }
}
