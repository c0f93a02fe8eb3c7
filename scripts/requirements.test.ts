import { expect, test } from 'vitest'
import { shownIn, tableOf } from './requirements.ts'

const report = {
  testResults: [
    {
      name: '/here/packages/release/test/archive.test.ts',
      assertionResults: [
        { title: 'P-15 a member twice → archive_duplicate_member', status: 'passed' },
        { title: 'P-07 P-09 one byte | of the header', status: 'failed' },
        { title: 'speaks of P-08 in the middle', status: 'passed' },
      ],
    },
  ],
}

test('each requirement has the tests whose names begin with it, and one without any is said', () => {
  const rows = shownIn(report, '/here')
  const of = (number: string) => rows.filter(({ requirement }) => requirement === number)
  expect(of('P-15')).toEqual([
    {
      requirement: 'P-15',
      test: 'P-15 a member twice → archive_duplicate_member',
      result: 'passed',
      file: 'packages/release/test/archive.test.ts',
    },
  ])
  expect(of('P-07').map(({ result }) => result)).toEqual(['failed'])
  expect(of('P-09').map(({ result }) => result)).toEqual(['failed'])
  expect(of('P-08')).toEqual([{ requirement: 'P-08', test: '–', result: 'not shown', file: '–' }])
  expect(new Set(rows.map(({ requirement }) => requirement)).size).toBe(88)
})

test('the table counts, and a stroke in a name stays in its cell', () => {
  const lines = tableOf(shownIn(report, '/here'))
  expect(lines.at(-1)).toBe('1 passed, 2 failed, 85 not run or not shown')
  expect(lines.find((line) => line.startsWith('| P-07'))).toContain('one byte \\| of')
})
