import { expect, test } from 'vitest'
import { sameOutput } from './output.ts'

test.for([
  ['the same text', 'a\nb\n', 'a\nb', true],
  ['another text', 'a\nc\n', 'a\nb', false],
  ['a line too few', 'a\n', 'a\nb', false],
  ['a line too many', 'a\nb\nc', 'a\nb', false],
  [
    'ids, instants and durations',
    'run 01KB2M5XH9ZZ7D3F at 2026-11-30T12:00:00Z, 12 ms',
    'run 4f5x2k9w8a7b6c5d at 2026-01-01T00:00:00Z, 1.5 s',
    true,
  ],
  ['any lines in the middle', 'a\nx\ny\nb', 'a\n…\nb', true],
  ['any lines at the end', 'a\nx', 'a\n…', true],
  ['any text in a line', '{"a":1,"b":2}', '{…"b":2}', true],
  ['any text in a line, and then another end', '{"a":1,"b":2}', '{…"b":3}', false],
  ['any lines, and then another end', 'a\nx\nc', 'a\n…\nb', false],
] as const)('%s', ([, printed, expected, same]) => {
  expect(sameOutput(printed, expected)).toBe(same)
})
