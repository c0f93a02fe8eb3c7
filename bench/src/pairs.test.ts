import { expect, test } from 'vitest'
import { orderOfPairs, slowerPercent } from './pairs.ts'

test('each pair has both sides, and they come first in turn', () => {
  expect(orderOfPairs(3)).toEqual([
    ['without', 'with'],
    ['with', 'without'],
    ['without', 'with'],
  ])
})

test('half the throughput and double the latency are both 100 % slower', () => {
  expect(slowerPercent([{ without: 2_000, with: 1_000 }], 'more is better').median).toBe(100)
  expect(slowerPercent([{ without: 2, with: 4 }], 'less is better').median).toBe(100)
})

test('a side that was faster is below zero', () => {
  expect(slowerPercent([{ without: 1_000, with: 2_000 }], 'more is better').median).toBe(-50)
})

test('noise that meets both sides of a pair cancels', () => {
  // The machine is three times as slow in the second pair; each pair says 10 %.
  const { median, range } = slowerPercent(
    [
      { without: 10, with: 11 },
      { without: 30, with: 33 },
      { without: 20, with: 22 },
    ],
    'less is better',
  )
  expect(median).toBeCloseTo(10)
  expect(range[0]).toBeCloseTo(10)
  expect(range[1]).toBeCloseTo(10)
})

test('one disturbed pair does not carry the median', () => {
  const { median, range } = slowerPercent(
    [
      { without: 10, with: 10.2 },
      { without: 10, with: 40 },
      { without: 10, with: 10.1 },
    ],
    'less is better',
  )
  expect(median).toBeCloseTo(2)
  expect(range[1]).toBeCloseTo(300)
})
