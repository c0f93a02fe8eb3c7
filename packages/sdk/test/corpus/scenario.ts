// A workflow of the corpus with the world around it: what its activities do, and which messages come.
import type { ActivityImplementation, Signal, WorkflowImplementation } from '../../src/index.ts'

/** A signal with what it carries. */
export interface Sent {
  readonly signal: Signal
  readonly payload?: unknown
}

export interface Scenario {
  readonly workflow: WorkflowImplementation
  /** The code that began the run, before the change that `workflow` has; replayed for the turns that it took. */
  readonly before?: WorkflowImplementation | undefined
  readonly input?: unknown
  readonly activities: readonly ActivityImplementation[]
  /** Sent in this order; when, the schedule decides. */
  readonly messages?: readonly Sent[] | undefined
  /** How the recording ends; default `closed`, by the code itself. */
  readonly ends?: 'closed' | 'open' | 'cancelled' | 'terminated' | undefined
  /** Recordings with different shapes that are kept; default 3. */
  readonly shapes?: number | undefined
}
