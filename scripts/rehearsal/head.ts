// The head of the release that is rehearsed: a clone of this repository whose `main` has the versions, the changelogs and a
// policy with keys made for this rehearsal.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, policyShape } from '../../packages/release/src/index.ts'
import { root } from '../published.ts'

/** The policy's file, in the repository. */
export const policyFile = 'release.policy.json'

const author = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@localhost', '-c', 'commit.gpgsign=false']

/** Standard output of git in a folder, without the newline at its end. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 }).replace(/\n$/, '')
}

/** Paths that differ from the commit, those that git does not know yet included. */
export function uncommitted(): readonly string[] {
  const paths = [
    git(root, 'diff', '--name-only', '-z', 'HEAD'),
    git(root, 'ls-files', '--others', '--exclude-standard', '-z'),
  ]
  return paths.flatMap((one) => one.split('\0')).filter((path) => path !== '')
}

/** Clones the commit of this repository to a branch `main` of its own, and commits there what differs from it here. */
export function cloneHead(head: string, changes: readonly string[]): void {
  rmSync(head, { recursive: true, force: true })
  git(root, 'clone', '--quiet', '--no-hardlinks', root, head)
  git(head, 'checkout', '--quiet', '-B', 'main', git(root, 'rev-parse', 'HEAD'))
  if (changes.length === 0) return
  for (const path of changes) {
    rmSync(join(head, path), { force: true })
    if (existsSync(join(root, path))) cpSync(join(root, path), join(head, path), { recursive: true })
  }
  commit(head, 'What is not committed yet')
}

/** Consumes the changesets: versions and changelogs. Without any there is one for a patch version. */
export function consumeChangesets(head: string): void {
  const changesets = readdirSync(join(head, '.changeset')).filter((file) => /^(?!README).*\.md$/i.test(file))
  if (changesets.length === 0) {
    const changeset = '---\n"@durable-workflow/release": patch\n---\n\nA rehearsal of a release without changes.\n'
    writeFileSync(join(head, '.changeset/rehearsal.md'), changeset)
  }
  // The clone has nothing installed; changesets looks for its own parts from the folder that it works in.
  const modules = join(head, 'node_modules')
  symlinkSync(join(root, 'node_modules'), modules)
  try {
    const program = join(modules, '@changesets/cli/bin.js')
    execFileSync(process.execPath, [program, 'version'], { cwd: head, stdio: ['ignore', 'pipe', 'pipe'] })
  } finally {
    rmSync(modules)
  }
  commit(head, 'Versions of the rehearsal')
}

/** An entry of `approval.keys`, as `rel keygen` prints it. */
export type Key = {
  readonly id: string
  readonly person: string
  readonly role: string
  readonly publicKey: string
}

/** Commits a policy that knows these keys only, and asks only for databases that are there. */
export function adaptPolicy(head: string, keys: readonly Key[], producer: string, databases: readonly string[]): void {
  const policy: unknown = JSON.parse(readFileSync(join(head, policyFile), 'utf8'))
  if (!policyShape.holds(policy, policyFile)) throw new Error(`${policyFile} has not the shape of a policy`)
  const { approval, acceptance } = policy
  const isThere = (name: string): boolean => databases.includes(name)
  const adapted = {
    ...policy,
    approval: { ...approval, keys, producers: [producer] },
    acceptance: {
      ...acceptance,
      databases: acceptance.databases.filter(isThere),
      peers: acceptance.peers.filter((name) => isThere(name) || !acceptance.databases.includes(name)),
    },
  }
  writeFileSync(join(head, policyFile), canonicalText(adapted))
  commit(head, 'Policy of the rehearsal')
}

function commit(head: string, message: string): void {
  git(head, 'add', '--all')
  git(head, ...author, 'commit', '--quiet', '--allow-empty', '-m', message)
}
