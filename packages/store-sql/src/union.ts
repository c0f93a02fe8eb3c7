// One bounded search for each of several things, in one statement: SQL has no other way to say "at most n of each"
// that stops reading at n. A text is built for 1, 2, 4 … things; the places left over are bound to null, which equals
// nothing.

import { type RawBuilder, sql } from 'kysely'

export function unionOf(one: RawBuilder<unknown>, places: number): RawBuilder<unknown> {
  const all = Array.from({ length: places }, () => one)
  return sql.join(all, sql` union all `)
}

/** The list, filled up to the next power of two. */
export function padded<T>(list: readonly T[]): readonly (T | undefined)[] {
  let places = 1
  while (places < list.length) places *= 2
  return Array.from({ length: places }, (_, i) => list[i])
}
