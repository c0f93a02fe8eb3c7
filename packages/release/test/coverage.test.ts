// P-87: every refusal code is reached by a case or by a test that is named here, and every requirement P-01 to P-88 is shown.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusals } from '../src/refusal.ts'
import { allCases } from './counterfactuals/all.ts'
import { numberedTests, numbersOf } from './kit/sources.ts'

/** Codes that no counterfactual ends with, and the test that reaches them. */
const reachedElsewhere: Readonly<Record<string, string>> = {
  // Information, and no refusal: the run goes on.
  already_published_identical: 'P-56 PB3 again with --resume: nothing is sent, everything is read back',
}

/** Requirements whose capability does not exist yet, and why. Said aloud below; an entry that is shown after all fails. */
const notShown: Readonly<Record<string, string>> = {}

const requirements = Array.from({ length: 88 }, (_, at) => `P-${String(at + 1).padStart(2, '0')}`)
const tests = numberedTests()
const shown: ReadonlySet<string> = new Set([
  ...allCases.flatMap(({ shows }) => shows),
  ...tests.flatMap(({ name }) => numbersOf(name)),
])

test('P-87 every refusal code is reached', () => {
  const ends: ReadonlySet<string> = new Set(allCases.flatMap(({ code }) => code ?? []))
  const unreached = Object.keys(refusals).filter((code) => !ends.has(code) && reachedElsewhere[code] === undefined)
  expect(unreached).toEqual([])
  expect(Object.keys(reachedElsewhere).filter((code) => ends.has(code) || !Object.hasOwn(refusals, code))).toEqual([])
})

test.each(Object.entries(reachedElsewhere))('P-87 %s is reached by a test that exists: %s', (_, name) => {
  expect(tests.map((one) => one.name)).toContain(name)
})

test('P-87 every requirement is shown by a case or a test, or it is said why not', () => {
  for (const [requirement, reason] of Object.entries(notShown)) console.log(`${requirement} is not shown: ${reason}`)
  expect(requirements.filter((one) => !shown.has(one) && notShown[one] === undefined)).toEqual([])
  expect(Object.keys(notShown).filter((one) => shown.has(one) || !requirements.includes(one))).toEqual([])
})

test('P-87 no case and no test names a requirement that there is not', () => {
  expect([...shown].filter((one) => !requirements.includes(one))).toEqual([])
})

test('P-87 every case of the folder is among all cases', async () => {
  const folder = join(import.meta.dirname, 'counterfactuals')
  const known: ReadonlySet<unknown> = new Set(allCases)
  for (const file of globSync('**/*.ts', { cwd: folder })) {
    const exported: Readonly<Record<string, unknown>> = await import(join(folder, file))
    for (const [name, cases] of Object.entries(exported)) {
      if (!name.endsWith('Cases') || !Array.isArray(cases)) continue
      expect(cases.filter((one) => !known.has(one)).length, `${file}: ${name}`).toBe(0)
    }
  }
})
