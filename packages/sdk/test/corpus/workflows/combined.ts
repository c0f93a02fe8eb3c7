// Several abilities in one run, and many steps in one history. Append only: see activities.ts.
import { z } from 'zod'
import { ActivityFailure, activity, query, signal, type, WorkflowFailure, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const Order = z.object({ id: z.string(), cents: z.int() })
const charge = activity('charge', {
  input: Order,
  output: z.object({ paymentId: z.string() }),
  startToCloseTimeout: '30s',
})
const chargeImpl = charge.implement(async ({ id }) => ({ paymentId: `payment of ${id}` }))
const email = activity('email', { input: type<{ to: string; text: string }>(), retry: { maximumAttempts: 1 } })
const emailImpl = email.implement(async ({ text }) => {
  if (text.startsWith('bounce')) throw new Error('mailbox full')
})
const approved = signal('approved', z.object({ by: z.string() }))
const amended = signal('amended', z.string())
const status = query('status', { output: z.string() })

const checkout = workflow(
  'combined-checkout',
  { input: Order, output: type<unknown>(), handles: [approved, amended, status] },
  async (ctx, order) => {
    let state = 'new'
    const amendments: string[] = []
    ctx.handle(status, () => state)
    ctx.handle(amended, async (text) => {
      await ctx.run(email, { to: 'shop', text })
      amendments.push(text)
    })
    const reference = await ctx.sideEffect('reference', () => 'ref-1')
    const approval = await ctx.waitFor(approved, { timeout: '10s' })
    if (approval === undefined) throw new WorkflowFailure('nobody approved', { type: 'ApprovalTimeout' })
    state = 'charging'
    const [payment] = await ctx.all([ctx.run(charge, order), ctx.run(email, { to: approval.by, text: reference })])
    if (ctx.version('receipts', { max: 1 }) === 1) {
      await ctx.run(email, { to: order.id, text: 'bounce' }).catch((error: unknown) => {
        if (!ActivityFailure.is(error)) throw error
      })
    }
    state = 'settling'
    const settled = await Promise.race([
      ctx.sleep('10s').then(() => false),
      ctx.condition(() => amendments.length === 2),
    ])
    return [payment, settled, amendments.length, ctx.uuid()]
  },
)

const longHistory = workflow('long-history', { output: z.number() }, async (ctx) => {
  let sum = 0
  for (let round = 0; round < 20; round += 1) {
    for (let index = 0; index < 12; index += 1) sum += await ctx.sideEffect('count', () => index)
    await ctx.sleep(0)
    await Promise.all([ctx.sleep(0), ctx.run(charge, { id: `${round}`, cents: sum })])
  }
  return sum
})

export const combinedScenarios: readonly Scenario[] = [
  {
    workflow: checkout,
    input: { id: 'order-1', cents: 700 },
    activities: [chargeImpl, emailImpl],
    messages: [
      { signal: amended, payload: 'blue' },
      { signal: approved, payload: { by: 'ada' } },
      { signal: amended, payload: 'large' },
    ],
    shapes: 5,
  },
  { workflow: longHistory, activities: [chargeImpl], shapes: 1 },
]
