import { describe, expect, test } from 'vitest'
import type { HistoryEvent } from '../src/ports.ts'
import { RecentHistory } from '../src/recent-history.ts'

function events(runId: string, from: number, to: number, payload = '{}'): HistoryEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    eventId: `${runId}e${from + index}`,
    runId,
    sequence: from + index,
    type: 'TimerFired',
    payload,
    workflowTaskId: undefined,
    commandId: undefined,
    recordedAt: 0,
  }))
}

const sequences = (found: readonly HistoryEvent[] | undefined) => found?.map((event) => event.sequence)

describe('recent history', () => {
  test('RH1 what is asked for comes whole, or not at all', () => {
    const recent = new RecentHistory()
    recent.note(events('a', 3, 6))
    expect(sequences(recent.read('a', 2, 6))).toEqual([3, 4, 5, 6])
    expect(recent.read('a', 1, 6)).toBeUndefined()
    expect(recent.read('a', 4, 7)).toBeUndefined()
    expect(recent.read('b', 0, 1)).toBeUndefined()
  })

  test('RH1 a part in the middle comes too, and what lies before it is let go', () => {
    const recent = new RecentHistory()
    recent.note(events('a', 1, 6))
    expect(sequences(recent.read('a', 3, 5))).toEqual([4, 5])
    expect(sequences(recent.read('a', 3, 6))).toEqual([4, 5, 6])
    expect(recent.read('a', 2, 6)).toBeUndefined()
  })

  test('RH1 a gap, which another server wrote, sends the reader to the store', () => {
    const recent = new RecentHistory()
    recent.note(events('a', 1, 3))
    recent.note(events('a', 6, 7))
    expect(recent.read('a', 2, 7)).toBeUndefined()
    expect(sequences(recent.read('a', 5, 7))).toEqual([6, 7])
  })

  test('RH2 memory is bounded: the run that was touched longest ago goes first', () => {
    const recent = new RecentHistory()
    const large = 'x'.repeat(3 * 1024 * 1024)
    recent.note(events('a', 1, 1, large))
    recent.note(events('b', 1, 1, large))
    recent.note(events('a', 2, 2))
    recent.note(events('c', 1, 1, large))
    expect(recent.read('b', 0, 1)).toBeUndefined()
    expect(sequences(recent.read('a', 0, 2))).toEqual([1, 2])
    expect(sequences(recent.read('c', 0, 1))).toEqual([1])
  })

  test('RH2 a run that closed is let go', () => {
    const recent = new RecentHistory()
    recent.note(events('a', 1, 2))
    recent.forget('a')
    expect(recent.read('a', 0, 2)).toBeUndefined()
  })
})
