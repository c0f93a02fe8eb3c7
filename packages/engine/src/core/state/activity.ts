import type { Lease } from './claim.ts'
import type { Json } from './json.ts'
import type { GroupMember } from './parallel-group.ts'
import type { Envelope } from './payload.ts'

export type ActivityStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'
export type AttemptStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'expired'
export type TimeoutKind = 'schedule_to_start' | 'start_to_close' | 'schedule_to_close' | 'heartbeat'

/** Whole seconds as on the wire, or the exact milliseconds where the worker sent them (`millisecond_durations`). */
export interface ActivityTimeouts {
  readonly scheduleToStartMs: number | undefined
  readonly startToCloseMs: number | undefined
  readonly scheduleToCloseMs: number | undefined
  readonly heartbeatMs: number | undefined
}

/** Next delay = backoffMs[min(attempt − 1, last)]; an empty list means at once (worker plane §9.6). */
export interface RetryPolicy {
  readonly maxAttempts: number
  readonly backoffMs: readonly number[]
  readonly nonRetryableErrorTypes: readonly string[]
}

/** The report that closed an attempt and what it was answered: an exact repeat gets that reply. */
export interface AttemptReport {
  readonly digest: string
  readonly nextTaskId: string | undefined
  /** Epoch ms. */
  readonly retryAt: number | undefined
}

/** An attempt that ended; kept so that its late reports get their exact answer (L-15, R-10). */
export interface ClosedAttempt {
  readonly attempt: number
  readonly status: AttemptStatus
  readonly owner: string
  /** Epoch ms. */
  readonly closedAt: number
  /** Undefined when time or the end of the run closed it. */
  readonly report: AttemptReport | undefined
  /** What went wrong, where another attempt follows: for people, cut to `engineLimits.toldProblemCharactersMax`. */
  readonly problem?: string
}

/**
 * One scheduled call of an activity, and at the same time its task: an execution has exactly one task, whose id is
 * the execution's, redelivered attempt by attempt.
 */
export interface Activity {
  readonly activityId: string
  readonly runId: string
  readonly workflowId: string
  readonly namespace: string
  readonly taskQueue: string
  readonly activityType: string
  /** Step number of the authored call. */
  readonly step: number
  /** Set for a member of a parallel group. */
  readonly group: GroupMember | undefined
  readonly status: ActivityStatus
  readonly arguments: Envelope
  readonly timeouts: ActivityTimeouts
  readonly retry: RetryPolicy
  /** The policy as the command carried it, JSON text, for snapshots in history; undefined when it carried none. */
  readonly retryPolicyText: string | undefined
  /** Epoch ms. */
  readonly scheduledAt: number
  /** Not claimed before this instant. */
  readonly availableAt: number
  /** Number of the newest attempt; 0 before the first claim. */
  readonly attempt: number
  readonly attemptStatus: AttemptStatus | undefined
  readonly lease: Lease | undefined
  readonly startedAt: number | undefined
  readonly lastHeartbeatAt: number | undefined
  /** The newest details, free JSON; handed to the next attempt. */
  readonly lastHeartbeatDetails: Json | undefined
  readonly scheduleDeadlineAt: number | undefined
  readonly scheduleToCloseDeadlineAt: number | undefined
  readonly closeDeadlineAt: number | undefined
  readonly heartbeatDeadlineAt: number | undefined
  /** The newest ones only (limits.closedAttemptsMax); history has all. */
  readonly closedAttempts: readonly ClosedAttempt[]
  readonly closedAt: number | undefined
  /** The earliest instant at which time must act: a deadline or the end of the lease. */
  readonly dueAt: number | undefined
}

export function isOpenActivity(activity: Activity): boolean {
  return activity.status === 'pending' || activity.status === 'running'
}
