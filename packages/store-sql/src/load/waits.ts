import type { Wait } from '@durable-workflow/engine/ports'
import type { Dialect } from '../dialects/dialect.ts'
import { liveWait } from '../partial.ts'
import { waitOf } from '../rows.ts'
import { keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH waits USING INDEX waits_live. */
export function waitLoader(dialect: Dialect): Loader<Wait> {
  const liveOfRun = keyedText(dialect, (isAsked) =>
    dialect.sql.selectFrom('waits').selectAll().where(isAsked('run_id')).where(liveWait),
  )
  return async (connection, asked) => (await rowsByKeys(dialect, connection, liveOfRun, asked.liveWaits)).map(waitOf)
}
