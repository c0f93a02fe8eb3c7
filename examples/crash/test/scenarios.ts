// What pnpm histories:record runs to record this example's workflow.
import { perform } from '../src/contracts.ts'
import { transferImpl } from '../src/workflows.ts'

export const scenarios = [
  { workflow: transferImpl, activities: [perform.implement(async ({ name }) => `${name} by a test`)], shapes: 1 },
]
