// What the records say, against the manifest, the files and each other.
import { checkAcceptance } from '../acceptance/judge.ts'
import { canonicalText, isJson } from '../canonical.ts'
import { type Evidence, journalFile, passed, readBound, type StoredRecord } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { fulfilled, stateOf } from '../pipeline.ts'
import type { Policy } from '../policy.ts'
import type { DetailsOf } from '../records/records.ts'
import { checkApprovals, personsOf, signedApprovals } from '../stages/approve.ts'
import type { Digests } from './files.ts'

/**
 * A stage that passed tells what it saw, and a reproduction that passed saw every package come out equal.
 *
 * @throws Refused record_missing, record_release_mismatch
 */
export function checkTold(evidence: Evidence): void {
  for (const { file, record } of evidence.records.filter((one) => one.record.outcome === 'passed')) {
    refuseUnless(record.details !== null, 'record_missing', { record: file, lacks: 'details' })
  }
  for (const { file, record } of passed(evidence, 'reproduction')) {
    const equal = record.details?.packages.filter((one) => one.file && one.tar && one.tree).map(({ name }) => name)
    for (const { name } of evidence.manifest.packages) {
      refuseUnless(equal?.includes(name) === true, 'record_release_mismatch', { record: file, package: name })
    }
  }
}

/**
 * Every input of a record is an earlier record, or a file of the folder.
 *
 * @returns how many inputs the records have
 * @throws Refused record_missing, record_digest_mismatch
 */
export function checkInputs(evidence: Evidence, digests: Digests): number {
  const before = new Map<string, readonly string[]>([
    ...[...digests].map(([path, digest]): [string, string[]] => [path, [digest]]),
    ['manifest', [evidence.manifestSha256]],
    ['policy', [evidence.manifest.policy.sha256]],
  ])
  let inputs = 0
  for (const { kind, file, record, sha256 } of evidence.records) {
    for (const [input, actual] of Object.entries(record.inputs)) {
      const known = before.get(input)
      refuseUnless(known !== undefined, 'record_missing', { record: file, input })
      refuseUnless(known.includes(actual), 'record_digest_mismatch', { record: file, input, expected: known, actual })
      inputs += 1
    }
    before.set(kind, [...(before.get(kind) ?? []), sha256])
  }
  return inputs
}

/**
 * The raw results are those that the acceptance saw, and an acceptance that passed is judged again.
 *
 * @returns how many raw files are bound
 * @throws Refused record_digest_mismatch, and every refusal of an acceptance
 */
export function checkAcceptances(evidence: Evidence, policy: Policy, digests: Digests): number {
  const raw = evidence.records.flatMap(({ file, record }) =>
    record.schema === 'durable-workflow.release/acceptance/v1'
      ? Object.entries(record.details?.raw ?? {}).map(([path, expected]) => ({ file, path, expected }))
      : [],
  )
  for (const { file, path, expected } of raw) {
    const actual = digests.get(path) ?? 'missing'
    refuseUnless(actual === expected, 'record_digest_mismatch', { record: file, path, expected, actual })
  }
  for (const { record } of passed(evidence, 'acceptance')) checkAcceptance(evidence, policy, record)
  return raw.length
}

/**
 * The signatures are right, and what was published was approved then, by the keys and the rules of each policy.
 *
 * @param policies   the one of the folder, and one that the reader trusts
 * @returns how many signatures there are
 * @throws Refused approval_…, registry_mismatch
 */
export function checkSignatures(evidence: Evidence, policies: readonly Policy[]): number {
  const isApproved = !['manifested', 'reproduced', 'accepted'].includes(stateOf(evidence))
  const published = fulfilled(evidence, 'publication')
  for (const policy of policies) {
    const actual = personsOf(signedApprovals(evidence, policy))
    const expected = isApproved ? policy.approval.threshold : 0
    refuseUnless(actual >= expected, 'approval_threshold_unmet', { expected, actual })
    if (published !== undefined) checkApprovedThen(evidence, policy, published)
  }
  return passed(evidence, 'approval').length
}

function checkApprovedThen(evidence: Evidence, policy: Policy, { record }: StoredRecord<'publication'>): void {
  const { sequence, startedAt, details } = record
  checkApprovals({
    evidence: { ...evidence, records: evidence.records.slice(0, sequence - 1) },
    policy,
    policySha256: evidence.manifest.policy.sha256,
    registry: details?.registry ?? '',
    distTag: details?.distTag ?? '',
    now: new Date(startedAt),
  })
}

/**
 * A publication that passed names every package of the manifest, and the journal is what its records repeat.
 *
 * @throws Refused record_missing, record_release_mismatch
 */
export function checkPublications(evidence: Evidence, digests: Digests): void {
  const details = fulfilled(evidence, 'publication')?.record.details ?? null
  if (details !== null) {
    const named = new Set(details.journal.map((line) => line.package))
    const lacking = evidence.manifest.packages.filter(({ name }) => !named.has(name)).map(({ name }) => name)
    refuseUnless(lacking.length === 0, 'record_missing', { stage: 'publication', lacking })
  }
  if (digests.has(journalFile)) checkJournal(evidence, details !== null)
}

/** A publisher that died may have written lines that no record repeats; after one that passed there are none. */
function checkJournal(evidence: Evidence, isPublished: boolean): void {
  const content = readBound(evidence.folder, journalFile)
  const recorded = lastJournal(evidence).map((line) => canonicalText(line))
  const lines = content.split('\n').filter((line) => line !== '')
  const written = lines.slice(0, isPublished ? lines.length : recorded.length).map(canonicalLine)
  refuseUnless(written.join('') === recorded.join(''), 'record_release_mismatch', {
    document: journalFile,
    expected: `${recorded.length} lines, as the last publication recorded them`,
  })
}

function canonicalLine(line: string): string {
  try {
    const parsed: unknown = JSON.parse(line)
    return isJson(parsed) ? canonicalText(parsed) : line
  } catch {
    return line // is no line that a record has, and is refused as such
  }
}

const lastJournal = ({ records }: Evidence): DetailsOf<'publication'>['journal'] =>
  records
    .flatMap(({ record }) =>
      record.schema === 'durable-workflow.release/publication/v1' && record.details?.dryRun === false
        ? [record.details.journal]
        : [],
    )
    .at(-1) ?? []

/**
 * A read-back that passed saw what the manifest binds, where it was published.
 *
 * @throws Refused record_release_mismatch
 */
export function checkReadbacks(evidence: Evidence, policy: Policy): void {
  for (const { file, record } of passed(evidence, 'readback')) {
    const { details } = record
    if (details === null) continue // refused as telling nothing
    const published = fulfilled(evidence, 'publication')?.record.details
    const pairs = [
      ['registry', published?.registry ?? null, details.registry],
      ['distTag', published?.distTag ?? null, details.distTag],
      ...evidence.manifest.packages.flatMap((entry) => served(entry, details, policy)),
    ] as const
    for (const [field, expected, actual] of pairs) {
      refuseUnless(expected === actual, 'record_release_mismatch', { record: file, field, expected, actual })
    }
  }
}

type Pair = readonly [field: string, expected: string | number | null, actual: string | number | null]

function served(
  { name, version, file, identity }: Evidence['manifest']['packages'][number],
  { packages, distTag, consumerLockfile }: DetailsOf<'readback'>,
  policy: Policy,
): readonly Pair[] {
  const seen = packages.find((one) => one.name === name)
  return [
    [`${name} version`, version, seen?.version ?? null],
    [`${name} size`, file.size, seen?.size ?? null],
    [`${name} sha256`, file.sha256, seen?.sha256 ?? null],
    [`${name} sha512`, file.sha512, seen?.sha512 ?? null],
    [`${name} sha1`, file.sha1, seen?.sha1 ?? null],
    [`${name} gitHead`, identity.gitHead, seen?.gitHead ?? null],
    [`${name} tag`, distTag, seen?.tag ?? null],
    ...(policy.attestation === 'required'
      ? [[`${name} attestation`, identity.gitHead, seen?.attestationCommit ?? null] as const]
      : []),
    ...(policy.readback.freshInstall
      ? [[`${name} lockfile`, file.sha512, consumerLockfile?.[name] ?? null] as const]
      : []),
  ]
}
