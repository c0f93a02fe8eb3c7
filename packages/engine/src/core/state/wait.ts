/**
 * `expired`: its timeout is recorded and no completion has seen that yet; `timed_out`: one has.
 * `reopened`: a later opening of the same authored wait took over; it keeps the first deadline.
 */
export type WaitStatus = 'open' | 'expired' | 'satisfied' | 'timed_out' | 'reopened' | 'cancelled'

/** Whether a workflow task may still refer to the wait. */
export function isLiveWait(wait: Wait): boolean {
  return wait.status === 'open' || wait.status === 'expired'
}

interface WaitBase {
  readonly waitId: string
  readonly runId: string
  readonly step: number
  readonly status: WaitStatus
  readonly timeoutSeconds: number | undefined
  /** Epoch ms; of the first opening. */
  readonly deadlineAt: number | undefined
  readonly timerId: string | undefined
  readonly openedAt: number
  /** History position of the event that ended it. */
  readonly closedSequence: number | undefined
}

/** A wait for a predicate that only the worker can evaluate. */
export interface ConditionWait extends WaitBase {
  readonly kind: 'condition'
  readonly conditionKey: string | undefined
  readonly fingerprint: string | undefined
  readonly occurrenceId: string | undefined
}

/** A wait for the next unread signal of one name. */
export interface SignalWait extends WaitBase {
  readonly kind: 'signal'
  readonly signalName: string
}

export type Wait = ConditionWait | SignalWait
