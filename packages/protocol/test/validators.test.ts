// The validators are emitted by a script of ours, so they are checked against another reader of the same schemas (ajv):
// on samples, and on each sample with one value taken away or replaced.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { inline } from '../scripts/canonical.ts'
import { asObject, isObject, type Json, type JsonObject, readDocuments } from '../scripts/documents.ts'
import { bundlesOf, specFolder } from '../scripts/generate.ts'
import { operationsOf } from '../scripts/operations.ts'
import { builtOperationIds, eventTypes, operations } from '../src/index.ts'
import { commandValidator, eventPayloadValidators, validators } from '../src/validators.ts'
import { samples } from './samples.ts'

const { worker119, control } = bundlesOf(await readDocuments(specFolder))
const ajv = new Ajv2020({ strict: false, allErrors: false })

const schemas = new Map(
  [worker119, control].flatMap((root) =>
    operationsOf(root).flatMap((entry) =>
      entry.body ? [[entry.operationId, inline(entry.body.schema, root)] as const] : [],
    ),
  ),
)

const replacements: Json[] = [null, 0, -1, 1.5, '', 'text', 'x'.repeat(600), true, [], ['a'], [{}], {}, { a: 1 }]

/** The value with one place, anywhere inside, removed or replaced. */
function* mutations(value: Json): Generator<Json> {
  yield* replacements
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) for (const changed of mutations(item)) yield value.with(index, changed)
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
      for (const changed of mutations(value[key] ?? null)) yield { ...value, [key]: changed }
    }
    yield { ...value, unheard_of: { of: ['anything'] } }
  }
}

const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value))

test.each(Object.entries(samples))('%s: both readers of the document agree on what is valid', (id, sample) => {
  const schema = schemas.get(id)
  const shape = Object.entries(validators).find(([name]) => name === id)?.[1].body
  if (!isObject(schema) || !shape) throw new Error(`${id} has no body`)
  const check = ajv.compile(schema)
  let refused = 0
  for (const body of [jsonOf(sample), ...mutations(jsonOf(sample))]) {
    const result = shape.safeParse(body)
    expect(result.success, `ajv says ${check(body)} to ${JSON.stringify(body).slice(0, 400)}`).toBe(check(body))
    if (result.success) expect(result.data).toEqual(body)
    else refused += 1
  }
  expect(shape.safeParse(sample).success).toBe(true)
  expect(refused).toBeGreaterThan(0)
})

/** A full value of a schema: every property, one item a list, the first alternative. */
function sampleOf(schema: Json): Json {
  if (!isObject(schema)) return null
  const [first] = [schema.anyOf, schema.oneOf].flatMap((options) => (Array.isArray(options) ? options : []))
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null
  if (first !== undefined) return sampleOf(first)
  const [type] = [schema.type].flat()
  switch (type) {
    case 'string':
      return typeof schema.pattern !== 'string'
        ? 'text'
        : schema.pattern.includes('T')
          ? '2026-01-01T00:00:00.000000Z'
          : '1.19'
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return [sampleOf(schema.items ?? {})]
    case 'object':
      return isObject(schema.properties)
        ? Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, sampleOf(property)]))
        : { some: isObject(schema.additionalProperties) ? sampleOf(schema.additionalProperties) : 'thing' }
    default:
      return 'anything'
  }
}

test.each([
  ['worker plane', worker119],
  ['control plane', control],
])('%s: both readers agree on every documented answer', (_, root) => {
  const seen = new Set<string>()
  for (const entry of operationsOf(root).filter(({ stage }) => stage === 'built'))
    for (const [status, reference] of Object.entries(entry.responses)) {
      const schema = inline(reference, root)
      const key = JSON.stringify(schema)
      const shape = Object.entries(validators).find(([name]) => name === entry.operationId)?.[1].responses[
        Number(status)
      ]
      if (seen.has(key) || !isObject(schema) || !shape) continue
      seen.add(key)
      const check = ajv.compile(schema)
      const sample = sampleOf(schema)
      expect(shape.safeParse(sample).error?.issues, `${entry.operationId} ${status}`).toBeUndefined()
      for (const body of shallowMutations(sample))
        expect(
          shape.safeParse(body).success,
          `${entry.operationId} ${status}: ajv says ${check(body)} to ${JSON.stringify(body).slice(0, 300)}`,
        ).toBe(check(body))
    }
  expect(seen.size).toBeGreaterThanOrEqual(20)
})

test('every event payload: both readers agree, and the file is a JSON Schema', async () => {
  const documents = await readDocuments(specFolder)
  const schemas = asObject(asObject(worker119.components, 'components').schemas, 'schemas')
  for (const type of eventTypes) {
    expect(ajv.validateSchema(documents.events[type] ?? false), type).toBe(true)
    const schema = inline(schemas[`${type}Payload`] ?? null, worker119)
    if (!isObject(schema)) throw new Error(`${type} has no schema`)
    const check = ajv.compile(schema)
    const sample = sampleOf(schema)
    expect(eventPayloadValidators[type].safeParse(sample).error?.issues, type).toBeUndefined()
    for (const payload of shallowMutations(sample))
      expect(eventPayloadValidators[type].safeParse(payload).success, `${type} ${JSON.stringify(payload)}`).toBe(
        check(payload),
      )
  }
})

/** The value with one member removed or replaced. */
function* shallowMutations(value: Json): Generator<Json> {
  if (!isObject(value)) return
  for (const key of Object.keys(value)) {
    yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    for (const other of replacements) yield { ...value, [key]: other }
  }
}

test('every operation with a body has a sample, and each built operation has a validator', () => {
  const withBody = builtOperationIds.filter((id) => validators[id].body !== undefined)
  const runForms = ['signalRun', 'queryRun', 'cancelRun', 'terminateRun', 'repairRun', 'requestRunCancellation']
  expect(withBody.filter((id) => !(id in samples) && !runForms.includes(id))).toEqual([])
  expect(Object.keys(validators).sort()).toEqual([...builtOperationIds].sort())
})

test('each documented status of each built operation has a validator', () => {
  for (const id of builtOperationIds)
    expect(Object.keys(validators[id].responses).map(Number), id).toEqual(
      [...operations[id].documentedStatuses].sort((a, b) => a - b),
    )
})

test('nothing is coerced, defaulted or dropped', () => {
  const body = { worker_id: 'w', task_queue: 'q', timeout_seconds: 0, later: { deep: [null] } }
  expect(validators.pollActivityTask.body?.parse(body)).toStrictEqual(body)
  expect(validators.pollActivityTask.body?.safeParse({ ...body, timeout_seconds: '0' }).success).toBe(false)
  expect(validators.pollActivityTask.body?.safeParse({ ...body, timeout_seconds: 61 }).success).toBe(false)
})

test('an integer that JavaScript cannot hold exactly is refused', () => {
  const body = { lease_owner: 'w', workflow_task_attempt: 2 ** 53 }
  expect(validators.heartbeatWorkflowTask.body?.safeParse(body).success).toBe(false)
  expect(
    validators.heartbeatWorkflowTask.body?.safeParse({ ...body, workflow_task_attempt: 2 ** 53 - 1 }).success,
  ).toBe(true)
})

test('instants of replies have six fraction digits and Z', () => {
  const shape = validators.createNamespace.responses[201]
  const namespace: JsonObject = {
    name: 'a',
    description: null,
    retention_days: 30,
    status: 'active',
    external_payload_storage: null,
    created_at: '2026-01-01T00:00:00.000000Z',
    updated_at: '2026-01-01T00:00:00.000000Z',
  }
  expect(shape?.safeParse(namespace).success).toBe(true)
  for (const created_at of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000000+00:00'])
    expect(shape?.safeParse({ ...namespace, created_at }).success, created_at).toBe(false)
})

test('a required member of any type must be there, and may be null', () => {
  const contract = {
    schema: 'durable-workflow.v2.control-plane-response.contract',
    version: 1,
    legacy_field_policy: 'reject_non_canonical',
    legacy_fields: {},
  }
  const control_plane = {
    schema: 'durable-workflow.v2.control-plane-response',
    version: 1,
    operation: 'query',
    contract,
  }
  const reply = { workflow_id: 'w', run_id: 'r', query_name: 'q', result_envelope: null, control_plane }
  expect(validators.queryWorkflow.responses[200]?.safeParse(reply).success).toBe(false)
  expect(validators.queryWorkflow.responses[200]?.parse({ ...reply, result: null })).toStrictEqual({
    ...reply,
    result: null,
  })
})

test('a planned command passes the shape, an unknown one does not', () => {
  expect(commandValidator.safeParse({ type: 'upsert_memo', entries: {} }).success).toBe(true)
  expect(commandValidator.safeParse({ type: 'cancel_timer' }).success).toBe(false)
})

test('an event payload keeps keys that the catalogue does not name, and needs its own', () => {
  const payload = { timer_id: 't1', sequence: 1, delay_seconds: 2, fired_at: 'x', task: { id: 'k' } }
  expect(eventPayloadValidators.TimerFired.parse(payload)).toStrictEqual(payload)
  expect(eventPayloadValidators.TimerFired.safeParse({ ...payload, sequence: null }).success).toBe(false)
  expect(Object.keys(eventPayloadValidators)).toEqual([...eventTypes])
})
