import type { Namespace } from '@durable-workflow/engine/ports'
import { namespaceColumns } from '../columns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { namespaceOf } from '../rows.ts'
import { keyedText, type Loader, rowsByKeys } from './loader.ts'

export function namespaceLoader(dialect: Dialect): Loader<Namespace> {
  const byName = keyedText(dialect, namespaceColumns, (isAsked) => isAsked('name'))
  return async (connection, asked) => (await rowsByKeys(dialect, connection, byName, asked.namespace)).map(namespaceOf)
}
