import type { Wait } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import { waitColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { liveWait } from '../partial.ts'
import { waitOf } from '../rows.ts'
import { keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH waits USING INDEX waits_live. */
export function waitLoader(dialect: Dialect): Loader<Wait> {
  const liveOfRun = keyedText(dialect, waitColumns, (isAsked) => sql`${isAsked('run_id')} and ${liveWait}`)
  return async (connection, asked) => (await rowsByKeys(dialect, connection, liveOfRun, asked.liveWaits)).map(waitOf)
}
