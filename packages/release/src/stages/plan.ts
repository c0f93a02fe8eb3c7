// What would be released, and everything that stands in its way; nothing is written but what is removed again.
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { tarballFolder } from '../evidence.ts'
import { gitAnswer } from '../git.ts'
import { inOwnFolder } from '../own-folder.ts'
import { changelogEntry } from '../packed/changelog.ts'
import { tiersOf } from '../packed/tiers.ts'
import { readPolicy } from '../policy.ts'
import type { Manifest } from '../records/manifest.ts'
import { Refused } from '../refusal.ts'
import {
  type Commit,
  judgeBranch,
  judgeChangesets,
  judgeClean,
  judgeName,
  type SourcePackage,
  setOf,
  sourceOf,
} from '../source.ts'
import { buildManifest, channelOf } from './manifest.ts'
import { pack, releasedOf, schemasOf } from './pack.ts'

/** What would be released, as far as it can be told. */
export interface Plan {
  readonly commit: string
  readonly release: PlannedRelease | null
  /** All of them, in the order of the stages; a release goes on only without any. */
  readonly refusals: readonly Refused[]
}

/** The set that the commit has. */
export interface PlannedRelease {
  readonly version: string
  readonly channel: Manifest['channel']
  readonly distTag: string
  /** Tier by tier, as they would be published. */
  readonly packages: readonly (SourcePackage & { readonly tier: number })[]
  /** Changesets that this version consumed. */
  readonly changesets: readonly string[]
  readonly released: Manifest['protocol']['released']
  readonly schemas: Manifest['protocol']['schemas']
}

/**
 * Looks at a commit and collects what `rel pack` would refuse, and of `rel manifest` what the commit tells without a build.
 *
 * @throws Refused only for the policy itself, which all else is asked with
 * @source release design §5.5, §7
 */
export function plan(commit: Commit, policyPath: string): Plan {
  const { policy } = readPolicy(policyPath)
  const refusals: Refused[] = []
  const asked = <T>(question: () => T): T | undefined => {
    try {
      return question()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refusals.push(error)
      return undefined
    }
  }
  asked(() => judgeClean(commit.repository, policy))
  const isThere = asked(() => judgeName(commit) === undefined) ?? false
  if (!isThere) return { commit: commit.id, release: null, refusals }
  asked(() => judgeBranch(commit, policy))
  asked(() => judgeChangesets(commit))
  const set = asked(() => setOf(commit, policy))
  const released = asked(() => releasedOf(commit, policy))
  const schemas = asked(() => schemasOf(commit, policy))
  if (set === undefined) return { commit: commit.id, release: null, refusals }
  for (const one of set.packages) asked(() => changelogOf(commit, one))
  const tiers = asked(() => tiersOf(new Map(set.packages.map(({ name, needs }) => [name, needs]))))
  if (tiers === undefined || released === undefined || schemas === undefined) {
    return { commit: commit.id, release: null, refusals }
  }
  const channel = channelOf(set.version)
  const release = {
    version: set.version,
    channel,
    distTag: policy.distTags[channel],
    packages: set.packages
      .map((one) => ({ ...one, tier: tiers.get(one.name) ?? 0 }))
      .toSorted((one, other) => one.tier - other.tier),
    changesets: sourceOf(commit, policy).changesetsConsumed,
    released,
    schemas,
  }
  return { commit: commit.id, release, refusals }
}

function changelogOf({ repository, id }: Commit, { name, directory, version }: SourcePackage): void {
  changelogEntry(name, version, gitAnswer(repository, 'show', `${id}:${directory}/CHANGELOG.md`) ?? null)
}

/**
 * The manifest that a release of this commit would have: it is packed and judged as a release is, in a folder that is gone
 * afterwards.
 *
 * @throws Refused what `pack` and `buildManifest` refuse
 */
export const dryManifest = (commit: Commit, policyPath: string, context: Context): Promise<Manifest> =>
  inOwnFolder('rel-plan-', async (folder) => {
    const out = join(folder, 'release')
    const { packing } = await pack({ commit, policyPath, out }, context)
    const policy = readPolicy(policyPath)
    return await buildManifest({ tarballs: join(out, tarballFolder), packing, policy, tool: context.tool })
  })
