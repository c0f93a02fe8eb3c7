// The facts of a refusal: what a person needs to know which thing moved.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { comparePackage } from '../../src/archive/compare.ts'
import { type Facts, Refused } from '../../src/refusal.ts'
import { entryOf, readBytes, smallPackage } from '../counterfactuals/archive.ts'
import { flipped, type PackedFile, tarball } from '../kit/tarball.ts'

const folder = mkdtempSync(join(tmpdir(), 'compare-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function refusalOf(changed: Uint8Array): Promise<{ code: string; facts: Facts }> {
  const bound = await readBytes(folder, tarball(smallPackage))
  const read = await readBytes(folder, changed)
  try {
    comparePackage(entryOf(bound), read)
  } catch (error) {
    if (error instanceof Refused) return { code: error.code, facts: error.facts }
    throw error
  }
  throw new Error('nothing was refused')
}

const changed = (path: string, change: Partial<PackedFile>) =>
  tarball(smallPackage.map((one) => (one.path === path ? { ...one, ...change } : one)))

test('P-07 the gzip header drifted: contents are equal, and both digests of the file are named', async () => {
  const { sha256 } = await readBytes(folder, tarball(smallPackage))
  const drifted = flipped(tarball(smallPackage), 4)
  const { sha256: actual } = await readBytes(folder, drifted)
  expect(await refusalOf(drifted)).toEqual({
    code: 'archive_sha256_mismatch',
    facts: { package: '@x/spec', contents: 'equal', drift: 'archive_encoding_drift', expected: sha256, actual },
  })
})

test('P-08 a byte of a file: its path, and mode, size and digest of both', async () => {
  const { code, facts } = await refusalOf(changed('README.md', { content: '# spec\n' }))
  expect({ code, path: facts.path }).toEqual({ code: 'file_content_mismatch', path: 'README.md' })
  expect(facts.expected).toMatch(/^0644 7 [0-9a-f]{64}$/)
  expect(facts.actual).toMatch(/^0644 7 [0-9a-f]{64}$/)
  expect(facts.actual).not.toBe(facts.expected)
})

test('P-09 another level: the drift is told, and that the contents are equal', async () => {
  const { code, facts } = await refusalOf(tarball(smallPackage, { level: 0 }))
  expect({ code, ...facts }).toMatchObject({
    code: 'archive_sha256_mismatch',
    contents: 'equal',
    drift: 'archive_encoding_drift',
  })
})

test('P-22 a file renamed in case only: the name that is bound is the one that is missing', async () => {
  expect(await refusalOf(changed('README.md', { path: 'ReadMe.md' }))).toEqual({
    code: 'file_missing',
    facts: { package: '@x/spec', path: 'README.md' },
  })
})
