import { activity, signal, WorkflowFailure, workflow } from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Order = z.object({ id: z.string(), cents: z.int() })
const charge = activity('charge', {
  input: Order,
  output: z.object({ paymentId: z.string() }),
  startToCloseTimeout: '30s',
})
const approved = signal('approved', z.object({ by: z.string() }))
const checkout = workflow('checkout', {
  input: Order,
  output: z.object({ paymentId: z.string() }),
  handles: [approved],
})
const checkoutImpl = checkout.implement(async (ctx, order) => {
  const ok = await ctx.waitFor(approved, { timeout: '2 days' })
  if (!ok) throw new WorkflowFailure('nobody approved', { type: 'ApprovalTimeout' })
  return await ctx.run(charge, order)
})
const chargeImpl = charge.implement(async () => ({ paymentId: 'p1' }))
const order = { id: 'o1', cents: 100 }

test('an approval that does not come in two days fails the checkout', async () => {
  await using env = await testEnvironment({ workflows: [checkoutImpl], activities: [chargeImpl] })
  const run = await env.client.start(checkout, { input: order })
  await env.advance('2 days')
  await expect(run.result()).rejects.toMatchObject({ type: 'ApprovalTimeout' })
})

test('an approval lets it charge', async () => {
  await using env = await testEnvironment({ workflows: [checkoutImpl], activities: [chargeImpl] })
  const run = await env.client.start(checkout, { input: order })
  await run.signal(approved, { by: 'ada' })
  expect(await run.result()).toEqual({ paymentId: 'p1' })
})

test('time goes by itself', async () => {
  await using env = await testEnvironment({ workflows: [checkoutImpl], activities: [chargeImpl], time: 'auto' })
  const run = await env.client.start(checkout, { input: order })
  await expect(run.result()).rejects.toMatchObject({ type: 'ApprovalTimeout' })
  expect(env.now()).toEqual(new Date('2026-01-03T00:00:00Z'))
})
