// Values that have no golden vector, and what is refused.
//
// - edges: what decodes to what, and which branch a number takes
// - refusals of writing, with the path
// - refusals of reading: frames that claim more than they hold
// - bounds of limits.ts

import { describe, expect, it } from 'vitest'
import {
  CodecError,
  decodeDepthMax,
  decodeExactValue,
  decodeValue,
  encodeDepthMax,
  encodeValue,
  Float,
  float,
  frameBytesMax,
} from '../src/index.ts'
import { errorOf, reasonOf } from './reason-of.ts'

const header = 'c301e2a33dff55802237'
const datumOf = (value: unknown): string => Buffer.from(encodeValue(value)).toString('hex').slice(header.length)
const frameOf = (datum: string): Uint8Array => new Uint8Array(Buffer.from(header + datum, 'hex'))
const nest = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = null
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

describe('values', () => {
  it.each([
    ['0', 0, '0400'],
    ['-1', -1, '0401'],
    ['63 is one group', 63, '047e'],
    ['64 is two groups', 64, '048001'],
    ['2^30', 2 ** 30, '048080808008'],
    ['-2^30 - 1', -(2 ** 30) - 1, '048180808008'],
    ['2^31 - 1', 2 ** 31 - 1, '04feffffff0f'],
    ['-2^31', -(2 ** 31), '04ffffffff0f'],
    ['a time in milliseconds', 1_764_497_760_000, '0480fc98c4da66'],
    ['2^52 - 1', 2 ** 52 - 1, '04feffffffffffff0f'],
    ['2^53 - 1', Number.MAX_SAFE_INTEGER, '04feffffffffffff1f'],
    ['-(2^53 - 1)', Number.MIN_SAFE_INTEGER, '04fdffffffffffff1f'],
    ['2^53 as a bigint', 2n ** 53n, '048080808080808020'],
    ['the largest long', 2n ** 63n - 1n, '04feffffffffffffffff01'],
    ['the smallest long', -(2n ** 63n), '04ffffffffffffffffff01'],
    ['minus zero', -0, '060000000000000080'],
    ['2^53 as a number is a double', 2 ** 53, '060000000000004043'],
    ['the smallest double', 5e-324, '060100000000000000'],
    ['an empty string', '', '0a00'],
    ['a byte order mark is content', '\uFEFFabc', '0a0cefbbbf616263'],
    ['four-byte UTF-8', '😀', '0a08f09f9880'],
    ['empty bytes', new Uint8Array(0), '0800'],
    ['an empty array', [], '0c00'],
    ['an empty object', {}, '0e00'],
  ])('%s has one form and comes back', (_, value, datum) => {
    expect(datumOf(value)).toBe(datum)
    expect(decodeValue(frameOf(datum))).toStrictEqual(value)
  })

  it('a bigint inside the safe range comes back as a number', () => {
    expect(decodeValue(encodeValue(7n))).toBe(7)
    expect(datumOf(-7n)).toBe(datumOf(-7))
  })

  it('an integral double stays a double only where it is marked', () => {
    expect(datumOf(float(7))).toBe('060000000000001c40')
    expect(decodeValue(encodeValue(float(7)))).toBe(7)
    const exact = decodeExactValue(encodeValue([float(7), 7, 7.5, float(-0), 1e300]))
    expect(exact).toStrictEqual([float(7), 7, 7.5, -0, 1e300])
    expect(datumOf(exact)).toBe(datumOf([float(7), 7, 7.5, -0, 1e300]))
  })

  it('a Float counts as its number and is known across copies of the package', () => {
    expect(Number(float(7)) + 1).toBe(8)
    expect(JSON.stringify({ price: float(7) })).toBe('{"price":7}')
    const foreign = { value: 7, [Symbol.for('@durable-workflow/codec.Float')]: true }
    expect([Float.is(float(1)), Float.is(foreign), Float.is(7), Float.is(null)]).toEqual([true, true, false, false])
  })

  it('undefined members are left out, undefined places are null', () => {
    expect(datumOf({ a: undefined, b: 1 })).toBe(datumOf({ b: 1 }))
    expect(datumOf({ a: undefined })).toBe('0e00')
    expect(datumOf([undefined, 1])).toBe(datumOf([null, 1]))
    expect(datumOf(new Array(2))).toBe(datumOf([null, null]))
    expect(datumOf(undefined)).toBe('00')
  })

  it('undefined members of a large object are left out of its count', () => {
    const members = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`k${index}`, index % 2 ? index : undefined]),
    )
    const decoded = decodeValue(encodeValue(members))
    expect(Object.keys(decoded ?? {})).toHaveLength(100)
    expect(decoded).toStrictEqual(JSON.parse(JSON.stringify(members)))
  })

  it('objects without a prototype, with a key __proto__, and of Buffer are taken as what they hold', () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    expect(decodeValue(encodeValue(bare))).toStrictEqual({ a: 1 })
    const decoded = decodeValue(encodeValue(JSON.parse('{"__proto__":{"admin":true}}')))
    expect(Object.keys(decoded ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
    expect(decodeValue(encodeValue(Buffer.from([1, 2])))).toStrictEqual(Uint8Array.of(1, 2))
  })

  it('decoded bytes share no memory with the frame, a Buffer included', () => {
    const frame = Buffer.from(encodeValue(Uint8Array.of(1, 2, 3)))
    const decoded = decodeValue(frame)
    frame.fill(9)
    expect(decoded).toStrictEqual(Uint8Array.of(1, 2, 3))
  })

  it('huge arrays, strings and bytes come back', () => {
    const numbers = Array.from({ length: 300_000 }, (_, index) => index * 7)
    const text = 'grüße '.repeat(200_000)
    const bytes = new Uint8Array(2_000_000).map((_, index) => index)
    expect(decodeValue(encodeValue({ numbers, text, bytes }))).toStrictEqual({ numbers, text, bytes })
  })

  it('a getter that encodes does not disturb the frame around it', () => {
    const value = {
      first: 'x'.repeat(40),
      get inner() {
        return encodeValue([1, 2, 3])
      },
      last: true,
    }
    expect(decodeValue(encodeValue(value))).toStrictEqual({
      first: 'x'.repeat(40),
      inner: encodeValue([1, 2, 3]),
      last: true,
    })
  })

  it('a refusal leaves nothing behind for the next frame', () => {
    expect(reasonOf(() => encodeValue({ a: [1, { b: () => 1 }] }))).toBe('unsupported_value_type')
    expect(datumOf({ a: 1 })).toBe('0e0202610402' + '00')
  })
})

describe('what cannot be written is refused with its path', () => {
  class Order {
    id = 1
  }
  const self: Record<string, unknown> = { name: 'self' }
  self.items = [self]

  it.each([
    ['a Date', { order: { when: new Date(0) } }, 'unsupported_value_type', 'input.order.when', 'ISO 8601'],
    ['an instance', [new Order()], 'unsupported_value_type', 'input[0]', 'Order'],
    ['a Map', { 'odd key': new Map() }, 'unsupported_value_type', 'input["odd key"]', 'plain object'],
    ['a Set', new Set(), 'unsupported_value_type', 'input', 'array'],
    ['an Error', { a: new RangeError('x') }, 'unsupported_value_type', 'input.a', 'message'],
    ['a Promise', [[Promise.resolve(1)]], 'unsupported_value_type', 'input[0][0]', 'await'],
    ['a function', { run: () => 1 }, 'unsupported_value_type', 'input.run', 'function'],
    ['a symbol', { s: Symbol('s') }, 'unsupported_value_type', 'input.s', 'symbol'],
    ['another typed array', { f: new Float64Array(1) }, 'unsupported_value_type', 'input.f', 'Uint8Array'],
    ['a cycle', self, 'unsupported_value_type', 'input.items[0]', 'contains itself'],
    ['a symbol key', { a: { [Symbol('k')]: 1 } }, 'invalid_map_key', 'input.a', 'strings as keys'],
    ['NaN', { ratio: Number.NaN }, 'non_finite_float', 'input.ratio', 'NaN'],
    ['infinity', [1, Number.POSITIVE_INFINITY], 'non_finite_float', 'input[1]', 'Infinity'],
    ['a bigint above 64 bits', { n: 2n ** 63n }, 'integer_overflow', 'input.n', '9223372036854775807'],
    ['a bigint below 64 bits', { n: -(2n ** 63n) - 1n }, 'integer_overflow', 'input.n', '-9223372036854775808'],
    ['a lone high surrogate', { t: '\uD800' }, 'invalid_utf8_string', 'input.t', 'surrogate'],
    [
      'a lone low surrogate in a long string',
      [`${'x'.repeat(99)}\uDC00`],
      'invalid_utf8_string',
      'input[0]',
      'surrogate',
    ],
    ['a lone surrogate as a key', { a: { '\uD800': 1 } }, 'invalid_utf8_string', 'input.a["\\ud800"]', 'surrogate'],
    ['a member after others', { a: [1, [2]], b: { c: new Date(0) } }, 'unsupported_value_type', 'input.b.c', 'Date'],
  ])('%s', (_, value, reason, thing, word) => {
    const error = errorOf(() => encodeValue(value, 'input'))
    expect([error.reason, error.facts.thing]).toEqual([reason, thing])
    expect(error.message).toContain(word)
    expect(error.message.startsWith(`${thing}: `)).toBe(true)
    expect(error.message.endsWith(error.remedy)).toBe(true)
  })

  it('the same object twice is no cycle', () => {
    const shared = { a: 1 }
    expect(decodeValue(encodeValue([shared, shared, { shared }]))).toStrictEqual([
      { a: 1 },
      { a: 1 },
      { shared: { a: 1 } },
    ])
  })

  it('float() refuses what is not finite', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(reasonOf(() => float(value))).toBe('non_finite_float')
  })

  it('errors of another copy of the package are recognised, other errors are not', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('@durable-workflow/codec.CodecError')]: true })
    expect([CodecError.is(foreign), CodecError.is(new Error('x')), CodecError.is({ reason: 'x' })]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('frames that are refused', () => {
  it.each([
    ['a boolean of 2', '0202'],
    ['an integer that never ends', `04${'80'.repeat(9)}`],
    ['an integer of eleven bytes', `04${'80'.repeat(10)}00`],
    ['an integer above 64 bits', `04${'ff'.repeat(9)}02`],
    ['a negative length', '0a01'],
    ['a length beyond the frame', '0affffffff0f'],
    ['a length beyond a number', `0a${'ff'.repeat(9)}01`],
    ['a count beyond the frame', '0cfeffffff0f00'],
    ['a map count beyond the frame', '0e06026100'],
    ['a count of −2^63', `0c${'ff'.repeat(9)}0100`],
    ['a block of another size', '0c0108040e00'],
    ['a block that ends in the middle', '0c02040e'],
    ['a union branch far outside', `${'fe'.repeat(3)}7f`],
    ['a negative union branch', '01'],
    ['an overlong UTF-8 form', '0a04c080'],
    ['a surrogate in UTF-8', '0a06eda080'],
    ['invalid UTF-8 in a long string', `0a${'8001'}${'61'.repeat(63)}ff`],
    ['invalid UTF-8 in a key', '0e0202ff0000'],
  ])('%s', (_, datum) => {
    const error = errorOf(() => decodeValue(frameOf(datum)))
    expect(error.reason).toBe('invalid_payload_framing')
    expect(error.facts.offset).toBeGreaterThanOrEqual(10)
  })

  it.each([
    ['longer integers than needed', '048e00', 7],
    ['a block with its size', '0c0104040e00', [7]],
    ['two blocks', '0c02040e02041000', [7, 8]],
    ['two blocks of a map, the later of equal keys wins', '0e02026104020202610404' + '00', { a: 2 }],
  ])('%s are read, as the published SDKs do', (_, datum, value) => {
    expect(decodeValue(frameOf(datum))).toStrictEqual(value)
  })

  it.each([
    ['nothing', '', 'invalid_payload_framing', 'empty_payload'],
    ['JSON text', Buffer.from('{"a":1}').toString('hex'), 'invalid_payload_framing', 'json_bytes_labeled_avro'],
    ['another magic', 'c30200', 'invalid_payload_framing', 'invalid_single_object_magic'],
    ['another schema', `c301${'11'.repeat(8)}00`, 'unsupported_payload_schema', 'unsupported_payload_schema'],
  ])('a frame of %s is diagnosed', (_, hex, reason, diagnosis) => {
    const error = errorOf(() => decodeValue(new Uint8Array(Buffer.from(hex, 'hex'))))
    expect([error.reason, error.facts.diagnosis]).toEqual([reason, diagnosis])
  })

  it('every proper prefix of a frame is refused, and so is every frame with a byte more', () => {
    const frame = encodeValue({ a: [1, -2.5, 'text', new Uint8Array(3), null, true], b: { c: 2n ** 60n } })
    for (let length = 0; length < frame.length; length++) {
      expect(reasonOf(() => decodeValue(frame.subarray(0, length)))).toBe('invalid_payload_framing')
    }
    expect(reasonOf(() => decodeValue(Uint8Array.of(...frame, 0)))).toBe('invalid_payload_framing')
  })
})

describe('bounds', () => {
  it.each([
    ['arrays', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ a: inner })],
  ])('%s are written up to the depth that the published SDKs read', (_, wrap) => {
    const deepest = nest(encodeDepthMax, wrap)
    expect(decodeValue(encodeValue(deepest))).toStrictEqual(deepest)
    const error = errorOf(() => encodeValue(nest(encodeDepthMax + 1, wrap)))
    expect([error.reason, error.facts.limit]).toEqual(['structural_limit_exceeded', '400 levels'])
  })

  it('frames are read deeper than that, and no deeper than their own bound', () => {
    const deep = (levels: number) => frameOf(`${'0c02'.repeat(levels)}00${'00'.repeat(levels)}`)
    expect(decodeValue(deep(decodeDepthMax))).toStrictEqual(nest(decodeDepthMax, (inner) => [inner]))
    expect(reasonOf(() => decodeValue(deep(decodeDepthMax + 1)))).toBe('structural_limit_exceeded')
    expect(reasonOf(() => decodeValue(deep(1_000_000)))).toBe('structural_limit_exceeded')
  })

  it('frames above the size bound are neither written nor read', () => {
    const bytes = new Uint8Array(frameBytesMax)
    const error = errorOf(() => encodeValue({ file: bytes }))
    expect([error.reason, error.facts.limit]).toEqual(['structural_limit_exceeded', `${frameBytesMax} bytes`])
    expect(reasonOf(() => decodeValue(new Uint8Array(frameBytesMax + 1)))).toBe('structural_limit_exceeded')
  })
})
