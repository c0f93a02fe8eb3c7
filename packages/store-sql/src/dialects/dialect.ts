// What a database must bring: how it is reached (Database, Session) and how its SQL differs (Dialect, data only).
//
// SQL text is built once by Kysely and kept; it is executed here, not by Kysely's own executor, whose promises per
// statement cost more than SQLite itself. An answer may come at once or later; callers await it either way.

import type { Wakes } from '@durable-workflow/engine/ports'
import type { Kysely, RawBuilder } from 'kysely'
import type { Tables } from '../schema.ts'

/** All that a column holds. */
export type Parameter = string | number | null

/** What a column is for: text, whole numbers, any numbers. */
export type Holds = 'text' | 'integer' | 'number'

export type Answer<T> = T | Promise<T>

/**
 * Executes statements, in the order in which they are given. Over a network several may be under way at once: whoever has
 * more than one that do not need each other's answers gives all of them before awaiting any.
 *
 * Throws StoreUnavailableError where the database is at fault, not the statement.
 */
export interface Connection {
  all(statement: string, parameters: readonly Parameter[]): Answer<readonly unknown[]>
  /** @returns the number of rows that were changed */
  run(statement: string, parameters: readonly Parameter[]): Answer<number>
  /** Like `all`, for a text that was made for the occasion: it is not kept. */
  once(statement: string, parameters: readonly Parameter[]): Answer<readonly unknown[]>
}

/** A connection that nobody else uses meanwhile. */
export interface Session extends Connection {
  /**
   * Whether nobody else has committed since the last transaction of this session; settled by `begin`. False for the first
   * one, and where the database does not tell: rows that were read or written before are then read again.
   */
  readonly isAlone: boolean
  /**
   * Opens a transaction that holds the locks.
   *
   * @param whereFree locks that it holds too, but for those that somebody else holds now
   * @returns those others
   * @throws StoreUnavailableError `locked` when another server holds the locks now; it may be tried again
   */
  begin(locks: readonly string[], whereFree: readonly string[]): Answer<ReadonlySet<string>>
  /** @throws CommitUnknownError when the database does not say what became of it */
  commit(): Answer<void>
  /** Ends whatever the session has open; after it the session can begin again. */
  rollback(): Answer<void>
}

/** One database, reached. */
export interface Database {
  readonly description: string
  /** How many writers it lends at once. */
  readonly writersMax: number
  readonly wakes: Wakes | undefined
  /**
   * Lends the session of a writer; SQLite has one, so that they wait in line. Of two callers who name the same lock the
   * first is lent his first.
   */
  withWriter<T>(locks: readonly string[], use: (session: Session) => Promise<T>): Promise<T>
  /** Lends a connection on which each statement sees what is committed when it begins; enough for one statement, and for hints. */
  withReader<T>(use: (connection: Connection) => Promise<T>): Promise<T>
  /** Lends a connection that sees one committed state from the first statement to the last. */
  withSnapshot<T>(use: (connection: Connection) => Promise<T>): Promise<T>
  /** Waits for what is lent and closes everything. */
  close(): Promise<void>
}

/** How the SQL of a database differs. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Whether a session knows that others have committed: rows are remembered between transactions only then. */
  readonly tellsOfOthers: boolean
  /** Builds statements; never executes one. */
  readonly sql: Kysely<Tables>
  /** The column types of migrations. */
  readonly types: Readonly<Record<Holds, string>>
  /** What stands behind the columns of a new table. */
  storage(rows: Storage): RawBuilder<unknown>
  /** A statement that lists the tables of this database, as `name`. */
  readonly tableNames: string
  /** Most rows in one multi-row statement: a power of two that keeps below the driver's limit of parameters. */
  readonly rowsMax: number
  /** A place for one value, where nothing else in the statement says what it holds. */
  place(holds: Holds): RawBuilder<unknown>
  /** Whether a column is one of the keys in one parameter. */
  isListed(column: string): RawBuilder<boolean>
  /** Whether two columns are one of the pairs in one parameter. */
  isListedPair(columns: readonly [string, string]): RawBuilder<boolean>
  /** That one parameter. */
  keyParameter(keys: readonly string[] | readonly (readonly [string, string])[]): Parameter
  /** Whether a column contains a text, letter by letter. */
  contains(column: RawBuilder<unknown>, text: string): RawBuilder<boolean>
  /** An expression that is no column, compared byte by byte as columns are. */
  bytewise(text: RawBuilder<unknown>): RawBuilder<unknown>
}

/** How the rows of a table live. */
export interface Storage {
  /** Where a row lies: behind those that were inserted before it, or beside those whose keys are near. */
  readonly order: 'insertion' | 'key'
  /** Whether rows are updated again and again, or hardly ever. */
  readonly updates: 'often' | 'rarely'
}
