import { WorkflowFailure } from '@durable-workflow/sdk'
import { approved, charge, checkout, reserve, status } from './contracts.ts'

/** Pays, reserves, lets a second pass and waits for somebody's word. Every await survives a crash. */
export const checkoutImpl = checkout.implement(async (ctx, order) => {
  let state = 'paying'
  ctx.handle(status, () => state)

  const { paymentId } = await ctx.run(charge, order)
  state = 'reserving'
  const { parcel } = await ctx.run(reserve, order)
  await ctx.sleep('1s')

  state = 'waiting for approval'
  const approval = await ctx.waitFor(approved, { timeout: '2 days' })
  if (approval === undefined) throw new WorkflowFailure('Nobody approved.', { type: 'ApprovalTimeout' })
  state = `approved by ${approval.by}`
  return { paymentId, parcel, approvedBy: approval.by }
})
