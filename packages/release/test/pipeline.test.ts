// The order of the stages, and which endings are for good.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openEvidence, recorded } from '../src/evidence.ts'
import { refuseUnless } from '../src/guard.ts'
import { fulfilled, inputsOf, mayRun, nextStage, stateOf } from '../src/pipeline.ts'
import type { RecordKind } from '../src/records/records.ts'
import { type RefusalCode, Refused } from '../src/refusal.ts'
import { makeWorld, type World, type WorldOptions } from './kit/world.ts'
import { approvalDetails, recordDetails } from './kit/world-details.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-pipeline-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let worlds = 0
const world = (options: WorldOptions): Promise<World> => makeWorld(join(folder, `${worlds++}`), options)

const kinds: readonly RecordKind[] = ['reproduction', 'acceptance', 'approval', 'publication', 'readback']

/** What `mayRun` says of every stage: `may`, or the code. */
const answers = ({ folder: at }: World) =>
  kinds.map((kind) => {
    try {
      mayRun(openEvidence(at), kind)
      return 'may'
    } catch (error) {
      if (error instanceof Refused) return error.code
      throw error
    }
  })

async function end({ context, evidence }: World, kind: RecordKind, code: RefusalCode | null): Promise<void> {
  const work = recorded(context, evidence(), { kind, inputs: inputsOf(evidence(), kind) }, async () => {
    if (code === null) throw new Error('our own fault')
    refuseUnless(false, code, {})
  })
  await expect(work).rejects.toThrow()
}

const order = 'stage_out_of_order'
const final = 'stage_already_final'

test.each([
  ['manifest', ['may', 'may', order, order, order]],
  ['reproduction', [final, 'may', order, order, order]],
  ['acceptance', [final, final, 'may', order, order]],
  ['approval', [final, final, 'may', 'may', order]],
  ['publication', [final, final, 'may', 'may', 'may']],
  ['readback', [final, final, final, final, final]],
] as const)(
  'PL1 PL3 after the stage %s exactly the stages may run whose needs have passed',
  async (until, expected) => {
    const made = await world({ until })
    expect(answers(made)).toEqual(expected)
    const next = nextStage[stateOf(made.evidence())]
    if (next !== null) expect(() => mayRun(made.evidence(), next)).not.toThrow()
  },
)

test('PL1 an acceptance that was refused lets nothing follow', async () => {
  const made = await world({ until: 'reproduction' })
  await end(made, 'acceptance', 'acceptance_failed')
  expect(answers(made)).toEqual([final, final, order, order, order])
  expect(stateOf(made.evidence())).toBe('reproduced')
})

test.each([
  ['reproduction', 'build_not_reproducible', final],
  ['reproduction', 'repack_mismatch', final],
  ['reproduction', 'source_commit_mismatch', 'may'],
  ['reproduction', 'registry_unreachable', 'may'],
  ['reproduction', null, 'may'],
  ['acceptance', 'acceptance_failed', final],
  ['acceptance', 'cleanup_incomplete', final],
  ['acceptance', 'acceptance_cell_blocked', 'may'],
  ['acceptance', 'acceptance_cell_missing', 'may'],
  ['acceptance', 'acceptance_cell_missing', 'may'],
  ['acceptance', 'record_missing', 'may'],
  ['acceptance', 'registry_unreachable', 'may'],
  ['acceptance', null, 'may'],
] as const)('PL2 a stage %s that ended with %s: %s', async (kind, code, expected) => {
  const made = await world({ until: 'manifest' })
  await end(made, kind, code)
  expect(answers(made)[kinds.indexOf(kind)]).toBe(expected)
})

test('PL2 a blocked cell is no excuse for one that failed', async () => {
  const made = await world({ until: 'reproduction' })
  const details = recordDetails(made).acceptance.details()
  const cells = details.cells.map((cell, at) => ({
    ...cell,
    result: at === 0 ? ('failed' as const) : ('blocked' as const),
  }))
  const work = recorded(made.context, made.evidence(), { kind: 'acceptance', inputs: {} }, async (report) => {
    report({ ...details, cells })
    refuseUnless(false, 'acceptance_cell_blocked', {})
  })
  await expect(work).rejects.toThrow('acceptance_cell_blocked')
  expect(answers(made)[kinds.indexOf('acceptance')]).toBe(final)
})

test('PL2 approvals, publications and read-backs that failed may be repeated', async () => {
  const made = await world({ until: 'publication' })
  await end(made, 'approval', 'approval_self')
  await end(made, 'publication', 'publish_rejected')
  await end(made, 'readback', 'readback_tag_mismatch')
  expect(answers(made)).toEqual([final, final, 'may', 'may', 'may'])
  expect(stateOf(made.evidence())).toBe('published')
})

test('PL4 a dry run publishes nothing', async () => {
  const made = await world({ until: 'approval' })
  await made.append('publication', { ...recordDetails(made).publication(), dryRun: true })
  expect(stateOf(made.evidence())).toBe('approved')
  expect(fulfilled(made.evidence(), 'publication')).toBeUndefined()
  expect(answers(made)[kinds.indexOf('readback')]).toBe(order)
})

test('PL4 a publication that stopped after an upload is under way, not done', async () => {
  const made = await world({ until: 'approval' })
  const { evidence, context } = made
  const details = recordDetails(made).publication()
  const work = recorded(context, evidence(), { kind: 'publication', inputs: {} }, async (report) => {
    report({ ...details, journal: details.journal.slice(0, 1) })
    refuseUnless(false, 'registry_unreachable', {})
  })
  await expect(work).rejects.toThrow('registry_unreachable')
  expect(stateOf(evidence())).toBe('publishing')
})

test('PL4 two persons who approved for different tags have not approved together', async () => {
  const made = await world({ until: 'acceptance', threshold: 2 })
  await made.append('approval', approvalDetails(made, made.keys.alice))
  await made.append('approval', approvalDetails(made, made.keys.bob, { distTag: 'next' }))
  expect(stateOf(made.evidence())).toBe('accepted')
})

test('PL4 one approval of two, or two by one person, is not approved', async () => {
  const made = await world({ until: 'approval', threshold: 2 })
  expect(stateOf(made.evidence())).toBe('approved')
  const short = await world({ until: 'acceptance', threshold: 2 })
  await short.append('approval', approvalDetails(short, short.keys.alice))
  await short.append('approval', approvalDetails(short, short.keys.alice))
  expect(stateOf(short.evidence())).toBe('accepted')
})
