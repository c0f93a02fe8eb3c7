import type { Lease } from './claim.ts'

export type TaskStatus = 'ready' | 'leased' | 'completed' | 'failed' | 'cancelled'

/** Why a workflow task was made; what the poll reply tells the worker (worker plane 1.19 §6.1, resume context). */
export interface Resume {
  readonly waitKind: 'start' | 'activity' | 'timer' | 'condition' | 'signal' | 'retry' | 'repair'
  readonly openWaitId: string | undefined
  readonly sourceKind: 'activity_execution' | 'timer' | 'workflow_signal' | undefined
  readonly sourceId: string | undefined
  /** The step that was resolved, if one was. */
  readonly step: number | undefined
  /** The event that resolved it. */
  readonly eventType: string | undefined
}

/** A worker's report that it could not take the run further; the run stays open. */
export interface TaskFailure {
  readonly message: string
  readonly type: string | undefined
  readonly reason: string | undefined
  /** Step at which replay stopped, if the worker said so. */
  readonly step: number | undefined
}

/** One delivery unit of a run to a workflow worker. A run has at most one that is ready or leased. */
export interface WorkflowTask {
  readonly taskId: string
  readonly runId: string
  readonly namespace: string
  readonly taskQueue: string
  readonly workflowType: string
  readonly status: TaskStatus
  /** Not claimed before this instant (epoch ms). */
  readonly availableAt: number
  readonly createdAt: number
  /** Grows with every claim; the fence (L-04). */
  readonly attempt: number
  readonly lease: Lease | undefined
  /** How often an expired lease was set free. */
  readonly repairCount: number
  /** Failures in a row before this task, for the back-off. */
  readonly failureCount: number
  readonly resume: Resume
  /** Why the run must be woken again once this task closes: something was resolved while it was leased. */
  readonly pendingResume: Resume | undefined
  /** What a worker said when it failed this task; until then, of the task that this one replaces. */
  readonly failure: TaskFailure | undefined
  /** History position when it was claimed: what the worker has seen. */
  readonly claimedSequence: number
  /** Digest of the report that closed it, kept while the run is open: an exact repeat gets the recorded reply. */
  readonly reportDigest: string | undefined
  /** The reply to that report, as JSON text. */
  readonly reportReply: string | undefined
  readonly closedAt: number | undefined
  /** When time must act on it: the end of its lease (epoch ms). */
  readonly dueAt: number | undefined
}

export function isOpenTask(task: WorkflowTask): boolean {
  return task.status === 'ready' || task.status === 'leased'
}
