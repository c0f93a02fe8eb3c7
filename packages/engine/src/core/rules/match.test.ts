import { expect, test } from 'vitest'
import { firstTaker, queueKey } from './match.ts'

const place = { kind: 'workflow', namespace: 'default', taskQueue: 'orders' } as const
const offer = { ...place, type: 'Order' }
const taker = (name: string, more: object = {}) => ({ ...place, types: new Set(['Order']), name, ...more })

const cases: [string, ReturnType<typeof taker>[], string | undefined][] = [
  ['nobody', [], undefined],
  ['the first who can', [taker('a'), taker('b')], 'a'],
  ['another type', [taker('a', { types: new Set(['Invoice']) }), taker('b')], 'b'],
  ['another queue', [taker('a', { taskQueue: 'other' }), taker('b')], 'b'],
  ['another namespace', [taker('a', { namespace: 'other' }), taker('b')], 'b'],
  ['another kind', [taker('a', { kind: 'activity' }), taker('b')], 'b'],
  ['nobody who can', [taker('a', { types: new Set() })], undefined],
]
test.each(cases)('DI2 %s', (_name, takers, expected) => {
  expect(firstTaker(offer, takers)?.name).toBe(expected)
})

test('places differ in kind, namespace and queue', () => {
  const keys = new Set(
    [place, { ...place, kind: 'activity' }, { ...place, namespace: 'b' }, { ...place, taskQueue: 'c' }].map(queueKey),
  )
  expect(keys.size).toBe(4)
})
