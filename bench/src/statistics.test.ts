import { expect, test } from 'vitest'
import { mean, median, percentile, rounded, summary } from './statistics.ts'

test('the median is the middle value, or the mean of the two middle ones', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([10, 1, 2, 3])).toBe(2.5)
  expect(() => median([])).toThrow()
})

test('a percentile is a value that was seen, by nearest rank', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)
  expect(percentile(values, 0.5)).toBe(100)
  expect(percentile(values, 0.99)).toBe(198)
  expect(percentile([7], 0.99)).toBe(7)
  expect(() => percentile([], 0.5)).toThrow()
})

test('figures are rounded to three digits and keep their size', () => {
  expect(rounded(2345.6)).toBe(2346)
  expect(rounded(1.23456)).toBe(1.23)
  expect(rounded(0.0123456)).toBe(0.0123)
})

test('there is a mean of something only', () => {
  expect(mean([1, 2, 6])).toBe(3)
  expect(() => mean([])).toThrow()
})

test('repetitions come together figure by figure: the median, the lowest and the highest', () => {
  const repetitions = [
    { p50_ms: 3, steps_per_second: 1_000 },
    { p50_ms: 1, steps_per_second: 3_000.4 },
    { p50_ms: 2, steps_per_second: 2_000 },
  ]
  expect(summary(repetitions)).toEqual({
    figures: { p50_ms: 2, steps_per_second: 2_000 },
    range: { p50_ms: [1, 3], steps_per_second: [1_000, 3_000] },
  })
})
