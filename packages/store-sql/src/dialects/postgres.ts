// PostgreSQL: any number of servers on one database; READ COMMITTED transactions behind advisory locks.
//
// Locks are advisory and end with their transaction. They are taken in one statement, in ascending order of their
// numbers, before anything is read: each statement after that sees what the holder before has committed. Nothing else
// is locked on purpose; a unique index that refuses is a bug of ours or a decision that was made twice.

import { setTimeout as delay } from 'node:timers/promises'
import { CommitUnknownError, StoreUnavailableError } from '@durable-workflow/engine/ports'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import { nameOf } from '../rows.ts'
import type { Tables } from '../schema.ts'
import type { Connection, Database, Dialect, Holds, Parameter, Session } from './dialect.ts'
import { LockLine } from './lock-line.ts'
import type { PgConnection, PgConnectionOptions } from './pg-connection.ts'
import { isLost } from './pg-error.ts'
import { lockNumber, lockNumbers } from './pg-lock.ts'
import { type Lent, PgPool } from './pg-pool.ts'
import { PgWakes } from './pg-wakes.ts'

/** Texts compare byte by byte, whatever the language of the database is. */
const types: Readonly<Record<Holds, string>> = {
  text: 'text collate "C"',
  integer: 'bigint',
  number: 'double precision',
}

const places: Readonly<Record<Holds, RawBuilder<unknown>>> = {
  text: sql`cast(${null} as text)`,
  integer: sql`cast(${null} as bigint)`,
  number: sql`cast(${null} as double precision)`,
}

export const postgresDialect: Dialect = {
  name: 'postgres',
  tellsOfOthers: false,
  sql: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  types,
  storage: ({ updates }) => (updates === 'often' ? oftenUpdated : sql``),
  tableNames: 'select table_name as name from information_schema.tables where table_schema = current_schema()',
  rowsMax: 64,
  place: (holds) => places[holds],
  isListed: (column) => sql<boolean>`${sql.ref(column)} = any(cast(${''} as text[]))`,
  isListedPair: ([a, b]) => sql<boolean>`(${sql.ref(a)}, ${sql.ref(b)}) in (
    select keys[i][1], keys[i][2] from (select cast(${''} as text[]) as keys) as given, generate_subscripts(keys, 1) as i)`,
  keyParameter: arrayLiteral,
  contains: (column, text) => sql<boolean>`strpos(${column}, ${text}) > 0`,
  bytewise: (text) => sql`${text} collate "C"`,
}

/**
 * Room in each page for a row's next version, so that an update that touches no index stays in its page (HOT). Dead
 * versions are cleared away long before they are the fifth of the table at which PostgreSQL would begin; not while the
 * table is small, since a plan from then would know too well how few rows there are.
 */
const oftenUpdated = sql`with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_threshold = 1000, autovacuum_vacuum_cost_delay = 0)`

export interface PostgresOptions {
  readonly lockWaitMs: number
  readonly onStatement?: ((statement: string) => void) | undefined
  readonly notifications?: boolean | undefined
  readonly answerMs?: number | undefined
}

const writersMax = 4
const readersMax = 4
/** Our statements take milliseconds; what takes this long hangs. */
const answerMsDefault = 15_000

/** @throws StoreUnavailableError when no connection can be made */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Database> {
  const database = new PostgresDatabase(
    {
      url,
      lockWaitMs: options.lockWaitMs,
      answerMs: Math.max(options.answerMs ?? answerMsDefault, options.lockWaitMs + 1_000),
      onStatement: options.onStatement,
    },
    options.notifications ?? true,
  )
  try {
    await database.connect()
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

class PostgresDatabase implements Database {
  readonly description: string
  readonly writersMax = writersMax
  readonly wakes: PgWakes | undefined
  readonly #writers: PgPool
  readonly #readers: PgPool
  readonly #lockLine = new LockLine()

  constructor(options: PgConnectionOptions, notifications: boolean) {
    if (notifications) this.wakes = new PgWakes(options)
    this.description = describe(options.url)
    this.#writers = new PgPool(writersMax, options)
    this.#readers = new PgPool(readersMax, options)
  }

  async connect(): Promise<void> {
    await Promise.all([this.#writers, this.#readers].map((pool) => pool.lend((lent) => lent.open())))
  }

  // Who waits here for a lock of this process takes no connection and no place in the database's own line.
  withWriter<T>(locks: readonly string[], use: (session: Session) => Promise<T>): Promise<T> {
    return this.#lockLine.enter(locks, () => this.#writers.lend((lent) => use(new PostgresSession(lent))))
  }

  withReader<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#readers.lend((lent) => onUsable(lent, use))
  }

  withSnapshot<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#readers.lend((lent) => onUsable(lent, (connection) => inSnapshot(connection, use)))
  }

  async close(): Promise<void> {
    await Promise.all([this.#writers.close(), this.#readers.close(), this.wakes?.close()])
  }
}

/** Tries again on a new connection where an old one turns out to be dead: nothing was asked of it yet that matters. */
async function onUsable<T>(lent: Lent, act: (connection: PgConnection) => Promise<T>): Promise<T> {
  const { isUsed } = lent
  try {
    return await act(await lent.open())
  } catch (error) {
    if (!isUsed || !isLost(error)) throw error
  }
  return act(await lent.renew())
}

async function inSnapshot<T>(connection: PgConnection, use: (connection: Connection) => Promise<T>): Promise<T> {
  const begun = connection.all('begin isolation level repeatable read read only', [])
  try {
    const [result] = await Promise.all([use(connection), begun])
    return result
  } finally {
    // Whoever is lent the connection next stands behind it; if it fails, the connection is broken and says so then.
    connection.all('commit', []).catch(() => {})
  }
}

class PostgresSession implements Session {
  readonly isAlone = false
  readonly #lent: Lent
  #isOpen = false
  /** Its end can be asked for when the answer to the commit is lost. */
  #transactionId = ''

  constructor(lent: Lent) {
    this.#lent = lent
  }

  get #connection(): PgConnection {
    const { connection } = this.#lent
    if (connection === undefined) throw new Error('A session is used before it has begun.')
    return connection
  }

  all(statement: string, parameters: readonly Parameter[]): Promise<readonly unknown[]> {
    return this.#connection.all(statement, parameters)
  }

  run(statement: string, parameters: readonly Parameter[]): Promise<number> {
    return this.#connection.run(statement, parameters)
  }

  once(statement: string, parameters: readonly Parameter[]): Promise<readonly unknown[]> {
    return this.#connection.once(statement, parameters)
  }

  async begin(locks: readonly string[], whereFree: readonly string[]): Promise<ReadonlySet<string>> {
    return onUsable(this.#lent, async (connection) => {
      this.#isOpen = true
      try {
        const [, [number], held] = await Promise.all([
          connection.all('begin isolation level read committed', []),
          connection.all(takeLocks, [numbersOf(locks)]),
          whereFree.length === 0 ? [] : connection.all(takeFreeLocks, [numbersOf(whereFree)]),
        ])
        this.#transactionId = nameOf(number)
        const heldNumbers = new Set(held.map(nameOf))
        return new Set(whereFree.filter((lock) => heldNumbers.has(String(lockNumber(lock)))))
      } catch (error) {
        await this.rollback()
        throw error
      }
    })
  }

  async commit(): Promise<void> {
    try {
      await this.#connection.all('commit', [])
      this.#isOpen = false
    } catch (error) {
      // What a server refuses that still answers was rolled back.
      if (!isLost(error)) throw error
      this.#isOpen = false
      await this.#findOut(error)
    }
  }

  async rollback(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    // A connection that is gone takes its transaction with it.
    if (!this.#connection.isBroken) await this.#connection.all('rollback', [])
  }

  // UW7: the answer to the commit was lost. Another connection asks what became of the transaction; what nobody answers
  // in time stays unknown.
  //
  // Only the server's same life can tell: after a crash the number of a transaction that was not on disk is given to
  // another, and "committed" would be said of that one.
  async #findOut(cause: unknown): Promise<void> {
    const life = this.#connection.serverLife
    const giveUpAt = performance.now() + findOutMs
    while (performance.now() < giveUpAt) {
      switch (await this.#status(life)) {
        case 'committed':
          return
        case 'aborted':
          throw new StoreUnavailableError('unreachable', { cause })
        case 'unknown':
          throw new CommitUnknownError({ cause })
        case 'in progress':
        case 'no answer':
          await delay(findOutPauseMs)
      }
    }
    throw new CommitUnknownError({ cause })
  }

  async #status(life: string): Promise<TransactionStatus> {
    try {
      const connection = await this.#lent.renew()
      if (connection.serverLife !== life) return 'unknown'
      const [row] = await connection.all(statusOf, [this.#transactionId])
      const status = statusNamed(nameOf(row))
      // It still waits for words that will never come.
      if (status === 'in progress') await connection.all(endIt, [this.#transactionId])
      return status
    } catch {
      return 'no answer'
    }
  }
}

type TransactionStatus = 'committed' | 'aborted' | 'in progress' | 'unknown' | 'no answer'

function statusNamed(name: string): TransactionStatus {
  return name === 'committed' || name === 'aborted' || name === 'in progress' ? name : 'unknown'
}

/** How long a lost commit is asked for: the caller waits meanwhile, and most interruptions are shorter. */
const findOutMs = 5_000
const findOutPauseMs = 50

const statusOf = "select coalesce(pg_xact_status(cast(cast($1 as text) as xid8)), 'unknown') as name"
const endIt = `select pg_terminate_backend(pid) from pg_stat_activity
  where backend_xid = cast(cast(cast($1 as text) as xid8) as xid)`
/** In the order of the list; when all are held, the transaction gets its number. */
const takeLocks = `select cast(pg_current_xact_id() as text) as name, count(pg_advisory_xact_lock(number)) as value
  from unnest(cast($1 as bigint[])) as number`
const takeFreeLocks = `select cast(number as text) as name
  from unnest(cast($1 as bigint[])) as number where not pg_try_advisory_xact_lock(number)`

function numbersOf(locks: readonly string[]): string {
  return `{${lockNumbers(locks).join(',')}}`
}

/** Host, port and database: neither who nor with which secret. */
function describe(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

/** `{"a","b"}`, `{{"a","b"},…}`: an array as PostgreSQL writes it. */
function arrayLiteral(keys: readonly string[] | readonly (readonly [string, string])[]): string {
  return `{${keys.map((key) => (typeof key === 'string' ? quoted(key) : `{${key.map(quoted).join(',')}}`)).join(',')}}`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
