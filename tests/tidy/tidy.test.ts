import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { broken } from './broken.ts'
import { type Finding, repositoryAt, repositoryOf } from './repository.ts'
import { rules } from './rules.ts'

const here = repositoryAt(join(import.meta.dirname, '../..'))
const sentence = ({ path, line, says }: Finding): string => `${path}${line === undefined ? '' : `:${line}`}  ${says}`

describe('tidy (house §7)', () => {
  test.each(Object.entries(rules))('%s', (_name, rule) => {
    expect(rule(here).map(sentence)).toEqual([])
  })
})

describe('the rules themselves', () => {
  test.each(broken)('$rule sees $breaks', ({ rule, files, finds }) => {
    expect(
      rules[rule](repositoryOf(files)).map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)),
    ).toEqual(finds)
  })

  test('every rule is tried on something broken and on something whole', () => {
    const tried = (whole: boolean): string[] =>
      broken.filter(({ finds }) => (finds.length === 0) === whole).map(({ rule }) => rule)
    expect(new Set(tried(false))).toEqual(new Set(Object.keys(rules)))
    expect(new Set(tried(true))).toEqual(new Set(Object.keys(rules)))
  })
})
