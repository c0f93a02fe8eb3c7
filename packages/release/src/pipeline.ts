// What may happen when: the stages that write records, what each needs, and which endings are for good.
//
// Owns:      the order of the stages, the state of a release.
// Does not:  judge what a stage judges; that is `stages/`.
//
// Invariants
//   PL1  A stage runs only after every stage that it needs has passed.
//   PL2  A reproduction or an acceptance that passed, or was refused by what it judges, has ended for this release. One that
//        could not be carried out may be repeated: a cell that did not run, a refusal about something else, `retry`, our own
//        fault. A cell that failed is judged all the same.
//   PL3  A read-back that passed closes the release: no record follows it.
//   PL4  The state never says more than the records prove; a dry run proves nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Evidence, journalFile, passed, policyOf, type StoredRecord } from './evidence.ts'
import { refuseUnless } from './guard.ts'
import type { AnyRecord, RecordKind } from './records/records.ts'
import { isRefusalCode, type RefusalCode, refusals } from './refusal.ts'

/** How far a release has come, by its records. */
export type State = 'manifested' | 'reproduced' | 'accepted' | 'approved' | 'publishing' | 'published' | 'verified'

interface StageRules {
  readonly needs: readonly RecordKind[]
  /** The refusals that are its judgement of the release, which stands; null where a stage may run until the release is closed. */
  readonly judges: { readonly area: 'reproduce' | 'accept'; readonly except: readonly RefusalCode[] } | null
}

const rules: Readonly<Record<RecordKind, StageRules>> = {
  reproduction: { needs: [], judges: { area: 'reproduce', except: [] } },
  acceptance: {
    needs: [],
    judges: { area: 'accept', except: ['acceptance_cell_blocked', 'acceptance_cell_missing'] },
  },
  approval: { needs: ['reproduction', 'acceptance'], judges: null },
  publication: { needs: ['approval'], judges: null },
  readback: { needs: ['publication'], judges: null },
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

/** The record after which a stage does not run again. */
const endOf = (evidence: Evidence, kind: RecordKind): StoredRecord | undefined =>
  passed(evidence, 'readback')[0] ?? // PL3
  evidence.records.find((one) => one.kind === kind && isJudged(one))

function isJudged({ kind, record }: StoredRecord): boolean {
  const { judges } = rules[kind]
  const { outcome, reason } = record
  if (judges === null) return false
  if (outcome === 'passed' || hasFailedCell(record)) return true
  return reason !== null && isRefusalCode(reason) && isJudgement(judges, reason)
}

const isJudgement = ({ area, except }: NonNullable<StageRules['judges']>, code: RefusalCode): boolean =>
  refusals[code].area === area && !except.includes(code)

const hasFailedCell = (record: AnyRecord): boolean =>
  record.schema === 'durable-workflow.release/acceptance/v1' &&
  record.details?.cells.some(({ result }) => result === 'failed') === true

/** As many persons as the policy asks for approved what stands, for the registry and the dist-tag of the last approval. */
function isApproved(evidence: Evidence): boolean {
  const { keys, threshold } = policyOf(evidence).policy.approval
  const { reproduction, acceptance } = inputsOf(evidence, 'approval')
  const approvals = passed(evidence, 'approval').flatMap(({ record: { details } }) =>
    details === null ? [] : [details],
  )
  const last = approvals.at(-1)?.approved
  const counting = approvals.filter(
    ({ approved }) =>
      approved.reproductionSha256 === reproduction &&
      approved.acceptanceSha256 === acceptance &&
      approved.registry === last?.registry &&
      approved.distTag === last.distTag,
  )
  const persons = counting.flatMap(({ keyId }) => keys.filter(({ id }) => id === keyId).map(({ person }) => person))
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
