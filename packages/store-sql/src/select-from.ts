import { type RawBuilder, sql } from 'kysely'
import type { TableColumns } from './columns.ts'

/**
 * `select … from …` with each column by its name: a column that a newer server adds must not change what a prepared
 * statement of this one answers (PostgreSQL refuses such a statement).
 */
export function selectFrom<State>({ table, columns }: TableColumns<State>): RawBuilder<unknown> {
  return sql`select ${sql.join(columns.map((column) => sql.ref(column.name)))} from ${sql.table(table)}`
}
