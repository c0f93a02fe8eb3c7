// What a release asks of the repository before anything is packed, and what it writes down of it.
//
// Owns:      the questions to git; which changesets, documents and versions a commit has.
// Does not:  change anything in the repository: what is packed is a clone.
import { sha256 } from './canonical.ts'
import { git, gitAnswer, gitBytes } from './git.ts'
import { refuseUnless } from './guard.ts'
import type { Policy } from './policy.ts'
import type { Packing } from './records/manifest.ts'
import { type Shape, shaped, table, text } from './shape.ts'

/** A commit of a repository, by its full id. */
export interface Commit {
  /** Folder of a checkout. */
  readonly repository: string
  readonly id: string
}

/**
 * Whether the checkout is as its commit: nothing changed or new, and nothing ignored where a pack takes files from (a stale
 * `dist/`, which no `git status` shows).
 *
 * @throws Refused source_dirty, with the first paths
 * @source release design §4.1; P-25
 */
export function judgeClean(repository: string, { packages, files }: Policy): void {
  const status = git(repository, 'status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignored=matching')
  const entries = status.split('\0').filter((entry) => entry !== '')
  const changed = entries.filter((entry) => !entry.startsWith('!! '))
  refuseUnless(changed.length === 0, 'source_dirty', { changed: changed.slice(0, 10), count: changed.length })
  const ignored = entries.filter((entry) => entry.startsWith('!! ')).map((entry) => entry.slice(3))
  const taken = [...files.required, ...files.allowed]
  const packed = Object.values(packages).flatMap((directory) => taken.map((path) => `${directory}/${path}`))
  const stale = ignored.filter((path) => packed.some((one) => path.startsWith(one)))
  refuseUnless(stale.length === 0, 'source_dirty', { ignored: stale.slice(0, 10), count: stale.length })
}

/** Whether the commit is there, and named in full. @throws Refused source_commit_mismatch */
export function judgeName({ repository, id }: Commit): void {
  const found = gitAnswer(repository, 'rev-parse', '--verify', '--quiet', `${id}^{commit}`)
  refuseUnless(found === id, 'source_commit_mismatch', { expected: id, actual: found ?? 'no commit' })
}

/**
 * Whether the commit is in the history of the protected branch, as this repository has it.
 *
 * @throws Refused source_not_on_protected_branch
 */
export function judgeBranch({ repository, id }: Commit, { protectedBranch }: Policy): void {
  const branch = `refs/heads/${protectedBranch}`
  const isProtected = gitAnswer(repository, 'merge-base', '--is-ancestor', id, branch) !== undefined
  refuseUnless(isProtected, 'source_not_on_protected_branch', { commit: id, branch: protectedBranch })
}

/** Whether the commit may be released. @throws Refused source_commit_mismatch, source_not_on_protected_branch */
export function judgeCommit(commit: Commit, policy: Policy): void {
  judgeName(commit)
  judgeBranch(commit, policy)
}

/** Whether versions have consumed all changesets. @throws Refused unconsumed_changesets */
export function judgeChangesets(commit: Commit): void {
  const changesets = changesetsOf(commit)
  refuseUnless(changesets.length === 0, 'unconsumed_changesets', { changesets })
}

/** Names of the changesets that no version has consumed; those of a prerelease lie in a folder of their own. */
const changesetsOf = ({ repository, id }: Commit): readonly string[] =>
  lines(git(repository, 'ls-tree', '-z', '--name-only', id, '.changeset/'))
    .filter(isChangeset)
    .map(changesetName)

const isChangeset = (path: string): boolean => path.endsWith('.md') && path !== '.changeset/README.md'
const changesetName = (path: string): string => path.slice('.changeset/'.length, -'.md'.length)

/** What the last version consumed: the changesets that the last commit to remove any has removed. */
function consumedBy({ repository, id }: Commit): readonly string[] {
  const removed = ['--diff-filter=D', '--no-renames', '--name-only', '-z']
  const output = git(repository, 'log', '-1', '--format=', ...removed, id, '--', ':(glob).changeset/*.md')
  return lines(output).filter(isChangeset).map(changesetName).toSorted()
}

/** The source as packing writes it down. */
export function sourceOf(commit: Commit, { repository: name, protectedBranch }: Policy): Packing['source'] {
  const { repository, id } = commit
  return {
    repository: name,
    commit: id,
    tree: git(repository, 'rev-parse', `${id}^{tree}`).trim(),
    ref: protectedBranch,
    dirty: false,
    lockfileSha256: sha256(gitBytes(repository, 'show', `${id}:pnpm-lock.yaml`)),
    changesetsConsumed: consumedBy(commit),
  }
}

const anything: Shape<unknown> = { holds: (value): value is unknown => value !== undefined }

/** A package.json of the commit. @throws Refused record_schema_invalid */
export function manifestAt({ repository, id }: Commit, path: string): Readonly<Record<string, unknown>> {
  const content: unknown = JSON.parse(git(repository, 'show', `${id}:${path}`))
  return shaped(table(anything), content, path)
}

/** One package as its folder in the commit has it. */
export interface SourcePackage {
  readonly name: string
  readonly directory: string
  readonly version: string
  /** What it needs of the set. */
  readonly needs: readonly string[]
}

/**
 * The packages of the policy as the commit has them; all have one version.
 *
 * @throws Refused name_mismatch, version_mismatch
 */
export function setOf(commit: Commit, { packages }: Policy): { version: string; packages: readonly SourcePackage[] } {
  const found = Object.entries(packages).map(([name, directory]) => packageAt(commit, name, directory))
  const version = found[0]?.version ?? ''
  for (const one of found) {
    refuseUnless(one.version === version, 'version_mismatch', {
      package: one.name,
      expected: version,
      actual: one.version,
    })
  }
  const isMember = (name: string) => Object.hasOwn(packages, name)
  return { version, packages: found.map((one) => ({ ...one, needs: one.needs.filter(isMember) })) }
}

function packageAt(commit: Commit, name: string, directory: string): SourcePackage {
  const path = `${directory}/package.json`
  const manifest = manifestAt(commit, path)
  const actual = shaped(text(), manifest.name, `${path}.name`)
  refuseUnless(actual === name, 'name_mismatch', { directory, expected: name, actual })
  return {
    name,
    directory,
    version: shaped(text(), manifest.version, `${path}.version`),
    needs: Object.keys(shaped(table(text()), manifest.dependencies ?? {}, `${path}.dependencies`)),
  }
}

const lines = (output: string): string[] => output.split('\0').filter((line) => line !== '')
