// Everything that is committed, in order, with the server that did it, its time, and what was decided in the group.

import type { Changes, DueThings, Store } from '@durable-workflow/engine/ports'
import { CommitUnknownError, StoreUnavailableError } from '@durable-workflow/engine/ports'
import type { Trouble } from './scenario.ts'
import type { Group } from './sending.ts'

/** Changes what is written, to see whether the judge notices; the plain simulation has none. */
export interface Tampering {
  /** Before the judge has seen it: as an engine would that decided wrongly. */
  readonly decided?: (changes: Changes) => Changes
  /** After the judge has seen it: as a store would that writes something else. */
  readonly stored?: (changes: Changes) => Changes
  /** Hides something from the looks for what is due. */
  readonly due?: (things: DueThings) => DueThings
}

export interface JournalOptions {
  readonly store: Store
  readonly tampering: Tampering
  /** Hears of each commit before anybody is answered. */
  readonly committed: (group: Group) => void
}

export class Journal {
  readonly store: Store
  readonly #options: JournalOptions
  /** The one transaction under way: this store has one writer. */
  open: Group | undefined

  constructor(options: JournalOptions) {
    this.store = options.store
    this.#options = options
  }

  /** The store as one life of a server has it. */
  viewOf(life: ServerLife): Store {
    return new LifeStore(this, life, this.#options)
  }
}

/** What a server's store asks of its server. */
export interface ServerLife {
  readonly life: number
  readonly isDead: boolean
  now(): number
  /** What the next transaction, or the next read, meets. */
  trouble: Trouble | undefined
}

/** A dead process hears nothing any more. */
function never<T>(): Promise<T> {
  return new Promise<T>(() => {})
}

class LifeStore implements Store {
  readonly description: string
  readonly concurrency: number
  readonly wakes = undefined
  readonly find: Store['find']
  readonly list: Store['list']
  readonly #journal: Journal
  readonly #life: ServerLife
  readonly #options: JournalOptions

  constructor(journal: Journal, life: ServerLife, options: JournalOptions) {
    const { store } = journal
    this.#journal = journal
    this.#life = life
    this.#options = options
    this.description = store.description
    this.concurrency = store.concurrency
    this.find = {
      readyTasks: (query) => this.#read(() => store.find.readyTasks(query)),
      due: (query) => this.#read(async () => (options.tampering.due ?? plainly)(await store.find.due(query))),
      leasedBy: (query) => this.#read(() => store.find.leasedBy(query)),
      blockedRuns: (query) => this.#read(() => store.find.blockedRuns(query)),
    }
    this.list = {
      history: (query) => this.#read(() => store.list.history(query)),
      workflows: (query) => this.#read(() => store.list.workflows(query)),
      runs: (query) => this.#read(() => store.list.runs(query)),
      openRuns: (query) => this.#read(() => store.list.openRuns(query)),
      namespaces: () => this.#read(() => store.list.namespaces()),
      registrations: (query) => this.#read(() => store.list.registrations(query)),
      openQueryTaskCount: (query) => this.#read(() => store.list.openQueryTaskCount(query)),
    }
  }

  load: Store['load'] = (keys) => this.#read(() => this.#journal.store.load(keys))
  ping: Store['ping'] = () => this.#read(() => this.#journal.store.ping())
  // The store outlives its servers.
  close: Store['close'] = async () => {}

  transact: Store['transact'] = async (locks, work, whereFree) => {
    if (this.#life.isDead) return never()
    const group: Group = {
      life: this.#life.life,
      now: this.#life.now(),
      kinds: [],
      sendings: [],
      changes: undefined,
      fate: 'under way',
      isUnknown: false,
    }
    const trouble = this.#life.trouble === 'read fails' ? undefined : this.#life.trouble
    if (trouble !== undefined) this.#life.trouble = undefined
    try {
      const result = await this.#journal.store.transact(
        locks,
        (transaction) => this.#work(group, trouble, transaction, work),
        whereFree,
      )
      group.fate = 'committed'
      this.#options.committed(group)
      if (this.#life.isDead) return never()
      if (trouble === 'unknown, committed') throw this.#unknown(group)
      return result
    } catch (error) {
      if (group.fate === 'under way') group.fate = 'rolled back'
      if (this.#life.isDead) return never()
      throw error
    }
  }

  async #work<T>(
    group: Group,
    trouble: Trouble | undefined,
    transaction: Parameters<Parameters<Store['transact']>[1]>[0],
    work: (transaction: Parameters<Parameters<Store['transact']>[1]>[0]) => Promise<T>,
  ): Promise<T> {
    // A transaction whose server died while it waited in line never begins.
    if (this.#life.isDead) throw new StoreUnavailableError('unreachable', { cause: 'its server is dead' })
    this.#journal.open = group
    try {
      const { decided = same, stored = same } = this.#options.tampering
      const worked = await work({
        skipped: transaction.skipped,
        load: (keys) => transaction.load(keys),
        write: async (changes) => {
          group.changes = decided(changes)
          await transaction.write(stored(group.changes))
        },
      })
      if (trouble === 'commit fails') throw new StoreUnavailableError('full', { cause: 'as the scenario says' })
      if (trouble === 'unknown, not committed') throw this.#unknown(group)
      return worked
    } finally {
      this.#journal.open = undefined
    }
  }

  #unknown(group: Group): CommitUnknownError {
    group.isUnknown = true
    return new CommitUnknownError({ cause: 'as the scenario says' })
  }

  async #read<T>(look: () => Promise<T>): Promise<T> {
    if (this.#life.isDead) return never()
    if (this.#life.trouble === 'read fails') {
      this.#life.trouble = undefined
      throw new StoreUnavailableError('unreachable', { cause: 'as the scenario says' })
    }
    const found = await look()
    return this.#life.isDead ? never() : found
  }
}

function plainly(things: DueThings): DueThings {
  return things
}

function same(changes: Changes): Changes {
  return changes
}
