import { describe, expect, it } from 'vitest'
import { canonicalJson, float, jsonDepthMax } from '../src/index.ts'
import { errorOf, reasonOf } from './reason-of.ts'

describe('canonical JSON', () => {
  it.each([
    [
      'keys in order of UTF-16 units',
      { b: 1, a: { d: 1, c: 2 }, 10: 0, 9: 0, é: 1, Z: 1 },
      '{"10":0,"9":0,"Z":1,"a":{"c":2,"d":1},"b":1,"é":1}',
    ],
    ['lists keep their order', [3, 1, [2]], '[3,1,[2]]'],
    ['undefined members are left out', { a: undefined, b: [undefined] }, '{"b":[null]}'],
    ['a first member left out leaves no comma', { a: undefined, b: 1, c: undefined, d: 2 }, '{"b":1,"d":2}'],
    ['an empty object and list', [{}, []], '[{},[]]'],
    ['numbers as JSON writes them', [1, -0, 1.5, 1e21, 1e-7, float(7)], '[1,0,1.5,1e+21,1e-7,7]'],
    ['bigints with all digits', [2n ** 64n, -1n], '[18446744073709551616,-1]'],
    ['text escaped once', 'a"\\\n\u2028\uD800', '"a\\"\\\\\\n\u2028\\ud800"'],
    ['a key __proto__', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    ['nothing', undefined, 'null'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  const self: unknown[] = []
  self.push({ self })
  it.each([
    ['NaN', { a: [Number.NaN] }, 'non_finite_float', 'body.a[0]'],
    ['bytes', { a: Uint8Array.of(1) }, 'unsupported_value_type', 'body.a'],
    ['a Date', [new Date(0)], 'unsupported_value_type', 'body[0]'],
    ['a function', { f: () => 1 }, 'unsupported_value_type', 'body.f'],
    ['a cycle', self, 'unsupported_value_type', 'body[0].self'],
    ['a symbol key', { [Symbol('k')]: 1 }, 'invalid_map_key', 'body'],
  ])('%s is refused with its path', (_, value, reason, thing) => {
    const error = errorOf(() => canonicalJson(value, 'body'))
    expect([error.reason, error.facts.thing]).toEqual([reason, thing])
  })

  it('depth has a bound', () => {
    const nest = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(canonicalJson(nest(jsonDepthMax))).toHaveLength(jsonDepthMax * 2)
    expect(reasonOf(() => canonicalJson(nest(jsonDepthMax + 1)))).toBe('structural_limit_exceeded')
  })
})
