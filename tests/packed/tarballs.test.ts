// What is packed, judged before anything is installed.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { packagesNamed } from '../../scripts/declarations.ts'
import { packPublished } from '../../scripts/pack-published.ts'
import { fields, publishedPackages, root } from '../../scripts/published.ts'
import { changelogFile } from '../../scripts/published-manifest.ts'
import { surfaceDifferences } from '../../scripts/surface-files.ts'

const run = promisify(execFile)
const tarballs = inject('tarballs')
const staged = inject('staged')
const packages = publishedPackages().map((one) => {
  const tarball = tarballs.find(({ name }) => name === one.name)
  const folder = staged[one.name]
  if (tarball === undefined || folder === undefined) throw new Error(`${one.name} is not packed`)
  return { one, tarball, folder, name: one.name }
})
const bin = (name: string): string => join(root, 'node_modules/.bin', name)

/** Runs a judge; its word is what it prints, and it is content when it ends with 0. */
async function verdictOf(command: string, args: readonly string[]): Promise<string> {
  const [outcome] = await Promise.allSettled([run(bin(command), [...args], { cwd: tmpdir() })])
  return outcome.status === 'fulfilled' ? 'content' : String(outcome.reason)
}

test('PK1 two runs write the same bytes', async () => {
  const out = await mkdtemp(join(tmpdir(), 'durable-workflow packed again-'))
  try {
    const again = await packPublished(publishedPackages(), out)
    const digests = (all: typeof again) => all.map(({ name, sha256 }) => ({ name, sha256 }))
    expect(digests(again)).toEqual(digests([...tarballs]))
    await expect(packPublished([], out)).rejects.toThrow(`${out} is not empty`)
  } finally {
    await rm(out, { recursive: true })
  }
})

test.each(packages)('PK2 $name holds what was built, its manifest and its documents', ({ one, tarball }) => {
  const beside = tarball.files.filter((path) => !/^dist\/.+\.(c?js|d\.c?ts)$/.test(path))
  const changelog = existsSync(join(one.folder, changelogFile)) ? [changelogFile] : []
  const licences = one.bundled.length > 0 ? ['dist/THIRD-PARTY-LICENSES.txt'] : []
  expect(beside).toEqual([...changelog, 'LICENSE', 'README.md', ...licences, 'package.json'])
  for (const entry of [...one.entries.values(), ...one.programs.values()]) {
    expect(tarball.files).toContain(`dist/${entry}.js`)
  }
  expect(tarball.files.some((path) => path.endsWith('.cjs'))).toBe(one.hasCommonJs)
})

test.each(packages)('the manifest of $name leads only to files that are packed', async ({ tarball, folder }) => {
  const text = await readFile(join(folder, 'package.json'), 'utf8')
  const paths = [...text.matchAll(/"\.\/([^"]+\.\w+)"/g)].flatMap((match) => match[1] ?? [])
  expect(paths.length).toBeGreaterThan(1)
  expect(tarball.files).toEqual(expect.arrayContaining(paths))
  expect(text).not.toMatch(/"source"|workspace:|"scripts"|"devDependencies"|"private"|"publishConfig"/)
  const manifest = fields(JSON.parse(text))
  expect(Object.fromEntries(manifest)).toMatchObject({
    version: tarball.version,
    license: 'MIT',
    description: expect.stringMatching(/^[A-Z].+\.$/),
    engines: { node: '>=22.18' },
  })
  for (const [name, version] of fields(manifest.get('dependencies'))) {
    const ours = tarballs.find((other) => other.name === name)
    if (ours !== undefined) expect(version, name).toBe(ours.version)
  }
})

test.each(packages)(
  '$name declares every package that its code and its declarations name',
  async ({ tarball, folder }) => {
    const manifest = fields(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
    const declared: ReadonlySet<string> = new Set([
      tarball.name,
      ...fields(manifest.get('dependencies')).keys(),
      ...fields(manifest.get('peerDependencies')).keys(),
    ])
    const named = new Set<string>()
    for (const path of tarball.files.filter((path) => path.startsWith('dist/'))) {
      const text = await readFile(join(folder, path), 'utf8')
      const required = [...text.matchAll(/\brequire\(['"]([^'"./][^'"]*)['"]\)/g)].flatMap((match) => match[1] ?? [])
      for (const name of packagesNamed(required.reduce((all, one) => `${all}\nimport '${one}'`, text))) named.add(name)
    }
    const undeclared = [...named].filter(
      (name) => !declared.has(name) && !(name.startsWith('node:') && isBuiltin(name)),
    )
    expect(undeclared).toEqual([])
  },
)

test.each(packages)('no file of $name tells where it was built', async ({ tarball, folder }) => {
  for (const path of tarball.files) {
    const text = await readFile(join(folder, path), 'utf8')
    for (const place of [root, tmpdir(), homedir()]) expect(text.includes(`${place}/`), `${path}: ${place}`).toBe(false)
  }
})

test.each(packages)('publint is content with $name', async ({ tarball }) => {
  expect(await verdictOf('publint', ['--strict', tarball.file])).toBe('content')
})

test.each(packages)('are-the-types-wrong is content with $name', async ({ one, tarball }) => {
  // node10 knows no `exports` at all, and no supported Node does without them.
  const profile = one.hasCommonJs ? 'node16' : 'esm-only'
  expect(await verdictOf('attw', ['--profile', profile, '--no-color', tarball.file])).toBe('content')
})

test('the public surface is as it was accepted (meant to change: run `pnpm surface:accept`)', () => {
  const differences = surfaceDifferences(new Map(Object.entries(inject('surface'))))
  expect(differences.join('\n')).toBe('')
})
