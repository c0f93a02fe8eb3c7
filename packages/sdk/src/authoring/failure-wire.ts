// Authored failures as data, both ways. Wire keys are snake_case here because this is the edge.
import { decodeEnvelope } from '@durable-workflow/codec'
import { CancellationFailure, DurableWorkflowError, TimeoutFailure, WorkflowFailure } from './failure.ts'

/** A failure as it travels: reports of activities, `fail_workflow`, and what history and descriptions hand back. */
export interface WireFailure {
  message: string
  type: string
  category?: string
  non_retryable?: boolean
  details?: unknown
  stack_trace?: string
  cause?: WireFailure
}

/** Published servers take at least 62 KiB of message; a character has at most four bytes. */
export const messageLengthMax = 15_000

/** Half a surrogate pair, cut or thrown so, has no UTF-8 form: a server would refuse the whole report. */
export function cut(text: string, lengthMax: number): string {
  return (text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}\n[truncated]`).toWellFormed()
}

// Errors may name each other in a circle; beyond ten causes nobody reads on.
const causeDepthMax = 10

/** Describes anything thrown: class name as type, message, details, and the causes down to the root. */
export function failureToWire(error: unknown, depth = 0): WireFailure {
  const wire: WireFailure = { message: messageOf(error), type: typeOf(error) }
  const category = categoryOf(error)
  if (category !== undefined) wire.category = category
  if (flag(error, 'nonRetryable')) wire.non_retryable = true
  const details = member(error, 'details')
  if (details !== undefined) wire.details = details
  if (error instanceof Error && typeof error.stack === 'string') wire.stack_trace = error.stack
  const cause = member(error, 'cause')
  if (cause !== undefined && cause !== null && depth < causeDepthMax) wire.cause = failureToWire(cause, depth + 1)
  return wire
}

/** The reverse: an exception for a failure that came from the wire; unknown keys are kept in `facts`. */
export function failureFromWire(wire: unknown): DurableWorkflowError {
  const message = text(wire, 'message') ?? 'failed without a message'
  const type = text(wire, 'type') ?? text(wire, 'exception_type') ?? text(wire, 'exception_class')
  const category = text(wire, 'category') ?? text(wire, 'failure_category')
  const inner = member(wire, 'cause')
  const cause = inner === undefined || inner === null ? undefined : failureFromWire(inner)
  const facts = factsOf(wire)
  if (category === 'timeout') {
    return new TimeoutFailure(message, { kind: text(wire, 'timeout_kind') ?? 'unknown', type, cause, facts })
  }
  if (category === 'cancelled' || category === 'terminated') {
    return new CancellationFailure(message, { type, cause, facts })
  }
  return new WorkflowFailure(message, {
    type,
    details: detailsOf(wire),
    nonRetryable: flag(wire, 'non_retryable'),
    cause,
    facts,
  })
}

/** Details as they were attached: a payload where the codec stands beside it, else plain JSON. */
export function detailsOf(wire: unknown): unknown {
  const details = member(wire, 'details')
  return member(wire, 'details_payload_codec') === 'avro' ? decodeEnvelope(details) : details
}

/** The name under which a thrown value is known elsewhere: `type` of our failures, else its class. */
export function typeOf(error: unknown): string {
  if (DurableWorkflowError.is(error)) return text(error, 'type') ?? error.name
  if (!(error instanceof Error)) return 'Error'
  return Object.hasOwn(error, 'name') ? error.name : error.constructor.name
}

/** The class name alone, which for a failure with a `type` of its own differs from `typeOf`. */
export function classOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  return Object.hasOwn(error, 'name') ? error.name : error.constructor.name
}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.toWellFormed()
}

function categoryOf(error: unknown): string | undefined {
  if (TimeoutFailure.is(error)) return 'timeout'
  if (CancellationFailure.is(error)) return 'cancelled'
  return undefined
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !(key in value)) return undefined
  return Reflect.get(value, key)
}

function text(value: unknown, key: string): string | undefined {
  const found = member(value, key)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function flag(value: unknown, key: string): boolean {
  return member(value, key) === true
}

function factsOf(wire: unknown): Record<string, unknown> {
  if (typeof wire !== 'object' || wire === null) return {}
  return Object.fromEntries(
    Object.entries(wire).filter(([key]) => !['message', 'cause', 'details', 'details_payload_codec'].includes(key)),
  )
}
