// Standard base64 with padding (RFC 4648 §4), both ways, without node:* and without `btoa`: for frames of 100 bytes to
// 100 kB a table plus one native ASCII decode was 1.5 to 3 times as fast as `btoa` over a binary string (Node 24).

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const padding = 0x3d
const invalid = 64
const keptCapacityMax = 1_048_576

const digits = new Uint8Array(64)
const values = new Uint8Array(128).fill(invalid)
for (let value = 0; value < 64; value++) {
  digits[value] = alphabet.charCodeAt(value)
  values[alphabet.charCodeAt(value)] = value
}

const ascii = new TextDecoder()

/**
 * Room that is used again by the next call. A fresh buffer above 64 bytes lives outside the JavaScript heap and costs
 * more than to fill it: kept room made `decodeEnvelope` of the benchmark value more than twice as fast (Node 24).
 */
export const reusableRoom = (): ((length: number) => Uint8Array) => {
  let kept = new Uint8Array(4_096)
  return (length) => {
    if (length > keptCapacityMax) return new Uint8Array(length)
    if (length > kept.length) kept = new Uint8Array(Math.min(length * 2, keptCapacityMax))
    return kept.subarray(0, length)
  }
}

const textRoom = reusableRoom()

const digit = (value: number): number => digits[value & 63] ?? 0

/** The base64 text of the first `length` bytes. */
export const encodeBase64 = (bytes: Uint8Array, length: number): string => {
  const textLength = Math.ceil(length / 3) * 4
  const text = textRoom(textLength)
  let at = 0
  for (let from = 0; from < length; from += 3) {
    const triple = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
    text[at] = digit(triple >> 18)
    text[at + 1] = digit(triple >> 12)
    text[at + 2] = digit(triple >> 6)
    text[at + 3] = digit(triple)
    at += 4
  }
  const rest = length % 3
  if (rest !== 0) {
    // The bits that fill up the last digit are zero, whatever stands behind `length` in the buffer.
    const last = ((bytes[length - rest] ?? 0) << 16) | (rest === 2 ? (bytes[length - 1] ?? 0) << 8 : 0)
    text[at - 3] = digit(last >> 12)
    text[at - 2] = rest === 2 ? digit(last >> 6) : padding
    text[at - 1] = padding
  }
  return ascii.decode(text)
}

const valueAt = (text: string, at: number): number => values[text.charCodeAt(at)] ?? invalid

/**
 * The bytes of base64 text, or undefined when it is not strictly that: other characters, missing or excess padding, or
 * bits set behind the end. They are written into `makeRoom(length)`, all of it.
 */
export const decodeBase64 = (text: string, makeRoom: (length: number) => Uint8Array): Uint8Array | undefined => {
  const length = text.length
  if (length % 4 !== 0) return undefined
  if (length === 0) return makeRoom(0)
  const pads = text.charCodeAt(length - 1) !== padding ? 0 : text.charCodeAt(length - 2) !== padding ? 1 : 2
  const bytes = makeRoom((length / 4) * 3 - pads)
  const whole = pads === 0 ? length : length - 4
  let to = 0
  for (let at = 0; at < whole; at += 4) {
    const a = valueAt(text, at)
    const b = valueAt(text, at + 1)
    const c = valueAt(text, at + 2)
    const d = valueAt(text, at + 3)
    if ((a | b | c | d) >= invalid) return undefined
    bytes[to] = (a << 2) | (b >> 4)
    bytes[to + 1] = (b << 4) | (c >> 2)
    bytes[to + 2] = (c << 6) | d
    to += 3
  }
  return pads === 0 || decodeLastGroup(text, bytes, to, pads) ? bytes : undefined
}

const decodeLastGroup = (text: string, bytes: Uint8Array, to: number, pads: number): boolean => {
  const at = text.length - 4
  const a = valueAt(text, at)
  const b = valueAt(text, at + 1)
  const c = pads === 1 ? valueAt(text, at + 2) : 0
  if ((a | b | c) >= invalid) return false
  bytes[to] = (a << 2) | (b >> 4)
  if (pads === 2) return (b & 15) === 0
  bytes[to + 1] = (b << 4) | (c >> 2)
  return (c & 3) === 0
}
