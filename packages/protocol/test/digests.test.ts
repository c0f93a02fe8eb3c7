// The digest of an operation changes with everything that the operation refers to, and with nothing else.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationDigests } from '../scripts/digests.ts'
import { asObject, isObject, type Json, type JsonObject, readDocuments } from '../scripts/documents.ts'
import { bundlesOf, specFolder } from '../scripts/generate.ts'
import { operationsOf } from '../scripts/operations.ts'
import { builtPartsOnly } from '../scripts/stages.ts'
import { specDigests } from '../src/index.ts'

const documents = await readDocuments(specFolder)
const bundles = bundlesOf(documents)
const planes = [bundles.worker119, bundles.control].map((document) => ({
  document,
  digests: operationDigests(document, documents.reasons),
  built: operationsOf(builtPartsOnly(document)),
}))
const plane = fc.constantFrom(...planes)

/** Names of the operations whose digest is another one now. */
function changed(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before)
    .filter((name) => after[name] !== before[name])
    .sort()
}

/** The operations whose built text leads to a component, found by the text of the references alone. */
function usersOf(document: JsonObject, reference: string): string[] {
  const root = builtPartsOnly(document)
  const textOf = (value: Json): string => JSON.stringify(value)
  const sections = Object.entries(asObject(root.components, 'components')).flatMap(([section, parts]) =>
    Object.entries(asObject(parts, section)).map(
      ([name, part]) => [`#/components/${section}/${name}`, textOf(part)] as const,
    ),
  )
  const reached = new Set([reference])
  for (let size = 0; size !== reached.size; ) {
    size = reached.size
    for (const [name, text] of sections)
      if ([...reached].some((target) => text.includes(`"${target}"`))) reached.add(name)
  }
  return operationsOf(root)
    .filter(({ path, definition }) => {
      const shared = asObject(asObject(root.paths, 'paths')[path], path).parameters ?? []
      return [...reached].some((target) => textOf([shared, definition]).includes(`"${target}"`))
    })
    .map(({ operationId }) => operationId)
    .sort()
}

function withComponent(
  document: JsonObject,
  section: string,
  name: string,
  change: (part: JsonObject) => JsonObject,
): JsonObject {
  const components = asObject(document.components, 'components')
  const parts = asObject(components[section], section)
  return {
    ...document,
    components: { ...components, [section]: { ...parts, [name]: change(asObject(parts[name], name)) } },
  }
}

test('a component changes the digests of the operations that lead to it, and no other', () => {
  const component = plane.chain((own) => {
    const components = asObject(builtPartsOnly(own.document).components, 'components')
    const names = ['schemas', 'parameters', 'responses'].flatMap((section) =>
      Object.keys(asObject(components[section], section)).map((name) => ({ section, name })),
    )
    return fc.record({ own: fc.constant(own), at: fc.constantFrom(...names) })
  })
  fc.assert(
    fc.property(component, fc.integer({ min: 1 }), ({ own, at: { section, name } }, mark) => {
      const later = withComponent(own.document, section, name, (part) => ({ ...part, 'x-mark': mark }))
      expect(changed(own.digests, operationDigests(later, documents.reasons))).toEqual(
        usersOf(own.document, `#/components/${section}/${name}`),
      )
    }),
    { numRuns: 50 },
  )
})

test('an operation changes its own digest and no other', () => {
  const operation = plane.chain((own) => fc.record({ own: fc.constant(own), entry: fc.constantFrom(...own.built) }))
  fc.assert(
    fc.property(operation, ({ own, entry: { path, method, operationId } }) => {
      const paths = asObject(own.document.paths, 'paths')
      const item = asObject(paths[path], path)
      const key = method.toLowerCase()
      const definition = { ...asObject(item[key], operationId), 'x-mark': true }
      const later = { ...own.document, paths: { ...paths, [path]: { ...item, [key]: definition } } }
      expect(changed(own.digests, operationDigests(later, documents.reasons))).toEqual([operationId])
    }),
    { numRuns: 25 },
  )
})

test('a reason changes the digests of the operations that answer with it, and no other', () => {
  const catalogue = asObject(documents.reasons.reasons, 'reasons')
  const built = Object.entries(catalogue).filter(([, entry]) => isObject(entry) && entry['x-stage'] !== 'planned')
  const change = fc.constantFrom<JsonObject>({ status: 418, statusOf: {} }, { retryable: 'x' }, { settles: ['timer'] })
  fc.assert(
    fc.property(plane, fc.constantFrom(...built), change, (own, [name, value], changes) => {
      const entry = asObject(value, name)
      const later = { reasons: { ...catalogue, [name]: { ...entry, ...changes } } }
      const mine = own.built
        .map(({ operationId }) => operationId)
        .filter((id) => JSON.stringify(entry.operations).includes(`"${id}"`))
      expect(changed(own.digests, operationDigests(own.document, later))).toEqual(mine.sort())
    }),
    { numRuns: 30 },
  )
})

test('words for people and planned parts change no digest', () => {
  for (const { document, digests } of planes) {
    const [name = ''] = Object.keys(asObject(asObject(document.components, 'components').schemas, 'schemas'))
    const words = withComponent(document, 'schemas', name, (part) => ({ ...part, description: 'Other words.' }))
    expect(operationDigests(words, documents.reasons)).toEqual(digests)
  }
  const planned = withComponent(bundles.worker119, 'schemas', 'CompleteUpdateCommand', (part) => ({
    ...part,
    'x-mark': 1,
  }))
  expect(operationDigests(planned, documents.reasons)).toEqual(planes[0]?.digests)
})

test('a field that is called description is not taken for words', () => {
  const later = withComponent(bundles.control, 'schemas', 'Namespace', (part) => ({
    ...part,
    properties: { ...asObject(part.properties, 'properties'), description: { type: 'integer' } },
  }))
  const differing = changed(planes[1]?.digests ?? {}, operationDigests(later, documents.reasons))
  expect(differing).toEqual(['createNamespace', 'describeNamespace', 'listNamespaces'])
})

test('the package holds the digests of every built operation of both planes', () => {
  expect(specDigests.operations).toEqual({ ...planes[0]?.digests, ...planes[1]?.digests })
})
