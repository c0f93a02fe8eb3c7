// The operations as the documents have them, planned ones included: for tests that are driven by the documents and not by
// what was generated from them.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { inline } from '../scripts/canonical.ts'
import { asObject, asString, isObject, type Json, type JsonObject, readDocuments } from '../scripts/documents.ts'
import { bundlesOf, specFolder } from '../scripts/generate.ts'
import { type OperationEntry, operationsOf } from '../scripts/operations.ts'

export type { Json, JsonObject } from '../scripts/documents.ts'

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonObject
}

export interface DocumentedOperation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly plane: 'worker' | 'control' | 'system'
  readonly stage: 'built' | 'planned'
  /** None: the operation is public. */
  readonly roles: readonly string[]
  readonly parameters: readonly DocumentedParameter[]
  /** References are resolved; one that stands inside its own target is left. */
  readonly body: { readonly required: boolean; readonly schema: JsonObject } | undefined
  /**
   * What the documents have against an answer: its status is not listed, or its body is not the listed one. A planned
   * operation lists nothing but its 501; what the gates before it say is documented where they are listed, once a plane.
   */
  problemsOf(status: number, body: unknown): readonly string[]
}

/** All operations of the worker plane (line 1.19), the control plane and the system. */
export async function documentedOperations(): Promise<readonly DocumentedOperation[]> {
  const { worker119, control } = bundlesOf(await readDocuments(specFolder))
  return [worker119, control].flatMap((root) => operationsOfDocument(root))
}

const gateStatuses = ['400', '401', '403', '413'] as const

function operationsOfDocument(root: JsonObject): DocumentedOperation[] {
  const entries = operationsOf(root)
  const ofGates: Record<string, Json> = {}
  for (const status of gateStatuses) {
    ofGates[status] = entries.map(({ responses }) => responses[status]).find((schema) => schema !== undefined) ?? false
  }
  return entries.map((entry) => {
    const responses = entry.stage === 'planned' ? { ...ofGates, ...entry.responses } : entry.responses
    return documented(entry, root, responses)
  })
}

function documented(entry: OperationEntry, root: JsonObject, responses: Readonly<Record<string, Json>>) {
  return {
    id: entry.operationId,
    method: entry.method,
    path: entry.path,
    plane: planeOf(entry.plane),
    stage: entry.stage,
    roles: entry.roles,
    parameters: entry.parameters.map((parameter) => parameterOf(parameter, root)),
    body:
      entry.body === undefined
        ? undefined
        : { required: entry.body.required, schema: resolved(entry.body.schema, root, 'a body') },
    problemsOf: judgeOf(entry.operationId, root, responses),
  } satisfies DocumentedOperation
}

function planeOf(plane: string): DocumentedOperation['plane'] {
  if (plane === 'worker' || plane === 'control' || plane === 'system') return plane
  throw new Error(`There is no plane ${plane}.`)
}

function parameterOf(parameter: JsonObject, root: JsonObject): DocumentedParameter {
  const name = asString(parameter.name, 'a parameter')
  const place = asString(parameter.in, name)
  if (place !== 'path' && place !== 'query' && place !== 'header') throw new Error(`${name} stands in ${place}.`)
  return {
    name,
    in: place,
    required: parameter.required === true,
    schema: resolved(parameter.schema ?? {}, root, name),
  }
}

function resolved(schema: Json, root: JsonObject, what: string): JsonObject {
  return asObject(inline(schema, root), what)
}

function judgeOf(id: string, root: JsonObject, responses: Readonly<Record<string, Json>>) {
  const compiled = new Map<number, ReturnType<Ajv2020['compile']>>()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  return (status: number, body: unknown): readonly string[] => {
    const schema = responses[status]
    if (schema === undefined) return [`${id} does not list the status ${status}`]
    const inlined = inline(schema, root)
    const check = compiled.get(status) ?? ajv.compile(isObject(inlined) ? inlined : {})
    compiled.set(status, check)
    if (check(body)) return []
    return (check.errors ?? []).map((error) => `${id} ${status}: ${error.instancePath} ${error.message}`)
  }
}
