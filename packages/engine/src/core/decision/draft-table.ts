import type { RowChanges } from './changes.ts'

/** A broken promise between our own parts; never caused by a caller. The group loses that draft only (UW4). */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** The rows of one kind as a group sees them: loaded once, then as the accepted drafts left them. */
export class GroupTable<Row> {
  readonly #keyOf: (row: Row) => string
  readonly #rows = new Map<string, Row>()
  readonly #stored = new Set<string>()
  readonly #touched = new Set<string>()
  readonly #removed = new Map<string, Row>()

  constructor(keyOf: (row: Row) => string) {
    this.#keyOf = keyOf
  }

  /** Takes rows that the store loaded; a row that an earlier draft of the group has changed stays as it is. */
  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const key = this.#keyOf(row)
      if (this.#stored.has(key)) continue
      this.#stored.add(key)
      this.#rows.set(key, row)
    }
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  rows(): IterableIterator<[string, Row]> {
    return this.#rows.entries()
  }

  /** Takes over what an accepted draft put and removed. */
  merge(put: ReadonlyMap<string, Row>, removed: ReadonlySet<string>): void {
    for (const [key, row] of put) {
      this.#rows.set(key, row)
      this.#touched.add(key)
      this.#removed.delete(key)
    }
    for (const key of removed) {
      const row = this.#rows.get(key)
      this.#rows.delete(key)
      this.#touched.delete(key)
      if (row !== undefined && this.#stored.has(key)) this.#removed.set(key, row)
    }
  }

  changes(): RowChanges<Row> {
    const inserted: Row[] = []
    const updated: Row[] = []
    for (const key of this.#touched) {
      const row = this.#rows.get(key)
      if (row === undefined) continue
      if (this.#stored.has(key)) updated.push(row)
      else inserted.push(row)
    }
    return { inserted, updated, removed: [...this.#removed.values()] }
  }
}

/** One draft's view of a group table: reads through, writes to itself, is merged when its decision is accepted. */
export class DraftTable<Row> {
  readonly #base: GroupTable<Row>
  readonly #keyOf: (row: Row) => string
  readonly #put = new Map<string, Row>()
  readonly #removed = new Set<string>()

  constructor(base: GroupTable<Row>, keyOf: (row: Row) => string) {
    this.#base = base
    this.#keyOf = keyOf
  }

  get(key: string): Row | undefined {
    if (this.#removed.has(key)) return undefined
    return this.#put.get(key) ?? this.#base.get(key)
  }

  put(row: Row): Row {
    const key = this.#keyOf(row)
    this.#removed.delete(key)
    this.#put.set(key, row)
    return row
  }

  remove(key: string): void {
    this.#put.delete(key)
    this.#removed.add(key)
  }

  /** The rows that this draft put. */
  written(): IterableIterator<Row> {
    return this.#put.values()
  }

  where(matches: (row: Row) => boolean): Row[] {
    const found: Row[] = []
    for (const [key, row] of this.#base.rows()) {
      if (!this.#put.has(key) && !this.#removed.has(key) && matches(row)) found.push(row)
    }
    for (const row of this.#put.values()) if (matches(row)) found.push(row)
    return found
  }

  commit(): void {
    this.#base.merge(this.#put, this.#removed)
  }
}
