// JSON Schema → zod source. The emitted validators check and never transform: objects are loose, nothing is coerced,
// nothing has a default. Why not the zod output of the type generator: it strips unknown keys.
import { asObject, asStrings, isObject, type Json, type JsonObject } from './documents.ts'
import type { OperationEntry } from './operations.ts'

const quote = (value: Json): string => JSON.stringify(value)

function literals(values: Json[]): string {
  const withoutNull = values.filter((value) => value !== null)
  const inner =
    withoutNull.length === 1 ? `z.literal(${quote(withoutNull[0] ?? null)})` : `z.enum(${quote(withoutNull)})`
  return withoutNull.length < values.length ? `${inner}.nullable()` : inner
}

function stringOf(schema: JsonObject): string {
  const parts = ['z.string()']
  if (schema.minLength !== undefined) parts.push(`.min(${quote(schema.minLength)})`)
  if (schema.maxLength !== undefined) parts.push(`.max(${quote(schema.maxLength)})`)
  if (typeof schema.pattern === 'string') parts.push(`.regex(new RegExp(${quote(schema.pattern)}))`)
  return parts.join('')
}

function numberOf(schema: JsonObject, base: string): string {
  const parts = [base]
  if (schema.minimum !== undefined) parts.push(`.gte(${quote(schema.minimum)})`)
  if (schema.maximum !== undefined) parts.push(`.lte(${quote(schema.maximum)})`)
  return parts.join('')
}

function arrayOf(schema: JsonObject): string {
  const parts = [`z.array(${expressionOf(schema.items ?? {})})`]
  if (schema.minItems !== undefined) parts.push(`.min(${quote(schema.minItems)})`)
  if (schema.maxItems !== undefined) parts.push(`.max(${quote(schema.maxItems)})`)
  return parts.join('')
}

/** A required member of any type must be there; z.unknown() alone would let it be absent. */
function memberOf(property: Json, required: boolean): string {
  const expression = expressionOf(property)
  if (!required) return `${expression}.optional()`
  return expression === 'z.unknown()' ? 'present' : expression
}

function objectOf(schema: JsonObject): string {
  const required = new Set(schema.required === undefined ? [] : asStrings(schema.required, 'required'))
  const properties = Object.entries(asObject(schema.properties ?? {}, 'properties'))
  if (properties.length === 0 && isObject(schema.additionalProperties))
    return `z.record(z.string(), ${expressionOf(schema.additionalProperties)})`
  const members = properties.map(([name, property]) => `${quote(name)}: ${memberOf(property, required.has(name))}`)
  return members.length === 0 ? 'z.looseObject({})' : `z.looseObject({ ${members.join(', ')} })`
}

function typed(type: string, schema: JsonObject): string {
  switch (type) {
    case 'string':
      return stringOf(schema)
    case 'integer':
      return numberOf(schema, 'z.int()')
    case 'number':
      return numberOf(schema, 'z.number()')
    case 'boolean':
      return 'z.boolean()'
    case 'null':
      return 'z.null()'
    case 'array':
      return arrayOf(schema)
    case 'object':
      return objectOf(schema)
    default:
      throw new Error(`No validator for type ${type}`)
  }
}

function unionOf(options: string[]): string {
  const [only] = options
  return options.length === 1 && only !== undefined ? only : `z.union([${options.join(', ')}])`
}

export function expressionOf(schema: Json): string {
  if (!isObject(schema)) throw new Error(`A schema is ${quote(schema)}`)
  if (typeof schema.$ref === 'string') return schema.$ref.slice('#/components/schemas/'.length)
  if (schema.const !== undefined) return `z.literal(${quote(schema.const)})`
  if (Array.isArray(schema.enum)) return literals(schema.enum)
  if (Array.isArray(schema.oneOf)) {
    const options = schema.oneOf.map(expressionOf)
    const discriminator = schema.discriminator
    return isObject(discriminator)
      ? `z.discriminatedUnion(${quote(discriminator.propertyName ?? null)}, [${options.join(', ')}])`
      : unionOf(options)
  }
  if (Array.isArray(schema.anyOf)) {
    const options = schema.anyOf.filter((option) => !(isObject(option) && option.type === 'null')).map(expressionOf)
    return options.length < schema.anyOf.length ? `${unionOf(options)}.nullable()` : unionOf(options)
  }
  if (Array.isArray(schema.type)) {
    const types = asStrings(schema.type, 'type')
    const options = types.filter((type) => type !== 'null').map((type) => typed(type, schema))
    return options.length < types.length ? `${unionOf(options)}.nullable()` : unionOf(options)
  }
  return typeof schema.type === 'string' ? typed(schema.type, schema) : 'z.unknown()'
}

function referencesOf(value: Json, found: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) referencesOf(item, found)
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string') found.add(item.slice('#/components/schemas/'.length))
      else if (key !== 'discriminator') referencesOf(item, found)
    }
  }
  return found
}

/** Component names so that each stands after what it uses. A circle is an error: no schema of the wire has one. */
function inOrder(schemas: JsonObject): string[] {
  const order: string[] = []
  const visit = (name: string, open: readonly string[]): void => {
    if (order.includes(name)) return
    if (open.includes(name)) throw new Error(`Schemas in a circle: ${[...open, name].join(' → ')}`)
    for (const used of referencesOf(schemas[name] ?? {}, new Set())) visit(used, [...open, name])
    order.push(name)
  }
  for (const name of Object.keys(schemas).sort()) visit(name, [])
  return order
}

function parametersOf(entry: OperationEntry, place: string): string | undefined {
  const parameters = entry.parameters.filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return undefined
  const members = parameters.map((parameter) => {
    const expression = expressionOf(parameter.schema ?? {})
    return `${quote(parameter.name ?? null)}: ${expression}${parameter.required === true ? '' : '.optional()'}`
  })
  return `z.looseObject({ ${members.join(', ')} })`
}

function validatorOf(entry: OperationEntry): string {
  const id = entry.operationId
  const lines: string[] = []
  if (entry.body) {
    const body = entry.body.required ? expressionOf(entry.body.schema) : `${expressionOf(entry.body.schema)}.optional()`
    lines.push(`    body: (${body}) as z.ZodType<OperationTypes['${id}']['body']>,`)
  }
  const path = parametersOf(entry, 'path')
  if (path) lines.push(`    path: (${path}) as z.ZodType<OperationTypes['${id}']['path']>,`)
  const query = parametersOf(entry, 'query')
  if (query) lines.push(`    query: (${query}) as z.ZodType<OperationTypes['${id}']['query']>,`)
  const responses = Object.entries(entry.responses).map(([status, schema]) => `${status}: ${expressionOf(schema)}`)
  lines.push(`    responses: { ${responses.join(', ')} } as Record<number, z.ZodType>,`)
  return `  ${id}: {\n${lines.join('\n')}\n  },`
}

/**
 * The schemas that values are checked by. Of a planned command only the type is: the engine refuses it by its name, whatever
 * else it holds. Payloads of planned events are checked by nobody.
 */
function checkedSchemas(schemas: JsonObject): JsonObject {
  const out: JsonObject = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const planned = isObject(schema) && schema['x-stage'] === 'planned'
    if (!planned) out[name] = schema
    else if (schema['x-event-type'] === undefined)
      out[name] = { type: 'object', required: ['type'], properties: { type: typeOf(schema) } }
  }
  return out
}

const typeOf = (command: JsonObject): Json => asObject(command.properties, 'properties of a command').type ?? {}

export function emitValidators(
  root: JsonObject,
  operations: OperationEntry[],
  events: string[],
  header: string,
): string {
  const schemas = checkedSchemas(asObject(asObject(root.components, 'components').schemas, 'schemas'))
  const consts = inOrder(schemas).map((name) => `export const ${name} = ${expressionOf(schemas[name] ?? {})}`)
  const entries = operations.filter((entry) => entry.stage === 'built').map(validatorOf)
  const text = [...consts, ...entries].join('\n')
  const presence = /\bpresent\b/.test(text)
    ? 'const present = z.custom<unknown>((value) => value !== undefined)\n\n'
    : ''
  return `${header}import * as z from 'zod'
import type { OperationTypes } from './operation-types.ts'

${presence}${consts.join('\n')}

export const validators = {
${entries.join('\n')}
}
${events.length === 0 ? '' : `\nexport const eventPayloads = {\n${events.map((name) => `  ${name}: ${name}Payload,`).join('\n')}\n}\n`}`
}
