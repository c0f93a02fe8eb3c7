// The intake order of signals. A signal accepted while a workflow task is leased is held: it enters history after that
// task's own rows, for published workers replay in the order of rows (python-replay §5.1).

import type { Draft } from '../decision/draft.ts'
import { append, patchRun } from '../history/append.ts'
import { payloadCodec } from '../state/payload.ts'
import type { Signal } from '../state/signal.ts'
import type { SignalWait } from '../state/wait.ts'
import { closeTimerOf } from './cancel-open-work.ts'
import { signalResume, wakeRun } from './resume.ts'

/** Records a signal in history, hands it to the wait that waits for it, and wakes the run. */
export function receiveSignal(draft: Draft, signal: Signal, now: number): void {
  const wait = recordSignal(draft, signal, now)
  wakeRun(draft, signal.runId, signalResume(signal, wait), now)
}

/** Records all held signals of a run that closes in this decision: nothing accepted is lost, nobody is woken. */
export function recordHeldSignals(draft: Draft, runId: string, now: number): void {
  for (const signal of draft.heldSignals(runId)) recordSignal(draft, signal, now)
}

function recordSignal(draft: Draft, signal: Signal, now: number): SignalWait | undefined {
  append(
    draft,
    signal.runId,
    {
      type: 'SignalReceived',
      payload: {
        workflow_command_id: signal.commandId,
        signal_id: signal.signalId,
        signal_name: signal.name,
        arguments: signal.arguments,
        payload_codec: payloadCodec,
      },
      commandId: signal.commandId,
    },
    now,
  )
  const received = draft.putSignal({ ...signal, status: 'received' })
  const wait = openSignalWait(draft, signal.runId, signal.name)
  if (wait !== undefined) applySignal(draft, received, wait, now)
  return wait
}

/** Gives a signal to a wait of its name: the value of that step, once. */
export function applySignal(draft: Draft, signal: Signal, wait: SignalWait, now: number): void {
  const closedSequence = append(
    draft,
    signal.runId,
    {
      type: 'SignalApplied',
      payload: {
        workflow_command_id: signal.commandId,
        signal_id: signal.signalId,
        signal_name: signal.name,
        signal_wait_id: wait.waitId,
        sequence: wait.step,
        arguments: signal.arguments,
        payload_codec: payloadCodec,
      },
      commandId: signal.commandId,
    },
    now,
  )
  draft.putSignal({ ...signal, status: 'applied' })
  draft.putWait({ ...wait, status: 'satisfied', closedSequence })
  const run = draft.run(signal.runId)
  if (run !== undefined) patchRun(draft, run.runId, { openSignalWaits: run.openSignalWaits - 1 })
  closeTimerOf(draft, wait, now)
}

function openSignalWait(draft: Draft, runId: string, name: string): SignalWait | undefined {
  for (const wait of draft.liveWaits(runId)) {
    if (wait.kind === 'signal' && wait.status === 'open' && wait.signalName === name) return wait
  }
  return undefined
}
