// `rel plan`: what would be released, and all that stands in its way at once.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProgram } from '../src/program.ts'
import { plan } from '../src/stages/plan.ts'
import { commitAll, makeRepository, writeFiles, writePolicy } from './kit/source-repository.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-plan-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const codesOf = ({ refusals }: ReturnType<typeof plan>) => refusals.map(({ code }) => code)

/** Runs `rel` with words; its lines on both streams and its exit code. */
async function rel(...words: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const exit = await runProgram(words, { out: (line) => out.push(line), err: (line) => err.push(line) })
  return { exit, out, err }
}

test('what would be released is told tier by tier, with its channel and its dist-tag', () => {
  const commit = makeRepository(join(folder, 'repository'))
  const { release, refusals } = plan(commit, writePolicy(folder))
  expect(refusals).toEqual([])
  expect(release).toMatchObject({
    version: '1.2.3',
    channel: 'stable',
    distTag: 'latest',
    packages: [
      { name: '@x/spec', directory: 'packages/spec', tier: 0, needs: [] },
      { name: '@x/engine', directory: 'packages/engine', tier: 1, needs: ['@x/spec'] },
    ],
    changesets: [],
    released: { 'worker-1.19': expect.stringMatching(/^[0-9a-f]{64}$/) },
    schemas: { store: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
})

test('all refusals are told, in the order of the stages, not only the first', () => {
  const begun = makeRepository(join(folder, 'repository'), {
    '.changeset/more.md': '---\n"@x/spec": patch\n---\n\nMore.\n',
    'packages/spec/CHANGELOG.md': '# @x/spec\n',
    'packages/engine/CHANGELOG.md': '## 1.2.3\n\n- One.\n\n## 1.2.3\n\n- Two.\n',
    'spec/released/index.json': '{}',
  })
  writeFiles(begun.repository, { 'new.txt': '' })
  const policy = writePolicy(folder)
  const all = [
    'source_dirty',
    'unconsumed_changesets',
    'protocol_digest_mismatch',
    'changelog_entry_ambiguous',
    'changelog_entry_missing',
  ]
  expect(codesOf(plan(begun, policy))).toEqual(all)
})

test('two packages that need each other have no tiers', () => {
  const dependencies = '"dependencies":{"@x/engine":"workspace:*"}'
  const commit = makeRepository(join(folder, 'repository'), {
    'packages/spec/package.json': `{"name":"@x/spec","version":"1.2.3",${dependencies}}`,
  })
  expect(codesOf(plan(commit, writePolicy(folder)))).toEqual(['internal_dependency_cycle'])
})

test('of a commit that is not there nothing else is asked', () => {
  const commit = makeRepository(join(folder, 'repository'))
  const planned = plan({ ...commit, id: 'ab'.repeat(20) }, writePolicy(folder))
  expect({ codes: codesOf(planned), release: planned.release }).toEqual({
    codes: ['source_commit_mismatch'],
    release: null,
  })
})

test('rel plan ends with 0 where nothing stands in the way, and changes nothing', async () => {
  const { repository, id } = makeRepository(join(folder, 'repository'))
  const policy = writePolicy(folder)
  const before = readdirSync(folder, { recursive: true }).toSorted()
  const { exit, out, err } = await rel('plan', '--repository', repository, '--policy', policy)
  expect({ exit, err }).toEqual({ exit: 0, err: [] })
  expect(out[0]).toBe(`1.2.3 (stable) of ${id}, for the dist-tag latest`)
  expect(out.at(-1)).toBe('nothing stands in its way')
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(before)
})

test('rel plan --json ends with 10 and has every refusal with its next step', async () => {
  const begun = makeRepository(join(folder, 'repository'), { '.changeset/more.md': 'More.\n' })
  writeFiles(begun.repository, { 'new.txt': '' })
  const words = ['--repository', begun.repository, '--policy', writePolicy(folder), '--json']
  const { exit, out } = await rel('plan', ...words)
  expect(exit).toBe(10)
  const answer: unknown = JSON.parse(out.join(''))
  expect(answer).toMatchObject({
    ok: false,
    code: 'source_dirty',
    commit: begun.id,
    release: { version: '1.2.3' },
    refusals: [
      { code: 'source_dirty', facts: { changed: ['?? new.txt'] }, next: expect.stringMatching(/./) },
      { code: 'unconsumed_changesets', facts: { changesets: ['more'] } },
    ],
  })
})

test('rel pack and rel manifest refuse what they are given, by code', async () => {
  const commit = commitAll(makeRepository(join(folder, 'repository')), 'again')
  const policy = writePolicy(folder)
  const out = join(folder, 'release')
  const where = ['--repository', commit.repository, '--policy', policy, '--out', out]
  expect(await rel('pack', ...where)).toMatchObject({ exit: 2 })
  expect(await rel('pack', ...where, '--commit', commit.id)).toMatchObject({ exit: 0 })
  const { exit, err } = await rel('pack', ...where, '--commit', commit.id)
  expect({ exit, first: err[0] }).toMatchObject({ exit: 10, first: expect.stringMatching(/^out_dir_not_empty: /) })
  // What the scripts of this repository "pack" is no archive.
  const judged = await rel('manifest', '--release', out)
  expect(judged).toMatchObject({
    exit: 10,
    err: [expect.stringMatching(/^archive_malformed: .*\(file commit; /), expect.anything()],
  })
  expect(readdirSync(out).toSorted()).toEqual(['packing.json', 'policy.json', 'tarballs'])
  expect(readFileSync(join(out, 'packing.json'), 'utf8')).toContain(commit.id)
})
