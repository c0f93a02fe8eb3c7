import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sha256OfFile, writeSums } from '../src/sums.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-sums-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('SHA256SUMS names every file but itself and drafts, sorted, and sha256sum accepts it', () => {
  mkdirSync(join(folder, 'b/c'), { recursive: true })
  for (const path of ['b/c/2', 'b/1', 'a name', 'b-', 'b/x.1f.draft']) writeFileSync(join(folder, path), path)
  writeSums(folder)
  writeSums(folder) // over the first
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => line.slice(66))).toEqual(['a name', 'b-', 'b/1', 'b/c/2'])
  execFileSync('sha256sum', ['--strict', '--quiet', '--check', 'SHA256SUMS'], { cwd: folder })
})

test.each([0, 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000])(
  'a file of %d bytes is read in pieces to its end',
  (size) => {
    const bytes = randomBytes(size)
    const path = join(folder, 'any')
    writeFileSync(path, bytes)
    expect(sha256OfFile(path)).toBe(createHash('sha256').update(bytes).digest('hex'))
  },
)
