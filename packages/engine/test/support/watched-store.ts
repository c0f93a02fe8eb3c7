// A store that counts what is under way in it, and fails where a test says so.

import { type Changes, CommitUnknownError, type Store, StoreUnavailableError } from '../../src/ports.ts'

/** What the next transaction meets. */
export type Trouble = 'commit fails' | 'commit is unknown'

export class WatchedStore implements Store {
  readonly description: string
  readonly concurrency: number
  readonly wakes: Store['wakes']
  readonly find: Store['find']
  readonly list: Store['list']
  readonly #inner: Store
  busy = 0
  /** Locks of each transaction, in order. */
  readonly locks: (readonly string[])[] = []
  /** Everything that was committed, in order. */
  readonly commits: Changes[] = []
  #troubles: Trouble[] = []

  constructor(inner: Store) {
    this.#inner = inner
    this.description = inner.description
    this.concurrency = inner.concurrency
    this.wakes = inner.wakes
    this.find = {
      readyTasks: (query) => this.#watched(() => inner.find.readyTasks(query)),
      due: (query) => this.#watched(() => inner.find.due(query)),
      leasedBy: (query) => this.#watched(() => inner.find.leasedBy(query)),
      blockedRuns: (query) => this.#watched(() => inner.find.blockedRuns(query)),
    }
    this.list = {
      history: (query) => this.#watched(() => inner.list.history(query)),
      workflows: (query) => this.#watched(() => inner.list.workflows(query)),
      runs: (query) => this.#watched(() => inner.list.runs(query)),
      openRuns: (query) => this.#watched(() => inner.list.openRuns(query)),
      namespaces: () => this.#watched(() => inner.list.namespaces()),
      registrations: (query) => this.#watched(() => inner.list.registrations(query)),
      openQueryTaskCount: (query) => this.#watched(() => inner.list.openQueryTaskCount(query)),
    }
  }

  /** The next transactions fail like this, one each. */
  trouble(...troubles: Trouble[]): void {
    this.#troubles.push(...troubles)
  }

  transact: Store['transact'] = (locks, work, whereFree) =>
    this.#watched(async () => {
      this.locks.push(locks)
      const trouble = this.#troubles.shift()
      const made: Changes[] = []
      const result = await this.#inner.transact(
        locks,
        async (transaction) => {
          const worked = await work({
            skipped: transaction.skipped,
            load: (keys) => transaction.load(keys),
            write: async (changes) => {
              made.push(changes)
              await transaction.write(changes)
            },
          })
          if (trouble === 'commit fails') throw new StoreUnavailableError('full', { cause: 'as the test says' })
          return worked
        },
        whereFree,
      )
      if (trouble === 'commit is unknown') throw new CommitUnknownError({ cause: 'as the test says' })
      this.commits.push(...made)
      return result
    })

  load: Store['load'] = (keys) => this.#watched(() => this.#inner.load(keys))
  ping: Store['ping'] = () => this.#inner.ping()
  close: Store['close'] = () => this.#inner.close()

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    this.busy += 1
    try {
      return await work()
    } finally {
      this.busy -= 1
    }
  }
}
