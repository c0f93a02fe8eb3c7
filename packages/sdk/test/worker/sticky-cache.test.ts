import { expect, test } from 'vitest'
import type { Replay } from '../../src/replay/replay.ts'
import { createStickyCache } from '../../src/worker/sticky-cache.ts'

function replay(size: number, disposed: string[], name: string): Replay {
  return {
    step: () => Promise.reject(new Error('not used')),
    query: () => Promise.reject(new Error('not used')),
    lastSequence: 0,
    size,
    now: () => 0,
    random: () => 0,
    uuid: () => '',
    dispose: () => void disposed.push(name),
  }
}

test('the bound is in bytes: the oldest entries are disposed until what is kept fits', () => {
  const disposed: string[] = []
  const cache = createStickyCache(100)
  cache.put('a', replay(40, disposed, 'a'))
  cache.put('b', replay(40, disposed, 'b'))
  cache.put('c', replay(60, disposed, 'c'))
  expect(disposed).toEqual(['a'])
  expect([cache.bytes, cache.count]).toEqual([100, 2])
})

test('what was used last is evicted last', () => {
  const disposed: string[] = []
  const cache = createStickyCache(100)
  cache.put('a', replay(40, disposed, 'a'))
  cache.put('b', replay(40, disposed, 'b'))
  const taken = cache.take('a')
  if (taken !== undefined) cache.put('a', taken)
  cache.put('c', replay(40, disposed, 'c'))
  expect(disposed).toEqual(['b'])
})

test('an entry above the bound is not kept, and a bound of 0 keeps nothing', () => {
  const disposed: string[] = []
  const cache = createStickyCache(0)
  cache.put('a', replay(1, disposed, 'a'))
  expect(disposed).toEqual(['a'])
  expect([cache.bytes, cache.count, cache.take('a')]).toEqual([0, 0, undefined])
})

test('a taken entry is nobody else’s and is not disposed by clear', () => {
  const disposed: string[] = []
  const cache = createStickyCache(100)
  cache.put('a', replay(10, disposed, 'a'))
  cache.put('b', replay(10, disposed, 'b'))
  expect(cache.take('a')).toBeDefined()
  expect(cache.take('a')).toBeUndefined()
  cache.clear()
  expect(disposed).toEqual(['b'])
  expect(cache.bytes).toBe(0)
})
