// Checks a whole evidence folder with files only: for a stranger who has it, and neither network nor source.
import { openEvidence, policyOf } from '../evidence.ts'
import { type State, stateOf } from '../pipeline.ts'
import type { Policy } from '../policy.ts'
import { checkBound, checkPacking, checkSums, checkTarballs } from '../verification/files.ts'
import {
  checkAcceptances,
  checkInputs,
  checkPublications,
  checkReadbacks,
  checkSignatures,
  checkTold,
} from '../verification/records.ts'
import { checkTuple } from '../verification/tuple.ts'

/** What was checked, and held. */
export interface Verified {
  readonly releaseId: string
  /** As far as the records prove it. */
  readonly state: State
  readonly hasTuple: boolean
  readonly files: number
  readonly tarballs: number
  /** In all tarballs. */
  readonly packedFiles: number
  readonly records: number
  /** Digests by which records name what they judged. */
  readonly inputs: number
  readonly rawFiles: number
  readonly signatures: number
  /** Policies by whose keys the signatures were checked: 1, or 2 with one that the reader trusts. */
  readonly policies: number
}

/**
 * Verifies every file, digest, chain link, judgement and signature of an evidence folder.
 *
 * @param trusted   the reader's own copy of the policy: its keys and rules must approve the release, too
 * @throws Refused with the first thing that does not hold
 * @source release design §5.1, §7.9
 */
export async function verifyEvidence(folder: string, trusted?: Policy): Promise<Verified> {
  const digests = checkSums(folder)
  const evidence = openEvidence(folder)
  const { policy } = policyOf(evidence)
  const policies = trusted === undefined ? [policy] : [policy, trusted]
  checkBound(evidence, digests)
  checkPacking(evidence)
  const packedFiles = await checkTarballs(evidence, policy)
  checkTold(evidence)
  const rawFiles = checkAcceptances(evidence, policy, digests)
  const inputs = checkInputs(evidence, digests)
  const signatures = checkSignatures(evidence, policies)
  checkPublications(evidence, digests)
  checkReadbacks(evidence, policy)
  const hasTuple = checkTuple(evidence)
  return {
    releaseId: evidence.releaseId,
    state: stateOf(evidence),
    hasTuple,
    files: digests.size,
    tarballs: evidence.manifest.packages.length,
    packedFiles,
    records: evidence.records.length,
    inputs,
    rawFiles,
    signatures,
    policies: policies.length,
  }
}
