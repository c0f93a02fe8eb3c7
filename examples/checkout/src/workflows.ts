import { ActivityFailure, TimeoutFailure, WorkflowFailure } from '@durable-workflow/sdk'
import { charge, checkout, decision, refund, ship, status } from './contracts.ts'

/**
 * Waits for a decision, takes the money, ships. If shipping fails for good, what was done is undone.
 *
 * Nobody decides within two days: the run fails with `ApprovalTimeout`, and nothing was charged.
 */
export const checkoutImpl = checkout.implement(async (ctx, order) => {
  let state = 'waiting for a decision'
  ctx.handle(status, () => state)

  const decided = await ctx.waitFor(decision, { timeout: '2 days' })
  if (decided === undefined) {
    throw new WorkflowFailure(`Nobody decided on order ${order.id} within two days.`, { type: 'ApprovalTimeout' })
  }
  if (!decided.approved) return { kind: 'rejected', by: decided.by }

  state = 'charging'
  const { paymentId } = await ctx.run(charge, order)
  try {
    state = 'shipping'
    const { parcelId } = await ctx.run(ship, order)
    state = 'shipped'
    return { kind: 'shipped', paymentId, parcelId }
  } catch (error) {
    // Only what an activity can end with is undone here; a cancelled run, or an error of this code, goes its own way.
    if (!ActivityFailure.is(error) && !TimeoutFailure.is(error)) throw error
    state = 'refunding'
    await ctx.run(refund, { paymentId })
    state = 'refunded'
    return { kind: 'refunded', paymentId, because: error.message }
  }
})
