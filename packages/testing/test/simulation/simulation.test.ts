// Worlds from seeds: servers that die at every point, stores that fail, clocks that are wrong, workers that vanish, report
// twice and late, answers that get lost. After every step the design's invariants hold (design.md §2), and in the end
// honest workers and time bring every run to its end, or to something that only the outside can give it.
//
//   DW_TEST_SEED=n         one world, told step by step
//   DW_TEST_SEEDS=n        so many worlds instead of 10,000
//   DW_TEST_SEED_FROM=n    from this seed on instead of 1; for long runs: what is tested here must not change by itself

import { beforeAll, describe, expect, test } from 'vitest'
import { coverage, reportText } from './report.ts'
import { scenarioOf } from './scenario.ts'
import { alone, type Range } from './seeds.ts'
import { scenarioText, shrink } from './shrink.ts'
import { emptyTally } from './tally.ts'
import { carryOutOnThreads } from './threads.ts'

const oneSeed = process.env.DW_TEST_SEED
const count = Number(process.env.DW_TEST_SEEDS ?? 10_000)
const first = Number(process.env.DW_TEST_SEED_FROM ?? 1)
/** From so many worlds on, everything that is rare has to have happened. */
const coveredFrom = 5_000

const invariants = [
  'one door',
  'recorded is recorded',
  'one order',
  'authority',
  'each lease alone',
  'reason to move',
  'receipts',
  'no lost signal',
  'attempts',
  'stored rows',
  'answered once',
  'rest',
] as const

describe.skipIf(oneSeed === undefined)('one world', () => {
  test('holds every invariant', { timeout: 60_000 }, async () => {
    expect(await alone(scenarioOf(Number(oneSeed)), { trace: (line) => console.log(line) })).toBeUndefined()
  })
})

describe.skipIf(oneSeed !== undefined)(`${count} worlds from seed ${first} on`, () => {
  let range: Range = { tally: emptyTally(), failure: undefined }
  let smallest = ''

  beforeAll(async () => {
    const began = performance.now()
    range = await carryOutOnThreads(first, count)
    console.log(reportText(range.tally, (performance.now() - began) / 1000))
    if (range.failure !== undefined) smallest = await shrunk(range.failure.seed)
  }, 1_200_000)

  test.for(invariants)('invariant: %s', (invariant) => {
    const { failure, tally } = range
    if (failure?.invariant === invariant) expect.fail(`seed ${failure.seed}: ${failure.problem}\n${smallest}`)
    expect(tally.checks[invariant] ?? 0).toBeGreaterThan(0)
  })

  describe.skipIf(count < coveredFrom)('has met', () => {
    test.for(coverage)('$part: $name', ({ part, name }) => {
      expect(range.tally[part][name] ?? 0).toBeGreaterThan(0)
    })
  })
})

/** The steps of a failing seed that matter, as a row for found.test.ts. */
async function shrunk(seed: number): Promise<string> {
  const scenario = scenarioOf(seed)
  const found = await alone(scenario)
  if (found === undefined) return 'On a store of its own this world goes well: it depends on the worlds before it.'
  return scenarioText(await shrink(scenario, found, (candidate) => alone(candidate)))
}
