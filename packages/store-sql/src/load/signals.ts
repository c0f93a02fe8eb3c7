import type { Signal } from '@durable-workflow/engine/ports'
import { sql } from 'kysely'
import { signalColumns } from '../columns.ts'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { heldSignal, unreadSignal } from '../partial.ts'
import { signalOf } from '../rows.ts'
import { selectFrom } from '../select-from.ts'
import { padded, unionOf } from '../union.ts'
import type { UnreadSignals } from './asked.ts'
import { keyedText, type Loader, rowsByKeys } from './loader.ts'

/** Searches in one statement; a larger group takes several. */
const searchesMax = 64

/**
 * Held: SEARCH signals USING INDEX signals_held. Unread: for each name SEARCH signals USING INDEX signals_unread
 * (run_id=? AND name=?), which is in the order that readers want and stops at their limit.
 */
export function signalLoader(dialect: Dialect): Loader<Signal> {
  const heldOfRun = keyedText(
    dialect,
    signalColumns,
    (isAsked) => sql`${isAsked('run_id')} and ${heldSignal}`,
    sql`order by command_sequence`,
  )
  const unread = unreadReader(dialect)
  return async (connection, asked) => {
    const [held, received] = await Promise.all([
      rowsByKeys(dialect, connection, heldOfRun, asked.heldSignals),
      asked.unreadSignals.size === 0 ? [] : unread(connection, [...asked.unreadSignals.values()]),
    ])
    return [...held, ...received].map(signalOf)
  }
}

function unreadReader(
  dialect: Dialect,
): (connection: Connection, searches: readonly UnreadSignals[]) => Promise<readonly unknown[]> {
  const one = sql`select * from (${selectFrom(signalColumns)}
    where ${unreadSignal} and run_id = ${''} and name = ${''} order by command_sequence limit ${0}) as oldest`
  const texts = new Map<number, string>()
  const textFor = (places: number): string => {
    const text = texts.get(places) ?? unionOf(one, places).compile(dialect.sql).sql
    texts.set(places, text)
    return text
  }
  return async (connection, searches) => {
    const rows: unknown[] = []
    for (let start = 0; start < searches.length; start += searchesMax) {
      const places = padded(searches.slice(start, start + searchesMax))
      const parameters = places.flatMap((search) => [search?.runId ?? null, search?.name ?? null, search?.limit ?? 0])
      rows.push(...(await connection.all(textFor(places.length), parameters)))
    }
    return rows
  }
}
