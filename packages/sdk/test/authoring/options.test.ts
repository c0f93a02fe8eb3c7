import { describe, expect, it } from 'vitest'
import { type Duration, mergeOptions, parseDuration, retryPolicy, wholeSeconds } from '../../src/authoring/options.ts'

describe('durations', () => {
  it.each<[Duration, number]>([
    ['250ms', 250],
    ['30s', 30_000],
    ['1.5 hours', 5_400_000],
    ['2 days', 172_800_000],
    ['1 week', 604_800_000],
    ['5m', 300_000],
    [0, 0],
    [12.5, 12.5],
  ])('%s is %i ms', (duration, expected) => {
    expect(parseDuration(duration)).toBe(expected)
  })

  it.each<[string, Duration]>([
    ['negative', '-5s'],
    ['negative number', -1],
    ['NaN', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
  ])('refuses %s', (_name, duration) => {
    expect(() => parseDuration(duration)).toThrow(
      expect.objectContaining({ name: 'ContractError', reason: 'invalid_duration' }),
    )
  })

  it('refuses text outside the grammar that came past the compiler', () => {
    for (const text of JSON.parse('["", "soon", "5 parsecs"]')) {
      expect(() => parseDuration(text)).toThrow(expect.objectContaining({ reason: 'invalid_duration' }))
    }
  })

  it('rounds up to whole seconds, so that no wait ends early', () => {
    expect([0, 1, 999, 1_000, 1_001].map(wholeSeconds)).toEqual([0, 1, 1, 1, 2])
  })
})

describe('retry policy', () => {
  it('is unlimited, 1 s, doubled, at most 100 s, when nothing is said', () => {
    expect(retryPolicy()).toEqual({
      attemptsMax: 2_147_483_647,
      backoffMs: [1, 2, 4, 8, 16, 32, 64, 100].map((seconds) => seconds * 1_000),
      nonRetryableErrorTypes: [],
    })
  })

  it.each([
    ['no further attempt, no wait', { maximumAttempts: 1 }, []],
    ['as many waits as attempts need', { maximumAttempts: 3 }, [1_000, 2_000]],
    ['the last one repeats', { backoffCoefficient: 1, initialInterval: '5s' }, [5_000]],
    ['a maximum below the first', { initialInterval: '10s', maximumInterval: '3s' }, [3_000]],
    ['no wait at all', { initialInterval: 0 }, [0]],
    ['its own maximum', { initialInterval: 100, backoffCoefficient: 10, maximumInterval: '5s' }, [100, 1_000, 5_000]],
  ] as const)('%s', (_name, retry, expected) => {
    expect(retryPolicy(retry).backoffMs).toEqual(expected)
  })

  it.each([
    [{ maximumAttempts: 0 }],
    [{ maximumAttempts: 1.5 }],
    [{ backoffCoefficient: 0.9 }],
    [{ backoffCoefficient: 1.0001 }],
  ])('refuses %j', (retry) => {
    expect(() => retryPolicy(retry)).toThrow(expect.objectContaining({ reason: 'invalid_retry_policy' }))
  })

  it('options of a call replace those of the contract one by one; undefined leaves them', () => {
    const contract = { taskQueue: 'a', startToCloseTimeout: '1s', retry: { maximumAttempts: 1 } } as const
    expect(mergeOptions(contract, { taskQueue: 'b', startToCloseTimeout: undefined })).toEqual({
      ...contract,
      taskQueue: 'b',
    })
    expect(mergeOptions(contract, undefined)).toBe(contract)
  })
})
