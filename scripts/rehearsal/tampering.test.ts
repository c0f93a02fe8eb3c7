import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeNestedEntry } from './consumer.ts'
import { readState, writeState } from './state.ts'
import { flipByteOfPublished } from './tamper.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tampering-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, content: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

test('one byte of the largest published tarball changes, and comes back', () => {
  const small = write('@x/spec/spec-1.0.0.tgz', 'small')
  const large = write('@x/engine/engine-1.0.0.tgz', 'a larger one')
  const giveBack = flipByteOfPublished(folder, [
    { name: '@x/spec', version: '1.0.0', file: { size: 5 } },
    { name: '@x/engine', version: '1.0.0', file: { size: 12 } },
  ])
  const changed = readFileSync(large, 'utf8')
  expect([...changed].filter((letter, at) => letter !== 'a larger one'[at])).toHaveLength(1)
  expect(readFileSync(small, 'utf8')).toBe('small')
  giveBack()
  expect(readFileSync(large, 'utf8')).toBe('a larger one')
})

test('one character of one integrity of the nested lockfile changes, and comes back', () => {
  const lockfile = JSON.stringify(
    {
      packages: {
        'node_modules/@x/engine': { integrity: 'sha512-AAAA' },
        'node_modules/@x/spec': { integrity: 'sha512-BBBB' },
      },
    },
    null,
    2,
  )
  const file = write('apps/nested/package-lock.json', lockfile)
  const giveBack = changeNestedEntry(folder, '@x/spec')
  expect(readFileSync(file, 'utf8')).toBe(lockfile.replace('sha512-B', 'sha512-A'))
  giveBack()
  expect(readFileSync(file, 'utf8')).toBe(lockfile)
  expect(() => changeNestedEntry(folder, '@x/gone')).toThrow('has no integrity of @x/gone')
})

test('how far a rehearsal came is read as it was written; a folder without one is an error', () => {
  const state = { commit: 'a'.repeat(40), databases: ['sqlite'], port: 4873, passed: { pack: 12.5 } }
  writeState(folder, state)
  expect(readState(folder)).toEqual(state)
  expect(() => readState(join(folder, 'gone'))).toThrow('holds no rehearsal')
})
