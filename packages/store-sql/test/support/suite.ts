import type { Changes, Loaded, SliceKey, Store } from '@durable-workflow/engine/ports'
import type { StoreOptions } from '../../src/index.ts'

/** Opens a store on a new, empty database; the suite closes it. */
export type OpenFresh = (options?: StoreOptions) => Promise<Store>

/** One store for one test, closed whatever happens. */
export async function withStore(
  open: OpenFresh,
  use: (store: Store) => Promise<void>,
  options: StoreOptions = {},
): Promise<void> {
  const store = await open(options)
  try {
    await use(store)
  } finally {
    await store.close()
  }
}

export function write(store: Store, changes: Changes): Promise<void> {
  return store.transact([], (transaction) => transaction.write(changes))
}

export function loadInside(store: Store, keys: readonly SliceKey[]): Promise<Loaded> {
  return store.transact([], (transaction) => transaction.load(keys))
}

export const nothingLoaded: Loaded = {
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
