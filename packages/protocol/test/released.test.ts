// spec/released/: what the release command writes, and each way in which the folder can be out of order.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { asObject, type JsonObject, readDocuments } from '../scripts/documents.ts'
import { aheadOfReleases } from '../scripts/evolution/ahead.ts'
import {
  checkAgainstReleased,
  digestOf,
  fileOf,
  indexName,
  newestOf,
  releasable,
  releasedName,
} from '../scripts/evolution/released.ts'
import { specFolder } from '../scripts/generate.ts'
import { release } from '../scripts/release.ts'
import { checkSpec, workingDocuments } from '../scripts/spec-check.ts'
import sample from './fixtures/released.json' with { type: 'json' }

const documents = await readDocuments(specFolder)
const working = workingDocuments(documents)
const everyDocument = ['worker-1.19', 'worker-1.20', 'control-2', 'reasons-1', 'limits-1']

/** A copy of the documents without any release. */
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'protocol-spec-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(specFolder, folder, { recursive: true })
  const releases = await readdir(join(folder, 'released'))
  await Promise.all(releases.filter((name) => name.endsWith('.json')).map((name) => rm(join(folder, 'released', name))))
})

const released = (name: string) => join(folder, 'released', name)
const changeText = async (file: string, from: string, to: string) => {
  const text = await readFile(join(folder, file), 'utf8')
  expect(text).toContain(from)
  await writeFile(join(folder, file), text.replace(from, to))
}
const codesOf = (problems: readonly { code: string }[]) => [...new Set(problems.map(({ code }) => code))]
const bytes = async () => {
  const names = (await readdir(join(folder, 'released'))).sort()
  return Promise.all(names.map(async (name) => [name, await readFile(released(name), 'utf8')]))
}

test('a first release keeps every document under its content, and the index names it', async () => {
  const { written, problems } = await release(folder)
  expect(problems).toEqual([])
  expect(written).toEqual(everyDocument.map((name) => releasedName(name, asObject(working[name], name))))
  const index: unknown = JSON.parse(await readFile(released(indexName), 'utf8'))
  expect(index).toEqual(
    Object.fromEntries(everyDocument.map((name) => [name, [digestOf(releasable(asObject(working[name], name)))]])),
  )
  const report = await checkSpec(folder)
  expect(report.problems).toEqual([])
  expect(report.compared).toBe(5)
  expect(aheadOfReleases(report.releases, report.working)).toEqual([])
})

test('a second release finds nothing new, and a release made anew has the same bytes', async () => {
  await release(folder)
  const first = await bytes()
  expect(await release(folder)).toEqual({ written: [], problems: [] })
  expect(await bytes()).toEqual(first)
  for (const [name] of first) if (name?.endsWith('.json')) await rm(released(name))
  await release(folder)
  expect(await bytes()).toEqual(first)
})

test('an addition is a further release of its document alone, and the newest is known', async () => {
  await release(folder)
  await changeText(
    'control/2.yaml',
    'operationId: listNamespaces\n',
    'operationId: listNamespaces\n      x-note: new\n',
  )
  const ahead = await checkSpec(folder)
  expect(aheadOfReleases(ahead.releases, ahead.working)).toEqual([
    'control-2 is ahead of its newest release: listNamespaces. `pnpm spec:release` releases it.',
  ])
  const { written } = await release(folder)
  expect(written).toHaveLength(1)
  const { releases, problems, compared } = await checkSpec(folder)
  expect(problems).toEqual([])
  expect(compared).toBe(6)
  expect(releases.index['control-2']).toHaveLength(2)
  expect(newestOf('control-2', releases)).toEqual(releasable(asObject(ahead.working['control-2'], 'control-2')))
})

test('a document that takes something back is not released, nor is any other', async () => {
  await release(folder)
  const before = await bytes()
  await changeText('control/2.yaml', 'operationId: listNamespaces\n', 'operationId: listNames\n')
  await changeText(
    'schemas/limits.yaml',
    'limits:\n',
    'limits:\n  oddMax: { value: 1, unit: things, source: a test }\n',
  )
  const { written, problems } = await release(folder)
  expect(written).toEqual([])
  expect(codesOf(problems)).toContain('operation-removed')
  expect(await bytes()).toEqual(before)
})

test('what was released earlier binds too, not only the newest', async () => {
  await release(folder)
  const first = asObject(releasable(asObject(working['limits-1'], 'limits-1')), 'limits')
  const later = { ...first, limits: { ...asObject(first.limits, 'limits'), oddMax: { value: 9 } } }
  const digests = [digestOf(later), digestOf(first)]
  await writeFile(released(fileOf('limits-1', digestOf(later))), JSON.stringify(later))
  const index = asObject(JSON.parse(await readFile(released(indexName), 'utf8')), 'index')
  await writeFile(released(indexName), JSON.stringify({ ...index, 'limits-1': digests }))
  const { problems } = await checkSpec(folder)
  expect(problems.map(({ code, at }) => [code, at])).toEqual([
    ['limit-removed', `${fileOf('limits-1', digestOf(later))}: limits.oddMax`],
  ])
})

test('planned operations, fields, commands, events and reasons are not in a release', async () => {
  await release(folder)
  for (const [name, text] of await bytes())
    if (name?.endsWith('.json')) expect(text, name).not.toContain('"x-stage": "planned"')
  const { contents } = (await checkSpec(folder)).releases
  const worker = JSON.stringify(contents[releasedName('worker-1.19', asObject(working['worker-1.19'], 'worker'))])
  for (const planned of ['start_child_workflow', 'UpdateAccepted', 'worker_session"', 'createWorkerSession'])
    expect(worker).not.toContain(planned)
  for (const built of ['schedule_activity', 'TimerFired', 'retry_policy', 'completeWorkflowTask'])
    expect(worker).toContain(built)
})

test.each([
  ['a planned operation', 'operationId: archiveWorkflow', 'operationId: putAway'],
  ['a component of planned operations', 'Puts a closed run out of sight.', 'Stows a closed run.'],
])('%s may change after a release: it binds nobody', async (_, from, to) => {
  await release(folder)
  await changeText('control/2.yaml', from, to)
  expect(await release(folder)).toEqual({ written: [], problems: [] })
})

test.each([
  ['an operation', 'control/2.yaml', 'operationId: listNamespaces', 'operation-removed'],
  ['an event type', 'schemas/events/TimerFired.json', '"x-since": "1.0",', 'event-removed'],
  ['a command', 'schemas/commands/start_timer.json', '"x-since": "1.0",', 'alternative-removed'],
  ['a field', 'schemas/events/TimerFired.json', '"fired_at": {', 'field-removed'],
])('%s that was released and is planned again is found', async (_, file, near, code) => {
  await release(folder)
  const planned = file.endsWith('.json') ? `${near} "x-stage": "planned",` : undefined
  if (planned === undefined) {
    const text = await readFile(join(folder, file), 'utf8')
    const at = text.indexOf('x-stage: built', text.indexOf(near))
    await writeFile(
      join(folder, file),
      `${text.slice(0, at)}x-stage: planned${text.slice(at + 'x-stage: built'.length)}`,
    )
  } else await changeText(file, near, planned)
  expect(codesOf((await checkSpec(folder)).problems)).toContain(code)
})

/** Checks a folder that holds these files and nothing else against one sample document. */
async function codesWith(files: Record<string, unknown>, documentNames: readonly string[] = ['sample-1']) {
  for (const [name, content] of Object.entries(files)) await writeFile(released(name), JSON.stringify(content))
  const { problems } = await checkAgainstReleased(
    join(folder, 'released'),
    Object.fromEntries(documentNames.map((name) => [name, sample])),
  )
  return codesOf(problems)
}

const content: JsonObject = releasable(sample)
const digest = digestOf(content)
const file = fileOf('sample-1', digest)
const inOrder = { [file]: content, [indexName]: { 'sample-1': [digest] } }
const otherWords = { ...content, info: { title: 'Other words', version: '1' } }

test('the sample folder is in order', async () => {
  expect(await codesWith(inOrder)).toEqual([])
})

test.each([
  ['an edited file', { ...inOrder, [file]: otherWords }, 'released-edited'],
  ['a file of another kind of name', { ...inOrder, 'sample.json': content }, 'released-name'],
  ['a file that is no object', { ...inOrder, [file]: [1] }, 'released-content'],
  ['a file that the index does not name', { [file]: content }, 'released-unlisted'],
  ['a file that is gone', { [indexName]: { 'sample-1': [digest] } }, 'released-missing'],
  [
    'an index with another digest of the same beginning',
    { ...inOrder, [indexName]: { 'sample-1': [`${digest.slice(0, 63)}${digest.endsWith('0') ? '1' : '0'}`] } },
    'released-index',
  ],
  ['an index that repeats a release', { ...inOrder, [indexName]: { 'sample-1': [digest, digest] } }, 'released-twice'],
])('%s is found', async (_, files, code) => {
  expect(await codesWith(files)).toContain(code)
})

test('a release without a working document is found', async () => {
  expect(await codesWith(inOrder, [])).toEqual(['document-removed'])
})

test('a field taken out of our own document is found against its release', async () => {
  const control = asObject(working['control-2'], 'control-2')
  const components = asObject(control.components, 'components')
  const schemas = asObject(components.schemas, 'schemas')
  const namespace = asObject(schemas.Namespace, 'Namespace')
  const { retention_days: _, ...kept } = asObject(namespace.properties, 'properties')
  const later = {
    ...control,
    components: { ...components, schemas: { ...schemas, Namespace: { ...namespace, properties: kept } } },
  }
  await release(folder)
  const { problems } = await checkAgainstReleased(join(folder, 'released'), { ...working, 'control-2': later })
  expect(codesOf(problems)).toEqual(['field-removed'])
  expect(problems[0]?.at).toContain('retention_days')
})
