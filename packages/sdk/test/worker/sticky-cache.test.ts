import { expect, test } from 'vitest'
import { activity, type, workflow } from '../../src/index.ts'
import type { Replay } from '../../src/replay/replay.ts'
import { createStickyCache } from '../../src/worker/sticky-cache.ts'
import { completed, history, openReplay, scheduled, timerScheduled } from '../replay/history.ts'

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

test('thousands of waiting runs stay within the bound, and those that were dropped go on from their history', async () => {
  const bytesMax = 8 * 1_048_576
  const cache = createStickyCache(bytesMax)
  const charge = activity('charge', { output: type<string>() })
  const flow = workflow('flow', { output: type<unknown>() }, async (ctx) => {
    const receipt = await ctx.run(charge)
    await ctx.sleep('5s')
    return { receipt, drawn: await ctx.sideEffect('draw', () => 'fresh'), random: ctx.random() }
  })
  const run = (index: number) => ({
    workflowId: `order-${index}`,
    runId: `run-${index}`,
    workflowType: flow.name,
    namespace: 'default',
    taskQueue: 'orders',
    attempt: 1,
    startedAt: 0,
    historyBytes: 0,
    continueAsNewSuggested: false,
  })
  const count = 3_000
  // Receipts of different lengths: entries differ in size.
  const rows = (index: number) =>
    history(scheduled(1, 'charge'), completed(1, `receipt ${index} `.padEnd(index % 900, 'x')), timerScheduled(2, 5), {
      event_type: 'TimerFired',
      payload: { sequence: 2, timer_id: 'timer-2', delay_seconds: 5 },
    })
  const open = (index: number) => openReplay(flow, { run: run(index), drain: tick }).replay
  let most = 0
  for (let index = 0; index < count; index += 1) {
    const replay = open(index)
    await replay.step(rows(index).slice(0, 3), {})
    cache.put(`run-${index}`, replay)
    most = Math.max(most, cache.bytes)
  }
  expect(most).toBeLessThanOrEqual(bytesMax)
  // The bound is used, not merely kept: it is full but for less than one entry.
  expect(bytesMax - cache.bytes).toBeLessThan(64 * 1_024)
  const kept = cache.count
  expect(kept).toBeGreaterThan(100)
  expect(kept).toBeLessThan(count)
  let warm = 0
  for (let index = 0; index < count; index += 1) {
    const found = cache.take(`run-${index}`)
    if (found !== undefined) warm += 1
    const cold = open(index)
    const expected = await cold.step(rows(index), {})
    const step = found === undefined ? expected : await found.step(rows(index).slice(3), {})
    expect(step.commands).toEqual(expected.commands)
    expect(step.commands.map((command) => command.type)).toEqual(['record_side_effect', 'complete_workflow'])
    cold.dispose()
  }
  expect(warm).toBe(kept)
  expect([cache.bytes, cache.count]).toEqual([0, 0])
})

function tick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
