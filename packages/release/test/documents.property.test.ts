// Lockfiles are read as their package managers read them: JSON as JSON.parse, and YAML as texts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson, readYaml, type Tree } from '../src/lockfiles/document.ts'

const plain = (tree: Tree): unknown => {
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([key, value]) => [key, plain(value)]))
  return Array.isArray(tree) ? tree.map(plain) : tree
}

const document = fc
  .jsonValue({ noUnicodeString: false })
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

test('every JSON document is read as JSON.parse reads it, however it is spaced', () => {
  fc.assert(
    fc.property(document, fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(plain(readJson(text))).toEqual(JSON.parse(text))
    }),
  )
})

test('a key twice is refused, wherever it stands and however it is written', () => {
  fc.assert(
    fc.property(fc.string(), document, document, fc.boolean(), (key, one, other, isNested) => {
      const escaped = `"${[...key].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
      fc.pre([...key].every((unit) => unit.length === 1))
      const object = `{${JSON.stringify(key)}: ${JSON.stringify(one)}, ${escaped}: ${JSON.stringify(other)}}`
      expect(() => readJson(isNested ? `[{"a": ${object}}]` : object)).toThrow('key')
    }),
  )
})

test('flat YAML of texts is read as it was written', () => {
  const name = fc.stringMatching(/^[a-z@/.0-9-]{1,20}$/).filter((text) => text !== '__proto__')
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), (fields) => {
      const text = Object.entries(fields).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
      fc.pre(text.length > 0)
      expect(readYaml(text.join('')).map(plain)).toEqual([fields])
    }),
  )
})
