import type { Envelope } from './payload.ts'

/**
 * `held`: accepted while a workflow task was leased, recorded after that task's own rows (python-replay §5.1);
 * `received`: in history, unread; `applied`: taken by a signal wait.
 */
export type SignalStatus = 'held' | 'received' | 'applied'

export interface Signal {
  readonly signalId: string
  readonly runId: string
  readonly name: string
  readonly arguments: Envelope
  readonly status: SignalStatus
  readonly commandId: string
  readonly commandSequence: number
  readonly requestId: string | undefined
  /** Epoch ms. */
  readonly receivedAt: number
}
