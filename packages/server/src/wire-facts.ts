import { formatInstant, type Json, type JsonObject } from '@durable-workflow/engine'
import { snakeCase } from './operation-facts.ts'

/** Members of an answer in the wire's words; a member that is undefined is absent. */
export type WireFacts = JsonObject

/** The engine's facts in the wire's words: names in snake case, instants (`…At`, epoch ms) as text. */
export function wireFacts(facts: JsonObject): WireFacts {
  const wire: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(facts)) {
    wire[snakeCase(name)] = name.endsWith('At') && typeof value === 'number' ? formatInstant(value) : value
  }
  return wire
}

/** An instant as the wire has it, or null. */
export function instantOrNull(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : formatInstant(epochMs)
}

/** An instant as the wire has it, or nothing. */
export function instantOrAbsent(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : formatInstant(epochMs)
}

/** A parsed JSON value with its type. */
export function json(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value
    case 'object':
      return value === null || Array.isArray(value) ? value : { ...value }
    default:
      throw new TypeError(`A value of type ${typeof value} is no JSON.`)
  }
}
