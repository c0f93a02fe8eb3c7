import { describe, expect, it } from 'vitest'
import {
  blobBytesMax,
  blobFromBytes,
  bytesFromBlob,
  decodeArguments,
  decodeEnvelope,
  encodeArguments,
  encodeEnvelope,
  envelopeBytes,
  isEnvelopeShaped,
  requirePayloadCodec,
} from '../src/index.ts'
import { errorOf, reasonOf } from './reason-of.ts'

const seven = 'wwHioz3/VYAiNwQO'

describe('envelopes', () => {
  it('an envelope and a bare blob hold the same value', () => {
    expect(encodeEnvelope(7)).toEqual({ codec: 'avro', blob: seven })
    expect([
      decodeEnvelope({ codec: 'avro', blob: seven }),
      decodeEnvelope(seven),
      decodeEnvelope(seven, 'avro'),
    ]).toEqual([7, 7, 7])
  })

  it("an envelope's own label wins over the one around it; further keys are ignored", () => {
    expect(decodeEnvelope({ codec: 'avro', blob: seven, size: 1 }, 'json')).toBe(7)
  })

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['an envelope with a null blob', { codec: 'avro', blob: null }],
  ])('%s is null, and no arguments', (_, payload) => {
    expect(decodeEnvelope(payload)).toBeNull()
    expect(decodeArguments(payload)).toEqual([])
  })

  it.each([
    ['a number', 42, 'unsupported_payload_codec'],
    ['true', true, 'unsupported_payload_codec'],
    ['a list', [seven], 'unsupported_payload_codec'],
    ['an untagged object', { stale: true }, 'unsupported_payload_codec'],
    ['a json label', { codec: 'json', blob: '{}' }, 'unsupported_payload_codec'],
    ['another case', { codec: 'Avro', blob: seven }, 'unsupported_payload_codec'],
    ['a label that is null', { codec: null, blob: seven }, 'unsupported_payload_codec'],
    ['no blob', { codec: 'avro' }, 'invalid_payload_envelope'],
    ['a blob that is no string', { codec: 'avro', blob: 7 }, 'invalid_payload_envelope'],
    ['an external payload', { codec: 'avro', external_storage: {} }, 'invalid_payload_envelope'],
    ['an external reference', { codec: 'avro', external_payload: {} }, 'invalid_payload_envelope'],
    ['an empty blob', { codec: 'avro', blob: '' }, 'invalid_payload_framing'],
  ])('%s is refused', (_, payload, reason) => {
    expect(reasonOf(() => decodeEnvelope(payload))).toBe(reason)
  })

  it.each([undefined, null, '', 'json', 'AVRO', 42, ['avro']])('a task label %j is refused', (label) => {
    const error = errorOf(() => requirePayloadCodec(label, 'task t1'))
    expect([error.reason, error.facts.thing]).toEqual(['unsupported_payload_codec', 'task t1'])
  })

  it('a bare blob around which the label is missing is refused', () => {
    expect(reasonOf(() => decodeEnvelope(seven, null))).toBe('unsupported_payload_codec')
    expect(requirePayloadCodec('avro')).toBe('avro')
  })

  it.each([
    [{ codec: 'avro', blob: seven }, true],
    [{ codec: 'json', blob: null }, true],
    [{ codec: 'avro', external_storage: {} }, true],
    [{ codec: 'avro', external_payload: {} }, true],
    [{ codec: 'avro', blob: seven, more: 1 }, false],
    [{ codec: 'avro' }, false],
    [{ codec: 'avro', value: 1 }, false],
    [['codec', 'blob'], false],
    [null, false],
  ])('%j is recognised by its exact keys: %j', (value, shaped) => {
    expect(isEnvelopeShaped(value)).toBe(shaped)
  })

  it('a decoded value is not touched by the next one', () => {
    const first = decodeEnvelope(encodeEnvelope(['x'.repeat(80), Uint8Array.of(1, 2, 3)]))
    decodeEnvelope(encodeEnvelope(['y'.repeat(80), Uint8Array.of(4, 5, 6)]))
    expect(first).toStrictEqual(['x'.repeat(80), Uint8Array.of(1, 2, 3)])
  })

  it('arguments are one array; a single other value is the only argument', () => {
    expect(decodeArguments(encodeArguments([1, undefined, 'x']))).toEqual([1, null, 'x'])
    expect(decodeArguments(encodeArguments([]))).toEqual([])
    expect(decodeArguments(encodeEnvelope({ a: 1 }))).toEqual([{ a: 1 }])
    expect(decodeArguments(encodeArguments([[1, 2]]))).toEqual([[1, 2]])
    expect(errorOf(() => encodeArguments([{ order: { when: new Date(0) } }])).facts.thing).toBe('input[0].order.when')
  })

  it('the size of an envelope is the bytes of its text', () => {
    const envelope = encodeEnvelope('x'.repeat(1_000))
    expect(envelopeBytes(envelope)).toBe(Buffer.byteLength(envelope.blob))
    expect(envelopeBytes({ blob: 'é' })).toBe(2)
  })
})

describe('base64', () => {
  it('agrees with the platform for every length and byte', () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = new Uint8Array(length).map((_, index) => index * 11 + length)
      const text = Buffer.from(bytes).toString('base64')
      expect(blobFromBytes(bytes)).toBe(text)
      if (length > 0) expect(bytesFromBlob(text)).toStrictEqual(bytes)
    }
  })

  it('bytes behind the end of a view do not leak into the last digits', () => {
    expect(blobFromBytes(Uint8Array.of(1, 255, 255).subarray(0, 1))).toBe('AQ==')
    expect(blobFromBytes(Uint8Array.of(1, 2, 255).subarray(0, 2))).toBe('AQI=')
  })

  it.each([
    'A',
    'AA',
    'AAA',
    'AA=A',
    'A===',
    '====',
    'AAAA====',
    'AA==AAAA',
    'AAA\n',
    ' AAA',
    'AA-_',
    'AAé=',
    'AB==',
    'AAB=',
    'AA😀',
  ])('%j is not strict base64', (text) => {
    const error = errorOf(() => bytesFromBlob(text))
    expect([error.reason, error.facts.diagnosis]).toEqual(['invalid_payload_framing', 'invalid_base64'])
  })

  it('JSON text is named as such', () => {
    expect(errorOf(() => bytesFromBlob('{"a":1}')).facts.diagnosis).toBe('json_bytes_labeled_avro')
  })

  it('a blob above the bound is refused before it is decoded', () => {
    expect(reasonOf(() => bytesFromBlob('A'.repeat(blobBytesMax + 4)))).toBe('structural_limit_exceeded')
  })
})
