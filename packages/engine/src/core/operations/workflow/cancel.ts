import { defineOperation } from '../../decision/operation.ts'
import { append } from '../../history/append.ts'
import { addressKeys, currentRun } from '../../rules/addressed-run.ts'
import {
  type CloseByCommand,
  type ClosingCommand,
  closeByCommand,
  closedPayload,
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
  appendRequested(draft, run, identity, now) {
    const commandId = identity.workflow_command_id
    append(
      draft,
      run.runId,
      { type: 'CancelRequested', payload: { ...identity, command_type: 'cancel' }, commandId },
      now,
    )
  },
  appendClosed(draft, run, identity, failure, now) {
    const commandId = identity.workflow_command_id
    append(
      draft,
      run.runId,
      { type: 'WorkflowCancelled', payload: closedPayload(identity, cancel, failure), commandId },
      now,
    )
  },
}
