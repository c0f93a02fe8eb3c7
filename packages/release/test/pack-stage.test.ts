// `rel pack` on a repository whose tools are scripts of a line: what they see, and what is left afterwards.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { canonicalText } from '../src/canonical.ts'
import { inFreshClone } from '../src/clone.ts'
import { git } from '../src/git.ts'
import { pack } from '../src/stages/pack.ts'
import { runTool } from '../src/tool-run.ts'
import { commitAll, makeRepository, sourcePolicy, writePolicy } from './kit/source-repository.ts'

const progress: string[] = []
const context = {
  now: () => new Date(0),
  progress: (line: string) => progress.push(line),
  tool: { version: '0.1.0', sha256: '0'.repeat(64) },
}
let folder = ''
/** Where this process makes its temporary folders, and no other one does. */
let temporary = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-pack-'))
  temporary = mkdtempSync(join(tmpdir(), 'release-pack-temporary-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const one of [folder, temporary]) rmSync(one, { recursive: true, force: true })
})

test('a commit becomes an evidence folder: tarballs, policy, and what packing saw', async () => {
  const commit = makeRepository(join(folder, 'repository'))
  const out = join(folder, 'releases/one')
  const { tarballs, packing } = await pack({ commit, policyPath: writePolicy(folder), out }, context)
  expect(readdirSync(out).toSorted()).toEqual(['packing.json', 'policy.json', 'tarballs'])
  expect(tarballs).toEqual(expect.arrayContaining(['x-engine-1.2.3.tgz', 'x-spec-1.2.3.tgz']))
  expect(readdirSync(join(out, 'tarballs')).toSorted()).toEqual(tarballs)
  expect(readFileSync(join(out, 'policy.json'), 'utf8')).toBe(canonicalText(sourcePolicy))
  expect(readFileSync(join(out, 'packing.json'), 'utf8')).toBe(canonicalText(packing))
  expect(packing).toMatchObject({
    version: '1.2.3',
    source: { repository: 'x', commit: commit.id, tree: git(commit.repository, 'rev-parse', 'HEAD^{tree}').trim() },
    toolchain: {
      pnpm: { version: '12.4.2', integrity: `sha512-${'p'.repeat(86)}==` },
      typescript: { version: '6.0.3', integrity: `sha512-${'t'.repeat(86)}==` },
      platform: `${process.platform}-${process.arch}`,
      packCommand: ['sh', 'pack.sh', '{out}', '{commit}'],
    },
    released: { 'worker-1.19': expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(progress.at(-1)).toMatch(/^packed \d of 2 packages$/)
})

test('what packs sees an environment that is made for it, and a clone that is gone afterwards', async () => {
  vi.stubEnv('npm_config_ignore_scripts', 'false')
  vi.stubEnv('npm_lifecycle_event', 'test')
  vi.stubEnv('NODE_OPTIONS', '--no-warnings')
  vi.stubEnv('GITHUB_TOKEN', 'secret')
  vi.stubEnv('TZ', 'Asia/Kathmandu')
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1/')
  const commit = makeRepository(join(folder, 'repository'))
  const out = join(folder, 'release')
  await pack({ commit, policyPath: writePolicy(folder), out }, context)
  const seen = (name: string) => readFileSync(join(out, 'tarballs', name), 'utf8').trim()
  const environment = new Map(
    seen('environment')
      .split('\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const clone = seen('folder')
  expect(Object.fromEntries(environment)).toMatchObject({
    CI: 'true',
    TZ: 'UTC',
    LC_ALL: 'C',
    TURBO_FORCE: 'true',
    TMPDIR: join(clone, '../tmp'),
    npm_config_registry: 'http://127.0.0.1:1/',
  })
  expect([...environment.keys()]).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(npm_config_ignore_scripts|npm_lifecycle|NODE_OPTIONS|GITHUB)/)]),
  )
  const programs = (environment.get('PATH') ?? '').split(':').filter((one) => one.includes('node_modules/.bin'))
  expect(programs).toEqual([join(clone, 'node_modules/.bin')])
  expect(seen('umask')).toBe('0022')
  expect(seen('commit')).toBe(commit.id)
  expect(clone).toMatch(/\/rel-clone-\w{6}\/clone$/)
  expect(existsSync(clone)).toBe(false)
})

test.each([
  ['the install', { 'install.sh': 'echo no room; exit 3\n' }, /install\.sh ended with 3:\nno room/],
  ['the pack', { 'pack.sh': 'echo half > "$1/x-spec-1.2.3.tgz"; exit 4\n' }, /pack\.sh .* ended with 4/],
  ['the packer, asked for its version,', { 'packer.sh': 'exit 5\n' }, /packer\.sh --version ended with 5/],
])('when %s fails, nothing is left', async (_, changes, sentence) => {
  const commit = makeRepository(join(folder, 'repository'), changes)
  const request = { commit, policyPath: writePolicy(folder), out: join(folder, 'release') }
  await expect(pack(request, context)).rejects.toThrow(sentence)
  expect(readdirSync(folder).toSorted()).toEqual(['release.policy.json', 'repository'])
  expect(readdirSync(temporary)).toEqual([])
})

test('an empty folder may be there already', async () => {
  const commit = makeRepository(join(folder, 'repository'))
  const out = join(folder, 'release')
  mkdirSync(out)
  await pack({ commit, policyPath: writePolicy(folder), out }, context)
  expect(existsSync(join(out, 'packing.json'))).toBe(true)
})

test('what a version consumed is told: the changesets that its commit removed', async () => {
  const begun = makeRepository(join(folder, 'repository'), {
    '.changeset/one.md': 'One\n',
    '.changeset/two.md': 'Two\n',
  })
  for (const name of ['one', 'two']) rmSync(join(begun.repository, `.changeset/${name}.md`))
  const versioned = commitAll(begun, 'version')
  const commit = commitAll(versioned, 'something else')
  const { packing } = await pack({ commit, policyPath: writePolicy(folder), out: join(folder, 'release') }, context)
  expect(packing.source.changesetsConsumed).toEqual(['one', 'two'])
})

test('a clone is of the commit, not of what the checkout is at, and has the line ends of the commit', async () => {
  const first = makeRepository(join(folder, 'repository'), { 'text.txt': 'one\ntwo\n' })
  git(first.repository, 'config', 'core.autocrlf', 'true')
  rmSync(join(first.repository, 'text.txt'))
  commitAll(first, 'gone')
  await inFreshClone(first, { umask: 0o022, beneath: 'a b' }, async ({ clone }) => {
    expect(readFileSync(join(clone, 'text.txt'), 'utf8')).toBe('one\ntwo\n')
  })
})

test('a tool that is not there is an error, not a silent end', async () => {
  const place = { cwd: folder, env: { PATH: folder }, umask: 0o022 }
  await expect(runTool(['no-such-tool'], place)).rejects.toThrow('ENOENT')
})
