import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diffManifests } from '../src/archive/diff.ts'
import { linesOfDiff } from '../src/archive/diff-lines.ts'
import { readArchive } from '../src/archive/read.ts'
import { manifestFile, policyFile } from '../src/evidence.ts'
import type { Manifest } from '../src/records/manifest.ts'
import { roomy } from './counterfactuals/archive.ts'
import { rel } from './kit/rel.ts'
import { tarball } from './kit/tarball.ts'
import { makeWorld, type World } from './kit/world.ts'
import { threePackages } from './kit/world-packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'inspect-'))
afterAll(() => rmSync(folder, { recursive: true }))

let before: World
let after: World
beforeAll(async () => {
  const world = async (version: string, packages = threePackages) => {
    mkdirSync(join(folder, version))
    return await makeWorld(join(folder, version), { version, packages, until: 'manifest' })
  }
  before = await world('1.2.3')
  const [spec, engine] = threePackages
  if (spec === undefined || engine === undefined) throw new Error('the world has three packages')
  after = await world('1.3.0', [
    { ...spec, files: [{ path: 'dist/index.js', content: 'export const name = "more"\n' }] },
    { ...engine, external: { zod: '4.6.7' }, files: [{ path: 'dist/run.js', content: 'run()\n', mode: '0755' }] },
  ])
})

test('inspect tells digests, needs and every file of a tarball', async () => {
  const file = before.tarball('@x/sdk')
  const read = await readArchive(file, { limits: roomy })
  const { exit, out } = await rel(['inspect', file])
  expect(exit).toBe(0)
  const bytes = read.files.reduce((sum, { size }) => sum + size, 0)
  const width = Math.max(...read.files.map(({ size }) => `${size}`.length))
  expect(out).toEqual([
    '@x/sdk 1.2.3',
    `commit      ${'1f'.repeat(20)}`,
    `size        ${read.size} bytes packed, ${bytes} in 7 files`,
    `sha256      ${read.sha256}`,
    `sha512      ${read.sha512}`,
    `sha1        ${read.sha1}`,
    `tar sha256  ${read.tarSha256}`,
    `tree sha256 ${read.treeSha256}`,
    'needs       @x/engine 1.2.3',
    'needs       @x/spec 1.2.3',
    ...read.files.map(({ path, size, mode, sha256 }) => `${mode} ${`${size}`.padStart(width)} ${sha256} ${path}`),
  ])
})

test('inspect --json has the same as data, without contents', async () => {
  const file = before.tarball('@x/spec')
  const { out } = await rel(['inspect', file, '--json'])
  const { kept: _, ...read } = await readArchive(file, { limits: roomy })
  expect(JSON.parse(out.join('\n'))).toMatchObject({
    ok: true,
    ...read,
    manifest: { name: '@x/spec', version: '1.2.3' },
  })
  expect(JSON.parse(out.join('\n'))).not.toHaveProperty('kept')
})

test('what a stranger wrote does not steer the terminal: neither as text nor in a refusal', async () => {
  const steering = '\u001b[2J\u202e'
  const evil = join(folder, 'evil.tgz')
  writeFileSync(evil, tarball([{ path: 'package.json', content: JSON.stringify({ name: 'a', version: steering }) }]))
  expect((await rel(['inspect', evil])).out[0]).toBe('a \\u{1b}[2J\\u{202e}')
  expect((await rel(['diff', evil, evil])).out[0]).toBe('\\u{1b}[2J\\u{202e} → \\u{1b}[2J\\u{202e}')
  writeFileSync(evil, tarball([{ path: steering, content: '' }]))
  const { exit, err } = await rel(['inspect', evil])
  expect(exit).toBe(10)
  expect(err[0]).toContain('path package/\\u{1b}[2J\\u{202e};')
})

test('inspect with a policy holds its limits', async () => {
  const file = join(folder, 'large.tgz')
  writeFileSync(file, tarball([{ path: 'package.json', content: ' '.repeat(5 << 20) }]))
  const { exit, out } = await rel(['inspect', file, '--policy', join(before.folder, policyFile), '--json'])
  expect({ exit, ...JSON.parse(out.join('\n')) }).toMatchObject({ exit: 10, code: 'archive_too_large' })
})

test('diff of two manifests: packages, files, sizes, dependencies; what is equal is not listed', async () => {
  const manifests = [join(before.folder, manifestFile), join(after.folder, manifestFile)]
  const { exit, out } = await rel(['diff', ...manifests])
  expect(exit).toBe(0)
  const lines = out.map((line) =>
    line.replaceAll(/(?<![\d.])\d[\d,]*(?= |\))/g, 'N').replaceAll(/\b[0-9a-f]{40,64}\b/g, 'H'),
  )
  expect(lines).toEqual([
    '1.2.3 → 1.3.0',
    '@x/engine: changed; N → N files, N → N bytes, N → N bytes packed',
    '  ~ CHANGELOG.md (N bytes)',
    '  + dist/run.js (N bytes)',
    '  ~ package.json (N → N bytes)',
    '  ~ package.json version: 1.2.3 → 1.3.0',
    '  ~ dependency @x/spec: 1.2.3 → 1.3.0',
    '  + dependency zod: 4.6.7',
    '@x/sdk: gone; N → N files, N → N bytes, N → N bytes packed',
    '  - CHANGELOG.md (N bytes)',
    '  - LICENSE (N bytes)',
    '  - README.md (N bytes)',
    '  - dist/index.d.ts (N bytes)',
    '  - dist/index.js (N bytes)',
    '  - dist/main.js (N bytes)',
    '  - package.json (N bytes)',
    '  - package.json exports: H',
    '  - package.json gitHead: H',
    '  - package.json version: 1.2.3',
    '  - dependency @x/engine: 1.2.3',
    '  - dependency @x/spec: 1.2.3',
    '@x/spec: changed; N files, N → N bytes, N → N bytes packed',
    '  ~ CHANGELOG.md (N bytes)',
    '  ~ dist/index.js (N → N bytes)',
    '  ~ package.json (N bytes)',
    '  ~ package.json version: 1.2.3 → 1.3.0',
  ])
})

test('diff --json names each file with its entry before and after', async () => {
  const manifests = [join(before.folder, manifestFile), join(after.folder, manifestFile)]
  const { out } = await rel(['diff', ...manifests, '--json'])
  const { packages, version, protocol } = JSON.parse(out.join('\n'))
  expect(version).toEqual({ before: '1.2.3', after: '1.3.0' })
  expect(protocol).toEqual([])
  expect(packages.map(({ name, change }: { name: string; change: string }) => [name, change])).toEqual([
    ['@x/engine', 'contents'],
    ['@x/sdk', 'removed'],
    ['@x/spec', 'contents'],
  ])
  expect(packages[0].files[1]).toMatchObject({ path: 'dist/run.js', before: null, after: { mode: '0755', size: 6 } })
})

test('diff tells sizes and modes of files, and what changed of protocol, compatibility and tools', () => {
  const one = before.evidence().manifest
  const [first, ...rest] = one.packages
  if (first === undefined) throw new Error('the world has packages')
  const [index, ...others] = first.files.toReversed()
  if (index === undefined) throw new Error('the package has files')
  const other: Manifest = {
    ...one,
    packages: [{ ...first, files: [...others, { ...index, mode: '0755', size: index.size + 1_000 }] }, ...rest],
    protocol: { lines: { worker: '1.19 1.20' }, released: {}, schemas: { store: '0'.repeat(64) } },
    compatibility: { ...one.compatibility, upgradeFrom: [] },
    toolchain: { ...one.toolchain, node: '26.0.0' },
  }
  const total = first.files.reduce((sum, { size }) => sum + size, 0)
  const [size, packed] = [index.size, first.file.size]
  const documents = Object.entries(one.protocol.released)
  const number = (value: number) => value.toLocaleString('en-US')
  expect(documents.length).toBeGreaterThan(0)
  expect(linesOfDiff(diffManifests(one, other))).toEqual([
    '1.2.3 → 1.2.3',
    `@x/engine: changed; 6 files, ${number(total)} → ${number(total + 1_000)} bytes, ${number(packed)} bytes packed`,
    `  ~ package.json (${number(size)} → ${number(size + 1_000)} bytes, mode 0644 → 0755)`,
    '@x/sdk: equal',
    '@x/spec: equal',
    'protocol:',
    ...documents.map(([name, digest]) => `  - document ${name}: ${digest}`),
    '  ~ line worker: 1.19 → 1.19 1.20',
    `  ~ schema store: ${one.protocol.schemas.store} → ${'0'.repeat(64)}`,
    'compatibility:',
    '  ~ upgrade from: 1.2.2 → none',
    'toolchain:',
    `  ~ node: ${one.toolchain.node} → 26.0.0`,
  ])
})

test('diff of a tarball with its own manifest finds nothing, the other way round neither', async () => {
  const pair = [before.tarball('@x/engine'), join(before.folder, manifestFile)]
  for (const words of [pair, pair.toReversed()]) {
    expect(await rel(['diff', ...words])).toMatchObject({ exit: 0, out: ['1.2.3 → 1.2.3', '@x/engine: equal'] })
  }
})

test('diff of tarballs that differ in encoding only says so', async () => {
  const files = [{ path: 'package.json', content: '{"name":"a","version":"1.0.0"}' }]
  const [one, other] = [join(folder, 'one.tgz'), join(folder, 'other.tgz')]
  writeFileSync(one, tarball(files))
  writeFileSync(other, tarball(files, { mtime: 0 }))
  const { out } = await rel(['diff', one, other])
  expect(out[1]).toContain('a: encoded otherwise, all files are equal; 1 files')
})

test.each([
  ['inspect without a file', () => ['inspect']],
  ['inspect of two files', () => ['inspect', before.tarball('@x/sdk'), before.tarball('@x/spec')]],
  ['inspect of a file that is not there', () => ['inspect', join(folder, 'gone.tgz')]],
  ['inspect of a folder', () => ['inspect', folder]],
  ['diff of one file', () => ['diff', before.tarball('@x/sdk')]],
  ['diff of a file of another kind', () => ['diff', before.tarball('@x/sdk'), join(folder, 'a.zip')]],
  [
    'diff with a manifest that lacks the package',
    () => ['diff', before.tarball('@x/sdk'), join(after.folder, manifestFile)],
  ],
])('%s is misuse', async (_, words) => {
  expect((await rel(words())).exit).toBe(2)
})

test('diff refuses a manifest that is not canonical', async () => {
  const file = join(folder, 'edited.json')
  writeFileSync(file, '{ }')
  const { exit, err } = await rel(['diff', file, file])
  expect(exit).toBe(10)
  expect(err[0]).toMatch(/^manifest_not_canonical/)
})
