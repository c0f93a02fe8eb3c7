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
 * Terminates a run at once, without the authored code.
 *
 * @source terminateWorkflow, terminateRun
 */
export const terminateWorkflow = defineOperation({
  kind: 'terminateWorkflow',
  locks: (input: CloseByCommand) => [shortKey(input.workflowId)],
  slice: (input) => addressKeys(input),
  follow: (draft, input) => closingKeys(draft, currentRun(draft, input)),
  decide: (draft, input, now) => closeByCommand(draft, input, terminate, now),
})

const terminate: ClosingCommand = {
  status: 'terminated',
  exceptionClass: 'WorkflowTerminatedException',
  message: 'Workflow terminated.',
  appendRequested(draft, run, identity, now) {
    const commandId = identity.workflow_command_id
    append(
      draft,
      run.runId,
      { type: 'TerminateRequested', payload: { ...identity, command_type: 'terminate' }, commandId },
      now,
    )
  },
  appendClosed(draft, run, identity, failure, now) {
    const commandId = identity.workflow_command_id
    append(
      draft,
      run.runId,
      { type: 'WorkflowTerminated', payload: closedPayload(identity, terminate, failure), commandId },
      now,
    )
  },
}
