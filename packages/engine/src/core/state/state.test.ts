// Ids, instants, statuses: small truths that everything stands on.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { run, runId, t0, workflowId } from '../../../test/support/make.ts'
import {
  attemptIdOf,
  chanceLength,
  idIn,
  idKinds,
  lockOf,
  newRunId,
  parseAttemptId,
  runIdLength,
  runIdOf,
  shortKey,
  shortKeyLength,
  stampLength,
} from './ids.ts'
import { formatInstant } from './instant.ts'
import { workerKey } from './registration.ts'
import { isOpen, runDueAt, statusBucket } from './run.ts'

describe('ids', () => {
  test('a run id holds the short key of its workflow id, which is its lock', () => {
    expect(runId).toHaveLength(runIdLength)
    expect(runId.slice(stampLength, -chanceLength)).toBe(shortKey(workflowId))
    expect(lockOf(runId)).toBe(shortKey(workflowId))
  })

  test('run ids are in the order in which their runs started', () => {
    const starts = [0, 3, 4, 1_000, 1_750_000_000_000, 1_750_000_000_004, 4_294_967_295_000]
    const ids = starts.map((startedAt, n) => newRunId(`order-${n}`, startedAt, '000000'))
    expect(ids.map((id) => id.slice(0, stampLength))).toEqual(ids.map((id) => id.slice(0, stampLength)).sort())
    for (const id of [...ids, newRunId('far', Number.MAX_SAFE_INTEGER, '000000')]) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  test('run and lock follow from every id of a run', () => {
    for (const kind of Object.keys(idKinds)) {
      const id = `${runId}${kind[0]}17`
      expect(runIdOf(id)).toBe(runId)
      expect(lockOf(id)).toBe(shortKey(workflowId))
    }
    expect(new Set(Object.values(idKinds)).size).toBe(Object.keys(idKinds).length)
    expect(idIn(runId, 'activity', 3)).toBe(`${runId}a3`)
  })

  test('short keys are 16 hex digits, spread over thousands of like-named workflows', () => {
    const keys = new Set<string>()
    for (let n = 0; n < 20_000; n++) keys.add(shortKey(`order-${n}`))
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{16}$/)
    expect(keys.size).toBe(20_000)
    const firstDigits = new Map<string, number>()
    for (const key of keys) firstDigits.set(key.slice(0, 2), (firstDigits.get(key.slice(0, 2)) ?? 0) + 1)
    expect(firstDigits.size).toBe(256)
  })

  test('any text has a short key, the same one each time', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const first = shortKey(text)
        return first === shortKey(text) && first.length === shortKeyLength
      }),
    )
  })

  test('attempt ids are taken apart as they were made', () => {
    const activity = idIn(runId, 'activity', 12)
    expect(parseAttemptId(attemptIdOf(activity, 3))).toEqual({ activityId: activity, attempt: 3 })
    for (const text of [
      '',
      'x',
      activity,
      `${activity}x`,
      `${runId}t1x1`,
      `${activity}x1x2`,
      ` ${activity}x1`,
      `${activity}x-1`,
    ]) {
      expect(parseAttemptId(text)).toBeUndefined()
    }
  })

  test('two runs of a workflow differ by their chance', () => {
    expect(newRunId('w', 0, '0'.repeat(chanceLength))).not.toBe(newRunId('w', 0, '1'.repeat(chanceLength)))
  })
})

describe('instants', () => {
  test('10,000 random instants are written as Date writes them, with six digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (epochMs) => {
        const expected = new Date(epochMs).toISOString().replace('Z', '000Z')
        return formatInstant(epochMs) === expected
      }),
      { numRuns: 10_000 },
    )
  })

  const edges: [number, string][] = [
    [0, '1970-01-01T00:00:00.000000Z'],
    [-1, '1969-12-31T23:59:59.999000Z'],
    [951_782_400_000, '2000-02-29T00:00:00.000000Z'],
    [4_107_542_399_999, '2100-02-28T23:59:59.999000Z'],
    [4_107_542_400_000, '2100-03-01T00:00:00.000000Z'],
    [1_735_689_599_999, '2024-12-31T23:59:59.999000Z'],
  ]
  test.each(edges)('%i is %s', (epochMs, text) => {
    expect(formatInstant(epochMs)).toBe(text)
  })
})

describe('runs', () => {
  const statuses = [
    ['pending', true, 'running'],
    ['running', true, 'running'],
    ['waiting', true, 'running'],
    ['completed', false, 'completed'],
    ['failed', false, 'failed'],
    ['cancelled', false, 'failed'],
    ['terminated', false, 'failed'],
  ] as const
  test.each(statuses)('%s: open %s, bucket %s', (status, open, bucket) => {
    expect(isOpen(run({ status }))).toBe(open)
    expect(statusBucket(status)).toBe(bucket)
  })

  test('the earlier of two deadlines is due', () => {
    expect(runDueAt(undefined, undefined)).toBeUndefined()
    expect(runDueAt(t0, undefined)).toBe(t0)
    expect(runDueAt(undefined, t0)).toBe(t0)
    expect(runDueAt(t0, t0 - 1)).toBe(t0 - 1)
  })

  test('worker keys of different namespaces differ', () => {
    expect(workerKey('a', 'b')).not.toBe(workerKey('b', 'a'))
  })
})
