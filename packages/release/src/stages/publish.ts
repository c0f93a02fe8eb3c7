// Publishing, exactly as §5.6 of the release design says it: everything is checked before the first byte leaves.
//
// Owns:      the order of uploads, and what stops them.
// Does not:  clean up. What is public stays public; a run that stopped goes on from what the registry shows.
//
// Invariants
//   PB1  No upload leaves before every file, every approval and the state of every package were judged, in this run.
//   PB2  A package is sent only when all that it needs of the set was read back in full.
//   PB3  A file that the registry has already is not sent again.
//   PB4  What is sent is a copy of the run's own, hashed where it lies.
//   PB5  The dist-tag moves only when the whole set was read back in full.
import { copyFileSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { comparePackage } from '../archive/compare.ts'
import { readArchive } from '../archive/read.ts'
import type { Context } from '../context.ts'
import { type Evidence, recorded, type StoredRecord } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { beginRelease, releaseInProgress } from '../ledger.ts'
import { inOwnFolder } from '../own-folder.ts'
import { inputsOf, mayRun } from '../pipeline.ts'
import type { Policy, ReadPolicy } from '../policy.ts'
import type { PackageEntry } from '../records/manifest.ts'
import type { DetailsOf } from '../records/records.ts'
import { type Action, openJournal } from '../registry/journal.ts'
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
  const { evidence } = publishing
  mayRun(evidence, 'publication')
  let plan: readonly Planned[] = []
  const stage = { kind: 'publication', inputs: inputsOf(evidence, 'publication') } as const
  const record = await recorded(context, evidence, stage, async (report) => {
    const url = explicitRegistry(publishing.registry)
    const giveBack = takeTurn(evidence.folder)
    try {
      plan = await publishInTurn(context, publishing, url, report)
    } finally {
      giveBack()
    }
  })
  return { record, plan }
}

async function publishInTurn(
  context: Context,
  publishing: Publishing,
  url: string,
  report: (details: DetailsOf<'publication'>) => void,
): Promise<readonly Planned[]> {
  const { evidence, policy, distTag, dryRun, resume } = publishing
  const { holding } = policy.policy.distTags
  const journal = openJournal(evidence.folder)
  try {
    return await inOwnFolder('publish-', async (staging) => {
      refuseUnless(resume || journal.lines.length === 0, 'release_in_progress', {
        release: evidence.releaseId,
        lines: journal.lines.length,
        expected: '--resume',
      })
      const registry = publishing.open(url)
      const plan = await preflight(context, publishing, registry)
      if (dryRun) return plan
      const uploader = publishing.uploader(url)
      const note: Run['note'] = ({ name }, line) =>
        journal.add({ package: name, ...line, at: context.now().toISOString() })
      const run = { context, publishing, registry, uploader, staging, verified: new Set<string>(), note }
      for (const one of plan) await send(run, one)
      await promote(run, plan)
      return plan
    })
  } finally {
    report({ registry: url, distTag, holdingTag: holding, dryRun, journal: dryRun ? [] : journal.lines })
  }
}

/** PB1. */
async function preflight(context: Context, publishing: Publishing, registry: Registry): Promise<readonly Planned[]> {
  const { evidence, policy, ledger, distTag, dryRun } = publishing
  const { manifest, releaseId } = evidence
  const { policy: rules, sha256: policySha256 } = policy
  const now = context.now()
  checkDistTag(rules, manifest, distTag)
  for (const entry of manifest.packages) await checkFile(fileOf(evidence.folder, entry), entry, rules)
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

async function checkFile(file: string, entry: PackageEntry, { limits }: Policy): Promise<void> {
  refuseUnless(lstatSync(file, { throwIfNoEntry: false })?.isFile() === true, 'directory_publish_forbidden', {
    file: `tarballs/${entry.file.name}`,
    expected: 'a file',
  })
  comparePackage(entry, await readArchive(file, { limits }))
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

/** What every action of a run needs. */
interface Run {
  readonly context: Context
  readonly publishing: Publishing
  readonly registry: Registry
  readonly uploader: Uploader
  /** A folder of this run alone. */
  readonly staging: string
  /** Packages that were read back in full, in this run. */
  readonly verified: Set<string>
  note(entry: PackageEntry, line: Omit<Action, 'package' | 'at'>): void
}

/** Sends one package and reads it back; one that is there already was read back in the pre-flight. */
async function send(run: Run, { entry, state }: Planned): Promise<void> {
  const { context, publishing, registry, uploader, verified, note } = run
  const { policy, patience } = publishing
  const { limits, attestation, distTags } = policy.policy
  checkNeeds(entry, verified)
  if (state === 'same') {
    note(entry, { stateBefore: state, action: 'skip', status: null, stateAfter: state })
  } else {
    context.progress(`${entry.name}@${entry.version}: upload`)
    const sent = await uploader.upload(await staged(run, entry), distTags.holding)
    note(entry, { stateBefore: state, action: 'upload', status: sent.status, stateAfter: 'unknown' })
    if (sent.outcome !== 'stored' && (await stateOf(registry, entry)) === 'absent') refuseSent(sent, entry)
    await withPatience(context, patience, deadlineOf(context, patience), () =>
      readVersion(registry, expectedOf(entry), { limits, attestation }),
    )
    context.progress(`${entry.name}@${entry.version}: read back`)
  }
  verified.add(entry.name)
}

/** PB4. A copy that nobody else has at hand, judged as it lies there: what changes after the pre-flight does not go out. */
async function staged({ publishing, staging }: Run, entry: PackageEntry): Promise<string> {
  const copy = join(staging, entry.file.name)
  copyFileSync(fileOf(publishing.evidence.folder, entry), copy)
  await checkFile(copy, entry, publishing.policy.policy)
  return copy
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

/** PB5. The right to move a tag stays with whoever had the right to upload; the independent read-back judges the tags. */
async function promote(
  { context, publishing, registry, uploader, note }: Run,
  plan: readonly Planned[],
): Promise<void> {
  const { distTag } = publishing
  for (const { entry } of plan) {
    if (await isTagged(registry, entry, distTag)) continue
    context.progress(`${entry.name}: ${distTag} moves to ${entry.version}`)
    const sent = await uploader.moveTag(entry.name, entry.version, distTag)
    note(entry, { stateBefore: 'same', action: 'tag', status: sent.status, stateAfter: 'same' })
    if (sent.outcome !== 'stored' && !(await isTagged(registry, entry, distTag))) refuseSent(sent, entry)
  }
}

const isTagged = async (registry: Registry, { name, version }: PackageEntry, tag: string): Promise<boolean> =>
  (await registry.packument(name))?.tags.get(tag) === version
