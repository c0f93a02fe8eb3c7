import { instantOf, numberOf, textOf } from '../transport/json.ts'
import { decodedInput, decodedOutput } from './outcome.ts'

/** Where a run stands; the last four are its ends. */
export type RunStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated'

/** What a server knows about a run. Instants are Dates. */
export interface RunDescription {
  readonly workflowId: string
  readonly runId: string
  readonly workflowType: string
  readonly namespace: string
  readonly taskQueue: string
  /** A status that this version does not know is kept as it came. */
  readonly status: RunStatus | (string & {})
  /** `completed`, `failed`, `cancelled`, `terminated`, `timed_out`, `continued`; undefined while the run is open. */
  readonly closedReason: string | undefined
  readonly startedAt: Date | undefined
  readonly closedAt: Date | undefined
  readonly lastProgressAt: Date | undefined
  readonly runNumber: number | undefined
  readonly waitKind: string | undefined
  readonly waitReason: string | undefined
  /** The arguments as they were sent. */
  readonly input: unknown
  /** Null unless the run completed with one. */
  readonly output: unknown
}

/** One row of a list: what does not need the payloads. */
export type RunItem = Omit<RunDescription, 'input' | 'output' | 'waitKind' | 'waitReason' | 'lastProgressAt'>

export function readDescription(body: unknown): RunDescription {
  return {
    ...readItem(body),
    lastProgressAt: dateOf(body, 'last_progress_at'),
    waitKind: textOf(body, 'wait_kind'),
    waitReason: textOf(body, 'wait_reason'),
    input: decodedInput(body),
    output: decodedOutput(body),
  }
}

export function readItem(body: unknown): RunItem {
  return {
    workflowId: textOf(body, 'workflow_id') ?? '',
    runId: textOf(body, 'run_id') ?? '',
    workflowType: textOf(body, 'workflow_type') ?? '',
    namespace: textOf(body, 'namespace') ?? '',
    taskQueue: textOf(body, 'task_queue') ?? '',
    status: textOf(body, 'status') ?? '',
    closedReason: textOf(body, 'closed_reason'),
    startedAt: dateOf(body, 'started_at'),
    closedAt: dateOf(body, 'closed_at'),
    runNumber: numberOf(body, 'run_number'),
  }
}

/** One event of history as it is recorded; payload keys are the wire's. */
export interface RecordedEvent {
  readonly sequence: number
  readonly type: string
  readonly recordedAt: Date | undefined
  readonly payload: Readonly<Record<string, unknown>>
}

export function readEvent(event: {
  readonly sequence: number
  readonly event_type: string
  readonly payload: Readonly<Record<string, unknown>>
}): RecordedEvent {
  return {
    sequence: event.sequence,
    type: event.event_type,
    recordedAt: dateOf(event, 'timestamp') ?? dateOf(event, 'recorded_at'),
    payload: event.payload,
  }
}

function dateOf(body: unknown, key: string): Date | undefined {
  const instant = instantOf(body, key)
  return instant === undefined ? undefined : new Date(instant)
}
