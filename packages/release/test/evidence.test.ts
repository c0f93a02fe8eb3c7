// The evidence folder: what is never lost, what a dead or a second program can do to it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { canonicalText, readCanonical } from '../src/canonical.ts'
import { openEvidence, policyOf, recorded, replaceFile, writeOnce } from '../src/evidence.ts'
import { refuseUnless } from '../src/guard.ts'
import { inputsOf, mayRun, nextStage, stateOf } from '../src/pipeline.ts'
import type { RecordKind } from '../src/records/records.ts'
import { makeWorld, type World, type WorldOptions } from './kit/world.ts'
import { approvalDetails, recordDetails } from './kit/world-details.ts'

const folder = mkdtempSync(join(tmpdir(), 'release-evidence-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let worlds = 0
const world = (options: WorldOptions): Promise<World> => makeWorld(join(folder, `${worlds++}`), options)

test('EV1 a file that is there is not written again, and its writer hears of it', () => {
  const path = join(folder, 'once')
  writeOnce(path, 'first')
  expect(() => writeOnce(path, 'second')).toThrow('EEXIST')
  expect(readFileSync(path, 'utf8')).toBe('first')
  expect(readdirSync(folder).filter((name) => name.startsWith('once'))).toEqual(['once'])
})

test('EV1 appending leaves every earlier byte as it was', async () => {
  const made = await world({ until: 'acceptance' })
  const { folder: at, append, evidence } = made
  const contents = () => evidence().records.map(({ file }) => readFileSync(join(at, 'records', file), 'utf8'))
  const before = contents()
  await append('approval', approvalDetails(made, made.keys.alice))
  expect(contents().slice(0, before.length)).toEqual(before)
  expect(contents()).toHaveLength(before.length + 1)
})

test('EV2 what a program wrote that died before the end is no record: the folder opens, and the same stage goes on', async () => {
  const made = await world({ until: 'reproduction' })
  const { folder: at, evidence } = made
  writeFileSync(join(at, 'records', '0002-acceptance.json.1234.draft'), '{"schema": "durable-w')
  writeFileSync(join(at, 'records', '0002-acceptance.json.5678.draft'), '')
  expect(nextStage[stateOf(evidence())]).toBe('acceptance')
  mayRun(evidence(), 'acceptance')
  await made.append('acceptance', recordDetails(made).acceptance.details())
  expect(evidence().records.map(({ file }) => file)).toEqual(['0001-reproduction.json', '0002-acceptance.json'])
})

test('EV2 a file that is replaced is the old one or the new one', () => {
  const path = join(folder, 'replaced')
  replaceFile(path, 'old')
  replaceFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readdirSync(folder).filter((name) => name.startsWith('replaced'))).toEqual(['replaced'])
})

test('opening reads the manifest and the records, not the tarballs', async () => {
  const { folder: at, evidence } = await world({ until: 'approval' })
  rmSync(join(at, 'tarballs'), { recursive: true })
  expect(evidence().records).toHaveLength(3)
})

test.each([
  ['of one kind', ['approval', 'approval']],
  ['of two kinds', ['approval', 'publication']],
] as const)('EV3 two programs append records %s at once: each number once, and who loses says so', async (_, kinds) => {
  const { folder: at } = await world({ until: 'acceptance' })
  const writers = await Promise.all(kinds.map((kind) => racingWriter(at, kind)))
  const answers: string[] = []
  for (let round = 0; round < 25; round++) answers.push(...(await Promise.all(writers.map((one) => one.append()))))
  await Promise.all(writers.map((one) => one.end()))
  const written = answers.filter((answer) => answer === 'written').length
  for (const answer of answers)
    expect(answer).toMatch(/^written$|EEXIST|another program wrote|record_chain_broken|record_missing/)
  expect(written).toBeGreaterThan(0)
  expect(openEvidence(at).records).toHaveLength(2 + written)
})

test.each([
  ['passed', null, async () => {}],
  ['refused', 'acceptance_failed', async () => refuseUnless(false, 'acceptance_failed', { cell: 'start' })],
  ['retry', 'registry_unreachable', async () => refuseUnless(false, 'registry_unreachable', {})],
  ['fault', 'internal_fault', async () => Promise.reject(new Error('our own'))],
] as const)('EV4 a stage that ends as %s has a record that says so', async (outcome, reason, work) => {
  const { context, evidence } = await world({ until: 'reproduction' })
  const stage = { kind: 'acceptance', inputs: inputsOf(evidence(), 'acceptance') } as const
  const ended = recorded(context, evidence(), stage, work)
  if (outcome === 'passed') await ended
  else await expect(ended).rejects.toThrow()
  expect(evidence().records.at(-1)?.record).toMatchObject({ outcome, reason, details: null, inputs: stage.inputs })
})

test('EV4 what was reported before a refusal stands in the record', async () => {
  const made = await world({ until: 'reproduction' })
  const details = recordDetails(made).acceptance.details()
  const { context, evidence } = made
  const ended = recorded(context, evidence(), { kind: 'acceptance', inputs: {} }, async (report) => {
    report(details)
    refuseUnless(false, 'acceptance_failed', { cell: 'start' })
  })
  await expect(ended).rejects.toThrow('acceptance_failed')
  expect(evidence().records.at(-1)?.record).toMatchObject({ facts: { cell: 'start' }, details })
})

test.each([
  [
    'a record of the middle taken out',
    (at: string) => rmSync(join(at, 'records/0002-acceptance.json')),
    'record_chain_broken',
  ],
  ['the first record taken out', removeFirst, 'record_chain_broken'],
  ['the manifest taken out', (at: string) => rmSync(join(at, 'release-manifest.json')), 'record_missing'],
  [
    'a stranger among the records',
    (at: string) => writeFileSync(join(at, 'records/note.txt'), ''),
    'record_schema_invalid',
  ],
  [
    'a kind that is none',
    (at: string) => writeFileSync(join(at, 'records/0004-tuple.json'), ''),
    'record_schema_invalid',
  ],
  ['a record written otherwise', respaced, 'manifest_not_canonical'],
  ['the policy changed', (at: string) => policyChanged(at), 'record_digest_mismatch'],
] as const)('EV5 a folder with %s does not open', async (_, change, code) => {
  const { folder: at } = await world({ until: 'approval' })
  change(at)
  expect(() => policyOf(openEvidence(at))).toThrow(code)
})

test.each(['manifest', 'reproduction', 'acceptance', 'approval', 'publication'] as const)(
  'a run that was interrupted after the stage %s goes on with the next one',
  async (until) => {
    const { folder: at } = await world({ until })
    const next = nextStage[stateOf(openEvidence(at))]
    const order = ['manifest', 'reproduction', 'acceptance', 'approval', 'publication', 'readback']
    expect(next).toBe(order[order.indexOf(until) + 1])
    if (next !== null) expect(() => mayRun(openEvidence(at), next)).not.toThrow()
  },
)

function removeFirst(at: string): void {
  rmSync(join(at, 'records/0001-reproduction.json'))
}

function respaced(at: string): void {
  const path = join(at, 'records/0002-acceptance.json')
  writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))))
}

function policyChanged(at: string): void {
  const path = join(at, 'policy.json')
  const policy = readCanonical(readFileSync(path, 'utf8'), 'policy')
  writeFileSync(path, canonicalText({ ...Object(policy), repository: 'y' }))
}

async function racingWriter(at: string, kind: RecordKind) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'kit/racing-writer.ts'), at, kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<string> => String((await lines.next()).value)
  expect(await answer()).toBe('ready')
  return {
    append(): Promise<string> {
      child.stdin.write('append\n')
      return answer()
    },
    async end(): Promise<void> {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
