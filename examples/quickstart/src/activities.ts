import { charge, reserve } from './contracts.ts'

/** `ctx.idempotencyKey` is the same for every attempt: a payment provider that is given it charges once. */
export const chargeImpl = charge.implement(async (order, ctx) => ({
  paymentId: `pay-${order.id}-${ctx.idempotencyKey.slice(-6)}`,
}))

const attemptThatWorks = 3

/** Fails twice, to show a retry. */
export const reserveImpl = reserve.implement(async (order, ctx) => {
  if (ctx.info.attempt < attemptThatWorks)
    throw new Error(`the warehouse does not answer (attempt ${ctx.info.attempt})`)
  return { parcel: `parcel-${order.id}` }
})
