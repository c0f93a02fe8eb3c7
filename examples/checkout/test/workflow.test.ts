// The checkout in virtual time: two days pass in milliseconds.
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'
import { UnknownAddress } from '../src/activities.ts'
import { charge, checkout, decision, refund, ship, status } from '../src/contracts.ts'
import { checkoutImpl } from '../src/workflows.ts'

const order = { id: 'o1', cents: 4_200, address: 'Lisbon' }

/** An environment whose activities note what was done to the world. */
async function shop(ships: (attempt: number) => { parcelId: string }) {
  const done: string[] = []
  const env = await testEnvironment({
    workflows: [checkoutImpl],
    activities: [
      charge.implement(({ cents }) => {
        done.push(`charge ${cents}`)
        return { paymentId: 'p1' }
      }),
      refund.implement(({ paymentId }) => void done.push(`refund ${paymentId}`)),
      ship.implement((_order, ctx) => ships(ctx.info.attempt)),
    ],
  })
  return { env, done }
}

test('nobody decides within two days: the run fails, and nothing was charged', async () => {
  const { env, done } = await shop(() => ({ parcelId: 'never' }))
  await using _closed = env
  const run = await env.client.start(checkout, { input: order })
  await env.advance('47 hours')
  expect(await run.query(status)).toBe('waiting for a decision')
  await env.advance('1 hour')
  await expect(run.result()).rejects.toMatchObject({ type: 'ApprovalTimeout' })
  expect(done).toEqual([])
})

test('the carrier is away for a while: the order ships with a later attempt', async () => {
  const { env, done } = await shop((attempt) => {
    if (attempt < 4) throw new Error('the carrier does not answer')
    return { parcelId: `attempt-${attempt}` }
  })
  await using _closed = env
  const run = await env.client.start(checkout, { input: order })
  await run.signal(decision, { approved: true, by: 'ada' })
  await env.advance('1 minute')
  expect(await run.result()).toEqual({ kind: 'shipped', paymentId: 'p1', parcelId: 'attempt-4' })
  expect(done).toEqual(['charge 4200'])
})

test.for([
  ['does not know the address', new UnknownAddress('no way there'), '1 second', 'no way there'],
  ['does not answer for a day', new Error('no answer'), '1 day', expect.any(String)],
] as const)('a carrier that %s: the money is given back', async ([, error, passes, because]) => {
  const { env, done } = await shop(() => {
    throw error
  })
  await using _closed = env
  const run = await env.client.start(checkout, { input: order })
  await run.signal(decision, { approved: true, by: 'ada' })
  await env.advance(passes)
  expect(await run.result()).toEqual({ kind: 'refunded', paymentId: 'p1', because })
  expect(done).toEqual(['charge 4200', 'refund p1'])
})

test('a rejected order is not charged', async () => {
  const { env, done } = await shop(() => ({ parcelId: 'never' }))
  await using _closed = env
  const run = await env.client.start(checkout, { input: order })
  await run.signal(decision, { approved: false, by: 'ada' })
  expect(await run.result()).toEqual({ kind: 'rejected', by: 'ada' })
  expect(done).toEqual([])
})
