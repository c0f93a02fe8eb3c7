// Two copies of the SDK in one process: the one that `import` loads, and the one that `require` loads.
import { createRequire } from 'node:module'
import * as esm from '@durable-workflow/sdk'

const cjs: typeof esm = createRequire(import.meta.url)('@durable-workflow/sdk')
const made = (sdk: typeof esm) => new sdk.WorkflowFailure('nobody approved', { type: 'ApprovalTimeout' })
console.log(
  JSON.stringify({
    areTwo: esm.WorkflowFailure !== cjs.WorkflowFailure && !(made(cjs) instanceof esm.WorkflowFailure),
    esmKnows: esm.WorkflowFailure.is(made(cjs)),
    cjsKnows: cjs.WorkflowFailure.is(made(esm)),
    baseKnows: esm.DurableWorkflowError.is(made(cjs)),
    otherKnows: esm.ActivityFailure.is(made(cjs)),
  }),
)
