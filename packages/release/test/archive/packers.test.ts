// What the package managers of this repository pack is read without complaint, and as `tar` of the machine sees it.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read.ts'
import { roomy } from '../counterfactuals/archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'packers-'))
afterAll(() => rmSync(folder, { recursive: true }))

const manifest = { name: 'tiny', version: '1.0.0', bin: { tiny: 'bin/tiny.js' }, files: ['bin', 'dist'] }
const contents = {
  'package.json': JSON.stringify(manifest),
  'README.md': '# tiny\n',
  'bin/tiny.js': '#!/usr/bin/env node\n',
  'dist/a-name-that-is-long-but-fits-the-header/of-an-archive/when-it-is-cut-in-two/at-one-of-its-strokes.js': '1\n',
  'dist/ü.js': '"ü"\n',
  'dist/large.js': '0123456789'.repeat(20_000),
}
for (const [path, content] of Object.entries(contents)) {
  const file = join(folder, 'tiny', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, path.startsWith('bin/') ? 0o755 : 0o644) // npm packs the modes of the disk
}

const pinned: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'))
const packageManager =
  typeof pinned === 'object' && pinned !== null && 'packageManager' in pinned ? `${pinned.packageManager}` : ''

test.each([
  ['pnpm', 'npx', ['-y', packageManager, 'pack', '--pack-destination']],
  ['npm', 'npm', ['pack', '--ignore-scripts', '--pack-destination']],
])('a tarball of %s is read: every file, with its size and mode', async (packer, program, args) => {
  const out = join(folder, packer)
  mkdirSync(out)
  execFileSync(program, [...args, out], { cwd: join(folder, 'tiny'), stdio: 'pipe' })
  expect(readdirSync(out)).toEqual(['tiny-1.0.0.tgz'])
  const { files, kept } = await readArchive(join(out, 'tiny-1.0.0.tgz'), { limits: roomy, keep: () => true })
  expect(files.map(({ path }) => path)).toEqual(Object.keys(contents).toSorted())
  for (const { path, mode } of files) {
    expect([path, mode]).toEqual([path, path.startsWith('bin/') ? '0755' : '0644'])
    const unpacked = execFileSync('tar', ['-xOzf', join(out, 'tiny-1.0.0.tgz'), `package/${path}`])
    expect(Buffer.from(kept.get(path) ?? []).equals(unpacked), path).toBe(true)
  }
})
