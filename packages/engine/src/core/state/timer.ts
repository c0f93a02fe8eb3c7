import type { GroupMember } from './parallel-group.ts'

export type TimerStatus = 'pending' | 'fired' | 'cancelled'
/** A timer that authored code set, or the timeout of a wait. */
export type TimerKind = 'user' | 'condition_timeout' | 'signal_timeout'

export interface Timer {
  readonly timerId: string
  readonly runId: string
  readonly kind: TimerKind
  /** Step number of the authored call; for a timeout that of the wait's latest opening. */
  readonly step: number
  /** Set for a member of a parallel group. */
  readonly group: GroupMember | undefined
  /** The wait that this timer ends. */
  readonly waitId: string | undefined
  /** Whole seconds as on the wire; what replay compares. */
  readonly delaySeconds: number
  /** Exact delay. */
  readonly delayMs: number
  /** Epoch ms. */
  readonly fireAt: number
  readonly status: TimerStatus
  /** `fireAt` while pending; undefined for the timeout of a wait that fell due while a workflow task was leased: it is held until that task closes. */
  readonly dueAt: number | undefined
}
