import { expect, test } from 'vitest'
import { askedFor, nameOf } from './open-runs.ts'

test.each([
  ['W1', { workload: 'W1', openRuns: 0 }],
  ['W1@10k', { workload: 'W1', openRuns: 10_000 }],
  ['W3@500', { workload: 'W3', openRuns: 500 }],
  ['W3@1500', { workload: 'W3', openRuns: 1_500 }],
] as const)('%s names a workload and its open runs, both ways', (name, asked) => {
  expect(askedFor(name)).toEqual(asked)
  expect(nameOf(asked)).toBe(name)
})

test.each(['W9', 'W1@', 'W1@k', 'W1@0', 'W1@1m', 'w1', '', 'W1@10k W3'])('%j names no workload', (name) => {
  expect(askedFor(name)).toBeUndefined()
})
