// A store whose transactions wait where a test says so: before their locks, and before the answer to their commit.

import type { Changes, Loaded, Store } from '../../src/ports.ts'

export interface GatedTransaction {
  readonly locks: readonly string[]
  readonly whereFree: readonly string[]
  /** What it wrote, once it has come to its commit. */
  written: Changes | undefined
  /** The commit is answered. */
  commit(): void
  /** The commit is refused. */
  fail(error: Error): void
}

const nothing: Loaded = {
  namespaces: [],
  workflows: [],
  runs: [],
  workflowTasks: [],
  activities: [],
  timers: [],
  waits: [],
  signals: [],
  queryTasks: [],
  registrations: [],
  livenesses: [],
}

export class GatedStore implements Store {
  readonly description = 'gated'
  readonly concurrency: number
  readonly wakes = undefined
  readonly find: Store['find']
  readonly list: Store['list']
  readonly ping: Store['ping']
  /** Every transaction that was begun, in order. */
  readonly transactions: GatedTransaction[] = []
  /** Locks that another server holds: waited for, or skipped. */
  readonly heldElsewhere = new Set<string>()
  #released: (() => void)[] = []

  /** @param inner answers what is not a transaction */
  constructor(concurrency: number, inner: Pick<Store, 'find' | 'list' | 'ping'>) {
    this.concurrency = concurrency
    this.find = inner.find
    this.list = inner.list
    this.ping = inner.ping
  }

  /** The other server lets go of all locks. */
  release(): void {
    this.heldElsewhere.clear()
    for (const released of this.#released.splice(0)) released()
  }

  transact: Store['transact'] = async (locks, work, whereFree = []) => {
    const { promise: committed, resolve: commit, reject: fail } = Promise.withResolvers<void>()
    // A test may refuse a commit before it is come to.
    committed.catch(() => undefined)
    const transaction: GatedTransaction = { locks, whereFree, written: undefined, commit, fail }
    this.transactions.push(transaction)
    if (locks.some((lock) => this.heldElsewhere.has(lock)))
      await new Promise<void>((resolve) => this.#released.push(resolve))
    const result = await work({
      skipped: new Set(whereFree.filter((lock) => this.heldElsewhere.has(lock))),
      load: async () => nothing,
      write: async (changes) => {
        transaction.written = changes
      },
    })
    await committed
    return result
  }

  load: Store['load'] = async () => nothing
  close: Store['close'] = async () => {}
}
