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
  appendRequested(draft, closing, now) {
    const { commandId } = closing
    const payload = { ...closingPayload(closing), command_type: 'terminate' }
    append(draft, closing.run.runId, { type: 'TerminateRequested', payload, commandId }, now)
  },
  appendClosed(draft, closing, failure, now) {
    const { commandId } = closing
    const payload = closedPayload(closing, terminate, failure)
    append(draft, closing.run.runId, { type: 'WorkflowTerminated', payload, commandId }, now)
  },
}
