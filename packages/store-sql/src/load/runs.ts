import type { Run } from '@durable-workflow/engine/ports'
import { runColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { runOf } from '../rows.ts'
import { keyedText, type Loader, rowsByKeys } from './loader.ts'

/** SEARCH runs USING PRIMARY KEY. */
export function runLoader(dialect: Dialect): Loader<Run> {
  const byId = keyedText(dialect, runColumns, (isAsked) => isAsked('run_id'))
  return async (connection, asked) => (await rowsByKeys(dialect, connection, byId, asked.run)).map(runOf)
}
