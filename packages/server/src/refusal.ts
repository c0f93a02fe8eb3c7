// A refusal of the engine on its way to the wire: the wire's words, and what a route knows besides.
import type { JsonObject, Refused } from '@durable-workflow/engine'
import { invalid, isReason, type No, no } from './reply.ts'
import { type WireFacts, wireFacts } from './wire-facts.ts'

/** Puts a refusal of the engine in the wire's words. @param facts what the route adds; the engine's own win */
export function refused(refusal: Refused, facts: WireFacts = {}): No {
  const { reason } = refusal
  // The engine's reasons are those of the documents; another one is our fault, not the caller's.
  if (!isReason(reason)) throw new Error(`The engine refused with ${reason}, which no document lists.`)
  if (reason === 'validation_failed') return invalidCommand(refusal.facts, facts)
  return no(reason, { ...facts, ...wireFacts(refusal.facts) })
}

function invalidCommand(facts: JsonObject, base: WireFacts): No {
  const { problem, field, ...rest } = facts
  const name = typeof field === 'string' ? field : `commands.${rest.commandIndex ?? 0}`
  return invalid({ [name]: [String(problem ?? 'is not acceptable')] }, { ...base, ...wireFacts(rest) })
}
