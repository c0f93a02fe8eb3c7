// Payloads where they come in: an envelope is used as it is, plain JSON becomes one (control plane 2, §5).
import {
  CodecError,
  decodeEnvelope,
  encodeArguments,
  envelopeBytes,
  isEnvelopeShaped,
  type PayloadValue,
  payloadCodec,
} from '@durable-workflow/codec'
import type { Envelope, Json } from '@durable-workflow/engine'
import type { Payload, Reason } from '@durable-workflow/protocol'
import { invalid, type No, no } from './reply.ts'

/** What became of an input: an envelope, nothing, or a no. */
export type Taken = { readonly envelope: Envelope | undefined } | { readonly refusal: No }

/** How the values of a plain object become arguments: a start takes them by position, a message gets the object. */
export interface InputRule {
  readonly objects: 'values' | 'one'
  /** The reason with which an envelope is refused that holds no list; undefined: any value is taken. */
  readonly lists: Reason | undefined
}

export const startInput: InputRule = { objects: 'values', lists: undefined }
export const signalInput: InputRule = { objects: 'one', lists: 'invalid_signal_arguments' }
export const queryInput: InputRule = { objects: 'one', lists: 'invalid_query_arguments' }

/** Takes the `input` of a start, a signal or a query. */
export function takeInput(input: unknown, rule: InputRule, payloadBytesMax: number): Taken {
  if (input === undefined || input === null) return { envelope: undefined }
  if (Array.isArray(input)) return input.length === 0 ? { envelope: undefined } : encoded(input, payloadBytesMax)
  if (typeof input !== 'object') {
    return { refusal: invalid({ input: ['must be a list, an object or an envelope'] }) }
  }
  if (isEnvelopeShaped(input)) return takenEnvelope({ ...input }, rule, payloadBytesMax)
  return encoded(rule.objects === 'values' ? Object.values(input) : [input], payloadBytesMax)
}

/** Takes a payload of a report: an envelope or a bare blob; what it holds is opaque. @param field its name, for refusals */
export function takePayload(payload: Payload | null | undefined, field: string, payloadBytesMax: number): Taken {
  if (payload === undefined || payload === null) return { envelope: undefined }
  const envelope =
    typeof payload === 'string' ? { codec: payloadCodec, blob: payload } : { codec: payload.codec, blob: payload.blob }
  if (envelope.codec !== payloadCodec)
    return { refusal: no('unsupported_payload_codec', { field, codec: envelope.codec }) }
  return bounded(envelope, payloadBytesMax)
}

/** The plain JSON view of a payload, where there is one: not for bytes, nor for integers beyond a JSON number. */
export function viewOf(envelope: Envelope | undefined): Json | undefined {
  if (envelope === undefined) return undefined
  try {
    return jsonOf(decodeEnvelope(envelope))
  } catch (error) {
    // What a worker stored and nobody can read has no view; the envelope still goes out as it came.
    if (error instanceof CodecError) return undefined
    throw error
  }
}

function takenEnvelope(input: Readonly<Record<string, unknown>>, rule: InputRule, payloadBytesMax: number): Taken {
  const { codec, blob } = input
  if (codec !== payloadCodec) return { refusal: invalid({ 'input.codec': [`must be ${payloadCodec}`] }) }
  if (typeof blob !== 'string')
    return { refusal: invalid({ 'input.blob': ['must be base64 text; payloads elsewhere are not read yet'] }) }
  const taken = bounded({ codec, blob }, payloadBytesMax)
  if ('refusal' in taken) return taken
  try {
    const value = decodeEnvelope({ codec, blob })
    if (rule.lists !== undefined && !Array.isArray(value)) {
      const errors = { input: ['must hold a list of arguments'] }
      return { refusal: no(rule.lists, { errors, validation_errors: errors }) }
    }
    return taken
  } catch (error) {
    if (error instanceof CodecError) return { refusal: invalid({ 'input.blob': [error.message] }) }
    throw error
  }
}

function encoded(values: readonly unknown[], payloadBytesMax: number): Taken {
  try {
    return bounded(encodeArguments(values), payloadBytesMax)
  } catch (error) {
    if (error instanceof CodecError) return { refusal: invalid({ input: [error.message] }) }
    throw error
  }
}

function bounded(envelope: Envelope, payloadBytesMax: number): Taken {
  const bytes = envelopeBytes(envelope)
  if (bytes <= payloadBytesMax) return { envelope }
  return {
    refusal: no('structural_limit_exceeded', {
      limit_kind: 'payload_size',
      current_value: bytes,
      configured_limit: payloadBytesMax,
    }),
  }
}

function jsonOf(value: PayloadValue): Json | undefined {
  if (typeof value === 'bigint' || value instanceof Uint8Array) return undefined
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items: Json[] = []
    for (const item of value) {
      const view = jsonOf(item)
      if (view === undefined) return undefined
      items.push(view)
    }
    return items
  }
  const members: { [key: string]: Json } = {}
  for (const [key, member] of Object.entries(value)) {
    const view = jsonOf(member)
    if (view === undefined) return undefined
    members[key] = view
  }
  return members
}
