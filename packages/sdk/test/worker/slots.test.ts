import { expect, test } from 'vitest'
import { createSlots } from '../../src/worker/slots.ts'

test('a slot that is free is taken without waiting, and given back once however often it is released', () => {
  const slots = createSlots(2)
  const first = slots.tryAcquire()
  const second = slots.tryAcquire()
  expect(slots.tryAcquire()).toBeUndefined()
  first?.()
  first?.()
  expect(slots.free).toBe(1)
  expect(slots.tryAcquire()).toBeDefined()
  expect(slots.tryAcquire()).toBeUndefined()
  second?.()
  expect(slots.free).toBe(1)
})

test('who waits gets the slot that is given back', async () => {
  const slots = createSlots(1)
  const held = slots.tryAcquire()
  const waiting = slots.acquire(new AbortController().signal)
  held?.()
  expect(await waiting).toBeDefined()
  expect(slots.tryAcquire()).toBeUndefined()
})
