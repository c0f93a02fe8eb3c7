// node:sqlite behind the seam: prepared statements kept by their text, errors translated where they happen.

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type StoreCondition, StoreUnavailableError } from '@durable-workflow/engine/ports'
import type { Connection, Parameter } from './dialect.ts'

/**
 * Prepared statements that a connection keeps. Hot ones are about 150 (each table in seven sizes); list filters may
 * take any form, and the oldest goes when they grow beyond this.
 */
const preparedMax = 500

/** SQLite waits this long inside the process, which stands still meanwhile; longer waits are transact.ts's. */
const busyMs = 20

export interface NodeSqliteOptions {
  readonly readOnly?: boolean
  /** Hears of every statement that is executed. */
  readonly onStatement: ((statement: string) => void) | undefined
}

export class NodeSqlite implements Connection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()
  readonly #onStatement: NodeSqliteOptions['onStatement']

  constructor(file: string, options: NodeSqliteOptions) {
    this.#onStatement = options.onStatement
    this.#database = translated(() => new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: busyMs }))
  }

  get isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction
  }

  all(statement: string, parameters: readonly Parameter[]): readonly unknown[] {
    return translated(() => this.#prepare(statement).all(...parameters))
  }

  run(statement: string, parameters: readonly Parameter[]): number {
    return translated(() => Number(this.#prepare(statement).run(...parameters).changes))
  }

  once(statement: string, parameters: readonly Parameter[]): readonly unknown[] {
    return this.all(statement, parameters)
  }

  /** Statements of the connection itself: pragmas, begin, commit. */
  exec(statement: string): void {
    translated(() => this.#prepare(statement).all())
  }

  /** Finalises all statements and closes. */
  close(): void {
    this.#prepared.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(text: string): StatementSync {
    this.#onStatement?.(text)
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.#database.prepare(text)
    if (this.#prepared.size >= preparedMax) this.#forgetOldest()
    this.#prepared.set(text, statement)
    return statement
  }

  #forgetOldest(): void {
    for (const oldest of this.#prepared.keys()) {
      this.#prepared.delete(oldest)
      return
    }
  }
}

function translated<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const condition = conditionOf(error)
    throw condition === undefined ? error : new StoreUnavailableError(condition, { cause: error })
  }
}

/**
 * What an error of node:sqlite says of the database; undefined when the statement itself is at fault (a constraint,
 * a mistake in SQL). Primary result codes of SQLite: the low byte of `errcode`.
 */
export function conditionOf(error: unknown): StoreCondition | undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE') return 'unreachable'
  switch (resultCodeOf(error)) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'locked'
    case 8: // SQLITE_READONLY
      return 'read_only'
    case 13: // SQLITE_FULL
      return 'full'
    case 10: // SQLITE_IOERR
    case 14: // SQLITE_CANTOPEN
      return 'unreachable'
    case 7: // SQLITE_NOMEM
    case 9: // SQLITE_INTERRUPT
    case 11: // SQLITE_CORRUPT
    case 15: // SQLITE_PROTOCOL
    case 23: // SQLITE_AUTH
    case 26: // SQLITE_NOTADB
      return 'other'
    default:
      return undefined
  }
}

/** Whether the disk failed, as opposed to SQLite refusing. */
export function isDiskError(error: unknown): boolean {
  const cause = error instanceof StoreUnavailableError ? error.cause : error
  return resultCodeOf(cause) === 10
}

function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}
