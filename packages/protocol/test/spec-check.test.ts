// `spec:check` finds nothing in our documents, and finds each kind of fault that is put into them.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundle } from '../scripts/bundle.ts'
import { asObject, type Documents, type JsonObject, readDocuments } from '../scripts/documents.ts'
import { bundlesOf, specFolder } from '../scripts/generate.ts'
import { lint } from '../scripts/lint.ts'
import { operationsOf } from '../scripts/operations.ts'
import {
  checkAdditionsOfOurs,
  checkCatalogues,
  checkOperations,
  checkReasons,
  checkReferences,
} from '../scripts/references.ts'
import { checkSpec } from '../scripts/spec-check.ts'
import { operations, reasons } from '../src/index.ts'

const documents = await readDocuments(specFolder)
const { worker119, control } = bundlesOf(documents)
const allOperations = [...operationsOf(worker119), ...operationsOf(control)]
const codes = (found: { code: string }[]) => [...new Set(found.map(({ code }) => code))]

test('our documents are in order', async () => {
  const { problems } = await checkSpec(specFolder)
  expect(problems).toEqual([])
})

test('the command prints the digests and ends with 0', () => {
  const script = fileURLToPath(new URL('../scripts/spec-check.ts', import.meta.url))
  const run = spawnSync(process.execPath, ['--conditions=source', '--disable-warning=ExperimentalWarning', script], {
    encoding: 'utf8',
  })
  expect(run.stderr).toBe('')
  expect(run.status).toBe(0)
  expect(run.stdout).toMatch(/^worker-1\.19 {2}[0-9a-f]{64}$/m)
  expect(run.stdout).toContain('0 problems')
})

function withReason(reason: JsonObject): Documents {
  return { ...documents, reasons: { reasons: { ...asObject(documents.reasons.reasons, 'reasons'), sample: reason } } }
}

const reason = {
  status: 409,
  operations: ['completeWorkflowTask'],
  retryable: false,
  settles: [],
  remedy: 'Repeat the report.',
}

test.each([
  ['names an operation that does not exist', { ...reason, operations: ['completeNothing'] }, 'reason-operation'],
  ['names a planned operation', { ...reason, operations: ['archiveWorkflow'] }, 'reason-operation'],
  ['has a status that its operation does not document', { ...reason, status: 418 }, 'reason-status'],
  ['says nothing to do', { ...reason, remedy: 'The run is closed.' }, 'reason-remedy'],
  ['says what to do in no sentence', { ...reason, remedy: 'repeat' }, 'reason-remedy'],
  ['settles what is no report', { ...reason, settles: ['timer'] }, 'reason-settles'],
  [
    'gives a status to an operation that it does not name',
    { ...reason, statusOf: { failWorkflowTask: 404 } },
    'reason-operation',
  ],
])('a reason that %s is found', (_, sample, code) => {
  expect(codes(checkReasons(withReason(sample), allOperations))).toEqual([code])
})

test('a reason about a body, given by an operation that takes none, is found', () => {
  const all = asObject(documents.reasons.reasons, 'reasons')
  const malformed = { ...asObject(all.malformed_json, 'malformed_json'), operations: ['deregisterWorker'] }
  const found = checkReasons(
    { ...documents, reasons: { reasons: { ...all, malformed_json: malformed } } },
    allOperations,
  )
  expect(codes(found)).toContain('reason-body')
})

test('a status that no reason answers with is found', () => {
  const without = Object.fromEntries(
    Object.entries(asObject(documents.reasons.reasons, 'reasons')).filter(
      ([name]) => name !== 'namespace_already_exists',
    ),
  )
  expect(codes(checkReasons({ ...documents, reasons: { reasons: without } }, allOperations))).toEqual([
    'status-without-reason',
  ])
})

test('a reference to nothing is found, inside a document and to a file', () => {
  const broken = { ...control, paths: { '/x': { $ref: '#/components/schemas/Nothing' } } }
  expect(codes(checkReferences('control-2', broken))).toEqual(['reference'])
  const toFile = { ...documents.control, paths: { '/x': { $ref: '../schemas/nothing.json' } } }
  expect(() => bundle(toFile, documents, false)).toThrow(/Nothing/)
})

test('two operations of one name are found', () => {
  expect(codes(checkOperations([...allOperations, ...operationsOf(control).slice(0, 1)]))).toEqual(['operation-twice'])
})

test.each([
  [
    'an event without author',
    { events: { ...documents.events, Odd: { title: 'Odd', 'x-since': '1.0', type: 'object', properties: {} } } },
    'event-appended-by',
  ],
  [
    'an event without line',
    {
      events: {
        ...documents.events,
        Odd: { title: 'Odd', 'x-appended-by': 'core/odd', type: 'object', properties: {} },
      },
    },
    'event-since',
  ],
  [
    'an event under another title',
    { events: { ...documents.events, Odd: { title: 'Even', 'x-since': '1.0', 'x-appended-by': 'core/odd' } } },
    'event-title',
  ],
  [
    'a command that no completion may carry',
    { commands: { ...documents.commands, odd: { properties: { type: { const: 'odd' } } } } },
    'command-unlisted',
  ],
  [
    'a command of another type',
    { commands: { ...documents.commands, start_timer: { properties: { type: { const: 'odd' } } } } },
    'command-type',
  ],
])('%s is found', (_, part: Partial<Documents>, code) => {
  expect(codes(checkCatalogues({ ...documents, ...part }))).toEqual([code])
})

test.each([
  [
    'a path parameter that is not declared',
    {
      paths: {
        ...asObject(control.paths, 'paths'),
        '/api/odd/{odd}': { get: asObject(asObject(control.paths, 'paths')['/api/health'], 'health').get ?? null },
      },
    },
    'path-parameters-defined',
  ],
  [
    'a component that nobody uses',
    {
      components: {
        ...asObject(control.components, 'components'),
        schemas: {
          ...asObject(asObject(control.components, 'components').schemas, 'schemas'),
          Odd: { type: 'object' },
        },
      },
    },
    'no-unused-components',
  ],
  ['a document without a title', { info: { version: '2' } }, 'struct'],
])('lint finds %s', async (_, part: JsonObject, code) => {
  expect(codes(await lint('control-2', { ...control, ...part }))).toContain(code)
})

test.each([
  ['without a capability that is advertised', {}, 'capability-unknown'],
  ['that is required', { required: ['later'] }, 'capability-required'],
])('a field of ours %s is found', (_, part: JsonObject, code) => {
  const schema = { type: 'object', ...part, properties: { later: { type: 'string', 'x-capability': 'later' } } }
  const advertised = new Set(code === 'capability-unknown' ? [] : ['later'])
  expect(codes(checkAdditionsOfOurs('sample', { components: { schemas: { Sample: schema } } }, advertised))).toEqual([
    code,
  ])
})

test('the planned operations are listed, and none of them has a reason', () => {
  const planned = Object.entries(operations)
    .filter(([, entry]) => entry.stage === 'planned')
    .map(([id]) => id)
  expect(planned.length).toBeGreaterThan(90)
  const named = new Set<string>(Object.values(reasons).flatMap((entry) => [...entry.operations]))
  expect(planned.filter((id) => named.has(id))).toEqual([])
})
