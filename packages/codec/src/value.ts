import { readValue } from './avro/decode.ts'
import { writeFrame } from './avro/encode.ts'
import { Float } from './float.ts'

export { Float, float } from './float.ts'

/**
 * What a payload decodes to.
 *
 * Integers inside ±(2^53 − 1) are numbers, other 64-bit integers are bigints, every double is a number, bytes are a
 * fresh Uint8Array, maps are plain objects (the last of two equal keys wins). The distinction between 7 and 7.0 is not
 * in a JavaScript number: see `decodeExactValue`.
 */
export type PayloadValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | PayloadValue[]
  | { [key: string]: PayloadValue }

/** As `PayloadValue`, but a double that a number would be written back as an integer is a `Float`. */
export type ExactPayloadValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Float
  | ExactPayloadValue[]
  | { [key: string]: ExactPayloadValue }

/**
 * Writes a value as one Avro single-object frame of `durable_workflow.protocol.Value` v1.
 *
 * A number that is a safe integer becomes a long, any other (fractions, −0, beyond ±(2^53 − 1)) a double; `float(7)`
 * writes 7.0. A bigint becomes a long. Uint8Array becomes bytes. Members of objects that are undefined are left out;
 * undefined as an argument, an element or the whole value is null, because its place counts. Nothing else is converted:
 * dates, class instances, functions, symbols, non-finite numbers, cycles and lone surrogates are refused.
 *
 * @param name  how error paths begin, e.g. `input` for `input.order.when: …`; default `value`
 * @throws CodecError of the writing reasons, with the path of the culprit
 * @source history-replay §6.2, §6.3
 */
export const encodeValue = (value: unknown, name = 'value'): Uint8Array =>
  writeFrame(value, name, (bytes, length) => bytes.slice(0, length))

/**
 * Reads one frame; the whole of it, or nothing.
 *
 * @throws CodecError `invalid_payload_framing`, `unsupported_payload_schema` or `structural_limit_exceeded`
 * @source history-replay §6.2, §6.4
 */
export const decodeValue = (bytes: Uint8Array): PayloadValue => readValue(bytes, (double) => double)

const exact = (double: number): number | Float =>
  Number.isSafeInteger(double) && !Object.is(double, -0) ? new Float(double) : double

/**
 * Reads one frame without losing that 7.0 was a double: such doubles are `Float`s, so that writing the result again
 * gives an equal value in every language, and the same bytes where keys stand in the order of JavaScript objects and
 * the frame is in its shortest form. For tools that pass payloads on; application code wants `decodeValue`.
 *
 * @throws as `decodeValue`
 */
export const decodeExactValue = (bytes: Uint8Array): ExactPayloadValue => readValue(bytes, exact)
