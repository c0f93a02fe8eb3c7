import type { Connection, Dialect } from '../dialects/dialect.ts'
import type { Asked } from './asked.ts'

/** Reads the rows of one table for what was asked of it; without a statement when nothing was. */
export type Loader<Row> = (connection: Connection, asked: Asked) => Promise<readonly Row[]>

/** Rows of a statement whose one parameter holds all keys; no keys, no statement. */
export async function rowsByKeys(
  dialect: Dialect,
  connection: Connection,
  statement: string,
  keys: ReadonlySet<string>,
): Promise<readonly unknown[]> {
  if (keys.size === 0) return []
  return await connection.all(statement, [dialect.keyParameter([...keys])])
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
