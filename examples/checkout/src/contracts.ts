// Names and shapes: all that the shop, the worker and a web front end have to agree on.
import { activity, query, signal, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

export const Order = z.object({ id: z.string(), cents: z.int().positive(), address: z.string() })
export type Order = z.infer<typeof Order>

export const Outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('shipped'), paymentId: z.string(), parcelId: z.string() }),
  z.object({ kind: z.literal('rejected'), by: z.string() }),
  z.object({ kind: z.literal('refunded'), paymentId: z.string(), because: z.string() }),
])

export const charge = activity('charge', {
  input: Order,
  output: z.object({ paymentId: z.string() }),
  startToCloseTimeout: '30s',
})

export const refund = activity('refund', {
  input: z.object({ paymentId: z.string() }),
  startToCloseTimeout: '30s',
})

export const ship = activity('ship', {
  input: Order,
  output: z.object({ parcelId: z.string() }),
  startToCloseTimeout: '30s',
  // The carrier is away now and then: try for a day, then give up and refund.
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1s', maximumInterval: '10 minutes', nonRetryableErrorTypes: ['UnknownAddress'] },
})

/** Somebody's word on an order. */
export const decision = signal('decision', z.object({ approved: z.boolean(), by: z.string() }))
export const status = query('status', { output: z.string() })

export const checkout = workflow('checkout', { input: Order, output: Outcome, handles: [decision, status] })
