// Somebody who did not produce the release signs its digests, and where it goes; publishing asks for that again.
import { canonicalText } from '../canonical.ts'
import type { Context } from '../context.ts'
import { type Evidence, passed, recorded, type StoredRecord } from '../evidence.ts'
import { refuseUnless } from '../guard.ts'
import { fulfilled, inputsOf, mayRun } from '../pipeline.ts'
import type { Policy, ReadPolicy } from '../policy.ts'
import type { Manifest } from '../records/manifest.ts'
import type { Approved } from '../records/records.ts'
import { isSigned, publicKeyOf, signed } from '../sign.ts'

type Key = Policy['approval']['keys'][number]

export interface Approving {
  readonly evidence: Evidence
  /** The approver's own copy of the policy. */
  readonly policy: ReadPolicy
  /** Ed25519, PEM. */
  readonly privateKey: string
  /** Ends in a stroke. */
  readonly registry: string
  readonly distTag: string
  /** How long the approval holds; at most, and unless said otherwise, what the policy allows. */
  readonly hours?: number
}

/**
 * Signs the digests of the release, the registry, the dist-tag and the packages, and records it.
 *
 * @throws Refused stage_out_of_order, stage_already_final; recorded: approval_key_unknown, approval_self,
 *   approval_scope_mismatch, tag_policy_violation
 * @source release design §5.4
 */
export async function approve(context: Context, approving: Approving): Promise<StoredRecord> {
  const { evidence, privateKey } = approving
  mayRun(evidence, 'approval')
  const stage = { kind: 'approval', inputs: inputsOf(evidence, 'approval') } as const
  return recorded(context, evidence, stage, async (report) => {
    const key = keyOf(approving)
    const approved = whatIsApproved(context, approving, key)
    report({ approved, keyId: key.id, signature: signed(approved, privateKey) })
  })
}

function whatIsApproved(context: Context, approving: Approving, key: Key): Approved {
  const { evidence, policy: read, registry, distTag } = approving
  const { manifest, releaseId, manifestSha256 } = evidence
  const { producers, hours } = read.policy.approval
  refuseUnless(!producesReleases(read.policy, key), 'approval_self', { key: key.id, person: key.person, producers })
  refuseUnless(read.sha256 === manifest.policy.sha256, 'approval_scope_mismatch', {
    field: 'policySha256',
    expected: manifest.policy.sha256,
    actual: read.sha256,
  })
  checkDistTag(read.policy, manifest, distTag)
  return {
    releaseId,
    manifestSha256,
    reproductionSha256: standing(evidence, 'reproduction'),
    acceptanceSha256: standing(evidence, 'acceptance'),
    policySha256: read.sha256,
    approver: key.person,
    role: key.role,
    registry,
    distTag,
    packages: packagesOf(manifest),
    notAfter: new Date(context.now().getTime() + inMs(Math.min(approving.hours ?? hours, hours))).toISOString(),
  }
}

function keyOf({ policy, privateKey }: Approving): Key {
  const publicKey = publicKeyOf(privateKey)
  const key = policy.policy.approval.keys.find((one) => one.publicKey === publicKey)
  refuseUnless(key !== undefined, 'approval_key_unknown', { publicKey })
  return key
}

/** Neither the key nor any key of its person may be a producer's. */
const producesReleases = ({ approval: { producers, keys } }: Policy, { person }: Pick<Key, 'person'>): boolean =>
  producers.includes(person) || keys.some((key) => key.person === person && producers.includes(key.id))

/**
 * The dist-tag is the one of the channel, and never that of stable releases for a prerelease.
 *
 * @throws Refused tag_policy_violation
 */
export function checkDistTag({ distTags }: Policy, { channel, version }: Manifest, distTag: string): void {
  refuseUnless(distTag === distTags[channel], 'tag_policy_violation', {
    channel,
    expected: distTags[channel],
    actual: distTag,
  })
  refuseUnless(distTag !== distTags.stable || !version.includes('-'), 'tag_policy_violation', {
    version,
    actual: distTag,
  })
}

export interface Publishing {
  readonly evidence: Evidence
  /** The policy of now: read anew, not the one of the evidence folder. */
  readonly policy: Policy
  readonly policySha256: string
  /** Ends in a stroke. */
  readonly registry: string
  readonly distTag: string
  readonly now: Date
}

/**
 * Whether enough persons approved exactly this, and still do. Approvals that have expired or were for something else do no
 * harm while enough others remain; one with a strange key, a wrong signature or of the producer always does.
 *
 * @throws Refused approval_missing, approval_key_unknown, approval_signature_invalid, approval_self,
 *   policy_changed_since_approval, approval_scope_mismatch, registry_mismatch, approval_expired, approval_threshold_unmet
 * @source release design §5.6
 */
export function checkApprovals(publishing: Publishing): void {
  const { policy, policySha256, registry, now } = publishing
  const { threshold, hours } = policy.approval
  const given = signedApprovals(publishing.evidence, policy)
  refuseUnless(given.length > 0, 'approval_missing', { release: publishing.evidence.releaseId })
  const wanted = Math.min(threshold, personsOf(given))
  const enough = (approvals: readonly Given[]): boolean => personsOf(approvals) >= wanted

  const underThis = given.filter(({ approved }) => approved.policySha256 === policySha256)
  refuseUnless(enough(underThis), 'policy_changed_since_approval', {
    expected: policySha256,
    actual: given.map(({ approved }) => approved.policySha256),
  })
  const ofThis = underThis.filter((one) => differing(publishing, one).length === 0)
  refuseUnless(enough(ofThis), 'approval_scope_mismatch', {
    differing: underThis.flatMap((one) => differing(publishing, one)),
  })
  const toThere = ofThis.filter(({ approved }) => approved.registry === registry)
  refuseUnless(enough(toThere), 'registry_mismatch', {
    expected: ofThis.map(({ approved }) => approved.registry),
    actual: registry,
  })
  const inTime = toThere.filter((one) => now.getTime() <= endOf(one, hours))
  refuseUnless(enough(inTime), 'approval_expired', {
    ended: toThere.map((one) => new Date(endOf(one, hours)).toISOString()),
    now: now.toISOString(),
  })
  refuseUnless(personsOf(inTime) >= threshold, 'approval_threshold_unmet', {
    expected: threshold,
    actual: personsOf(inTime),
    persons: namesOf(inTime),
  })
}

/** An approval whose signature is right, and not the producer's. */
export interface Given {
  readonly key: Key
  readonly approved: Approved
  readonly recordedAt: string
}

/**
 * The approvals of a release; each has a known key and a right signature, and is of somebody who did not produce it.
 *
 * @throws Refused approval_key_unknown, approval_signature_invalid, approval_self
 */
export function signedApprovals(evidence: Evidence, policy: Policy): readonly Given[] {
  const { keys } = policy.approval
  return passed(evidence, 'approval').flatMap(({ file, record: { details, endedAt } }) => {
    if (details === null) return [] // approves nothing
    const { approved, keyId, signature } = details
    const key = keys.find(({ id }) => id === keyId)
    refuseUnless(key !== undefined, 'approval_key_unknown', { record: file, key: keyId })
    refuseUnless(isSigned(approved, signature, key.publicKey), 'approval_signature_invalid', {
      record: file,
      key: keyId,
    })
    refuseUnless(!producesReleases(policy, key), 'approval_self', { record: file, person: key.person })
    return [{ key, approved, recordedAt: endedAt }]
  })
}

const scope = [
  'releaseId',
  'manifestSha256',
  'reproductionSha256',
  'acceptanceSha256',
  'approver',
  'role',
  'distTag',
  'packages',
] as const

/** Names of the fields that are not what is to be published, or not of whom signed. */
function differing({ evidence, distTag }: Publishing, { key, approved }: Given): readonly string[] {
  const { manifest, manifestSha256, releaseId } = evidence
  const expected = {
    releaseId,
    manifestSha256,
    reproductionSha256: standing(evidence, 'reproduction'),
    acceptanceSha256: standing(evidence, 'acceptance'),
    approver: key.person,
    role: key.role,
    distTag,
    packages: packagesOf(manifest),
  }
  return scope.filter((field) => canonicalText(approved[field]) !== canonicalText(expected[field]))
}

/** Digest of the record that fulfils a stage; a word that is no digest where there is none. */
const standing = (evidence: Evidence, kind: 'reproduction' | 'acceptance'): string =>
  fulfilled(evidence, kind)?.sha256 ?? 'none'

const packagesOf = ({ packages }: Manifest): readonly string[] =>
  packages.map(({ name, version }) => `${name}@${version}`).toSorted()

/** Milliseconds. The policy bounds what the approver wrote. */
const endOf = ({ approved, recordedAt }: Given, hours: number): number =>
  Math.min(Date.parse(approved.notAfter), Date.parse(recordedAt) + inMs(hours))

const inMs = (hours: number): number => hours * 3_600_000

const namesOf = (approvals: readonly Given[]): readonly string[] => [...new Set(approvals.map(({ key }) => key.person))]

/** How many persons gave these. */
export const personsOf = (approvals: readonly Given[]): number => namesOf(approvals).length
