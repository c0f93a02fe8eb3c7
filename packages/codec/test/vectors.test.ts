// Every published vector of the codec, read in place beside the repository, and none left unread.
//
// - golden: 16 values there and back byte for byte, equal maps in other orders, 18 frames that are refused
// - the schema's fingerprint, computed from its canonical form
// - the benchmark value
// - regressions: each file by its failure policy
//
// `plans` names every file; a file without a plan, or a plan that did not read its file, fails.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { vectorManifest } from '../../../tests/support/vector-manifest.ts'
import {
  blobFromBytes,
  bytesFromBlob,
  decodeEnvelope,
  decodeExactValue,
  decodeValue,
  encodeEnvelope,
  encodeValue,
  float,
  requirePayloadCodec,
} from '../src/index.ts'
import { reasonOf } from './reason-of.ts'

const folder = new URL('../../../../shared/vectors/codec/', import.meta.url)
const present = existsSync(folder)
if (!present) console.warn('SKIPPED: the codec vectors are not beside the repository (../shared/vectors/codec)')

const seen = new Set<string>()
const read = (file: string): string => {
  seen.add(file)
  return readFileSync(new URL(file, folder), 'utf8')
}

const at = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) throw new Error(`no ${key} in ${String(inner)}`)
    return Object.entries(inner).find(([name]) => name === String(key))?.[1]
  }, value)
const textAt = (value: unknown, ...keys: (string | number)[]): string => {
  const text = at(value, ...keys)
  if (typeof text !== 'string') throw new Error(`${keys.join('.')} is no string`)
  return text
}
const listAt = (value: unknown, ...keys: (string | number)[]): unknown[] => {
  const list = at(value, ...keys)
  if (!Array.isArray(list)) throw new Error(`${keys.join('.')} is no list`)
  return list
}
const jsonOf = (file: string): unknown => JSON.parse(read(file))
const exactOf = (blob: string) => decodeExactValue(bytesFromBlob(blob))

const containers: Readonly<Record<string, unknown>> = {
  array: [null, true, 7, float(7), Uint8Array.of(0, 255), 'text'],
  map: { a: 1, b: [false] },
  map_empty: {},
  map_key_0: { 0: 'zero' },
  map_keys_0_1: { 0: 'zero', 1: 'one' },
  nested: { items: [{ enabled: true }, new TextEncoder().encode('bytes'), -2.5] },
}

const scalarOf = (goldenCase: unknown): unknown => {
  const value = at(goldenCase, 'value')
  switch (textAt(goldenCase, 'kind')) {
    case 'null':
      return null
    case 'long': {
      const long = BigInt(String(value))
      return Number.isSafeInteger(Number(long)) ? Number(long) : long
    }
    case 'double':
      return Object.is(Number(value), -0) ? -0 : float(Number(value))
    case 'bytes':
      return new Uint8Array(Buffer.from(textAt(goldenCase, 'value_base64'), 'base64'))
    default:
      return value
  }
}

const golden = (file: string): void => {
  const document = jsonOf(file)
  const cases = listAt(document, 'cases')
  it.each(cases.map((goldenCase) => [textAt(goldenCase, 'name'), goldenCase] as const))(
    'golden %s decodes to its value and encodes to the same bytes',
    (name, goldenCase) => {
      const wire = textAt(goldenCase, 'wire_base64')
      const expected = name in containers ? containers[name] : scalarOf(goldenCase)
      expect(exactOf(wire)).toStrictEqual(expected)
      expect(blobFromBytes(encodeValue(exactOf(wire)))).toBe(wire)
      expect(encodeEnvelope(expected)).toEqual({ codec: 'avro', blob: wire })
    },
  )
  it.each(listAt(document, 'alternate_map_orders').map((order) => [textAt(order, 'name'), order] as const))(
    'map orders of %s are one value',
    (_, order) => {
      const [first, ...others] = listAt(order, 'wire_base64').map((wire) => exactOf(String(wire)))
      expect(others.length).toBeGreaterThan(0)
      for (const other of others) expect(other).toStrictEqual(first)
    },
  )
  const malformed = listAt(document, 'malformed_frames')
  it.each(
    malformed.map((frame) => [textAt(frame, 'name'), textAt(frame, 'error'), textAt(frame, 'wire_base64')] as const),
  )('malformed %s is refused as %s', (_, error, blob) => {
    expect(reasonOf(() => decodeEnvelope({ codec: 'avro', blob }))).toBe(error)
  })
  it('the golden file has the 16 cases and 18 malformed frames that were published', () => {
    expect([cases.length, malformed.length]).toEqual([16, 18])
    expect(textAt(document, 'magic_hex') + textAt(document, 'fingerprint')).toBe(headerHex())
  })
}

const headerHex = (): string => Buffer.from(encodeValue(null).subarray(0, 10)).toString('hex')

// Avro's parsing canonical form, as far as this schema needs it.
const canonicalForm = (schema: unknown, namespace: string): unknown => {
  if (schema === 'Value') return `${namespace}.Value`
  if (typeof schema === 'string') return schema
  if (Array.isArray(schema)) return schema.map((branch) => canonicalForm(branch, namespace))
  switch (textAt(schema, 'type')) {
    case 'record':
      return {
        name: `${namespace}.${textAt(schema, 'name')}`,
        type: 'record',
        fields: listAt(schema, 'fields').map((field) => ({
          name: textAt(field, 'name'),
          type: canonicalForm(at(field, 'type'), namespace),
        })),
      }
    case 'array':
      return { type: 'array', items: canonicalForm(at(schema, 'items'), namespace) }
    default:
      return { type: 'map', values: canonicalForm(at(schema, 'values'), namespace) }
  }
}

const crc64Avro = (bytes: Uint8Array): bigint => {
  const empty = 0xc15d213aa4d7a795n
  let crc = empty
  for (const byte of bytes) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = (crc >> 1n) ^ (crc & 1n ? empty : 0n)
  }
  return crc
}

const schema = (file: string): void => {
  it('the frame header carries the CRC-64-AVRO of the published schema', () => {
    const document = jsonOf(file)
    const canonical = JSON.stringify(canonicalForm(document, textAt(document, 'namespace')))
    const fingerprint = new Uint8Array(8)
    new DataView(fingerprint.buffer).setBigUint64(0, crc64Avro(new TextEncoder().encode(canonical)), true)
    expect(headerHex()).toBe(`c301${Buffer.from(fingerprint).toString('hex')}`)
  })
}

const benchmark = (file: string): void => {
  it('the benchmark value survives with its bytes and its integral double', () => {
    const value = at(jsonOf(file), 'value')
    const blob = new Uint8Array(Buffer.from(textAt(value, 'blob', '$avro_bytes'), 'base64'))
    const typed = Object.assign({}, value, { blob, ratio: float(7) })
    const bytes = encodeValue(typed)
    expect(decodeExactValue(bytes)).toStrictEqual(typed)
    expect(encodeValue(decodeExactValue(bytes))).toEqual(bytes)
    expect(decodeValue(bytes)).toStrictEqual({ ...typed, ratio: 7 })
  })
}

const policyOf = (document: unknown): string => textAt(document, 'failure_policy', 'error')
const wireTextOf = (document: unknown): string =>
  Buffer.from(textAt(document, 'framing', 'wire_base64'), 'base64').toString('utf8')

const longZero = (file: string): void => {
  it(`${file}: long 0 there and back`, () => {
    const wire = textAt(jsonOf(file), 'framing', 'wire_base64')
    expect(encodeEnvelope(0).blob).toBe(wire)
    expect(decodeEnvelope(wire)).toBe(0)
    expect(blobFromBytes(encodeValue(decodeValue(bytesFromBlob(wire))))).toBe(wire)
  })
}

const rawJson = (file: string): void => {
  it(`${file}: JSON where a payload belongs is refused, as a value, as text and as labelled bytes`, () => {
    const document = jsonOf(file)
    const text = wireTextOf(document)
    expect(reasonOf(() => decodeEnvelope(JSON.parse(text)))).toBe(policyOf(document))
    expect(reasonOf(() => decodeEnvelope(text))).toBe('invalid_payload_framing')
    expect(reasonOf(() => decodeEnvelope(textAt(document, 'framing', 'wire_base64')))).toBe('invalid_payload_framing')
  })
}

const rawJsonNull = (file: string): void => {
  it(`${file}: a json label is refused even when nothing is in it`, () => {
    const document = jsonOf(file)
    const result = at(document, 'task_boundary', 'command', 'result')
    expect(reasonOf(() => decodeEnvelope(result))).toBe(textAt(document, 'task_boundary', 'error'))
    expect(reasonOf(() => decodeEnvelope({ codec: 'avro', blob: wireTextOf(document) }))).toBe(
      'invalid_payload_framing',
    )
  })
}

const jsonTagged = (file: string): void => {
  it(`${file}: the label is refused before the blob is looked at`, () => {
    const document = jsonOf(file)
    const codec = textAt(document, 'protocol', 'codec')
    for (const blob of [wireTextOf(document), textAt(document, 'framing', 'wire_base64'), null]) {
      expect(reasonOf(() => decodeEnvelope({ codec, blob }))).toBe(policyOf(document))
    }
    expect(reasonOf(() => decodeEnvelope(wireTextOf(document), codec))).toBe(policyOf(document))
  })
}

const codecCases = (file: string): void => {
  it(`${file}: a task's label is checked before its payload is decoded`, () => {
    const document = jsonOf(file)
    const cases = listAt(document, 'task_transport', 'payload_codec_cases')
    expect(cases.length).toBeGreaterThan(0)
    for (const codecCase of cases) {
      const label = at(codecCase, 'present') === true ? at(codecCase, 'value') : undefined
      expect(reasonOf(() => requirePayloadCodec(label))).toBe(textAt(document, 'task_transport', 'expected_error'))
    }
    expect(reasonOf(() => decodeEnvelope(textAt(document, 'framing', 'wire_base64')))).toBe(policyOf(document))
  })
}

const rootTasks = (file: string): void => {
  it(`${file}: a task without a label is refused`, () => {
    const document = jsonOf(file)
    const tasks = listAt(JSON.parse(wireTextOf(document)))
    expect(tasks.length).toBeGreaterThan(0)
    for (const task of tasks)
      expect(reasonOf(() => requirePayloadCodec(at(task, 'payload_codec')))).toBe(policyOf(document))
  })
}

const malformedTasks = (file: string): void => {
  it(`${file}: every task family with a malformed label is refused`, () => {
    const document = jsonOf(file)
    const cases = listAt(document, 'task_boundary', 'cases')
    expect(cases.length).toBe(9)
    for (const taskCase of cases) {
      const label = at(taskCase, 'task', 'payload_codec')
      expect(reasonOf(() => requirePayloadCodec(label))).toBe(textAt(document, 'task_boundary', 'error'))
    }
    expect(reasonOf(() => decodeEnvelope(JSON.parse(wireTextOf(document))))).toBe(policyOf(document))
  })
}

const plans: Readonly<Record<string, (file: string) => void>> = {
  'avro-value-benchmark-v1.json': benchmark,
  'avro-value-v1-golden.json': golden,
  'durable_workflow.protocol.Value.v1.avsc': schema,
  'regressions/php-avro-value-v1-long-zero.json': longZero,
  'regressions/php-raw-json-payload-rejected.json': rawJson,
  'regressions/php-root-task-codecs-rejected-before-decode.json': codecCases,
  'regressions/python-avro-value-v1-long-zero.json': longZero,
  'regressions/python-json-tagged-null-payload-codec-rejected.json': jsonTagged,
  'regressions/python-json-tagged-payload-codec-rejected.json': jsonTagged,
  'regressions/python-missing-null-root-task-codecs-rejected.json': rootTasks,
  'regressions/rust-avro-value-v1-long-zero.json': longZero,
  'regressions/rust-malformed-task-payload-codecs-rejected.json': malformedTasks,
  'regressions/rust-raw-json-null-payload-rejected.json': rawJsonNull,
  'regressions/rust-raw-json-payload-rejected.json': rawJson,
}

describe.skipIf(!present)('published codec vectors (../shared/vectors/codec)', () => {
  if (!present) {
    it('are not beside the repository', () => {})
    return
  }
  for (const [file, plan] of Object.entries(plans)) plan(file)

  it('every file has a plan, every plan has read its file', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.split('/vectors/codec/')[1]?.replace(/^\/+/, ''))
    expect(files.toSorted()).toEqual(Object.keys(plans).toSorted())
    expect([...seen].toSorted()).toEqual(Object.keys(plans).toSorted())
    expect(seen.size).toBe(14)
    const proven = Object.entries(vectorManifest).filter(
      ([file, fate]) => file.startsWith('codec/') && /^(passing|refused)/.test(fate),
    )
    expect(proven.map(([file]) => file.slice('codec/'.length)).toSorted()).toEqual(Object.keys(plans).toSorted())
  })
})
