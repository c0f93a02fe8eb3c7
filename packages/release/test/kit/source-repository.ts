// A git repository of two packages that is ready to be packed, by tools that are shell scripts of a line.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { canonicalText } from '../../src/canonical.ts'
import { git } from '../../src/git.ts'
import type { Policy } from '../../src/policy.ts'
import type { Commit } from '../../src/source.ts'
import { packedSet } from './packed-set.ts'

/** Path → content; null for a file that goes. */
export type Changes = Readonly<Record<string, string | null>>

const worker = '{"openapi":"3.1.0","paths":{},"x-version":1.5}'
const workerSha256 = createHash('sha256').update(worker).digest('hex')

/** The document as it is released, as a person reads it. */
export const workerFile = `spec/released/worker-1.19-${workerSha256.slice(0, 6)}.json`

const packageJson = (name: string, dependencies: Readonly<Record<string, string>> = {}): string =>
  `${JSON.stringify({ name, version: '1.2.3', dependencies }, null, 2)}\n`

const files: Readonly<Record<string, string>> = {
  '.changeset/README.md': '# Changesets\n',
  '.changeset/config.json': '{}\n',
  '.gitignore': 'dist/\n.cache/\n',
  'install.sh': 'echo installed\n',
  // What the lockfile would bring, which no script of a line does.
  'node_modules/typescript/package.json': '{"version":"6.0.3"}\n',
  'pack.sh': [
    'umask > "$1/umask"',
    'pwd > "$1/folder"',
    'env > "$1/environment"',
    'echo "$2" > "$1/commit"',
    'echo one > "$1/x-engine-1.2.3.tgz"',
    'echo two > "$1/x-spec-1.2.3.tgz"',
    '',
  ].join('\n'),
  'package.json': `${JSON.stringify({ name: 'root', private: true, packageManager: 'pnpm@12.4.2+sha512.00', devDependencies: { typescript: '6.0.3', vitest: '^5.0.0' } })}\n`,
  'packages/engine/CHANGELOG.md': '# @x/engine\n\n## 1.2.3\n\n- More.\n',
  'packages/engine/package.json': packageJson('@x/engine', { '@x/spec': 'workspace:*', ms: '^2.1.3' }),
  'packages/spec/CHANGELOG.md': '# @x/spec\n\n## 1.2.3\n\n- More.\n',
  'packages/spec/package.json': packageJson('@x/spec'),
  'packer.sh': 'echo a notice for people >&2\necho 12.4.2\necho another >&2\n',
  'pnpm-lock.yaml':
    "lockfileVersion: '9.0'\n\npackages:\n\n  pnpm@12.4.2:\n    resolution: {integrity: sha512-" +
    `${'p'.repeat(86)}==}\n    engines: {node: '>=18'}\n\n  typescript@6.0.3:\n    resolution: {integrity: sha512-${'t'.repeat(86)}==}\n`,
  'schema.sql': 'create table runs (id text)\n',
  'spec/released/index.json': `${JSON.stringify({ 'worker-1.19': ['0'.repeat(64), workerSha256] }, null, 2)}\n`,
  [workerFile]: `${JSON.stringify({ paths: {}, openapi: '3.1.0', 'x-version': 1.5 }, null, 2)}\n`,
}

/** The policy of that repository. */
export const sourcePolicy: Policy = {
  ...packedSet.policy,
  packages: { '@x/engine': 'packages/engine', '@x/spec': 'packages/spec' },
  pack: { install: ['sh', 'install.sh'], command: ['sh', 'pack.sh', '{out}', '{commit}'], packer: ['sh', 'packer.sh'] },
}

const author = ['-c', 'user.name=Petra', '-c', 'user.email=petra@example.org'] as const

/** Made once for a test file: to copy a repository is faster than to run git four times. */
const original = mkdtempSync(join(tmpdir(), 'release-source-'))
process.once('exit', () => rmSync(original, { recursive: true, force: true }))
git(original, 'init', '--quiet', '--initial-branch=main', '--template=')
writeFiles(original, files)
const originalId = commitAll({ repository: original, id: '' }, 'all').id

/** Makes the repository, with files changed, and commits all that is not ignored to `main`. */
export function makeRepository(folder: string, changes?: Changes): Commit {
  cpSync(original, folder, { recursive: true })
  const commit = { repository: folder, id: originalId }
  if (changes === undefined) return commit
  writeFiles(folder, changes)
  return commitAll(commit, 'changed')
}

/** Commits what is there, to the branch that is checked out. */
export function commitAll({ repository }: Commit, message: string): Commit {
  git(repository, 'add', '--all', '.')
  git(repository, ...author, 'commit', '--quiet', '--allow-empty', '--no-gpg-sign', '-m', message)
  return { repository, id: git(repository, 'rev-parse', 'HEAD').trim() }
}

/** Writes files, and the folders that they need. */
export function writeFiles(folder: string, changes: Changes): void {
  for (const [path, content] of Object.entries(changes)) {
    if (content === null) {
      rmSync(join(folder, path))
      continue
    }
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Writes the policy beside the repository, and names the file. */
export function writePolicy(folder: string, policy: Policy = sourcePolicy): string {
  const path = join(folder, 'release.policy.json')
  writeFileSync(path, canonicalText(policy))
  return path
}
