// What pnpm histories:record runs to record this example's workflow.
import { chargeImpl, reserveImpl } from '../src/activities.ts'
import { approved } from '../src/contracts.ts'
import { checkoutImpl } from '../src/workflows.ts'

export const scenarios = [
  {
    workflow: checkoutImpl,
    input: { id: 'order-1', cents: 700 },
    activities: [chargeImpl, reserveImpl],
    messages: [{ signal: approved, payload: { by: 'ada' } }],
    shapes: 1,
  },
]
