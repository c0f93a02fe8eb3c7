// A server's view of the store, which dies with the server: what it had not committed is rolled back, and no answer reaches it.
import type { Store } from '@durable-workflow/engine/ports'

export class CuttableStore implements Store {
  readonly description: string
  readonly concurrency: number
  readonly wakes = undefined
  readonly find: Store['find']
  readonly list: Store['list']
  readonly #inner: Store
  #isCut = false
  #underWay = 0

  constructor(inner: Store) {
    this.#inner = inner
    this.description = inner.description
    this.concurrency = inner.concurrency
    const { find, list } = inner
    this.find = {
      readyTasks: (query) => this.#answered(() => find.readyTasks(query)),
      due: (query) => this.#answered(() => find.due(query)),
      leasedBy: (query) => this.#answered(() => find.leasedBy(query)),
      blockedRuns: (query) => this.#answered(() => find.blockedRuns(query)),
    }
    this.list = {
      history: (query) => this.#answered(() => list.history(query)),
      workflows: (query) => this.#answered(() => list.workflows(query)),
      runs: (query) => this.#answered(() => list.runs(query)),
      openRuns: (query) => this.#answered(() => list.openRuns(query)),
      namespaces: () => this.#answered(() => list.namespaces()),
      registrations: (query) => this.#answered(() => list.registrations(query)),
      openQueryTaskCount: (query) => this.#answered(() => list.openQueryTaskCount(query)),
    }
  }

  /** Whether the server waits for an answer. */
  get isBusy(): boolean {
    return this.#underWay > 0 && !this.#isCut
  }

  /** The server is dead. */
  cut(): void {
    this.#isCut = true
  }

  transact: Store['transact'] = (locks, work, whereFree) =>
    this.#answered(() =>
      this.#inner.transact(
        locks,
        async (transaction) => {
          const worked = await work({
            skipped: transaction.skipped,
            load: (keys) => this.#lived(() => transaction.load(keys)),
            write: (changes) => this.#lived(() => transaction.write(changes)),
          })
          this.#refuseDead()
          return worked
        },
        whereFree,
      ),
    )

  load: Store['load'] = (keys) => this.#answered(() => this.#inner.load(keys))
  ping: Store['ping'] = () => this.#answered(() => this.#inner.ping())

  /** Whoever opened the store closes it. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  async #answered<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isCut) return unheard
    this.#underWay += 1
    try {
      const answer = await ask()
      return this.#isCut ? unheard : answer
    } catch (error) {
      if (this.#isCut) return unheard
      throw error
    } finally {
      this.#underWay -= 1
    }
  }

  // An error inside of a transaction rolls it back.
  async #lived<T>(act: () => Promise<T>): Promise<T> {
    this.#refuseDead()
    return act()
  }

  #refuseDead(): void {
    if (this.#isCut) throw new Error('The server of this transaction is dead.')
  }
}

const unheard = new Promise<never>(() => {})
