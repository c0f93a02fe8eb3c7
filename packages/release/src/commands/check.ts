import { join } from 'node:path'
import type { Command, Given } from '../command.ts'
import type { Context } from '../context.ts'
import { type Evidence, openEvidence, policyFile } from '../evidence.ts'
import { mayRun, nextStage, stateOf } from '../pipeline.ts'
import { readPolicy } from '../policy.ts'
import type { RecordKind } from '../records/records.ts'
import { Misused } from '../refusal.ts'
import { registryUrl } from '../registry/registry.ts'
import { checkApprovals } from '../stages/approve.ts'

/** The command of a stage, by what its record is called. */
const commandOf: Readonly<Record<RecordKind, string>> = {
  reproduction: 'reproduce',
  acceptance: 'accept',
  approval: 'approve',
  publication: 'publish',
  readback: 'readback',
}

/** `rel check`: whether a stage may run now; it writes nothing. */
export const check: Command = {
  name: 'check',
  says: 'whether a stage may run now, for a gate; writes nothing',
  words: '',
  options: {
    release: { type: 'string', required: true, says: 'evidence folder' },
    stage: { type: 'string', required: true, says: Object.values(commandOf).join(', ') },
    policy: { type: 'string', says: 'with --stage publish: the policy of now; that of the folder unless given' },
    registry: { type: 'string', says: 'with --stage publish: where to' },
    'dist-tag': { type: 'string', says: 'with --stage publish: under which tag' },
  },
  async run(given, context) {
    const kind = kindOf(given.text('stage'))
    const evidence = openEvidence(given.text('release'))
    mayRun(evidence, kind)
    if (kind === 'publication') checkApproved(given, context, evidence)
    const { releaseId } = evidence
    const state = stateOf(evidence)
    const next = nextStage[state]
    const further = next === null ? 'rel tuple append' : `rel ${commandOf[next]}`
    return {
      lines: [`${releaseId}: rel ${commandOf[kind]} may run`, `state: ${state}`, `next: ${further}`],
      json: { releaseId, stage: kind, state, next: further },
    }
  },
}

function kindOf(text: string): RecordKind {
  const kinds: readonly RecordKind[] = ['reproduction', 'acceptance', 'approval', 'publication', 'readback']
  const kind = kinds.find((one) => commandOf[one] === text)
  if (kind === undefined) throw new Misused(`--stage ${text}: one of ${Object.values(commandOf).join(', ')}`)
  return kind
}

function checkApproved(given: Given, { now }: Context, evidence: Evidence): void {
  const read = readPolicy(given.optional('policy') ?? join(evidence.folder, policyFile))
  checkApprovals({
    evidence,
    policy: read.policy,
    policySha256: read.sha256,
    registry: registryUrl(given.text('registry')),
    distTag: given.text('dist-tag'),
    now: now(),
  })
}
