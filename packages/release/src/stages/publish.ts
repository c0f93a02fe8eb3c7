// Publishing, exactly as §5.6 of the release design says it: everything is checked before the first byte leaves.
//
// Owns:      the order of uploads, and what stops them.
// Does not:  clean up. What is public stays public; a run that stopped goes on from what the registry shows.
//
// Invariants
//   PB1  No upload leaves before every file, every approval and the state of every package were judged, in this run.
//   PB2  A package is sent only when all that it needs of the set was read back in full.
//   PB3  A file that the registry has already is not sent again.
//   PB4  The dist-tag moves only when the whole set was read back in full.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { comparePackage } from '../archive/compare.ts'
import { readArchive } from '../archive/read.ts'
import type { Context } from '../context.ts'
import { type Evidence, recorded, type StoredRecord } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { beginRelease, releaseInProgress } from '../ledger.ts'
import { inputsOf, mayRun } from '../pipeline.ts'
import type { ReadPolicy } from '../policy.ts'
import type { PackageEntry } from '../records/manifest.ts'
import { type Action, type Journal, openJournal } from '../registry/journal.ts'
import { deadlineOf, type Patience, withPatience } from '../registry/patience.ts'
import { expectedOf, readVersion } from '../registry/reading.ts'
import { explicitRegistry, type Registry } from '../registry/registry.ts'
import { takeTurn } from '../registry/turn.ts'
import type { Sent, Uploader } from '../registry/upload.ts'
import { checkApprovals, checkDistTag } from './approve.ts'

/** What is to be published, where, and by whom. */
export interface Publishing {
  readonly evidence: Evidence
  /** Read now, not when it was approved. */
  readonly policy: ReadPolicy
  readonly ledger: string
  /** As the command line has it; nothing else names a registry. */
  readonly registry: string | undefined
  readonly distTag: string
  /** Everything but the uploads. */
  readonly dryRun: boolean
  /** Goes on where an earlier run stopped. */
  readonly resume: boolean
  readonly patience: Patience
  open(registry: string): Registry
  uploader(registry: string): Uploader
  /** Whether the protected branch still has the commit. @throws Refused source_not_on_protected_branch */
  checkSource(commit: string): void
}

/** What the registry showed of a package before the first upload. */
export interface Planned {
  readonly entry: PackageEntry
  readonly state: 'absent' | 'same'
}

/**
 * Publishes the accepted files, or tells with `dryRun` what would go out.
 *
 * @returns the record, and what was found of each package, in the order of the uploads
 * @throws Refused registry_not_explicit, tag_policy_violation, directory_publish_forbidden, archive_…, file_…, approval_…,
 * registry_mismatch, policy_changed_since_approval, version_conflict, release_in_progress, publish_rejected,
 * tier_predecessor_unverified, readback_…, registry_…
 * @source release design §5.6
 */
export async function publish(
  context: Context,
  publishing: Publishing,
): Promise<{ readonly record: StoredRecord; readonly plan: readonly Planned[] }> {
  const { evidence, distTag, dryRun, policy } = publishing
  mayRun(evidence, 'publication')
  let plan: readonly Planned[] = []
  const stage = { kind: 'publication', inputs: inputsOf(evidence, 'publication') } as const
  const record = await recorded(context, evidence, stage, async (report) => {
    const url = explicitRegistry(publishing.registry)
    const giveBack = takeTurn(evidence.folder)
    const journal = openJournal(evidence.folder)
    try {
      refuseUnless(publishing.resume || journal.lines.length === 0, 'release_in_progress', {
        release: evidence.releaseId,
        lines: journal.lines.length,
        expected: '--resume',
      })
      const registry = publishing.open(url)
      plan = await preflight(context, publishing, registry)
      if (dryRun) return
      await upload(context, publishing, registry, plan, journal)
    } finally {
      const holdingTag = policy.policy.distTags.holding
      report({ registry: url, distTag, holdingTag, dryRun, journal: dryRun ? [] : journal.lines })
      giveBack()
    }
  })
  return { record, plan }
}

/** PB1. */
async function preflight(context: Context, publishing: Publishing, registry: Registry): Promise<readonly Planned[]> {
  const { evidence, policy, ledger, distTag, dryRun } = publishing
  const { manifest, releaseId } = evidence
  const { policy: rules, sha256: policySha256 } = policy
  const now = context.now()
  checkDistTag(rules, manifest, distTag)
  for (const entry of manifest.packages) await checkFile(evidence, entry, policy)
  checkApprovals({ evidence, policy: rules, policySha256, registry: registry.url, distTag, now })
  const plan: Planned[] = []
  for (const entry of inOrder(manifest.packages)) {
    plan.push({ entry, state: await stateOf(registry, entry) })
  }
  for (const { entry } of plan.filter(({ state }) => state === 'same')) {
    await readVersion(registry, expectedOf(entry), { limits: rules.limits, attestation: rules.attestation })
    context.progress(`already_published_identical: ${entry.name}@${entry.version}`)
  }
  publishing.checkSource(manifest.source.commit)
  // Last, so that a run that was refused marks nothing.
  if (dryRun) {
    const open = releaseInProgress(ledger)
    refuseUnless(open === null || open === releaseId, 'release_in_progress', { release: releaseId, actual: open })
  } else beginRelease(ledger, releaseId)
  return plan
}

async function checkFile({ folder }: Evidence, entry: PackageEntry, { policy }: ReadPolicy): Promise<void> {
  const file = fileOf(folder, entry)
  refuseUnless(lstatSync(file, { throwIfNoEntry: false })?.isFile() === true, 'directory_publish_forbidden', {
    file: `tarballs/${entry.file.name}`,
    expected: 'a file',
  })
  comparePackage(entry, await readArchive(file, { limits: policy.limits }))
}

const fileOf = (folder: string, { file }: PackageEntry): string => join(folder, 'tarballs', file.name)

const inOrder = (packages: readonly PackageEntry[]): readonly PackageEntry[] =>
  packages.toSorted((one, other) => one.tier - other.tier)

/** What the registry claims to hold. @throws Refused version_conflict: the version with other bytes */
async function stateOf(registry: Registry, { name, version, file }: PackageEntry): Promise<'absent' | 'same'> {
  const published = (await registry.packument(name))?.version(version) ?? null
  if (published === null) return 'absent'
  refuseUnless(published.integrity === file.sha512, 'version_conflict', {
    package: name,
    version,
    expected: file.sha512,
    actual: published.integrity,
  })
  return 'same'
}

async function upload(
  context: Context,
  publishing: Publishing,
  registry: Registry,
  plan: readonly Planned[],
  journal: Journal,
): Promise<void> {
  const { evidence, policy, patience } = publishing
  const { limits, attestation, distTags } = policy.policy
  const uploader = publishing.uploader(registry.url)
  const verified = new Set<string>()
  const note = (entry: PackageEntry, line: Omit<Action, 'package' | 'at'>): void =>
    journal.add({ package: entry.name, ...line, at: context.now().toISOString() })
  for (const [index, { entry, state }] of plan.entries()) {
    checkNeeds(entry, verified)
    if (state === 'same') {
      note(entry, { stateBefore: state, action: 'skip', status: null, stateAfter: 'same' })
    } else {
      context.progress(`${entry.name}@${entry.version}: ${index + 1} of ${plan.length}`)
      const sent = await uploader.upload(fileOf(evidence.folder, entry), distTags.holding)
      note(entry, { stateBefore: state, action: 'upload', status: sent.status, stateAfter: 'unknown' })
      if (sent.outcome !== 'stored' && (await stateOf(registry, entry)) === 'absent') refuseSent(sent, entry)
      await withPatience(context, patience, deadlineOf(context, patience), () =>
        readVersion(registry, expectedOf(entry), { limits, attestation }),
      )
    }
    verified.add(entry.name)
  }
  await promote(context, publishing, { registry, uploader, entries: plan.map(({ entry }) => entry), note })
}

/** PB2. */
function checkNeeds({ name, dependencies }: PackageEntry, verified: ReadonlySet<string>): void {
  for (const needed of Object.keys(dependencies.internal)) {
    refuseUnless(verified.has(needed), 'tier_predecessor_unverified', { package: name, needs: needed })
  }
}

/** A request that changed nothing. One that met the version there (`taken`) waits for it to be shown. */
function refuseSent({ outcome, status, says }: Sent, { name }: PackageEntry): void {
  const facts = { package: name, status, says }
  refuseUnless(outcome !== 'rejected', 'publish_rejected', facts)
  refuseUnless(outcome !== 'limited', 'registry_rate_limited', facts)
  refuseUnless(outcome !== 'unknown' || status === null, 'registry_server_error', facts)
  refuseUnless(outcome !== 'unknown', 'registry_unreachable', facts)
}

interface Promotion {
  readonly registry: Registry
  readonly uploader: Uploader
  readonly entries: readonly PackageEntry[]
  note(entry: PackageEntry, line: Omit<Action, 'package' | 'at'>): void
}

/** PB4. The right to move a tag stays with whoever had the right to upload; the independent read-back judges the tags. */
async function promote(context: Context, publishing: Publishing, promotion: Promotion): Promise<void> {
  const { distTag } = publishing
  const { registry, uploader, entries, note } = promotion
  for (const entry of entries) {
    if (await isTagged(registry, entry, distTag)) continue
    context.progress(`${entry.name}: ${distTag} moves to ${entry.version}`)
    const sent = await uploader.moveTag(entry.name, entry.version, distTag)
    note(entry, { stateBefore: 'same', action: 'tag', status: sent.status, stateAfter: 'same' })
    if (sent.outcome !== 'stored' && !(await isTagged(registry, entry, distTag))) refuseSent(sent, entry)
  }
}

const isTagged = async (registry: Registry, { name, version }: PackageEntry, tag: string): Promise<boolean> =>
  (await registry.packument(name))?.tags.get(tag) === version
