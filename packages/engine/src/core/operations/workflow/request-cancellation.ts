import { defineOperation } from '../../decision/operation.ts'
import { refuse } from '../../decision/outcome.ts'
import { addressedRun, addressKeys, type RunAddress } from '../../rules/addressed-run.ts'
import { shortKey } from '../../state/ids.ts'

/**
 * Refuses a cooperative cancellation: this server advertises none (C-05). The run is looked up first, so that an
 * unknown id gets its own answer.
 *
 * @source requestCancellation, requestRunCancellation
 */
export const requestCancellation = defineOperation({
  kind: 'requestCancellation',
  locks: (input: RunAddress) => [shortKey(input.workflowId)],
  slice: (input) => addressKeys(input),
  decide(draft, input) {
    const run = addressedRun(draft, input)
    if ('kind' in run) return run
    return refuse('cooperative_cancellation_not_supported', { workflowId: run.workflowId, runId: run.runId })
  },
})
