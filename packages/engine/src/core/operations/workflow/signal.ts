import { limits } from '@durable-workflow/protocol'
import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { mustRun, nextId, patchRun } from '../../history/append.ts'
import { addressedOpenRun, addressKeys, currentRun, type RunAddress } from '../../rules/addressed-run.ts'
import { receiveSignal } from '../../rules/messages.ts'
import { openTaskKeys } from '../../rules/run-keys.ts'
import { waitKeys } from '../../rules/wait-keys.ts'
import { shortKey } from '../../state/ids.ts'
import { type Envelope, noArguments } from '../../state/payload.ts'
import type { Run } from '../../state/run.ts'
import type { Signal } from '../../state/signal.ts'

export interface SignalWorkflow extends RunAddress {
  readonly signalName: string
  readonly arguments: Envelope | undefined
  readonly requestId: string | undefined
}

/** An accepted signal and the control command that it is. */
export interface SignalReply {
  readonly run: Run
  readonly signalId: string
  readonly commandId: string
  readonly commandSequence: number
}

/**
 * Accepts a signal: recorded at once, or held while a workflow task is leased and recorded after that task's rows.
 *
 * @source signalWorkflow, signalRun
 */
export const signalWorkflow = defineOperation({
  kind: 'signalWorkflow',
  locks: (input: SignalWorkflow) => [shortKey(input.workflowId)],
  slice: (input) => addressKeys(input),
  follow(draft, input) {
    const run = currentRun(draft, input)
    return run === undefined ? [] : [...openTaskKeys(run), ...waitKeys(draft, run.runId)]
  },
  decide(draft, input, now) {
    const run = addressedOpenRun(draft, input)
    if ('kind' in run) return run
    if (run.signalCount >= limits.pendingSignalsMax) {
      return refuse('structural_limit_exceeded', {
        workflowId: run.workflowId,
        runId: run.runId,
        limitKind: 'pending_signal_count',
        currentValue: run.signalCount,
        configuredLimit: limits.pendingSignalsMax,
      })
    }
    const { runId } = run
    const commandSequence = run.commandSequence + 1
    const signal: Signal = {
      signalId: nextId(draft, runId, 'signal'),
      runId,
      name: input.signalName,
      arguments: input.arguments ?? noArguments,
      status: 'held',
      commandId: nextId(draft, runId, 'command'),
      commandSequence,
      requestId: input.requestId,
      receivedAt: now,
    }
    patchRun(draft, runId, { commandSequence, signalCount: run.signalCount + 1 })
    if (run.openTask?.leased === true) draft.putSignal(signal)
    else receiveSignal(draft, signal, now)
    const reply: SignalReply = {
      run: mustRun(draft, runId),
      signalId: signal.signalId,
      commandId: signal.commandId,
      commandSequence,
    }
    return accept(reply)
  },
})
