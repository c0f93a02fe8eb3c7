import type { JsonObject } from './json.ts'
import type { ParallelGroup } from './parallel-group.ts'
import type { Envelope } from './payload.ts'

/** `pending` until the first claim, `waiting` while no workflow task is leased; the last four are terminal. */
export type RunStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated'

/** Why a run closed; `timed_out` belongs to status `failed`. */
export type ClosedReason = 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timed_out'

/** What an open run waits for: the reason that it will move (design.md §2.6); kept with its state, proven by the checker. */
export type ProgressKind =
  | 'workflow_task_ready'
  | 'workflow_task_leased'
  | 'activity'
  | 'timer'
  | 'signal_wait'
  | 'condition_wait'
  /** Members of a parallel group are open: the run hears of the last that ends, or of one that fails. */
  | 'parallel_group'
  /** Nothing is open but the run itself: only a message (a signal) or a deadline moves it. */
  | 'message'
  /** Replay refused the history; corrected code or an operator moves it. */
  | 'replay_blocked'

/** The run's one workflow task that is ready or leased. */
export interface OpenTask {
  readonly taskId: string
  readonly leased: boolean
}

/** How a run failed, as recorded in its last event. */
export interface RunFailure {
  readonly failureId: string
  readonly category: string
  readonly message: string
  readonly exceptionType: string | undefined
  readonly exceptionClass: string | undefined
  readonly nonRetryable: boolean
  /** The worker's structured exception, kept whole. */
  readonly exception: JsonObject | undefined
}

/** One attempt at a workflow: one history. */
export interface Run {
  readonly runId: string
  readonly workflowId: string
  readonly namespace: string
  readonly workflowType: string
  readonly taskQueue: string
  readonly runNumber: number
  readonly status: RunStatus
  readonly closedReason: ClosedReason | undefined
  /** The run's input, an envelope of a list of arguments. */
  readonly arguments: Envelope
  readonly output: Envelope | undefined
  readonly failure: RunFailure | undefined
  readonly businessKey: string | undefined
  /** Seconds, as they came. */
  readonly executionTimeoutSeconds: number | undefined
  readonly runTimeoutSeconds: number | undefined
  /** Epoch ms. */
  readonly executionDeadlineAt: number | undefined
  readonly runDeadlineAt: number | undefined
  /** The idempotent id of the start, ours: a start repeated after a lost reply returns the first answer. */
  readonly startId: string | undefined
  /** Epoch ms of WorkflowStarted. */
  readonly startedAt: number
  readonly closedAt: number | undefined
  readonly lastProgressAt: number
  /** Position of the newest history event; positions are dense from 1. */
  readonly lastSequence: number
  /** Bytes of all payload texts of the history. */
  readonly historyBytes: number
  /** The newest workflow step number; dense from 1 (python-replay §10.1). */
  readonly lastStep: number
  /** Counter of ids made in this run. */
  readonly lastId: number
  /** Counter of control commands (start, signal, cancel …) of this run. */
  readonly commandSequence: number
  readonly openActivities: number
  readonly openTimers: number
  readonly openSignalWaits: number
  readonly openConditionWaits: number
  /** Its outermost groups that are open, or whose end no completion has seen; in order of their first step. */
  readonly parallelGroups: readonly ParallelGroup[]
  /** Signals ever accepted; bounded by the limits. */
  readonly signalCount: number
  /** The registration of the process that keeps this run's state in its sticky cache, and up to which history position. */
  readonly cachedBy: string | undefined
  readonly cachedSequence: number
  /** The reason of the last replay-blocked failure while it stands. */
  readonly replayBlockedReason: string | undefined
  /** Fingerprint of the definition that the blocked worker had registered; undefined when it had none. */
  readonly replayBlockedFingerprint: string | undefined
  readonly openTask: OpenTask | undefined
  /** Why it will move, derived from the fields above at every change; undefined once closed. */
  readonly progress: ProgressKind | undefined
  /** The earliest deadline of the run itself (epoch ms); undefined when it has none or is closed. */
  readonly dueAt: number | undefined
}

/** Whether a run may still move. */
export function isOpen(run: Run): boolean {
  return run.status === 'pending' || run.status === 'running' || run.status === 'waiting'
}

/** The reason to move that a run's own fields state; the checker proves that rows stand behind it. */
export function progressOf(run: Run): ProgressKind | undefined {
  if (!isOpen(run)) return undefined
  if (run.openTask !== undefined) return run.openTask.leased ? 'workflow_task_leased' : 'workflow_task_ready'
  if (run.replayBlockedReason !== undefined) return 'replay_blocked'
  if (run.parallelGroups.some((group) => group.open > 0)) return 'parallel_group'
  if (run.openActivities > 0) return 'activity'
  if (run.openTimers > 0) return 'timer'
  if (run.openSignalWaits > 0) return 'signal_wait'
  return run.openConditionWaits > 0 ? 'condition_wait' : 'message'
}

/** The earlier of a run's two deadlines. */
export function runDueAt(
  executionDeadlineAt: number | undefined,
  runDeadlineAt: number | undefined,
): number | undefined {
  if (executionDeadlineAt === undefined) return runDeadlineAt
  if (runDeadlineAt === undefined) return executionDeadlineAt
  return Math.min(executionDeadlineAt, runDeadlineAt)
}

/** The bucket under which lists count a status (control plane 2, §6.5). */
export function statusBucket(status: RunStatus): 'running' | 'completed' | 'failed' {
  switch (status) {
    case 'completed':
      return 'completed'
    case 'failed':
    case 'cancelled':
    case 'terminated':
      return 'failed'
    default:
      return 'running'
  }
}
