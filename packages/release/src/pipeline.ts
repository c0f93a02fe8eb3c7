// What may happen when: the stages that write records, what each needs, and which endings are for good.
//
// Owns:      the order of the stages, the state of a release.
// Does not:  judge what a stage judges; that is `stages/`.
//
// Invariants
//   PL1  A stage runs only after every stage that it needs has passed.
//   PL2  A reproduction or an acceptance that passed or was refused has ended for this release; one that could not be carried
//        out (a blocked cell and none that failed, `retry`, our own fault) may be repeated.
//   PL3  A read-back that passed closes the release: no record follows it.
//   PL4  The state never says more than the records prove; a dry run proves nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Evidence, journalFile, passed, policyOf, type StoredRecord } from './evidence.ts'
import { refuseUnless } from './guard.ts'
import type { AnyRecord, RecordKind } from './records/records.ts'
import type { RefusalCode } from './refusal.ts'

/** How far a release has come, by its records. */
export type State = 'manifested' | 'reproduced' | 'accepted' | 'approved' | 'publishing' | 'published' | 'verified'

interface StageRules {
  readonly needs: readonly RecordKind[]
  /** `once`: its judgement stands. `again`: as often as wanted, until the release is closed. */
  readonly runs: 'once' | 'again'
  /** Refusals that judge nothing of the release: what was asked for could not be carried out. */
  readonly undecided: readonly RefusalCode[]
}

const rules: Readonly<Record<RecordKind, StageRules>> = {
  reproduction: {
    needs: [],
    runs: 'once',
    undecided: ['source_commit_mismatch', 'source_not_on_protected_branch', 'packer_version_mismatch'],
  },
  acceptance: { needs: [], runs: 'once', undecided: ['acceptance_cell_blocked'] },
  approval: { needs: ['reproduction', 'acceptance'], runs: 'again', undecided: [] },
  publication: { needs: ['approval'], runs: 'again', undecided: [] },
  readback: { needs: ['publication'], runs: 'again', undecided: [] },
}

/** The stage that brings a release further; null when only the ledger is left. */
export const nextStage: Readonly<Record<State, RecordKind | null>> = {
  manifested: 'reproduction',
  reproduced: 'acceptance',
  accepted: 'approval',
  approved: 'publication',
  publishing: 'publication',
  published: 'readback',
  verified: null,
}

/**
 * Whether a stage may run now. It is asked before `recorded`, so that a stage that may not run leaves no record.
 *
 * @throws Refused stage_already_final, stage_out_of_order
 * @source release design §5.2
 */
export function mayRun(evidence: Evidence, kind: RecordKind): void {
  const ended = endOf(evidence, kind)
  refuseUnless(ended === undefined, 'stage_already_final', {
    stage: kind,
    record: ended?.file ?? null,
    outcome: ended?.record.outcome ?? null,
  })
  const lacking = rules[kind].needs.filter((needed) => fulfilled(evidence, needed) === undefined)
  refuseUnless(lacking.length === 0, 'stage_out_of_order', { stage: kind, lacking })
}

/** The record by which a stage is fulfilled: the last one that passed. A dry run fulfils nothing (PL4). */
export const fulfilled = <K extends RecordKind>(evidence: Evidence, kind: K): StoredRecord<K> | undefined =>
  passed(evidence, kind).findLast(isReal)

/** What a stage judges, as its record says it: the manifest, the policy, the records that fulfil what it needs. */
export function inputsOf(evidence: Evidence, kind: RecordKind): Readonly<Record<string, string>> {
  const inputs: Record<string, string> = {
    manifest: evidence.manifestSha256,
    policy: evidence.manifest.policy.sha256,
  }
  for (const needed of rules[kind].needs) {
    const stored = fulfilled(evidence, needed)
    if (stored !== undefined) inputs[needed] = stored.sha256
  }
  return inputs
}

/** How far a release has come. @throws Refused record_missing, record_digest_mismatch: the policy of the folder */
export function stateOf(evidence: Evidence): State {
  if (fulfilled(evidence, 'reproduction') === undefined) return 'manifested'
  if (fulfilled(evidence, 'acceptance') === undefined) return 'reproduced'
  if (!isApproved(evidence)) return 'accepted'
  if (fulfilled(evidence, 'readback') !== undefined) return 'verified'
  if (fulfilled(evidence, 'publication') !== undefined) return 'published'
  return hasUploaded(evidence) ? 'publishing' : 'approved'
}

function endOf(evidence: Evidence, kind: RecordKind): StoredRecord | undefined {
  const { runs, undecided } = rules[kind]
  const judged = ({ record }: StoredRecord): boolean =>
    record.outcome === 'passed' ||
    (record.outcome === 'refused' && !undecided.some((code) => code === record.reason)) ||
    hasFailedCell(record)
  return (
    passed(evidence, 'readback')[0] ?? // PL3
    (runs === 'once' ? evidence.records.find((one) => one.kind === kind && judged(one)) : undefined)
  )
}

const hasFailedCell = (record: AnyRecord): boolean =>
  record.schema === 'durable-workflow.release/acceptance/v1' &&
  record.details?.cells.some(({ result }) => result === 'failed') === true

/** As many persons as the policy asks for approved the reproduction and the acceptance that stand. */
function isApproved(evidence: Evidence): boolean {
  const { keys, threshold } = policyOf(evidence).policy.approval
  const current = inputsOf(evidence, 'approval')
  const persons = passed(evidence, 'approval').flatMap(({ record: { details } }) =>
    details !== null &&
    details.approved.reproductionSha256 === current.reproduction &&
    details.approved.acceptanceSha256 === current.acceptance
      ? keys.filter((key) => key.id === details.keyId).map((key) => key.person)
      : [],
  )
  return new Set(persons).size >= threshold
}

/** The journal is there from its first line on, also when the publisher died before its record. */
const hasUploaded = ({ folder, records }: Evidence): boolean =>
  existsSync(join(folder, journalFile)) ||
  records.some(
    (one) =>
      isReal(one) &&
      one.record.schema === 'durable-workflow.release/publication/v1' &&
      one.record.details?.journal.some(({ action }) => action === 'upload') === true,
  )

const isReal = ({ record }: StoredRecord): boolean =>
  record.schema !== 'durable-workflow.release/publication/v1' || record.details?.dryRun !== true
