// Avro longs: zig-zag, then groups of seven bits, least significant first.
//
// Three ranges, fastest first: 31-bit integers by shifts, integers whose zig-zag stays below 2^53 by exact double
// arithmetic, the rest by bigint.

import { varintBytesMax } from '../limits.ts'

const zigZagMax = 2 ** 52 - 1

/** Writes a safe integer at `position`; `bytes` has room for ten more. Returns the position after it. */
export const writeInteger = (bytes: Uint8Array, position: number, value: number): number => {
  if (value >= -0x4000_0000 && value < 0x4000_0000) return writeGroups(bytes, position, (value << 1) ^ (value >> 31))
  if (Math.abs(value) > zigZagMax) return writeBigInteger(bytes, position, BigInt(value))
  let rest = value < 0 ? -value * 2 - 1 : value * 2
  let at = position
  while (rest >= 0x8000_0000) {
    bytes[at++] = (rest % 128) | 0x80
    rest = Math.floor(rest / 128)
  }
  return writeGroups(bytes, at, rest)
}

const writeGroups = (bytes: Uint8Array, position: number, zigZag: number): number => {
  let rest = zigZag
  let at = position
  while (rest > 0x7f) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[at++] = rest
  return at
}

/** As `writeInteger`, for any integer of 64 bits. */
export const writeBigInteger = (bytes: Uint8Array, position: number, value: bigint): number => {
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
  let at = position
  while (rest > 0x7fn) {
    bytes[at++] = Number(rest & 0x7fn) | 0x80
    rest >>= 7n
  }
  bytes[at++] = Number(rest)
  return at
}

/**
 * The integer whose groups are `bytes[start..end)`, at most ten of them: a number where that is safe, otherwise a bigint;
 * undefined when it does not fit 64 bits. Longer forms than needed are read, as the published SDKs do.
 */
export const readInteger = (bytes: Uint8Array, start: number, end: number): number | bigint | undefined => {
  const length = end - start
  if (length > varintBytesMax || (length === varintBytesMax && (bytes[end - 1] ?? 0) > 1)) return undefined
  let zigZag = 0
  let scale = 1
  // Seven groups are 49 bits: exact in a double.
  for (let at = start; at < end && at < start + 7; at++) {
    zigZag += ((bytes[at] ?? 0) & 0x7f) * scale
    scale *= 128
  }
  if (length <= 7) return zigZag % 2 === 0 ? zigZag / 2 : -(zigZag + 1) / 2
  return readBigInteger(bytes, start, end)
}

const readBigInteger = (bytes: Uint8Array, start: number, end: number): number | bigint => {
  let zigZag = 0n
  for (let at = end - 1; at >= start; at--) zigZag = (zigZag << 7n) | BigInt((bytes[at] ?? 0) & 0x7f)
  const value = (zigZag >> 1n) ^ -(zigZag & 1n)
  const short = Number(value)
  return Number.isSafeInteger(short) ? short : value
}
