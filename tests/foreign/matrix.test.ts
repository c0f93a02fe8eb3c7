import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrix, nameOf, scenarios } from './matrix.ts'
import { programsFolder } from './programs.ts'
import { jsonLine, laterLines, summaryLine, tableLine } from './report.ts'

test('84 cells: every scenario meets both databases and both protocols, each cell once', () => {
  const names = matrix().map(nameOf)
  expect(names).toHaveLength(84)
  expect(new Set(names).size).toBe(84)
  expect(names).toContain('python/timed_wait/sqlite/1.20')
  expect(names).toContain('rust/run-timed-out/postgres/1.19')
})

test('no scenario is both run and later, and later ones are listed', () => {
  for (const { now, later } of Object.values(scenarios)) {
    expect(now.filter((name) => Object.hasOwn(later, name))).toEqual([])
  }
  expect(laterLines().some((line) => /rust +child +later/.test(line))).toBe(true)
})

test.skipIf(!existsSync(programsFolder))('every scenario of the Python program is in the table', async () => {
  const source = await readFile(join(programsFolder, 'python', 'app.py'), 'utf8')
  const offered = [...source.matchAll(/^async def scenario_(\w+)/gm)].map((match) => match[1])
  const listed = [...scenarios.python.now, ...Object.keys(scenarios.python.later)]
  expect(listed.toSorted()).toEqual(offered.toSorted())
})

test.skipIf(!existsSync(programsFolder))('every scenario of the Rust program is in the table', async () => {
  const source = await readFile(join(programsFolder, 'rust', 'src', 'main.rs'), 'utf8')
  const check = source.slice(source.indexOf('fn check('), source.indexOf('_ => return None'))
  const arms = [...check.matchAll(/^ {8}("[^=]*") => /gm)].flatMap((match) => (match[1] ?? '').split(' | '))
  const listed = [...scenarios.rust.now, ...Object.keys(scenarios.rust.later)]
  expect(listed.toSorted()).toEqual(arms.map((arm) => arm.replaceAll('"', '')).toSorted())
})

test('a row reads as one JSON line and as one line of the table, and the summary counts', () => {
  const [cell] = matrix()
  if (cell === undefined) throw new Error('the matrix is empty')
  const row = { ...cell, result: 'failed', seconds: 1.25, note: 'Wrong:\n two lines' } as const
  expect(JSON.parse(jsonLine(row))).toEqual({
    sdk: 'python',
    scenario: 'activity',
    database: 'sqlite',
    protocol: '1.19',
    result: 'failed',
    seconds: 1.25,
    note: 'Wrong:\n two lines',
  })
  expect(tableLine(row)).toMatch(/^python +activity +sqlite +1\.19 +failed +1\.\d +Wrong: two lines$/)
  expect(summaryLine([row, { ...row, result: 'passed' }, { ...row, result: 'skipped' }])).toBe('1 passed, 1 failed')
})
