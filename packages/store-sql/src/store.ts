import type { Find, List, Loaded, Run, SliceKey, Store, Transaction, Wakes } from '@durable-workflow/engine/ports'
import type { Connection, Database, Dialect } from './dialects/dialect.ts'
import { createFind } from './find/index.ts'
import { createList } from './list/index.ts'
import { createLoad, type Load } from './load/index.ts'
import { transact } from './transact.ts'
import { createWrite, type Write } from './write/index.ts'

/** The Store port over one database of any dialect. */
export class SqlStore implements Store {
  readonly description: string
  readonly concurrency: number
  readonly wakes: Wakes | undefined
  readonly find: Find
  readonly list: List
  readonly #database: Database
  readonly #lockWaitMs: number
  readonly #load: Load
  readonly #write: Write

  constructor(dialect: Dialect, database: Database, lockWaitMs: number) {
    this.description = database.description
    this.concurrency = database.writersMax
    this.wakes = database.wakes
    this.#database = database
    this.#lockWaitMs = lockWaitMs
    this.#load = createLoad(dialect)
    this.#write = createWrite(dialect)
    this.find = createFind(dialect, database)
    this.list = createList(dialect, database)
  }

  transact<T>(
    locks: readonly string[],
    work: (transaction: Transaction) => Promise<T>,
    whereFree: readonly string[] = [],
  ): Promise<T> {
    return transact(this.#database, { locks, whereFree, lockWaitMs: this.#lockWaitMs }, (connection, skipped) =>
      work(this.#transactionOn(connection, skipped)),
    )
  }

  load(keys: readonly SliceKey[]): Promise<Loaded> {
    return this.#database.withSnapshot((connection) => this.#load(connection, keys))
  }

  async ping(): Promise<void> {
    await this.#database.withSnapshot(async (connection) => connection.all('select 1', []))
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  #transactionOn(connection: Connection, skipped: ReadonlySet<string>): Transaction {
    const readRuns = new Map<string, Run>()
    return {
      skipped,
      load: async (keys) => {
        const loaded = await this.#load(connection, keys)
        for (const run of loaded.runs) readRuns.set(run.runId, run)
        return loaded
      },
      write: async (changes) => {
        await this.#write(connection, changes, readRuns)
        // What was written is what stands there now, for a second write of this transaction.
        for (const run of changes.runs.updated) readRuns.set(run.runId, run)
      },
    }
  }
}
