// Is a later schema an addition to an earlier one? The answer depends on who writes the value.
//
// request   clients of the released document write it: what it accepted must stay accepted, what it named must stay named.
// response  clients of the released document read it: what it promised must stay promised, in the type it had.
//           A new value of a list of words is an addition: readers keep what they do not know.
import { asObject, isObject, type Json, type JsonObject } from '../documents.ts'
import { type Problem, problem } from './problem.ts'

export type Direction = 'request' | 'response'

const keepIt = 'Keep what is released. A change of meaning needs a new name or a new line of the protocol.'
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties']

interface Comparison {
  direction: Direction
  found: Problem[]
}

function typesOf(schema: JsonObject): string[] | undefined {
  if (typeof schema.type === 'string') return [schema.type]
  if (Array.isArray(schema.type)) return schema.type.filter((type): type is string => typeof type === 'string')
  return undefined
}

function valuesOf(schema: JsonObject): Json[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : undefined
}

function alternativesOf(schema: JsonObject): JsonObject[] | undefined {
  const options = schema.anyOf ?? schema.oneOf
  return Array.isArray(options) ? options.map((option) => asObject(option, 'an alternative')) : undefined
}

const has = (list: readonly Json[], value: Json): boolean =>
  list.some((other) => JSON.stringify(other) === JSON.stringify(value))

function accepts(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

function compareTypes(before: JsonObject, after: JsonObject, at: string, { direction, found }: Comparison): void {
  const was = typesOf(before)
  const is = typesOf(after)
  if (JSON.stringify(was) === JSON.stringify(is)) return
  const say = (code: string) =>
    found.push(
      problem(
        code,
        at,
        `The type was ${was?.join(' | ') ?? 'anything'} and is ${is?.join(' | ') ?? 'anything'}.`,
        keepIt,
      ),
    )
  if (is !== undefined && (was === undefined || was.some((type) => !accepts(is, type)))) say('type-narrowed')
  else if (direction === 'response') say('type-widened')
}

function compareValues(before: JsonObject, after: JsonObject, at: string, { direction, found }: Comparison): void {
  const was = valuesOf(before)
  const is = valuesOf(after)
  if (was === undefined && is === undefined) return
  if (was === undefined) {
    found.push(problem('values-limited', at, `Any value was allowed, now only ${JSON.stringify(is)}.`, keepIt))
    return
  }
  if (is === undefined) {
    if (direction === 'response')
      found.push(problem('values-opened', at, `The values were ${JSON.stringify(was)} and are anything now.`, keepIt))
    return
  }
  for (const value of was)
    if (!has(is, value)) found.push(problem('value-removed', at, `The value ${JSON.stringify(value)} is gone.`, keepIt))
}

function compareBounds(before: JsonObject, after: JsonObject, at: string, { direction, found }: Comparison): void {
  const check = (key: string, isTighter: (was: number, is: number) => boolean) => {
    const was = before[key]
    const is = after[key]
    if (was === is) return
    const tighter = typeof is === 'number' && (typeof was !== 'number' || isTighter(was, is))
    if (tighter || direction === 'response')
      found.push(problem('bound-changed', at, `${key} was ${was ?? 'not set'} and is ${is ?? 'not set'}.`, keepIt))
  }
  for (const key of upperBounds) check(key, (was, is) => is < was)
  for (const key of lowerBounds) check(key, (was, is) => is > was)
  const dropped = direction === 'request' && after.pattern === undefined
  if (before.pattern !== after.pattern && !dropped)
    found.push(
      problem(
        'pattern-changed',
        at,
        `The pattern was ${before.pattern ?? 'not set'} and is ${after.pattern ?? 'not set'}.`,
        keepIt,
      ),
    )
}

// Nothing of the wire uses these; one that appears or changes would bind values in a way that is not compared further.
const otherKeywords = [
  'allOf',
  'contains',
  'dependentRequired',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'if',
  'multipleOf',
  'not',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'unevaluatedProperties',
  'uniqueItems',
]

function compareOtherKeywords(
  before: JsonObject,
  after: JsonObject,
  at: string,
  { direction, found }: Comparison,
): void {
  for (const key of otherKeywords) {
    const dropped = direction === 'request' && after[key] === undefined
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key]) && !dropped)
      found.push(
        problem('keyword-changed', at, `${key} was ${textOf(before[key])} and is ${textOf(after[key])}.`, keepIt),
      )
  }
  if (after.additionalProperties === false && before.additionalProperties !== false && direction === 'request')
    found.push(problem('fields-closed', at, 'Any field was taken, now only those that are named.', keepIt))
  if (direction === 'request')
    for (const name of listOf(after['x-refused-fields']))
      if (!has(listOf(before['x-refused-fields']), name))
        found.push(problem('field-refused', at, `The field ${textOf(name)} is refused now.`, keepIt))
}

const textOf = (value: Json | undefined): string => (value === undefined ? 'not set' : JSON.stringify(value))
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** A document that an answer carries word for word may grow; what it says, it goes on saying. */
function compareLiteral(before: Json, after: Json | undefined, at: string, found: Problem[]): void {
  if (isObject(before) && isObject(after)) {
    for (const [key, value] of Object.entries(before)) compareLiteral(value, after[key], `${at}.${key}`, found)
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (const value of before)
      if (!has(after, value)) found.push(problem('literal-changed', at, `${textOf(value)} is gone.`, keepIt))
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    found.push(problem('literal-changed', at, `It said ${textOf(before)} and says ${textOf(after)}.`, keepIt))
  }
}

function compareProperties(before: JsonObject, after: JsonObject, at: string, comparison: Comparison): void {
  const { direction, found } = comparison
  const was = asObject(before.properties ?? {}, at)
  const is = asObject(after.properties ?? {}, at)
  for (const [name, schema] of Object.entries(was)) {
    const next = is[name]
    if (next === undefined) found.push(problem('field-removed', `${at}.${name}`, 'The field is gone.', keepIt))
    else compare(schema, next, `${at}.${name}`, comparison)
  }
  const requiredBefore = Array.isArray(before.required) ? before.required : []
  const requiredAfter = Array.isArray(after.required) ? after.required : []
  if (direction === 'request') {
    for (const name of requiredAfter)
      if (!has(requiredBefore, name))
        found.push(
          problem(
            'field-required',
            `${at}.${name}`,
            'The field was optional, or new, and is required now.',
            'Make it optional.',
          ),
        )
  } else {
    for (const name of requiredBefore)
      if (!has(requiredAfter, name))
        found.push(
          problem(
            'promise-dropped',
            `${at}.${name}`,
            'The field was always there and is optional now.',
            'Keep it required.',
          ),
        )
  }
}

/** Each earlier alternative must still be there: one of the later ones must be an addition to it. */
function compareAlternatives(before: JsonObject[], after: JsonObject[], at: string, comparison: Comparison): void {
  for (const [index, option] of before.entries()) {
    const stands = after.some((other) => {
      const trial: Comparison = { direction: comparison.direction, found: [] }
      compare(option, other, at, trial)
      return trial.found.length === 0
    })
    if (!stands)
      comparison.found.push(
        problem(
          'alternative-removed',
          `${at}[${index}]`,
          `No alternative takes ${JSON.stringify(option).slice(0, 120)} any more.`,
          keepIt,
        ),
      )
  }
  if (comparison.direction === 'response' && after.length > before.length)
    comparison.found.push(
      problem('alternative-added', at, `There were ${before.length} shapes and are ${after.length} now.`, keepIt),
    )
}

function compare(before: Json, after: Json, at: string, comparison: Comparison): void {
  if (!isObject(before) || !isObject(after)) return
  const was = alternativesOf(before)
  const is = alternativesOf(after)
  if (was || is) {
    compareAlternatives(was ?? [before], is ?? [after], at, comparison)
    return
  }
  compareTypes(before, after, at, comparison)
  compareValues(before, after, at, comparison)
  compareBounds(before, after, at, comparison)
  compareOtherKeywords(before, after, at, comparison)
  if (before['x-document'] !== undefined)
    compareLiteral(before['x-document'], after['x-document'], at, comparison.found)
  compareProperties(before, after, at, comparison)
  if (isObject(before.items) || isObject(after.items))
    compare(before.items ?? {}, after.items ?? {}, `${at}[]`, comparison)
  if (isObject(before.additionalProperties) || isObject(after.additionalProperties))
    compare(before.additionalProperties ?? {}, after.additionalProperties ?? {}, `${at}.*`, comparison)
}

/** Both schemas with their references inlined. */
export function compareSchemas(before: Json, after: Json, at: string, direction: Direction): Problem[] {
  const comparison: Comparison = { direction, found: [] }
  compare(before, after, at, comparison)
  return comparison.found
}
