// Cancel and terminate of line 1.19 close a run at once: the request, the ends of its open work, the last event.

import type { Draft } from '../decision/draft.ts'
import { accept, type Decision, widen } from '../decision/outcome.ts'
import { mustRun, nextId, patchRun } from '../history/append.ts'
import type { Run, RunFailure } from '../state/run.ts'
import { type AddressReason, addressedOpenRun, type RunAddress } from './addressed-run.ts'
import { closeRun, endOpenWork, missingToClose } from './close-run.ts'
import { recordHeldSignals } from './messages.ts'

export interface CloseByCommand extends RunAddress {
  readonly reason: string | undefined
  readonly requestId: string | undefined
}

export interface CloseReply {
  readonly run: Run
  readonly commandId: string
  readonly commandSequence: number
  readonly outcome: 'cancelled' | 'terminated'
}

/** What the two events of a closing command tell. */
export interface Closing {
  readonly run: Run
  readonly commandId: string
  /** The caller's words, if he gave any. */
  readonly reason: string | undefined
}

/** How one of the two commands closes a run; each appends its own two events. */
export interface ClosingCommand {
  readonly status: 'cancelled' | 'terminated'
  readonly exceptionClass: string
  readonly message: string
  appendRequested(draft: Draft, closing: Closing, now: number): void
  appendClosed(draft: Draft, closing: Closing, failure: RunFailure, now: number): void
}

/** Closes the addressed run as the command says. */
export function closeByCommand(
  draft: Draft,
  input: CloseByCommand,
  command: ClosingCommand,
  now: number,
): Decision<CloseReply, AddressReason> {
  const run = addressedOpenRun(draft, input)
  if ('kind' in run) return run
  const missing = missingToClose(draft, run)
  if (missing.length > 0) return widen(missing)
  const { runId } = run
  recordHeldSignals(draft, runId, now)
  const commandId = nextId(draft, runId, 'command')
  const closing: Closing = { run, commandId, reason: input.reason }
  command.appendRequested(draft, closing, now)
  const failure: RunFailure = {
    failureId: nextId(draft, runId, 'failure'),
    category: command.status,
    message: input.reason ?? command.message,
    exceptionType: undefined,
    exceptionClass: command.exceptionClass,
    nonRetryable: true,
    exception: undefined,
  }
  endOpenWork(draft, runId, commandId, now)
  command.appendClosed(draft, closing, failure, now)
  closeRun(draft, runId, { status: command.status, closedReason: command.status, failure }, now)
  const commandSequence = mustRun(draft, runId).commandSequence + 1
  return accept({
    run: patchRun(draft, runId, { commandSequence }),
    commandId,
    commandSequence,
    outcome: command.status,
  })
}

/** What both events of a closing command carry. */
export function closingPayload({ run, commandId, reason }: Closing) {
  return {
    workflow_command_id: commandId,
    workflow_instance_id: run.workflowId,
    workflow_run_id: run.runId,
    ...(reason === undefined ? {} : { reason }),
  }
}

/** What the last event carries besides. */
export function closedPayload(closing: Closing, command: ClosingCommand, failure: RunFailure) {
  return {
    ...closingPayload(closing),
    failure_id: failure.failureId,
    failure_category: command.status,
    closed_reason: command.status,
    exception_class: command.exceptionClass,
    message: failure.message,
  }
}
