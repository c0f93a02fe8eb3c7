// Errors as the reports carry them: texts cut to what every server takes, details as plain data.

import { CodecError } from '@durable-workflow/codec'
import type { Failure } from '@durable-workflow/protocol'
import {
  ContractError,
  GuardError,
  MissingHandlerError,
  NonDeterminismError,
  PayloadTooLargeError,
  StructuralLimitError,
} from '../authoring/failure.ts'
import {
  classOf,
  cut,
  failureToWire,
  messageLengthMax,
  messageOf,
  typeOf,
  type WireFailure,
} from '../authoring/failure-wire.ts'
import { jsonCopy } from './json-copy.ts'

const stackLengthMax = 30_000
const causeLengthMax = 2_000

/**
 * The failure of an activity attempt.
 *
 * Details that would make it larger than `bytesMax` are left out, and say so: an attempt that has failed must be able to say it.
 */
export function activityFailure(error: unknown, bytesMax: number): Failure & { cause?: Cause } {
  const wire = failureToWire(error)
  const failure = failureOf(error, wire)
  const bytes = Buffer.byteLength(JSON.stringify(failure))
  return bytes <= bytesMax ? failure : failureOf(error, withoutDetails(wire, bytes, bytesMax))
}

function withoutDetails(wire: WireFailure, bytes: number, bytesMax: number): WireFailure {
  return {
    ...wire,
    ...(wire.details === undefined
      ? {}
      : { details: `left out: a report of ${bytes} bytes; the limit is ${bytesMax}` }),
    ...(wire.cause === undefined ? {} : { cause: withoutDetails(wire.cause, bytes, bytesMax) }),
  }
}

function failureOf(error: unknown, wire: WireFailure): Failure & { cause?: Cause } {
  const details = jsonCopy(wire.details)
  return {
    message: cut(wire.message, messageLengthMax),
    type: wire.type,
    class: classOf(error),
    ...(wire.stack_trace === undefined ? {} : { stack_trace: cut(wire.stack_trace, stackLengthMax) }),
    ...(isFinal(error, wire.non_retryable) ? { non_retryable: true } : {}),
    ...(details === undefined ? {} : { details }),
    ...(wire.cause === undefined ? {} : { cause: causeOf(wire.cause) }),
  }
}

interface Cause {
  message: string
  type: string
  details?: unknown
  cause?: Cause
}

/** What led to it, down to the root; stacks stay with the failure itself. */
function causeOf(wire: WireFailure): Cause {
  const details = jsonCopy(wire.details)
  return {
    message: cut(wire.message, causeLengthMax),
    type: wire.type,
    ...(details === undefined ? {} : { details }),
    ...(wire.cause === undefined ? {} : { cause: causeOf(wire.cause) }),
  }
}

// Neither the same input nor the same result fits better next time; only other code helps, and that is another failure.
function isFinal(error: unknown, nonRetryable: boolean | undefined): boolean {
  if (nonRetryable === true) return true
  if (CodecError.is(error) || PayloadTooLargeError.is(error)) return true
  return ContractError.is(error) && error.reason === 'invalid_input'
}

export interface TaskFailure {
  message: string
  type: string
  reason?: string
  /** The step of a mismatch. */
  sequence?: number
  stack_trace?: string
}

/**
 * The failure of a workflow task.
 *
 * A mismatch with history blocks the run until other code or an operator comes; anything else is tried again by the server.
 *
 * @source worker plane §6.7
 */
export function taskFailure(error: unknown): TaskFailure {
  const stack = error instanceof Error ? error.stack : undefined
  const common = {
    type: cut(typeOf(error), 512),
    ...(stack === undefined ? {} : { stack_trace: cut(stack, stackLengthMax) }),
  }
  const message = messageOf(error)
  if (NonDeterminismError.is(error)) {
    const { sequence } = error.facts
    return {
      ...common,
      message: cut(`replay failed: ${message}`, messageLengthMax),
      reason: error.reason,
      ...(typeof sequence === 'number' && sequence > 0 ? { sequence } : {}),
    }
  }
  if (CodecError.is(error)) {
    const text = `cannot replay workflow history: ${message}`
    return { ...common, message: cut(text, messageLengthMax), reason: error.reason }
  }
  const ownReason =
    GuardError.is(error) ||
    MissingHandlerError.is(error) ||
    PayloadTooLargeError.is(error) ||
    StructuralLimitError.is(error)
  return {
    ...common,
    message: cut(message, messageLengthMax),
    ...(ownReason ? { reason: cut(error.reason, 191) } : {}),
  }
}
