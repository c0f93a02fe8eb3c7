/** One immutable entry of a run's history. */
export interface HistoryEvent {
  readonly eventId: string
  readonly runId: string
  /** Position in the run's history, dense from 1. */
  readonly sequence: number
  readonly type: string
  /** The payload as JSON text: numbers keep the form in which they came. */
  readonly payload: string
  readonly workflowTaskId: string | undefined
  readonly commandId: string | undefined
  /** Epoch ms. */
  readonly recordedAt: number
}
