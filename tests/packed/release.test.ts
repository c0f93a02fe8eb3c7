// The packed `rel`, where nothing else is: what it needs is in its own files.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { root } from '../../scripts/published.ts'

const run = promisify(execFile)
let folder = ''
let rel = ''

beforeAll(async () => {
  const staged = inject('staged')['@durable-workflow/release']
  if (staged === undefined) throw new Error('the release package is not staged')
  folder = await mkdtemp(join(tmpdir(), 'durable-workflow-rel-'))
  await cp(staged, join(folder, 'rel'), { recursive: true })
  rel = join(folder, 'rel/dist/main.js')
})
afterAll(() => rm(folder, { recursive: true }))

test('P-81 the packed rel has no dependencies, reads a lockfile in YAML, and names the licence of what it brings along', async () => {
  const manifest = await readFile(join(folder, 'rel/package.json'), 'utf8')
  expect(manifest).not.toMatch(/"dependencies": \{[^}]|"bundled"/)
  expect(await readFile(join(folder, 'rel/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')).toMatch(/^yaml \d+\.\d+\.\d+\n/)
  const lockfile = await readFile(join(root, 'packages/release/test/lockfiles/pnpm-9-good.txt'), 'utf8')
  const consumer = join(folder, 'consumer')
  await mkdir(consumer)
  await writeFile(join(consumer, 'pnpm-lock.yaml'), lockfile)
  await writeFile(join(consumer, 'release.pins.json'), pinsOf(lockfile))
  const good = await run(process.execPath, [rel, 'verify-pins', consumer], { cwd: folder })
  expect(good.stdout).toContain('pnpm-lock.yaml (pnpm 9.0): 3 entries')
  await writeFile(join(consumer, 'pnpm-lock.yaml'), lockfile.replace('sha512-A', 'sha512-B'))
  const changed = run(process.execPath, [rel, 'verify-pins', consumer], { cwd: folder })
  await expect(changed).rejects.toMatchObject({ code: 10, stderr: expect.stringContaining('pin_integrity_mismatch') })
})

/** Pins of what a lockfile has, as `rel pin` writes them. */
function pinsOf(lockfile: string): string {
  const entries = lockfile.matchAll(/'(@x\/\w+)@0\.2\.0':\n {4}resolution: \{integrity: ([^}]+)\}/g)
  const packages = Object.fromEntries(
    [...entries].map(([, name, integrity]) => [name, { integrity, version: '0.2.0' }]),
  )
  expect(Object.keys(packages)).toEqual(['@x/engine', '@x/sdk', '@x/spec'])
  const pins = {
    packages,
    releaseId: '0.2.0+0123456789ab',
    schema: 'durable-workflow.release/pins/v1',
    sequence: 1,
    tupleSha256: '0'.repeat(64),
  }
  return `${JSON.stringify(pins, null, 2)}\n`
}
