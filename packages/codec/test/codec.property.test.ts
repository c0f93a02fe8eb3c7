import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesFromBlob,
  CodecError,
  canonicalJson,
  decodeEnvelope,
  decodeExactValue,
  decodeValue,
  encodeEnvelope,
  encodeValue,
  Float,
  float,
} from '../src/index.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constant('__proto__'),
)
const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    finite,
    finite.map(float),
    text,
    fc.uint8Array(),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value'), { maxKeys: 80, noNullPrototype: true }),
  ),
}))

/** What `decodeValue` promises to give back for a value. */
const expected = (input: unknown, double: (input: number) => unknown): unknown => {
  if (Float.is(input)) return double(input.value)
  if (typeof input === 'bigint') return Number.isSafeInteger(Number(input)) ? Number(input) : input
  if (Array.isArray(input)) return input.map((item) => expected(item, double))
  if (typeof input !== 'object' || input === null || input instanceof Uint8Array) return input
  return Object.fromEntries(Object.entries(input).map(([key, item]) => [key, expected(item, double)]))
}
const exact = (input: number): unknown => (Number.isSafeInteger(input) && !Object.is(input, -0) ? float(input) : input)

const shuffled = (input: unknown): unknown => {
  if (Array.isArray(input)) return input.map(shuffled)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  )
}

describe('properties', () => {
  it('every value comes back', () => {
    fc.assert(
      fc.property(value, (input) => {
        expect(decodeEnvelope(encodeEnvelope(input))).toStrictEqual(expected(input, (double) => double))
      }),
      { numRuns: 500 },
    )
  })

  it('an exactly decoded value is written as the same bytes', () => {
    fc.assert(
      fc.property(value, (input) => {
        const bytes = encodeValue(input)
        const decoded = decodeExactValue(bytes)
        expect(decoded).toStrictEqual(expected(input, exact))
        expect(encodeValue(decoded)).toEqual(bytes)
      }),
      { numRuns: 500 },
    )
  })

  it('64-bit integers come back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat(63), (integer, shift) => {
        const shifted = integer >> BigInt(shift)
        const decoded = decodeValue(encodeValue(shifted))
        expect(BigInt(String(decoded))).toBe(shifted)
        expect(typeof decoded).toBe(Number.isSafeInteger(Number(shifted)) ? 'number' : 'bigint')
      }),
      { numRuns: 2_000 },
    )
  })

  it('a number is written as the bigint of the same value', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(52), (integer, shift) => {
        const shifted = Math.trunc(integer / 2 ** shift) + 0
        expect(encodeValue(shifted)).toEqual(encodeValue(BigInt(shifted)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('bytes that are no frame are refused with a CodecError, never another way', () => {
    const header = [...encodeValue(null).subarray(0, 10)]
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, framed) => {
        const bytes = framed ? Uint8Array.of(...header, ...noise) : noise
        try {
          decodeValue(bytes)
        } catch (error) {
          if (!CodecError.is(error)) throw error
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it('a frame with one changed byte is another value or a CodecError', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.integer({ min: 1, max: 255 }), (input, position, change) => {
        const bytes = bytesFromBlob(encodeEnvelope(input).blob)
        const at = position % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ change
        try {
          decodeValue(bytes)
        } catch (error) {
          if (!CodecError.is(error)) throw error
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('canonical JSON does not depend on the order of keys and says the same as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (input) => {
        const canonical = canonicalJson(input)
        expect(canonicalJson(shuffled(input))).toBe(canonical)
        expect(canonicalJson(JSON.parse(canonical))).toBe(canonical)
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(input)))
      }),
      { numRuns: 500 },
    )
  })
})
