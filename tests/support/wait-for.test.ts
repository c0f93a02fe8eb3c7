import { expect, test } from 'vitest'
import { WaitFailed, waitFor } from './wait-for.ts'

test('a wait returns the first state that is there', async () => {
  let looks = 0
  expect(await waitFor('the third look', () => (++looks === 3 ? looks : undefined), { intervalMs: 1 })).toBe(3)
})

test('a wait with a condition returns the state that met it, also a falsy one', async () => {
  let left = 3
  expect(await waitFor('nothing left', () => --left, { until: (state) => state === 0, intervalMs: 1 })).toBe(0)
})

test('a wait that fails names what it waited for and the last state seen', async () => {
  const wait = waitFor('the run is completed', () => ({ status: 'running' }), {
    until: (state) => state.status === 'completed',
    timeoutMs: 30,
    intervalMs: 5,
  })
  await expect(wait).rejects.toThrow(/waited 30 ms for "the run is completed".*status: 'running'/)
  await expect(wait).rejects.toBeInstanceOf(WaitFailed)
})

test('a probe that throws counts as not yet, and its error is the last state seen', async () => {
  let looks = 0
  const probe = (): string => {
    looks += 1
    if (looks < 3) throw new Error('connection refused')
    return 'up'
  }
  expect(await waitFor('the server', probe, { intervalMs: 1 })).toBe('up')
  const never = waitFor('the server', () => Promise.reject(new Error('connection refused')), { timeoutMs: 10 })
  await expect(never).rejects.toThrow(/"the server".*connection refused/)
})
