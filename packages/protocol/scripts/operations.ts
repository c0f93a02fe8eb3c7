// The operations of a bundled document, one flat entry each.
import { asObject, asString, asStrings, isObject, type Json, type JsonObject } from './documents.ts'

export interface OperationEntry {
  operationId: string
  method: string
  path: string
  plane: string
  stage: 'built' | 'planned'
  roles: string[]
  since: string
  successStatuses: number[]
  statuses: number[]
  controlPlane: Json | undefined
  parameters: JsonObject[]
  body: { required: boolean; schema: Json } | undefined
  responses: Record<string, Json>
  definition: JsonObject
}

/** The keys of a path that are operations. */
export const methods: readonly string[] = ['get', 'put', 'post', 'delete', 'patch']

export function resolveLocal(value: Json | undefined, root: JsonObject): JsonObject {
  let at = asObject(value, 'a referenced part')
  while (typeof at.$ref === 'string') {
    let next: Json = root
    for (const key of at.$ref.slice(2).split('/')) next = asObject(next, at.$ref)[key] ?? null
    at = asObject(next, at.$ref)
  }
  return at
}

/** The schema of a JSON body, or of a body that is plain text. */
function schemaOf(content: Json | undefined): Json | undefined {
  if (!isObject(content)) return undefined
  const media = content['application/json'] ?? content['text/plain']
  return isObject(media) ? media.schema : undefined
}

function entryOf(root: JsonObject, path: string, item: JsonObject, method: string): OperationEntry {
  const definition = asObject(item[method], `${method} ${path}`)
  const operationId = asString(definition.operationId, `operationId of ${method} ${path}`)
  const stage = asString(definition['x-stage'], `x-stage of ${operationId}`)
  if (stage !== 'built' && stage !== 'planned') throw new Error(`x-stage of ${operationId} is ${stage}`)
  const listed = [item.parameters, definition.parameters].flatMap((list) => (Array.isArray(list) ? list : []))
  const requestBody = definition.requestBody === undefined ? undefined : resolveLocal(definition.requestBody, root)
  const bodySchema = schemaOf(requestBody?.content)
  const responses: Record<string, Json> = {}
  for (const [status, response] of Object.entries(asObject(definition.responses, `responses of ${operationId}`))) {
    const schema = schemaOf(resolveLocal(response, root).content)
    if (schema !== undefined) responses[status] = schema
  }
  const statuses = Object.keys(responses).map(Number)
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    plane: asString(definition['x-plane'] ?? root['x-plane'], `plane of ${operationId}`),
    stage,
    roles: asStrings(definition['x-roles'], `x-roles of ${operationId}`),
    since: asString(definition['x-since'], `x-since of ${operationId}`),
    successStatuses: statuses.filter((status) => status < 300),
    statuses,
    controlPlane: definition['x-control-plane'],
    parameters: listed.map((parameter) => resolveLocal(parameter, root)),
    body: bodySchema === undefined ? undefined : { required: requestBody?.required === true, schema: bodySchema },
    responses,
    definition,
  }
}

export function operationsOf(root: JsonObject): OperationEntry[] {
  const entries: OperationEntry[] = []
  for (const [path, item] of Object.entries(asObject(root.paths, 'paths'))) {
    const operations = asObject(item, path)
    for (const method of methods)
      if (operations[method] !== undefined) entries.push(entryOf(root, path, operations, method))
  }
  return entries
}
