// Errors as the reports carry them: texts cut to what every server takes, details as plain data.

import { CodecError } from '@durable-workflow/codec'
import { type Failure, limits } from '@durable-workflow/protocol'
import {
  ContractError,
  GuardError,
  MissingHandlerError,
  NonDeterminismError,
  PayloadTooLargeError,
} from '../authoring/failure.ts'
import { classOf, failureToWire, messageOf, typeOf, type WireFailure } from '../authoring/failure-wire.ts'
import { jsonCopy } from './json-copy.ts'

// Published servers take at least 62 KiB of message; a character has at most four bytes.
const messageLengthMax = 15_000
const stackLengthMax = 30_000
const causeLengthMax = 2_000

/** The failure of an activity attempt. */
export function activityFailure(error: unknown): Failure & { cause?: Cause } {
  const wire = failureToWire(error)
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
    return { ...common, message: cut(`replay failed: ${message}`, messageLengthMax), reason: error.reason }
  }
  if (CodecError.is(error)) {
    const text = `cannot replay workflow history: ${message}`
    return { ...common, message: cut(text, messageLengthMax), reason: error.reason }
  }
  const ownReason = GuardError.is(error) || MissingHandlerError.is(error) || PayloadTooLargeError.is(error)
  return {
    ...common,
    message: cut(message, messageLengthMax),
    ...(ownReason ? { reason: cut(error.reason, 191) } : {}),
  }
}

export function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}\n[truncated]`
}

// What a body needs beside its payloads.
const bodySlackBytes = 65_536

/** @throws PayloadTooLargeError when payloads of this size make a body that no server takes; nothing was sent */
export function assertBodyFits(what: string, payloadBytes: number, payloadBytesMax: number): void {
  const bytesMax = Math.max(limits.bodyBytesMax, payloadBytesMax) - bodySlackBytes
  if (payloadBytes <= bytesMax) return
  const remedy = 'Keep the data in a store of your own and pass its key.'
  throw new PayloadTooLargeError(
    `${what} would send ${payloadBytes} bytes of payload; the limit is ${bytesMax}. ${remedy}`,
    {
      reason: 'payload_too_large',
      facts: { what, bytes: payloadBytes, bytesMax },
      remedy,
    },
  )
}
