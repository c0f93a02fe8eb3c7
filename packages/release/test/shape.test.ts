import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText, type Json, readCanonical } from '../src/canonical.ts'
import { Refused } from '../src/refusal.ts'
import { boolean, integer, list, nullable, object, oneOf, type Shape, shaped, table, text } from '../src/shape.ts'

/** Code and place of the refusal; `holds` when there is none. */
function told(shape: Shape<unknown>, value: unknown): string {
  try {
    shaped(shape, value, 'it')
    return 'holds'
  } catch (error) {
    if (error instanceof Refused) return `${error.code} ${error.facts.at}`
    throw error
  }
}

const point = object({ x: integer(0, 9), tags: list(text(/^[a-z]+$/)), note: nullable(text()) })

test.each<[string, Shape<unknown>, unknown, string]>([
  ['exactly its fields', point, { x: 0, tags: ['a'], note: null }, 'holds'],
  ['a bound itself', point, { x: 9, tags: [], note: 'b' }, 'holds'],
  ['a number above the bound', point, { x: 10, tags: [], note: null }, 'record_schema_invalid it.x'],
  ['a fraction', point, { x: 0.5, tags: [], note: null }, 'record_schema_invalid it.x'],
  ['a number as text', point, { x: '1', tags: [], note: null }, 'record_schema_invalid it.x'],
  ['a field too few', point, { x: 1, tags: [] }, 'record_schema_invalid it.note'],
  ['a field too many', point, { x: 1, tags: [], note: null, y: 1 }, 'record_unknown_field it.y'],
  [
    'a field called like what every object has',
    object({ constructor: text() }),
    {},
    'record_schema_invalid it.constructor',
  ],
  ['a member of a list', point, { x: 1, tags: ['a', 'B'], note: null }, 'record_schema_invalid it.tags[1]'],
  ['an object for a list', point, { x: 1, tags: {}, note: null }, 'record_schema_invalid it.tags'],
  ['a list for an object', point, [], 'record_schema_invalid it'],
  ['null for an object', point, null, 'record_schema_invalid it'],
  ['a list that is too long', list(boolean, 1), [true, false], 'record_schema_invalid it'],
  ['a word of several', oneOf('a', 'b'), 'b', 'holds'],
  ['no word of several', oneOf('a', 'b'), 'c', 'record_schema_invalid it'],
  ['a text for true', boolean, 'true', 'record_schema_invalid it'],
  ['a table', table(integer(), /^[a-z]$/), { a: 1, b: 2 }, 'holds'],
  ['a key of a table', table(integer(), /^[a-z]$/), { ab: 1 }, 'record_schema_invalid it.ab'],
  ['a value of a table', table(integer(), /^[a-z]$/), { a: true }, 'record_schema_invalid it.a'],
  ['a list for a table', table(integer()), [1], 'record_schema_invalid it'],
  ['the empty text', text(), '', 'record_schema_invalid it'],
  ['a line after the pattern', text(/^[a-z]+$/), 'a\n', 'record_schema_invalid it'],
])('a shape and %s', (_, shape, value, ending) => {
  expect(told(shape, value)).toBe(ending)
})

const plain = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

describe('canonical JSON', () => {
  test('what is written is read back, and written again it is the same text', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const written = canonicalText(value)
        const again = readCanonical(written, 'it')
        expect(again).toEqual(value)
        expect(canonicalText(again)).toBe(written)
      }),
    )
  })

  test('equal content in another order of keys has one text', () => {
    expect(canonicalText({ b: 1, a: [{ d: null, c: true }] })).toBe(canonicalText({ a: [{ c: true, d: null }], b: 1 }))
  })

  test.each([
    ['a key twice', '{\n  "a": 1,\n  "a": 1\n}\n'],
    ['keys in another order', '{\n  "b": 1,\n  "a": 1\n}\n'],
    ['other spacing', '{"a":1}\n'],
    ['no newline at the end', '{\n  "a": 1\n}'],
    ['more after the end', '{\n  "a": 1\n}\n\n'],
    ['a fraction', '0.5\n'],
    ['a number beyond the safe integers', '9007199254740993\n'],
    ['minus zero', '-0\n'],
    ['a letter written as an escape', '"\\u0061"\n'],
    ['no JSON', '{'],
    ['nothing', ''],
    ['nesting deeper than a stack', '['.repeat(200_000) + ']'.repeat(200_000)],
  ])('%s is refused', (_, written) => {
    expect(() => readCanonical(written, 'it')).toThrow(expect.objectContaining({ code: 'manifest_not_canonical' }))
  })
})
