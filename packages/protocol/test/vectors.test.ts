// The published examples of requests and replies against our documents: each addresses an operation, and bodies and replies
// are valid, of planned operations too.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { type ControlPlaneFixture, controlPlaneFixtures } from '../../../tests/support/control-plane-fixtures.ts'
import { haveVectors, vectorManifest } from '../../../tests/support/vector-manifest.ts'
import { inline } from '../scripts/canonical.ts'
import { asObject, type Json, readDocuments } from '../scripts/documents.ts'
import { bundlesOf, specFolder } from '../scripts/generate.ts'
import { operationsOf } from '../scripts/operations.ts'

if (!haveVectors)
  process.stdout.write('SKIPPED: the published vectors are not beside the checkout (../shared/vectors)\n')

const { worker119, control } = bundlesOf(await readDocuments(specFolder))
const ajv = new Ajv2020({ strict: false, allErrors: true })
const table = [worker119, control].flatMap((root) =>
  operationsOf(root).map((entry) => ({
    root,
    entry,
    pattern: new RegExp(`^${entry.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  })),
)

function addressed({ method, path, file }: ControlPlaneFixture) {
  const found = table.find(({ entry, pattern }) => entry.method === method && pattern.test(path))
  if (found === undefined) throw new Error(`${file}: no operation is ${method} ${path}`)
  return found
}

function faults(schema: Json, root: Json, value: unknown): unknown[] {
  const check = ajv.compile(asObject(inline(schema, root), 'schema'))
  return check(value) ? [] : [value, ...(check.errors ?? [])]
}

const fixtures = controlPlaneFixtures()

/** The command line tool sends the result of an activity as it is; here a result is a payload. The manifest says so. */
const isRefused = ({ name }: ControlPlaneFixture, body: Readonly<Record<string, unknown>>): boolean =>
  name === 'activity-complete' && !Object.hasOwn(Object(body.result), 'blob')

test.skipIf(!haveVectors).each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
  '%s is in the documents, and what clients send is valid',
  (_, fixture) => {
    const { root, entry } = addressed(fixture)
    for (const body of fixture.bodies)
      if (body !== undefined && Object.keys(body).length > 0) {
        expect(entry.body, entry.operationId).toBeDefined()
        const found = faults(entry.body?.schema ?? null, root, body)
        if (isRefused(fixture, body)) expect(found).not.toEqual([])
        else expect(found).toEqual([])
      }
    const known = entry.parameters.filter((parameter) => parameter.in === 'query')
    for (const [name, value] of Object.entries(fixture.query)) {
      const parameter = known.find((one) => one.name === name)
      expect(faults(parameter?.schema ?? null, root, value), `${entry.operationId} ?${name}`).toEqual([])
    }
  },
)

/** Answered with a shape that is built, which promises more than the server whose reply the example shows. */
const promisingMore = ['updateNamespace', 'archiveWorkflow']

const planned = fixtures.filter((fixture) => addressed(fixture).entry.stage === 'planned')

test.skipIf(!haveVectors).each(planned.map((fixture) => [fixture.name, fixture] as const))(
  'the reply of %s, which is planned, is valid',
  (_, fixture) => {
    const { root, entry } = addressed(fixture)
    expect(vectorManifest[fixture.file]).toMatch(/^later: /)
    if (fixture.reply === undefined) return
    const success = entry.responses[String(entry.successStatuses[0])]
    expect(success, entry.operationId).toBeDefined()
    if (!promisingMore.includes(entry.operationId)) expect(faults(success ?? null, root, fixture.reply)).toEqual([])
    // A reply that a source shows has no field that the document does not.
    const shape = asObject(inline(success ?? null, root), entry.operationId)
    const named = Object.keys(asObject(shape.properties, entry.operationId))
    expect(Object.keys(fixture.reply).filter((name) => !named.includes(name))).toEqual([])
  },
)

test.skipIf(!haveVectors)('none of the examples is left out', () => {
  expect(fixtures).toHaveLength(60)
  expect(planned.length).toBe(34)
})
