// Values made from a schema of the documents: ones that it accepts, and ones just outside of it. Written here and not taken
// from a library: the documents use a dozen keywords, every value must come from our own seeded chance so that a seed
// repeats a case, and the values outside are half of what is wanted.
import type { Json, JsonObject } from '../../../protocol/test/documented-operations.ts'
import { type Chance, pick } from './mutate.ts'

/** Members that have a right value in the state that a test prepared, by name; wherever they occur. */
export type Known = Readonly<Record<string, Json>>

export interface Making {
  readonly chance: Chance
  readonly known: Known
}

const optionalRate = 0.4
const knownRate = 0.9
const nullRate = 0.15

/** Texts that fit the patterns of the documents; a pattern that none of them fits stops the test that asked. */
const patterned = ['w-1', 'a.b:c_d-1', '7', '10', '1.19', '2026-01-01T00:00:00.000000Z', 'sha256:00'] as const

/** A value that the schema accepts. */
export function valueWithin(schema: Json, making: Making): Json {
  if (!isSchema(schema)) return anything(making.chance)
  const { chance } = making
  if (schema.const !== undefined) return schema.const
  if (isList(schema.enum)) return pickOf(chance, schema.enum)
  const choices = schema.oneOf ?? schema.anyOf
  if (isList(choices)) return valueWithin(pickOf(chance, choices), making)
  const types = typesOf(schema)
  if (types.length === 0) return anything(chance)
  const others = types.filter(isNoNull)
  const isNull = others.length === 0 || (types.includes('null') && chance() < nullRate)
  const type = isNull ? 'null' : pickOf(chance, others)
  switch (type) {
    case 'object':
      return objectOf(schema, making)
    case 'array':
      return listOf(schema, making)
    case 'string':
      return textOf(schema, chance)
    case 'integer':
      return wholeOf(schema, chance)
    case 'number':
      return wholeOf(schema, chance) + pick(chance, [0, 0.5])
    case 'boolean':
      return chance() < 0.5
    default:
      return null
  }
}

/** A value that the schema does not accept, as near to it as may be: one beyond a bound, of another type, no choice of its own. */
export function valueBeyond(schema: Json, making: Making): Json {
  const { chance } = making
  if (!isSchema(schema)) return anything(chance)
  const beyond: Json[] = []
  const { minimum, maximum, minLength, maxLength, maxItems } = schema
  if (typeof minimum === 'number') beyond.push(minimum - 1, minimum - 0.5)
  if (typeof maximum === 'number') beyond.push(maximum + 1, maximum + 0.5)
  if (typeof minLength === 'number' && minLength > 0) beyond.push('x'.repeat(minLength - 1))
  if (typeof maxLength === 'number') beyond.push('x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1))
  if (typeof maxItems === 'number')
    beyond.push(Array.from({ length: maxItems + 1 }, () => valueWithin(schema.items ?? {}, making)))
  if (schema.pattern !== undefined) beyond.push('a b', '\n', 'ä')
  if (schema.enum !== undefined || schema.const !== undefined) beyond.push('no-choice-of-its-own')
  const types = typesOf(schema)
  if (types.includes('integer')) beyond.push(1.5, '1', 2 ** 53, -(2 ** 53), 1e300)
  if (!types.includes('null')) beyond.push(null)
  if (types.length > 0 && !types.includes('array')) beyond.push([], [[]])
  if (types.length > 0 && !types.includes('object')) beyond.push({}, { length: 1 })
  if (types.length > 0 && !types.includes('boolean')) beyond.push(true)
  return beyond.length === 0 ? anything(chance) : pickOf(chance, beyond)
}

/** The schema of each member of an object's schema. */
export function membersOf(schema: Json): Readonly<Record<string, Json>> {
  return isSchema(schema) && isSchema(schema.properties) ? schema.properties : {}
}

/** The members that an object's schema asks for. */
export function requiredOf(schema: Json): readonly string[] {
  return isSchema(schema) && isList(schema.required) ? schema.required.map(String) : []
}

/** Whether a member is one that no built server takes yet. */
export function isPlanned(schema: Json): boolean {
  return isSchema(schema) && schema['x-stage'] === 'planned'
}

export function typesOf(schema: Json): readonly string[] {
  if (!isSchema(schema)) return []
  return isList(schema.type) ? schema.type.map(String) : typeof schema.type === 'string' ? [schema.type] : []
}

function objectOf(schema: JsonObject, making: Making): JsonObject {
  const { chance, known } = making
  const required = requiredOf(schema)
  const made: JsonObject = {}
  for (const [name, member] of Object.entries(membersOf(schema))) {
    const right = known[name]
    const isWanted = required.includes(name) || (right !== undefined && chance() < knownRate) || chance() < optionalRate
    if (!isWanted || isPlanned(member)) continue
    made[name] = right !== undefined && chance() < knownRate ? right : valueWithin(member, making)
  }
  if (isSchema(schema.additionalProperties))
    made[pick(chance, ['a', 'é'])] = valueWithin(schema.additionalProperties, making)
  return made
}

function listOf(schema: JsonObject, making: Making): Json[] {
  const { minItems, maxItems } = schema
  const least = typeof minItems === 'number' ? minItems : 0
  const most = Math.min(typeof maxItems === 'number' ? maxItems : 3, least + 3)
  const length = least + Math.floor(making.chance() * (most - least + 1))
  return Array.from({ length }, () => valueWithin(schema.items ?? {}, making))
}

function textOf(schema: JsonObject, chance: Chance): string {
  const { minLength, maxLength, pattern } = schema
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : 300
  const fits = (text: string) =>
    [...text].length >= least &&
    [...text].length <= most &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text))
  const texts = [...patterned, 'order 7', 'ünïcode 😀', '"\\/\b\u2028', 'x'.repeat(most), ''].filter(fits)
  if (texts.length === 0) throw new Error(`No text of this test fits ${JSON.stringify(schema)}: add one to its list.`)
  return pickOf(chance, texts)
}

function wholeOf(schema: JsonObject, chance: Chance): number {
  const { minimum, maximum } = schema
  const least = typeof minimum === 'number' ? minimum : -3
  const most = typeof maximum === 'number' ? maximum : least + 1000
  return pickOf(chance, [least, most, least + Math.floor(chance() * (most - least + 1))])
}

/** What stands where the documents say nothing. */
function anything(chance: Chance): Json {
  return pick<Json>(chance, [
    null,
    true,
    'text',
    0,
    -1.5,
    2 ** 53,
    [],
    {},
    [1, 'a', null],
    { deep: { list: [1, { b: 2 }] } },
    { codec: 'avro', blob: 'wwHioz3/VYAiNwwA' },
  ])
}

const isSchema = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: Json | undefined): value is Json[] => Array.isArray(value)
const isNoNull = (type: string): boolean => type !== 'null'

function pickOf<Item>(chance: Chance, items: readonly Item[]): Item {
  const [first, ...others] = items
  if (first === undefined) throw new Error('There is nothing to pick from.')
  return pick(chance, [first, ...others])
}
