// Source → tarballs: a commit is packed in a fresh clone, by the tools that it pins, in surroundings that are made for it.
//
// Owns:      what is asked of the source before, in which surroundings it is packed, packing.json.
// Does not:  look into a tarball; that is the manifest's.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { canonicalText, sha256 } from '../canonical.ts'
import { inFreshClone, type Workplace } from '../clone.ts'
import type { Context } from '../context.ts'
import { packingFile, policyFile, tarballFolder } from '../evidence.ts'
import { git, gitAnswer, gitBytes } from '../git.ts'
import { refuseUnless } from '../guard.ts'
import { type Policy, readPolicy } from '../policy.ts'
import { releasedDocuments } from '../protocol-documents.ts'
import { type Packing, packing as packingShape } from '../records/manifest.ts'
import { shaped } from '../shape.ts'
import { type Commit, judgeChangesets, judgeClean, judgeCommit, manifestAt, setOf, sourceOf } from '../source.ts'
import { packEnvironment, type Ran, runTool, type Surroundings } from '../tool-run.ts'
import { judgeTools, measureTools, type RunInClone, toolchainOf } from '../toolchain.ts'

/** What `rel pack` is given. */
export interface PackRequest {
  readonly commit: Commit
  /** A file of canonical JSON. */
  readonly policyPath: string
  /** Becomes the evidence folder; empty, or not there. */
  readonly out: string
}

/** What it wrote: names of the tarballs, and what it saw. */
export interface PackResult {
  readonly tarballs: readonly string[]
  readonly packing: Packing
}

const usualSurroundings: Surroundings = { umask: 0o022, timeZone: 'UTC', locale: 'C' }

/**
 * Packs a commit into a new evidence folder, which appears whole or not at all.
 *
 * @throws Refused out_dir_not_empty, packer_version_mismatch, lockfile_drift, any code of the area source, name_mismatch,
 * version_mismatch, protocol_digest_mismatch
 * @source release design §5.2, stages 1 and 2
 */
export async function pack({ commit, policyPath, out }: PackRequest, context: Context): Promise<PackResult> {
  const folder = resolve(out)
  judgeOut(folder)
  const { policy } = readPolicy(policyPath)
  judgeClean(commit.repository, policy)
  judgeCommit(commit, policy)
  judgeChangesets(commit)
  const known = knownOf(commit, policy)
  const draft = `${folder}.${process.pid}.draft`
  try {
    const result = await inFreshClone(commit, usualSurroundings, async (place) => {
      const toolchain = await packClone(place, { commit, policy, surroundings: usualSurroundings }, context.progress)
      const packing = shaped(packingShape, { ...known, toolchain }, 'packing')
      const tarballs = moveTarballs(place.out, join(draft, tarballFolder))
      writeFileSync(join(draft, policyFile), canonicalText(policy))
      writeFileSync(join(draft, packingFile), canonicalText(packing))
      return { tarballs, packing }
    })
    mkdirSync(dirname(folder), { recursive: true })
    renameSync(draft, folder)
    return result
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Whether the folder is empty, or not there. @throws Refused out_dir_not_empty */
export function judgeOut(folder: string): void {
  const isFree = !existsSync(folder) || readdirSync(folder).length === 0
  refuseUnless(isFree, 'out_dir_not_empty', { folder })
}

/** What the commit tells without being built. @throws Refused name_mismatch, version_mismatch, protocol_digest_mismatch */
function knownOf(commit: Commit, policy: Policy): Omit<Packing, 'toolchain'> {
  const { version } = setOf(commit, policy)
  return {
    schema: 'durable-workflow.release/packing/v1',
    version,
    source: sourceOf(commit, policy),
    released: releasedOf(commit, policy),
    schemas: schemasOf(commit, policy),
  }
}

/** The released documents of the protocol that a commit has. @throws Refused protocol_digest_mismatch */
export function releasedOf({ repository, id }: Commit, { protocol }: Policy): Packing['released'] {
  return releasedDocuments((name) => git(repository, 'show', `${id}:${protocol.released}/${name}`), protocol)
}

/** The schemas of the policy as a commit has them. @throws Refused protocol_digest_mismatch when one is not there */
export function schemasOf({ repository, id }: Commit, { protocol }: Policy): Packing['schemas'] {
  const digests = Object.entries(protocol.schemas).map(([schema, path]): [string, string] => {
    const isThere = gitAnswer(repository, 'cat-file', '-e', `${id}:${path}`) !== undefined
    refuseUnless(isThere, 'protocol_digest_mismatch', { schema, path, actual: 'not there' })
    return [schema, sha256(gitBytes(repository, 'show', `${id}:${path}`))]
  })
  return Object.fromEntries(digests)
}

/** What is packed, and how. */
export interface PackOrder {
  readonly commit: Commit
  readonly policy: Policy
  readonly surroundings: Surroundings
}

/**
 * Installs and packs in a clone; the tarballs lie in its folder `out` afterwards.
 *
 * @throws Refused lockfile_drift, packer_version_mismatch
 * @throws Error when the install or the pack fails
 */
export async function packClone(
  { clone, temporary, out }: Workplace,
  { commit, policy, surroundings }: PackOrder,
  progress: Context['progress'],
): Promise<Packing['toolchain']> {
  const env = packEnvironment(clone, temporary, surroundings)
  const run: RunInClone = (words) => runTool(words, { cwd: clone, env, umask: surroundings.umask })
  progress(`install in a fresh clone of ${commit.id}: ${policy.pack.install.join(' ')}`)
  const installed = await run(policy.pack.install)
  judgeInstall(installed)
  succeeded(policy.pack.install, installed)
  const measured = await measureTools(run, policy.pack.packer, clone)
  judgeTools(manifestAt(commit, 'package.json'), measured)
  const command = policy.pack.command.map((word) => word.replaceAll('{out}', out).replaceAll('{commit}', commit.id))
  progress(`pack with node ${measured.node}, pnpm ${measured.pnpm}, typescript ${measured.typescript}`)
  succeeded(command, await run(command))
  progress(`packed ${readdirSync(out).length} of ${Object.keys(policy.packages).length} packages`)
  const lockfile = readFileSync(join(clone, 'pnpm-lock.yaml'), 'utf8')
  return toolchainOf(measured, lockfile, policy.pack.command)
}

/** Whether the lockfile fits the manifests, by the word of the frozen install. @throws Refused lockfile_drift */
export function judgeInstall({ output }: Pick<Ran, 'output'>): void {
  const drift = /ERR_PNPM_(OUTDATED_LOCKFILE|NO_LOCKFILE|LOCKFILE_CONFIG_MISMATCH)/.exec(output)?.[0]
  refuseUnless(drift === undefined, 'lockfile_drift', { said: drift ?? null })
}

function succeeded(words: readonly string[], { status, output }: Ran): void {
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${output}`)
}

function moveTarballs(from: string, to: string): string[] {
  mkdirSync(to, { recursive: true })
  const names = readdirSync(from).toSorted()
  for (const name of names) copyFileSync(join(from, name), join(to, name))
  return names
}
