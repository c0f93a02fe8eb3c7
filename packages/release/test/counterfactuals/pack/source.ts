// A repository that must not be packed, one change at a time.
//
// P-25 stands for what the checkout and the commit hold besides what is released (dirt, changesets, another lockfile), P-23 for
// which commit it is, P-26 and P-27 for versions and names, P-31 for the folder of the tarballs, P-11 for the tools.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../../src/git.ts'
import type { RefusalCode } from '../../../src/refusal.ts'
import { type Commit, judgeBranch, judgeChangesets, judgeClean, judgeName, setOf } from '../../../src/source.ts'
import { judgeInstall, judgeOut, releasedOf, schemasOf } from '../../../src/stages/pack.ts'
import { judgeTools, type Measured } from '../../../src/toolchain.ts'
import { type Counterfactual, endingOf } from '../../kit/counterfactual.ts'
import {
  type Changes,
  commitAll,
  makeRepository,
  sourcePolicy,
  workerFile,
  writeFiles,
} from '../../kit/source-repository.ts'

/** What is asked of a commit. */
type Question = (commit: Commit) => unknown

/** Changes what is asked: files before the commit, then the repository or the commit. */
interface Change {
  readonly committed?: Changes | undefined
  readonly after?: (commit: Commit) => Commit
}

type Row = readonly [shows: `P-${number}`, differs: string, code: RefusalCode | null, ask: Question, change: Change]

const isClean: Question = ({ repository }) => judgeClean(repository, sourcePolicy)
const isNamed: Question = (commit) => judgeName(commit)
const isOnBranch: Question = (commit) => judgeBranch(commit, sourcePolicy)
const isConsumed: Question = (commit) => judgeChangesets(commit)
const isOneSet: Question = (commit) => setOf(commit, sourcePolicy)
const isReleased: Question = (commit) => releasedOf(commit, sourcePolicy)
const hasSchemas: Question = (commit) => schemasOf(commit, sourcePolicy)
const committed = (changes: Changes): Change => ({ committed: changes })

/** Files that are there, and not committed. */
const left = (changes: Changes): Change => ({
  after(commit) {
    writeFiles(commit.repository, changes)
    return commit
  },
})

const onBranch: Change = {
  after(commit) {
    git(commit.repository, 'checkout', '--quiet', '-b', 'feature')
    return commitAll(commit, 'not merged')
  },
}

const named = (name: (id: string) => string): Change => ({ after: (commit) => ({ ...commit, id: name(commit.id) }) })
const changeset = '---\n"@x/spec": patch\n---\n\nMore.\n'

const rows: readonly Row[] = [
  ['P-25', 'a changed file', 'source_dirty', isClean, left({ 'packages/spec/package.json': '{}\n' })],
  ['P-25', 'a new file', 'source_dirty', isClean, left({ 'packages/spec/src/new.ts': '' })],
  ['P-25', 'a file in an ignored dist', 'source_dirty', isClean, left({ 'packages/spec/dist/stale.js': '' })],
  ['P-25', 'an ignored file that no pack takes', null, isClean, left({ 'packages/spec/.cache/x': '' })],
  ['P-23', 'the id of no commit', 'source_commit_mismatch', isNamed, named(() => 'ab'.repeat(20))],
  ['P-23', 'a short id', 'source_commit_mismatch', isNamed, named((id) => id.slice(0, 12))],
  ['P-23', 'a name in place of the id', 'source_commit_mismatch', isNamed, named(() => 'main')],
  ['P-23', 'a commit of another branch', 'source_not_on_protected_branch', isOnBranch, onBranch],
  ['P-25', 'a changeset', 'unconsumed_changesets', isConsumed, committed({ '.changeset/more.md': changeset })],
  ['P-25', 'a changeset of a prerelease', null, isConsumed, committed({ '.changeset/pre/more.md': changeset })],
  [
    'P-27',
    'another name in the folder of a package',
    'name_mismatch',
    isOneSet,
    committed({ 'packages/spec/package.json': '{"name":"@x/specs","version":"1.2.3"}' }),
  ],
  [
    'P-26',
    'another version of one package',
    'version_mismatch',
    isOneSet,
    committed({ 'packages/spec/package.json': '{"name":"@x/spec","version":"1.2.4"}' }),
  ],
  [
    'P-26',
    'a released document that was edited',
    'protocol_digest_mismatch',
    isReleased,
    committed({ [workerFile]: '{"openapi":"3.1.1"}' }),
  ],
  [
    'P-26',
    'a line of the protocol that is not released',
    'protocol_digest_mismatch',
    isReleased,
    committed({ 'spec/released/index.json': '{}' }),
  ],
  [
    'P-26',
    'a schema that is not where the policy says',
    'protocol_digest_mismatch',
    hasSchemas,
    committed({ 'schema.sql': null }),
  ],
]

const repositoryCases = rows.map(
  ([shows, differs, code, ask, change]): Counterfactual => ({
    shows: [shows],
    differs,
    layer: 'U',
    code,
    run(folder, which) {
      const { committed: changes, after = (same) => same }: Change = which === 'changed' ? change : {}
      const commit = after(makeRepository(join(folder, 'repository'), changes))
      return endingOf(() => ask(commit))
    },
  }),
)

const rootManifest = {
  packageManager: 'pnpm@12.4.2+sha512.00',
  devDependencies: { node: 'npm:node@24.21.0', typescript: '6.0.3', vitest: '^5.0.0' },
} as const

const measured: Measured = {
  node: '24.21.0',
  pnpm: '12.4.2',
  typescript: '6.0.3',
  platform: 'linux-x64',
  zlib: '1.3.1',
}

/** What other tools measured as, what the install said, what lay in the output folder. */
const toolCases: readonly Counterfactual[] = [
  ...Object.entries({ pnpm: '12.21.0', node: '24.20.0', typescript: '5.9.3' }).map(
    ([tool, version]): Counterfactual => ({
      shows: ['P-11'],
      differs: `another version of ${tool}`,
      layer: 'U',
      code: 'packer_version_mismatch',
      run: (_, which) =>
        endingOf(() => judgeTools(rootManifest, which === 'changed' ? { ...measured, [tool]: version } : measured)),
    }),
  ),
  {
    shows: ['P-25'],
    differs: 'a lockfile that does not fit the manifests',
    layer: 'U',
    code: 'lockfile_drift',
    run: (_, which) =>
      endingOf(() =>
        judgeInstall({
          output: which === 'changed' ? '[ERR_PNPM_OUTDATED_LOCKFILE] Cannot install' : 'Done',
        }),
      ),
  },
  {
    shows: ['P-31'],
    differs: 'something in the output folder',
    layer: 'U',
    code: 'out_dir_not_empty',
    run(folder, which) {
      if (which === 'changed') writeFileSync(join(folder, 'old.tgz'), '')
      return endingOf(() => judgeOut(folder))
    },
  },
]

/** One change of a repository, of its tools, or of where the tarballs go. */
export const sourceCases: readonly Counterfactual[] = [...repositoryCases, ...toolCases]
