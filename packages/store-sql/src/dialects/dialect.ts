// What a database must bring: how it is reached (Database, Session) and how its SQL differs (Dialect, data only).
//
// SQL text is built once by Kysely and kept; it is executed here, not by Kysely's own executor, whose promises per
// statement cost more than SQLite itself. An answer may come at once or later; callers await it either way.

import type { Kysely, RawBuilder } from 'kysely'
import type { Tables } from '../schema.ts'

/** All that a column holds. */
export type Parameter = string | number | null

export type Answer<T> = T | Promise<T>

/** Executes prepared statements. Throws StoreUnavailableError where the database is at fault, not the statement. */
export interface Connection {
  all(statement: string, parameters: readonly Parameter[]): Answer<readonly unknown[]>
  /** @returns the number of rows that were changed */
  run(statement: string, parameters: readonly Parameter[]): Answer<number>
}

/** A connection that nobody else uses meanwhile. */
export interface Session extends Connection {
  /**
   * Whether, since the last transaction of this session, nobody else has committed; known from `begin` on. False where
   * the database does not tell, and for the first transaction.
   */
  readonly isAlone: boolean
  /**
   * Opens a transaction that holds the locks.
   *
   * @throws StoreUnavailableError `locked` when another server holds them now; it may be tried again
   */
  begin(locks: readonly string[]): Answer<void>
  /** @throws CommitUnknownError when the database does not say what became of it */
  commit(): Answer<void>
  /** Ends whatever the session has open; after it the session can begin again. */
  rollback(): Answer<void>
}

/** One database, reached. */
export interface Database {
  readonly description: string
  /** Lends the session of a writer; SQLite has one, so that they wait in line. */
  withWriter<T>(use: (session: Session) => Promise<T>): Promise<T>
  /** Lends a connection that sees one committed state from the first statement to the last. */
  withSnapshot<T>(use: (connection: Connection) => Promise<T>): Promise<T>
  /** Waits for what is lent and closes everything. */
  close(): Promise<void>
}

/** How the SQL of a database differs. */
export interface Dialect {
  readonly name: 'sqlite'
  /** Builds statements; never executes one. */
  readonly sql: Kysely<Tables>
  /** The column types of migrations. */
  readonly types: { readonly text: ColumnType; readonly integer: ColumnType; readonly number: ColumnType }
  /** What stands behind the columns of a new table whose rows lie in order of insertion. */
  readonly heap: RawBuilder<unknown>
  /** The same for a table whose rows lie in order of their key. */
  readonly clustered: RawBuilder<unknown>
  /** A statement that lists the tables of this database, as `name`. */
  readonly tableNames: string
  /** Most rows in one multi-row statement: a power of two that keeps below the driver's limit of parameters. */
  readonly rowsMax: number
  /** Right side of `column in …` for one parameter that holds all keys. */
  keys(): RawBuilder<string>
  /** Right side of `(a, b) in …` for one parameter that holds all pairs. */
  keyPairs(): RawBuilder<unknown>
  /** That one parameter. */
  keyParameter(keys: readonly string[] | readonly (readonly [string, string])[]): Parameter
  /** Whether a column contains a text, letter by letter. */
  contains(column: RawBuilder<unknown>, text: string): RawBuilder<boolean>
}

export type ColumnType = 'text' | 'integer' | 'bigint' | 'real' | 'double precision'
