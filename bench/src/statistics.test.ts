import { expect, test } from 'vitest'
import { median, percentile, rounded } from './statistics.ts'

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
