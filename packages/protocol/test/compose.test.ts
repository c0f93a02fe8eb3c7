// 1.20 = 1.19 + additions, and what is generated for 1.19 does not know whether there are any.
import { expect, test } from 'vitest'
import { compose } from '../scripts/compose.ts'
import { type Documents, type JsonObject, readDocuments } from '../scripts/documents.ts'
import { bundlesOf, generatedFiles, specFolder } from '../scripts/generate.ts'

const acknowledge: JsonObject = {
  operationId: 'acknowledgeSample',
  summary: 'A sample.',
  tags: ['worker'],
  'x-stage': 'built',
  'x-roles': ['worker'],
  'x-since': '1.20',
  responses: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } },
}

const additions: JsonObject = {
  'x-adds-to': '1.19',
  info: { version: '1.20' },
  paths: { '/api/worker/sample': { post: acknowledge } },
  components: { schemas: { WorkflowTask: { properties: { sample_of_120: { type: 'string' } } } } },
}

const ofLine = (files: Record<string, string>, line: string) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name.startsWith(line)))

async function withAdditions(workerAdditions: JsonObject): Promise<Documents> {
  return { ...(await readDocuments(specFolder)), workerAdditions }
}

test('the 1.19 line is byte-identical with and without additions', async () => {
  const without = await generatedFiles(await withAdditions({ info: { version: '1.20' } }))
  const withThem = await generatedFiles(await withAdditions(additions))
  expect(ofLine(withThem, 'worker-1.19')).toEqual(ofLine(without, 'worker-1.19'))
  expect(ofLine(withThem, 'control-2')).toEqual(ofLine(without, 'control-2'))
  const digestOf119 = (files: Record<string, string>) =>
    /"worker\/1\.19": "([0-9a-f]{64})"/.exec(files['digests.ts'] ?? '')?.[1]
  expect(digestOf119(withThem)).toBeDefined()
  expect(digestOf119(withThem)).toBe(digestOf119(without))
})

test('an addition reaches the 1.20 line and only that', async () => {
  const files = await generatedFiles(await withAdditions(additions))
  expect(files['worker-1.20/types.ts']).toContain('sample_of_120')
  expect(files['worker-1.19/types.ts']).not.toContain('sample_of_120')
  expect(files['operations.ts']).toContain('acknowledgeSample')
})

test('today 1.20 adds its version and nothing else', async () => {
  const { worker119, worker120 } = bundlesOf(await readDocuments(specFolder))
  expect({ ...worker120, info: worker119.info }).toEqual(worker119)
  expect(worker120.info).toMatchObject({ version: '1.20' })
})

test.each([
  ['a changed value', { info: { title: 'another' } }],
  ['a changed status', { paths: { '/api/worker/register': { post: { operationId: 'other' } } } }],
  ['a role that is there already', { paths: { '/api/worker/heartbeat': { post: { 'x-roles': ['worker'] } } } }],
])('an addition cannot hold %s', async (_, addition: JsonObject) => {
  const { worker } = await readDocuments(specFolder)
  expect(() => compose(worker, addition)).toThrow(/cannot change|repeats/)
})

test('composing leaves the 1.19 document as it was', async () => {
  const { worker } = await readDocuments(specFolder)
  const before = structuredClone(worker)
  compose(worker, additions)
  expect(worker).toEqual(before)
})
