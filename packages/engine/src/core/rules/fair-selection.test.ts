import { expect, test } from 'vitest'
import { selectFairly } from './fair-selection.ts'

const scopeOf = (candidate: string) => candidate.slice(0, 1)

test.each([
  ['one of each scope in turn', ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'], 4, ['a1', 'b1', 'c1', 'a2']],
  ['a scope that is used up leaves its turns to the others', ['a1', 'a2', 'a3', 'b1'], 4, ['a1', 'b1', 'a2', 'a3']],
  ['fewer than the limit', ['a1', 'b1'], 25, ['a1', 'b1']],
  ['nothing to choose from', [], 25, []],
  ['nothing allowed', ['a1'], 0, []],
])('%s', (_name, candidates, limit, selected) => {
  expect(selectFairly(candidates, scopeOf, limit)).toEqual(selected)
})
