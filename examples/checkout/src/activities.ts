import type { ActivityImplementation } from '@durable-workflow/sdk'
import { charge, refund, ship } from './contracts.ts'
import type { Ledger } from './payments.ts'

/** The carrier does not know the address: no further attempt helps. */
export class UnknownAddress extends Error {
  override readonly name = 'UnknownAddress'
}

const attemptThatWorks = 2

/** What the workflow does to the world. An attempt may run twice: each call hands on the key that stays the same. */
export function activitiesOn(ledger: Ledger): ActivityImplementation[] {
  return [
    charge.implement((order, ctx) => ({ paymentId: ledger.charge(ctx.idempotencyKey, order.cents) })),
    refund.implement(({ paymentId }, ctx) => ledger.refund(ctx.idempotencyKey, paymentId)),
    ship.implement((order, ctx) => {
      if (order.address === 'Atlantis') throw new UnknownAddress(`the carrier knows no way to ${order.address}`)
      // The first attempt fails, to show a retry.
      if (ctx.info.attempt < attemptThatWorks) throw new Error('the carrier does not answer')
      return { parcelId: `parcel-${order.id}` }
    }),
  ]
}
