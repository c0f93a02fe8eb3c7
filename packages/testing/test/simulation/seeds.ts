// Many seeds one after the other on one store; a fresh one now and then, and for whatever failed.

import type { Store } from '@durable-workflow/engine/ports'
import { openStore } from '@durable-workflow/store-sql'
import { type Scenario, scenarioOf } from './scenario.ts'
import { emptyTally, type Tally } from './tally.ts'
import { carryOut, type Found, type Plant } from './world.ts'

/**
 * Worlds that share a store: opening one costs what a tenth of a world costs, and the statements prepared in it much more;
 * rows of worlds that are over make it slowly larger.
 */
const worldsPerStore = 100

/** A seed whose world went wrong. */
export interface Failure extends Found {
  readonly seed: number
}

/** What came of a range of seeds; it ends with the first failure. */
export interface Range {
  readonly tally: Tally
  readonly failure: Failure | undefined
}

/** A world of its own on a store of its own. */
export async function alone(
  scenario: Scenario,
  options: { readonly plant?: Plant | undefined; readonly trace?: (line: string) => void; readonly tally?: Tally } = {},
): Promise<Found | undefined> {
  const store = await openStore('sqlite::memory:')
  try {
    return await carryOut(scenario, { store, tally: emptyTally(), ...options })
  } finally {
    await store.close()
  }
}

/** Carries out `count` seeds, from `first` on in steps of `every`. */
export async function carryOutSeeds({
  first,
  count,
  every = 1,
  plant,
}: {
  readonly first: number
  readonly count: number
  readonly every?: number
  readonly plant?: Plant
}): Promise<Range> {
  const tally = emptyTally()
  let store: Store | undefined
  try {
    for (let n = 0; n < count; n++) {
      const seed = first + n * every
      if (n % worldsPerStore === 0) {
        await store?.close()
        store = await openStore('sqlite::memory:')
      }
      if (store === undefined) throw new Error('There is no store.')
      const found = await carryOut(scenarioOf(seed), { store, tally, plant })
      if (found !== undefined) return { tally, failure: { ...found, seed } }
    }
    return { tally, failure: undefined }
  } finally {
    await store?.close()
  }
}
