import type {
  Activity,
  Changes,
  Find,
  List,
  Loaded,
  Run,
  SliceKey,
  Store,
  Transaction,
  Wakes,
  WorkflowTask,
} from '@durable-workflow/engine/ports'
import { CommitUnknownError } from '@durable-workflow/engine/ports'
import type { Connection, Database, Dialect, Session } from './dialects/dialect.ts'
import { createFind } from './find/index.ts'
import { createList } from './list/index.ts'
import { createLoad, type Load } from './load/index.ts'
import { merged, RecentRows } from './recent-rows.ts'
import { transact, type Wanted } from './transact.ts'
import { createWrite, type ReadRows, type Write } from './write/index.ts'

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
  readonly #remembers: boolean
  readonly #recent = new RecentRows()

  constructor(dialect: Dialect, database: Database, lockWaitMs: number) {
    this.description = database.description
    this.concurrency = database.writersMax
    this.wakes = database.wakes
    this.#database = database
    this.#lockWaitMs = lockWaitMs
    this.#load = createLoad(dialect)
    this.#write = createWrite(dialect)
    this.#remembers = dialect.tellsOfOthers
    this.find = createFind(dialect, database)
    this.list = createList(dialect, database)
  }

  transact<T>(
    locks: readonly string[],
    work: (transaction: Transaction) => Promise<T>,
    whereFree: readonly string[] = [],
  ): Promise<T> {
    return this.#committed({ locks, whereFree, lockWaitMs: this.#lockWaitMs }, work, [])
  }

  load(keys: readonly SliceKey[]): Promise<Loaded> {
    return this.#database.withSnapshot((connection) => this.#load(connection, keys))
  }

  async ping(): Promise<void> {
    await this.#database.withReader(async (connection) => connection.all('select 1', []))
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async #committed<T>(wanted: Wanted, work: (transaction: Transaction) => Promise<T>, written: Changes[]): Promise<T> {
    try {
      const result = await transact(this.#database, wanted, (session, skipped) => {
        if (!session.isAlone) this.#recent.forget()
        return work(this.#transactionOn(session, skipped, written))
      })
      if (this.#remembers) for (const changes of written) this.#recent.noteCommitted(changes)
      return result
    } catch (error) {
      // Nothing was committed, or nobody knows (RR2).
      if (error instanceof CommitUnknownError) this.#recent.forget()
      throw error
    }
  }

  #transactionOn(session: Session, skipped: ReadonlySet<string>, written: Changes[]): Transaction {
    const read = new ReadByTransaction()
    return {
      skipped,
      load: async (keys) => {
        const loaded = await this.#read(session, keys, this.#remembers && written.length === 0)
        read.note(loaded)
        return loaded
      },
      write: async (changes) => {
        await this.#write(session, changes, read)
        written.push(changes)
        // What was written is what stands there now, for a second write of this transaction.
        read.note({
          runs: changes.runs.updated,
          workflowTasks: changes.workflowTasks.updated,
          activities: changes.activities.updated,
        })
      },
    }
  }

  /** @param isKnown whether what was remembered is what stands there: not after a write of this transaction */
  async #read(connection: Connection, keys: readonly SliceKey[], isKnown: boolean): Promise<Loaded> {
    if (!isKnown) return this.#load(connection, keys)
    const { found, missing } = this.#recent.answer(keys)
    const loaded = await this.#load(connection, missing)
    this.#recent.noteLoaded(loaded)
    return merged(found, loaded)
  }
}

/** The rows that a transaction has read, as they stand now. */
class ReadByTransaction implements ReadRows {
  readonly runs = new Map<string, Run>()
  readonly workflowTasks = new Map<string, WorkflowTask>()
  readonly activities = new Map<string, Activity>()

  note({ runs, workflowTasks, activities }: Pick<Loaded, 'runs' | 'workflowTasks' | 'activities'>): void {
    for (const run of runs) this.runs.set(run.runId, run)
    for (const task of workflowTasks) this.workflowTasks.set(task.taskId, task)
    for (const activity of activities) this.activities.set(activity.activityId, activity)
  }
}
