// Names and shapes; imports no implementation, so that a web front end may import it.
import { activity, query, signal, workflow } from '@durable-workflow/sdk'
import { z } from 'zod'

export const Order = z.object({ id: z.string(), cents: z.int() })
export const Receipt = z.object({ paymentId: z.string(), parcel: z.string(), approvedBy: z.string() })

export const charge = activity('charge', {
  input: Order,
  output: z.object({ paymentId: z.string() }),
  startToCloseTimeout: '30s',
})
// The warehouse answers the third time only: a second between attempts, whatever happens to the worker.
export const reserve = activity('reserve', {
  input: Order,
  output: z.object({ parcel: z.string() }),
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 1 },
})

export const approved = signal('approved', z.object({ by: z.string() }))
export const status = query('status', { output: z.string() })

export const checkout = workflow('checkout', { input: Order, output: Receipt, handles: [approved, status] })
