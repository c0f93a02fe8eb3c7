import { describe, expect, test } from 'vitest'
import { forbiddenSkips, skipLines, sum, tallyOfLines, tallyOfVitest } from './tally.ts'

const named = (status: string, fullName = 'a test') => ({ status, fullName })

describe('tallyOfVitest', () => {
  test('counts tests, and names what was skipped', () => {
    const report = {
      testResults: [
        {
          status: 'passed',
          assertionResults: [named('passed'), named('skipped', 'L-01 on postgres (needs postgres)')],
        },
        { status: 'failed', assertionResults: [named('passed'), named('failed'), named('pending', 'b')] },
      ],
    }
    expect(tallyOfVitest(report)).toEqual({ passed: 2, failed: 1, skipped: ['L-01 on postgres (needs postgres)', 'b'] })
  })

  test('a file that broke before its first test is one failure', () => {
    expect(tallyOfVitest({ testResults: [{ status: 'failed', assertionResults: [] }] }).failed).toBe(1)
  })
})

describe('tallyOfLines', () => {
  test.each([
    [['python …', '28 passed, 2 failed'], 1, { passed: 28, failed: 2, skipped: [] }],
    [
      ['13 cells skipped: not run: cargo is not installed', '17 passed, 0 failed'],
      0,
      { passed: 17, failed: 0, skipped: ['13 cells skipped: not run: cargo is not installed'] },
    ],
    [
      ['30 cells not run: ../shared is missing'],
      0,
      { passed: 0, failed: 0, skipped: ['30 cells not run: ../shared is missing'] },
    ],
    [['30 passed, 0 failed'], 1, { passed: 30, failed: 1, skipped: [] }],
    [['Error: broken'], 1, { passed: 0, failed: 1, skipped: [] }],
    [[], 0, { passed: 0, failed: 1, skipped: [] }],
  ])('%j with exit code %i', (lines, exitCode, tally) => {
    expect(tallyOfLines(lines, exitCode)).toEqual(tally)
  })
})

test('sum adds counts and keeps every skip', () => {
  const one = { passed: 1, failed: 2, skipped: ['a'] }
  expect(sum([one, { passed: 3, failed: 0, skipped: ['b'] }])).toEqual({ passed: 4, failed: 2, skipped: ['a', 'b'] })
})

describe('skipLines', () => {
  test('PostgreSQL is said once, with how many and what to do; others by name', () => {
    const lines = ['on PostgreSQL (needs postgres) L-01', 'no python', '42 cells skipped: not run: needs postgres']
    expect(skipLines(lines)).toEqual([
      'no python',
      '2 that need PostgreSQL (needs postgres): set DW_TEST_POSTGRES_URL, or run `pnpm postgres npm test`',
    ])
  })

  test('nothing is added where PostgreSQL is there', () => {
    expect(skipLines(['no python'])).toEqual(['no python'])
    expect(skipLines([])).toEqual([])
  })
})

describe('forbiddenSkips', () => {
  const cargo = '13 cells skipped: not run: cargo is not installed'
  const shared = '30 cells not run: ../shared is missing'
  const registry =
    "the quick start, installed (needs a package registry, or its packages in npm's cache: npm says ENOTFOUND) a"
  const unnamed = 'every scenario of the Python program is in the table'
  test.each([
    ['', false, []],
    ['all', false, [cargo, shared, registry, unnamed]],
    ['all', true, [cargo, registry]],
    ['cargo', true, [cargo]],
    ['postgres', true, []],
    ['registry', true, [registry]],
  ])('DW_TEST_REQUIRE=%j, ../shared missing: %j', (required, sharedMissing, forbidden) => {
    expect(forbiddenSkips([cargo, shared, registry, unnamed], required, sharedMissing)).toEqual(forbidden)
  })
})
