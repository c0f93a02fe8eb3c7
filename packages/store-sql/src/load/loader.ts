import { type RawBuilder, sql } from 'kysely'
import type { TableColumns } from '../columns.ts'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { selectFrom } from '../select-from.ts'
import type { Asked } from './asked.ts'

/** Reads the rows of one table for what was asked of it; without a statement when nothing was. */
export type Loader<Row> = (connection: Connection, asked: Asked) => Promise<readonly Row[]>

/** One question in two texts: for a single key, which is what a lonely operation asks, and for any number of them. */
export interface KeyedText {
  readonly one: string
  readonly many: string
}

/**
 * Builds both texts of a question.
 *
 * A single key as a plain parameter costs 10 µs less than one in a list of one (node:sqlite, 2026-11-30); a lonely
 * operation asks three such questions.
 *
 * @param conditionOf makes the condition from what says whether a column is one of the keys
 */
export function keyedText<State>(
  dialect: Dialect,
  table: TableColumns<State>,
  conditionOf: (isAsked: (column: string) => RawBuilder<boolean>) => RawBuilder<boolean>,
  order: RawBuilder<unknown> = sql``,
): KeyedText {
  const textOf = (condition: RawBuilder<boolean>) =>
    sql`${selectFrom(table)} where ${condition} ${order}`.compile(dialect.sql).sql.trimEnd()
  return {
    one: textOf(conditionOf((column) => sql<boolean>`${sql.ref(column)} in (${''})`)),
    many: textOf(conditionOf((column) => dialect.isListed(column))),
  }
}

/** Rows of a question for all keys in one statement; no keys, no statement. */
export async function rowsByKeys(
  dialect: Dialect,
  connection: Connection,
  text: KeyedText,
  keys: ReadonlySet<string>,
): Promise<readonly unknown[]> {
  if (keys.size === 0) return []
  if (keys.size === 1) return await connection.all(text.one, [...keys])
  return await connection.all(text.many, [dialect.keyParameter([...keys])])
}

/** Two answers of one table joined: what both found stands once. */
export function eachOnce<Row>(
  first: readonly Row[],
  second: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const ids = new Set(first.map(idOf))
  return [...first, ...second.filter((row) => !ids.has(idOf(row)))]
}
