// What each operation of the documents says to what is missing, malformed, too large, of the wrong type, unknown, in another
// namespace, by the wrong role, of the wrong version. What must come is worked out from the documents; nothing is recorded.
import { limits } from '@durable-workflow/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocumentedOperation, documentedOperations, type Json } from '../../protocol/test/documented-operations.ts'
import { type Asked, ask, goodBodyOf, isNamespaced, takesBody, versionHeader } from './support/documented-requests.ts'
import { isPlanned, membersOf, requiredOf, typesOf } from './support/schema-values.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const tokens = [
  { name: 'DW_WORKER_TOKEN', token: 'w', roles: ['worker'] },
  { name: 'DW_OPERATOR_TOKEN', token: 'o', roles: ['operator'] },
  { name: 'DW_ADMIN_TOKEN', token: 'a', roles: ['admin'] },
  { name: 'DW_AUTH_TOKEN', token: 'all', roles: ['worker', 'operator', 'admin'] },
] as const

/** One request that is refused, and how. */
interface Refusal {
  readonly what: string
  readonly asked: Asked
  readonly status: number
  readonly reason: string
  /** A field that `errors` must name. */
  readonly field?: string
}

type Column = (operation: DocumentedOperation) => readonly Refusal[]

const operations = await documentedOperations()

/** A right request, but that it finds nothing under its ids. */
function good(operation: DocumentedOperation): Asked {
  const body = goodBodyOf(operation) ?? (takesBody(operation) ? {} : undefined)
  return { token: 'all', ...(body === undefined ? {} : { body }) }
}

/** The same refusal, or that it is planned: a planned operation judges no body yet. */
function unlessPlanned(operation: DocumentedOperation, refusal: Refusal): Refusal {
  if (operation.stage === 'built') return refusal
  const { field: _judged, ...rest } = refusal
  return { ...rest, status: 501, reason: 'not_implemented' }
}

const invalid = { status: 422, reason: 'validation_failed' } as const

const missing: Column = (operation) =>
  requiredOf(operation.body?.schema ?? {}).map((field) => {
    const { [field]: _missing, ...body } = goodBodyOf(operation) ?? {}
    return unlessPlanned(operation, {
      what: `without ${field}`,
      asked: { ...good(operation), body },
      ...invalid,
      field,
    })
  })

const malformed: Column = (operation) => {
  const asked = { ...good(operation), headers: { 'content-type': 'application/json' } }
  if (takesBody(operation)) {
    const { body: _body, ...rest } = asked
    return ['{', '{"a":}', '{}{}', 'nothing', '\ufeff{}'].map((rawBody) =>
      unlessPlanned(operation, { what: rawBody, asked: { ...rest, rawBody }, status: 400, reason: 'malformed_json' }),
    )
  }
  return operation.parameters.flatMap(({ name, in: place, schema }): Refusal[] => {
    if (place !== 'query' || name === 'namespace' || operation.plane === 'system') return []
    if (schema.pattern === undefined && schema.enum === undefined) return []
    const query = { [name]: 'neither a number nor a choice' }
    return [unlessPlanned(operation, { what: `?${name}`, asked: { ...asked, query }, ...invalid, field: name })]
  })
}

const oversize: Column = (operation) => {
  const tooLarge = {
    what: 'a body of one byte too much',
    asked: { token: 'all', rawBody: `"${'x'.repeat(limits.bodyBytesMax - 1)}"`, headers: jsonHeaders },
    status: 413,
    reason: 'payload_too_large',
  }
  const fields = Object.entries(membersOf(operation.body?.schema ?? {})).flatMap(([field, schema]): Refusal[] => {
    const most = numberOf(schema, 'maxLength')
    if (most === undefined || isPlanned(schema)) return []
    const body = { ...goodBodyOf(operation), [field]: 'x'.repeat(most + 1) }
    const refusal = { what: `${field} of ${most + 1}`, asked: { ...good(operation), body }, ...invalid, field }
    return [unlessPlanned(operation, refusal)]
  })
  const ids = operation.parameters.flatMap(({ name, in: place, schema }): Refusal[] => {
    const most = numberOf(schema, 'maxLength')
    if (place !== 'path' || most === undefined) return []
    const path = { [name]: 'x'.repeat(most + 1) }
    const refusal = { what: `${name} of ${most + 1}`, asked: { ...good(operation), path }, ...invalid, field: name }
    return [unlessPlanned(operation, refusal)]
  })
  return [...(takesBody(operation) ? [tooLarge] : []), ...fields, ...ids]
}

const jsonHeaders = { 'content-type': 'application/json' }

/** A value of a type that the schema does not have; undefined where it takes any. */
function wrongFor(schema: Json): unknown {
  const types = typesOf(schema)
  if (types.length === 0) return undefined
  return types.includes('object') || types.includes('array') ? 'text' : { a: 1 }
}

const wrongType: Column = (operation) =>
  Object.entries(membersOf(operation.body?.schema ?? {})).flatMap(([field, schema]): Refusal[] => {
    const wrong = wrongFor(schema)
    if (wrong === undefined || isPlanned(schema)) return []
    const body = { ...goodBodyOf(operation), [field]: wrong }
    const refusal = { what: `${field} as ${typeof wrong}`, asked: { ...good(operation), body }, ...invalid, field }
    return [unlessPlanned(operation, refusal)]
  })

/** What the documents say of an id that they do not know, by the parameter that names it. */
function unknownReason({ id, path }: DocumentedOperation): { status: number; reason: string } | undefined {
  if (id.startsWith('poll')) return { status: 412, reason: 'worker_not_registered' }
  if (id === 'heartbeatWorker') return { status: 404, reason: 'worker_not_registered' }
  // A heartbeat is of an attempt (worker plane 9.5); a report is of a task.
  if (id === 'heartbeatActivityTask') return { status: 404, reason: 'attempt_not_found' }
  const names: Readonly<Record<string, string>> = {
    '{task_id}': 'task_not_found',
    '{query_task_id}': 'query_task_not_found',
    '{worker_id}': 'worker_not_found',
    '{namespace}': 'namespace_not_found',
    '{workflow_id}': 'instance_not_found',
  }
  const reason = Object.entries(names).find(([name]) => path.includes(name))?.[1]
  return reason === undefined ? undefined : { status: 404, reason }
}

let workflowId = ''

const unknownId: Column = (operation) => {
  const unknown = unknownReason(operation)
  if (unknown === undefined) return []
  const refusals = [unlessPlanned(operation, { what: 'unknown ids', asked: good(operation), ...unknown })]
  if (operation.stage === 'built' && operation.path.includes('{run_id}')) {
    const asked = { ...good(operation), path: { workflow_id: workflowId } }
    refusals.push({ what: 'an unknown run of a workflow that is there', asked, status: 404, reason: 'run_not_found' })
  }
  return refusals
}

const otherNamespace: Column = (operation) => {
  const asked = { ...good(operation), namespace: 'nowhere' }
  const notFound = { status: 404, reason: 'namespace_not_found' }
  const refusals: Refusal[] = []
  if (isNamespaced(operation)) refusals.push(unlessPlanned(operation, { what: 'one that is not', asked, ...notFound }))
  const unknown = unknownReason(operation)
  if (operation.stage === 'built' && unknown !== undefined && operation.path.includes('{workflow_id}')) {
    const elsewhere = { ...good(operation), namespace: 'elsewhere', path: { workflow_id: workflowId } }
    refusals.push({ what: 'another one, which knows nothing of it', asked: elsewhere, ...unknown })
  }
  return refusals
}

const wrongRole: Column = (operation) => {
  if (operation.roles.length === 0) return []
  const { token: _all, ...anonymous } = good(operation)
  const others = tokens.filter(({ roles }) => !roles.some((role) => operation.roles.includes(role)))
  return [
    { what: 'no token', asked: anonymous, status: 401, reason: 'unauthorized' },
    { what: 'an unknown token', asked: { ...anonymous, token: 'nobody' }, status: 401, reason: 'unauthorized' },
    ...others.map(({ token }) => ({
      what: `the token ${token}`,
      asked: { ...anonymous, token },
      status: 403,
      reason: 'forbidden',
    })),
  ]
}

const wrongVersion: Column = (operation) => {
  const header = versionHeader(operation)
  if (header === undefined) return []
  const words = operation.plane === 'worker' ? 'protocol_version' : 'control_plane_version'
  const wrong = operation.plane === 'worker' ? ['1.21', '2.0', '0.9', 'x', '1.19, 1.19'] : ['1', '3', '2.0', '2, 2']
  return [
    ...[undefined, ''].map((version) => ({
      what: `version ${version}`,
      asked: { ...good(operation), headers: { [header]: version } },
      status: 400,
      reason: `missing_${words}`,
    })),
    ...wrong.map((version) => ({
      what: `version ${version}`,
      asked: { ...good(operation), headers: { [header]: version } },
      status: 400,
      reason: `unsupported_${words}`,
    })),
  ]
}

const columns = {
  missing,
  malformed,
  oversize,
  'wrong type': wrongType,
  'unknown id': unknownId,
  'other namespace': otherNamespace,
  'wrong role': wrongRole,
  'wrong version': wrongVersion,
} as const satisfies Readonly<Record<string, Column>>

let served: TestServer
beforeAll(async () => {
  served = await startTestServer({ settings: { tokens } })
  const asAll = { authorization: 'Bearer all' }
  await served.client.call('createNamespace', { body: { name: 'elsewhere' }, headers: asAll })
  const started = await served.client.call('startWorkflow', { body: { workflow_type: 't' }, headers: asAll })
  workflowId = started.body.workflow_id
})
afterAll(() => served.close())

const counts = new Map<string, number>()

test.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s refuses each as documented, and records nothing',
  async (id, operation) => {
    const before = served.tables()
    for (const [name, column] of Object.entries(columns)) {
      for (const refusal of column(operation)) await expectRefusal(`${id}, ${name}`, operation, refusal)
      counts.set(name, (counts.get(name) ?? 0) + column(operation).length)
    }
    expect(served.tables()).toEqual(before)
  },
)

async function expectRefusal(which: string, operation: DocumentedOperation, refusal: Refusal): Promise<void> {
  const { what, asked, status, reason, field } = refusal
  const answer = await ask(served.client, operation, asked)
  const said = `${which}: ${what}: ${answer.status} ${answer.text.slice(0, 600)}`
  const { body } = answer
  expect({ status: answer.status, reason: body.reason, recorded: body.recorded }, said).toEqual({
    status,
    reason,
    recorded: false,
  })
  expect(operation.problemsOf(answer.status, body), said).toEqual([])
  if (field === undefined) return
  expect(Object.keys(body.errors), said).toContainEqual(expect.stringMatching(startsWith(field)))
}

const startsWith = (field: string) => new RegExp(`^${field}(\\.|$)`)

function numberOf(schema: Json, keyword: string): number | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

afterAll(() => {
  const cells = [...counts].map(([name, count]) => `${name} ${count}`)
  console.log(`Refusals as documented, ${operations.length} operations: ${cells.join(', ')}`)
})
