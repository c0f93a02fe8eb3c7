import { malformed, oversize } from './avro/decode.ts'
import { writeFrame } from './avro/encode.ts'
import { decodeBase64, encodeBase64, reusableRoom } from './base64.ts'
import { CodecError } from './error.ts'
import { blobBytesMax } from './limits.ts'
import { decodeValue, type PayloadValue } from './value.ts'

/** A payload on the wire: `codec` the label (`avro`), `blob` the base64 text of one frame. */
export type Envelope = { codec: string; blob: string }

/** The only payload codec of the 2.0 platform. JSON is the form of documents, never of payloads. */
export const payloadCodec = 'avro'

/**
 * Checks the `payload_codec` of a task, before anything of it is decoded: the exact string `avro`, nothing missing.
 *
 * @param thing  what carries the label, for the message; default `payload_codec`
 * @throws CodecError `unsupported_payload_codec`
 * @source history-replay §6.1
 */
export const requirePayloadCodec = (label: unknown, thing = 'payload_codec'): 'avro' => {
  if (label === payloadCodec) return payloadCodec
  throw new CodecError(
    'unsupported_payload_codec',
    { thing, found: `payload codec ${describeLabel(label)} is not supported`, limit: payloadCodec },
    'label the payload "avro" and send an Avro Value frame',
  )
}

const describeLabel = (label: unknown): string => {
  if (label === undefined) return '(missing)'
  if (typeof label === 'string') return JSON.stringify(label.length > 64 ? `${label.slice(0, 64)}…` : label)
  return label === null ? 'null' : `of type ${Array.isArray(label) ? 'array' : typeof label}`
}

/**
 * Writes a value and wraps it.
 *
 * @param name  how error paths begin; default `value`
 * @throws CodecError as `encodeValue`
 */
export const encodeEnvelope = (value: unknown, name = 'value'): Envelope => ({
  codec: payloadCodec,
  blob: writeFrame(value, name, encodeBase64),
})

/**
 * Writes positional arguments as one array.
 *
 * @param name  how error paths begin; default `input`, so the first argument's member is `input[0].order`
 * @throws CodecError as `encodeValue`
 */
export const encodeArguments = (args: readonly unknown[], name = 'input'): Envelope => encodeEnvelope([...args], name)

/** The base64 text of a frame. */
export const blobFromBytes = (bytes: Uint8Array): string => encodeBase64(bytes, bytes.length)

/**
 * The frame inside a blob's base64 text, read strictly.
 *
 * @throws CodecError `invalid_payload_framing` or `structural_limit_exceeded`
 */
export const bytesFromBlob = (blob: string): Uint8Array => frameIn(blob, (length) => new Uint8Array(length))

// Reading calls no code of others and copies what it keeps, so one room is enough.
const frameRoom = reusableRoom()
const readBlob = (blob: string): PayloadValue => decodeValue(frameIn(blob, frameRoom))

const frameIn = (blob: string, makeRoom: (length: number) => Uint8Array): Uint8Array => {
  if (blob.length > blobBytesMax) throw oversize(`the blob has ${blob.length} characters`, `${blobBytesMax} characters`)
  if (blob === '') throw malformed({ found: 'the blob is empty', diagnosis: 'empty_payload' })
  const bytes = decodeBase64(blob, makeRoom)
  if (bytes !== undefined) return bytes
  if (/^\s*[[{"]/.test(blob)) {
    throw malformed({ found: 'JSON text stands where a blob belongs', diagnosis: 'json_bytes_labeled_avro' })
  }
  throw malformed({ found: 'the blob is not strict base64 with padding', diagnosis: 'invalid_base64' })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const payloadKeys: readonly string[] = ['blob', 'external_storage', 'external_payload']

/**
 * Whether plain data is a payload by its keys: `codec` and one of `blob`, `external_storage`, `external_payload`, and
 * nothing else. What is inside may still be refused by `decodeEnvelope`; any other object is ordinary data.
 *
 * @source history-replay §6.5
 */
export const isEnvelopeShaped = (value: unknown): value is { readonly codec: unknown } => {
  if (!isObject(value) || !Object.hasOwn(value, 'codec')) return false
  const keys = Object.keys(value)
  return keys.length === 2 && payloadKeys.some((key) => keys.includes(key))
}

/**
 * Reads what stands in a payload position.
 *
 * An envelope (further keys are ignored), or a bare blob whose codec is `surroundingCodec`. Nothing there (null,
 * undefined, an `avro` envelope whose blob is null) is null. Untagged JSON is never a payload.
 *
 * @param surroundingCodec  the `payload_codec` of the event or task that holds a bare blob; default `avro`. An
 *                          envelope's own label wins, as in the published SDKs.
 * @throws CodecError `unsupported_payload_codec` (label, or untagged JSON), `invalid_payload_envelope` (no blob; an
 *                    external payload, to be fetched first), or as `decodeValue`
 * @source history-replay §6.5; worker plane §11.1; published Python worker §11.1
 */
export const decodeEnvelope = (envelope: unknown, surroundingCodec: unknown = payloadCodec): PayloadValue => {
  if (envelope === null || envelope === undefined) return null
  if (typeof envelope === 'string') {
    requirePayloadCodec(surroundingCodec, 'payload')
    return readBlob(envelope)
  }
  if (!isObject(envelope) || !Object.hasOwn(envelope, 'codec')) throw untagged(envelope)
  requirePayloadCodec(envelope.codec, 'payload.codec')
  const { blob } = envelope
  if (typeof blob === 'string') return readBlob(blob)
  if (blob === null) return null
  throw noBlob(envelope)
}

/**
 * Reads positional arguments: the items of an array, none for null, otherwise the value as the only argument.
 *
 * @throws CodecError as `decodeEnvelope`
 * @source worker plane §11.1
 */
export const decodeArguments = (envelope: unknown, surroundingCodec: unknown = payloadCodec): PayloadValue[] => {
  const value = decodeEnvelope(envelope, surroundingCodec)
  if (value === null) return []
  return Array.isArray(value) ? value : [value]
}

/**
 * The size that limits and offloading count: bytes of the blob's text, not of the frame inside.
 *
 * @source history-replay §6.6, §8.1 (`payload_size`)
 */
export const envelopeBytes = (envelope: Pick<Envelope, 'blob'>): number => {
  const { blob } = envelope
  // Base64 has one byte a character; only a blob that will be refused has others.
  for (let at = 0; at < blob.length; at++) if (blob.charCodeAt(at) > 0x7f) return new TextEncoder().encode(blob).length
  return blob.length
}

const untagged = (value: unknown): CodecError =>
  new CodecError(
    'unsupported_payload_codec',
    {
      thing: 'payload',
      found: `an untagged JSON ${Array.isArray(value) ? 'array' : typeof value} stands where a payload belongs`,
      limit: payloadCodec,
    },
    'send {"codec":"avro","blob":…}',
  )

const noBlob = (envelope: Readonly<Record<string, unknown>>): CodecError => {
  const external = ['external_storage', 'external_payload'].find((key) => Object.hasOwn(envelope, key))
  return new CodecError(
    'invalid_payload_envelope',
    { thing: 'payload', found: external === undefined ? 'the envelope has no blob' : `the envelope holds ${external}` },
    external === undefined ? 'send {"codec":"avro","blob":…}' : 'fetch the external payload and put its text in blob',
  )
}
