// SQLite: one writer, immediate transactions, WAL, every commit on disk (synchronous=FULL).
//
// A file has two connections: the writer, used by one transaction at a time, and a reader whose snapshots see only
// what is committed while a transaction is open. A database in memory has one connection, and readers wait in line: work that
// awaits a reader of its own store would wait for itself; it asks its transaction.
// Locks need no statement: BEGIN IMMEDIATE serialises all transactions of all processes on the file.

import { CommitUnknownError, StoreUnavailableError } from '@durable-workflow/engine/ports'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import type { Tables } from '../schema.ts'
import { whileLocked } from '../while-locked.ts'
import type { Connection, Database, Dialect, Parameter, Session } from './dialect.ts'
import { Line } from './line.ts'
import { isDiskError, NodeSqlite } from './node-sqlite.ts'

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  tellsOfOthers: true,
  sql: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  types: { text: 'text', integer: 'integer', number: 'real' },
  storage: ({ order }) => (order === 'key' ? sql`strict, without rowid` : sql`strict`),
  tableNames: "select name from sqlite_schema where type = 'table'",
  rowsMax: 64,
  place: () => sql`${null}`,
  isListed: (column) => sql<boolean>`${sql.ref(column)} in (select value from json_each(${''}))`,
  isListedPair: ([a, b]) =>
    sql<boolean>`(${sql.ref(a)}, ${sql.ref(b)}) in (select value ->> 0, value ->> 1 from json_each(${''}))`,
  keyParameter: (keys) => JSON.stringify(keys),
  contains: (column, text) => sql<boolean>`instr(${column}, ${text}) > 0`,
  bytewise: (text) => text,
}

export interface SqliteOptions {
  /** How long to try while another process opens the same new file. */
  readonly lockWaitMs: number
  /** Hears of every statement that is executed, `begin` and `commit` included. */
  readonly onStatement?: ((statement: string) => void) | undefined
  /** Upper bound of the database file; beyond it writes fail as `full`. Default: the disk. */
  readonly fileBytesMax?: number | undefined
}

const memory = ':memory:'
const pageBytes = 4096
/** Reader and writer each; the hot end of a database of many gigabytes. */
const cacheKib = 65_536
/**
 * Pages in the log before it is brought into the file (64 MiB; SQLite's own choice is 1,000). A checkpoint stands in
 * the way of the commit that reaches the bound, and writes each page once however often it is in the log. Measured
 * 2026-11-30, scripts/bench.ts, groups of 20 on a busy disk: 178–291 groups/s at 1,000 pages, 172–274 at 4,096,
 * 336–453 at 16,384, with a p99 of 15–26, 22–29 and 8–15 ms.
 */
const checkpointPages = 16_384

/** @throws StoreUnavailableError when the file cannot be opened or is no database */
export async function openSqlite(file: string, options: SqliteOptions): Promise<Database> {
  const database = new SqliteDatabase(file, options)
  // Turning a new file to WAL needs it alone for a moment.
  await whileLocked(options.lockWaitMs, () => database.connect())
  return database
}

class SqliteDatabase implements Database {
  readonly description: string
  readonly writersMax = 1
  readonly wakes = undefined
  readonly #file: string
  readonly #options: SqliteOptions
  readonly #writers = new Line()
  readonly #readers: Line
  #writer: SqliteSession | undefined
  #reader: NodeSqlite | undefined
  #isClosed = false

  constructor(file: string, options: SqliteOptions) {
    this.#file = file
    this.#options = options
    this.description = `sqlite:${file}`
    this.#readers = file === memory ? this.#writers : new Line()
  }

  connect(): void {
    this.#writerSession()
    if (this.#file !== memory) this.#readerConnection()
  }

  withWriter<T>(_locks: readonly string[], use: (session: Session) => Promise<T>): Promise<T> {
    return this.#writers.enter(async () => {
      const session = this.#writerSession()
      try {
        return await use(session)
      } finally {
        if (session.isBroken && this.#file !== memory) this.#dropWriter()
      }
    })
  }

  withReader<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#read(use)
  }

  withSnapshot<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    // In memory nothing is committed while a reader has the one connection.
    if (this.#file === memory) return this.#read(use)
    return this.#read(async (reader) => {
      reader.exec('begin')
      try {
        return await use(reader)
      } finally {
        if (reader.isInTransaction) reader.exec('commit')
      }
    })
  }

  #read<T>(use: (reader: NodeSqlite) => Promise<T>): Promise<T> {
    return this.#readers.enter(async () => {
      if (this.#file === memory) return use(this.#writerSession().connection)
      try {
        return await use(this.#readerConnection())
      } catch (error) {
        if (isBreaking(error)) this.#dropReader()
        throw error
      }
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#writers.end(), this.#readers.end()])
    this.#reader?.close()
    this.#reader = undefined
    this.#writer?.connection.close()
    this.#writer = undefined
  }

  #writerSession(): SqliteSession {
    this.#refuseClosed()
    this.#writer ??= new SqliteSession(this.#open(false))
    return this.#writer
  }

  #readerConnection(): NodeSqlite {
    this.#refuseClosed()
    this.#reader ??= this.#open(true)
    return this.#reader
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new StoreUnavailableError('unreachable', { cause: new Error('The store is closed.') })
  }

  #dropWriter(): void {
    this.#writer?.connection.close()
    this.#writer = undefined
  }

  #dropReader(): void {
    this.#reader?.close()
    this.#reader = undefined
  }

  #open(isReader: boolean): NodeSqlite {
    const connection = new NodeSqlite(this.#file, { onStatement: this.#options.onStatement })
    try {
      this.#prepare(connection, isReader)
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  }

  #prepare(connection: NodeSqlite, isReader: boolean): void {
    connection.exec(`pragma cache_size = -${cacheKib}`)
    connection.exec('pragma temp_store = memory')
    if (isReader) {
      connection.exec('pragma query_only = on')
      return
    }
    if (this.#file !== memory) connection.exec('pragma journal_mode = wal')
    connection.exec('pragma synchronous = full')
    connection.exec(`pragma wal_autocheckpoint = ${checkpointPages}`)
    const bytesMax = this.#options.fileBytesMax
    if (bytesMax !== undefined) connection.exec(`pragma max_page_count = ${Math.floor(bytesMax / pageBytes)}`)
  }
}

/** Nothing is locked for somebody else while a transaction is open. */
const none: ReadonlySet<string> = new Set()

class SqliteSession implements Session {
  readonly connection: NodeSqlite
  isBroken = false
  isAlone = false
  #versionOfOthers: unknown

  constructor(connection: NodeSqlite) {
    this.connection = connection
  }

  all(statement: string, parameters: readonly Parameter[]): readonly unknown[] {
    return this.#watched(() => this.connection.all(statement, parameters))
  }

  run(statement: string, parameters: readonly Parameter[]): number {
    return this.#watched(() => this.connection.run(statement, parameters))
  }

  once(statement: string, parameters: readonly Parameter[]): readonly unknown[] {
    return this.all(statement, parameters)
  }

  begin(): ReadonlySet<string> {
    this.#watched(() => this.connection.exec('begin immediate'))
    // Another number than before when another connection has committed (pragma data_version).
    const version = this.#watched(() => versionOf(this.connection.all('pragma data_version', [])))
    this.isAlone = version === this.#versionOfOthers
    this.#versionOfOthers = version
    return none
  }

  commit(): void {
    try {
      this.connection.exec('commit')
    } catch (error) {
      if (!isDiskError(error)) throw error
      // The commit frame may stand in the log although its flush failed: recovery decides.
      this.isBroken = true
      throw new CommitUnknownError({ cause: error })
    }
  }

  rollback(): void {
    // SQLite itself has already rolled back after a full disk and the like.
    if (!this.connection.isInTransaction) return
    this.#watched(() => this.connection.exec('rollback'))
  }

  #watched<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      if (isBreaking(error)) this.isBroken = true
      throw error
    }
  }
}

/**
 * Whether only a new connection may do better: after an error of the disk SQLite's view of the file is not trusted
 * any more, and a file that was opened read-only stays so.
 */
function isBreaking(error: unknown): boolean {
  return (
    error instanceof StoreUnavailableError && (error.condition === 'unreachable' || error.condition === 'read_only')
  )
}

function versionOf([row]: readonly unknown[]): unknown {
  return typeof row === 'object' && row !== null && 'data_version' in row ? row.data_version : undefined
}
