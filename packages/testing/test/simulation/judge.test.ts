// The judge is judged: every planted fault is found, and found for what it is, within a few worlds.

import { describe, expect, test } from 'vitest'
import { plants } from './plants.ts'
import { carryOutSeeds } from './seeds.ts'

/** Worlds within which each planted fault must be found. */
const worldsMax = 200

describe('a planted fault is found', () => {
  test.for(plants)('$name', { timeout: 60_000 }, async ({ plant, found }) => {
    const { failure, tally } = await carryOutSeeds({ first: 1, count: worldsMax, plant })
    expect(failure, `not found within ${tally.seeds} worlds`).toBeDefined()
    expect(found, failure?.problem).toContain(failure?.invariant)
  })
})
