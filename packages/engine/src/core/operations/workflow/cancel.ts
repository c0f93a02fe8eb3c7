import { defineOperation } from '../../decision/operation.ts'
import { append } from '../../history/append.ts'
import { addressKeys, currentRun } from '../../rules/addressed-run.ts'
import {
  type CloseByCommand,
  type ClosingCommand,
  closeByCommand,
  closedPayload,
  closingPayload,
} from '../../rules/close-by-command.ts'
import { closingKeys } from '../../rules/close-run.ts'
import { shortKey } from '../../state/ids.ts'

/**
 * Cancels a run at once (terminal semantics of line 1.19; the cooperative way is another operation).
 *
 * @source cancelWorkflow, cancelRun
 */
export const cancelWorkflow = defineOperation({
  kind: 'cancelWorkflow',
  locks: (input: CloseByCommand) => [shortKey(input.workflowId)],
  slice: (input) => addressKeys(input),
  follow: (draft, input) => closingKeys(draft, currentRun(draft, input)),
  decide: (draft, input, now) => closeByCommand(draft, input, cancel, now),
})

const cancel: ClosingCommand = {
  status: 'cancelled',
  exceptionClass: 'WorkflowCancelledException',
  message: 'Workflow cancelled.',
  appendRequested(draft, closing, now) {
    const { commandId } = closing
    const payload = { ...closingPayload(closing), command_type: 'cancel' }
    append(draft, closing.run.runId, { type: 'CancelRequested', payload, commandId }, now)
  },
  appendClosed(draft, closing, failure, now) {
    const { commandId } = closing
    const payload = closedPayload(closing, cancel, failure)
    append(draft, closing.run.runId, { type: 'WorkflowCancelled', payload, commandId }, now)
  },
}
