// Heartbeats of one attempt: coalesced, and no more than one an interval.
import { expect, test } from 'vitest'
import { createHeartbeats } from '../../src/worker/heartbeats.ts'
import { createManualClock } from '../transport/manual-clock.ts'

function recorder() {
  const clock = createManualClock()
  const sent: { at: number; details: unknown }[] = []
  const start = clock.now()
  const heartbeats = createHeartbeats({
    clock,
    intervalMs: 1_000,
    send: async (details) => void sent.push({ at: clock.now() - start, details }),
  })
  return { clock, sent, heartbeats }
}

test('the first leaves at once, a burst leaves as one with the newest details', async () => {
  const { clock, sent, heartbeats } = recorder()
  for (let count = 1; count <= 100; count += 1) heartbeats.record({ count })
  await clock.next()
  expect(sent).toEqual([
    { at: 0, details: { count: 1 } },
    { at: 1_000, details: { count: 100 } },
  ])
  expect(clock.alarms).toBe(0)
})

test('a renewal sends the last details again, whatever the interval', async () => {
  const { sent, heartbeats } = recorder()
  heartbeats.record('halfway')
  await heartbeats.renew()
  await heartbeats.renew()
  expect(sent.map(({ details }) => details)).toEqual(['halfway', 'halfway', 'halfway'])
})

test('nothing leaves after stop', async () => {
  const { clock, sent, heartbeats } = recorder()
  heartbeats.record(1)
  heartbeats.record(2)
  heartbeats.stop()
  heartbeats.record(3)
  await heartbeats.renew()
  expect(sent.map(({ details }) => details)).toEqual([1])
  expect(clock.alarms).toBe(0)
})
