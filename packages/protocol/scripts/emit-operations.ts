// The tables about operations: what each is, its types, the fields it does not honour.
import { inline } from './canonical.ts'
import { asObject, asStrings, isObject, type JsonObject } from './documents.ts'
import { header, list, quote } from './emit-source.ts'
import type { OperationEntry } from './operations.ts'

const routeOf = (path: string): string => path.replaceAll(/\{([^}]+)\}/g, ':$1')

export function emitOperations(operations: OperationEntry[]): string {
  const rows = operations.map((entry) => {
    const controlPlane = entry.controlPlane === undefined ? '' : `, controlPlane: ${quote(entry.controlPlane)}`
    return `  ${entry.operationId}: { method: ${quote(entry.method)}, path: ${quote(entry.path)}, route: ${quote(routeOf(entry.path))}, plane: ${quote(entry.plane)}, roles: ${list(entry.roles)}, stage: ${quote(entry.stage)}, minimumVersion: ${quote(entry.since)}, documentedStatuses: [${entry.statuses.join(', ')}]${controlPlane} },`
  })
  const built = operations.filter((entry) => entry.stage === 'built').map((entry) => entry.operationId)
  return `${header}
/** Every operation that a source names. \`path\` has the parameters in braces, \`route\` with a colon. No roles: public. */
export const operations = {
${rows.join('\n')}
} as const

/** The name of an operation, as in the documents. */
export type OperationId = keyof typeof operations

/** The operations that are built; every other one answers 501 not_implemented. */
export const builtOperationIds = [
${built.map((id) => `  ${quote(id)},`).join('\n')}
] as const

/** The name of an operation that is built. */
export type BuiltOperationId = (typeof builtOperationIds)[number]
`
}

export function emitOperationTypes(operations: OperationEntry[], from: Record<string, string>): string {
  const built = operations.filter((entry) => entry.stage === 'built')
  const imports = Object.entries(from).map(([plane, file]) => `import type * as ${plane} from ${quote(file)}`)
  const rows = built.map((entry) => {
    const plane = entry.plane === 'worker' ? 'worker' : 'control'
    const name = entry.operationId.charAt(0).toUpperCase() + entry.operationId.slice(1)
    const data = `${plane}.${name}Data`
    const others = entry.statuses.some((status) => status >= 300)
    const responses = [
      ...(entry.successStatuses.length > 0 ? [`${plane}.${name}Responses`] : []),
      ...(others ? [`${plane}.${name}Errors`] : []),
    ]
    return `  ${entry.operationId}: {
    body: ${data}['body']
    path: ${data}['path']
    query: ${data}['query']
    responses: ${responses.join(' & ')}
    successStatus: ${entry.successStatuses.length === 0 ? 'never' : entry.successStatuses.join(' | ')}
  }`
  })
  return `${header}${imports.join('\n')}

/** Body, path, query and the body of every documented status, by built operation. */
export interface OperationTypes {
${rows.join('\n')}
}
`
}

/** Fields of a request body that are planned or refused by name: an operation that meets one refuses the request. */
export function emitFields(operations: OperationEntry[], root: (entry: OperationEntry) => JsonObject): string {
  const planned: string[] = []
  const refused: string[] = []
  for (const entry of operations.filter((operation) => operation.stage === 'built' && operation.body)) {
    const schema = inline(entry.body?.schema ?? {}, root(entry))
    if (!isObject(schema)) continue
    const properties = Object.entries(asObject(schema.properties ?? {}, entry.operationId))
    const names = properties
      .filter(([, value]) => isObject(value) && value['x-stage'] === 'planned')
      .map(([name]) => name)
    if (names.length > 0) planned.push(`  ${entry.operationId}: ${list(names)},`)
    const never = schema['x-refused-fields']
    if (never !== undefined) refused.push(`  ${entry.operationId}: ${list(asStrings(never, 'x-refused-fields'))},`)
  }
  return `${header}
/** Fields of a request that the wire has and this server does not honour yet: refused 422, never dropped. */
export const plannedFields: Readonly<Record<string, readonly string[]>> = {
${planned.join('\n')}
}

/** Fields of a request that are refused 422 for ever, each under its own name. */
export const refusedFields: Readonly<Record<string, readonly string[]>> = {
${refused.join('\n')}
}
`
}
