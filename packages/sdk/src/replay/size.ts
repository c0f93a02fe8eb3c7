// What a suspended replay holds in memory, for the bound of the sticky cache.
//
// A figure on the safe side: what code was given is counted as kept, since nobody can see what it forgot. The constants are
// measured with scripts/replay-size.ts (Node 24, 2026-11-30): an entry really takes 0.45 to 0.9 of what is said here. Nearest
// to it come runs with many open calls, furthest from it those that hold text, which is counted at two bytes a character.
import type { Envelope, PayloadValue } from '@durable-workflow/codec'
import type { StepCommand } from './commands.ts'
import type { Outcome } from './history.ts'

/** A run that has just begun: its function, its context and its place in the guard; measured 19.5 KiB. */
export const baseBytes = 20_480
/** An event that has gone by: positions and names; measured 70 to 90 bytes. */
export const bytesPerEvent = 96

// A call that is open, with its promise, its place and its command; measured 2.1 KiB. Each group around it adds half a KiB.
const bytesPerCall = 2_304
const bytesPerGroup = 512
/** A signal that has arrived, its arguments aside; measured 0.27 KiB. */
export const bytesOfArrival = 288
// A failure with its stack.
const bytesPerFailure = 3_072

/** Bytes of an open call. */
export function bytesOfCall(command: StepCommand, groups: number): number {
  return bytesPerCall + groups * bytesPerGroup + payloadBytes(command)
}

function payloadBytes(command: StepCommand): number {
  if (command.type === 'schedule_activity') return textBytes(command.arguments)
  return command.type === 'record_side_effect' ? textBytes(command.result) : 0
}

// Base64 has one byte a character.
function textBytes(payload: Envelope): number {
  return payload.blob.length
}

/** Bytes of what code was given, as if it kept all of it. */
export function bytesOfOutcome(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'value':
      return bytesOfValue(outcome.value)
    case 'signal':
      return bytesOfValues(outcome.arguments)
    case 'failure':
      return bytesPerFailure + 2 * outcome.error.message.length
    case 'fired':
    case 'timed out':
      return 0
    default:
      return outcome satisfies never
  }
}

/** Bytes of payload values in memory; text at two bytes a character. */
export function bytesOfValues(values: readonly PayloadValue[]): number {
  let bytes = 0
  for (const value of values) bytes += bytesOfValue(value)
  return bytes
}

export function bytesOfValue(value: PayloadValue): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value === 'bigint') return 32
  if (typeof value !== 'object' || value === null) return 16
  if (value instanceof Uint8Array) return 256 + value.byteLength
  if (Array.isArray(value)) return 32 + 8 * value.length + bytesOfValues(value)
  let bytes = 64
  for (const member of Object.values(value)) bytes += 32 + bytesOfValue(member)
  return bytes
}
