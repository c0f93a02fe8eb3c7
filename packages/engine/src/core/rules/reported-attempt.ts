import type { Draft } from '../decision/draft.ts'
import { accept, type Outcome, type Refused, refuse } from '../decision/outcome.ts'
import type { SliceKey } from '../decision/slice.ts'
import type { Activity, AttemptReport, ClosedAttempt } from '../state/activity.ts'
import { attemptIdOf, parseAttemptId, runIdOf } from '../state/ids.ts'
import type { JsonObject } from '../state/json.ts'
import type { Run } from '../state/run.ts'
import { closedRunFacts } from './receipt.ts'
import { type StopReason, verdict } from './verdict.ts'

/** What every report of an activity attempt says of itself. */
export interface AttemptReporter {
  /** A task of another namespace is not found. */
  readonly namespace: string
  /** The execution, which is the wire's task id. */
  readonly activityId: string
  readonly attemptId: string
  readonly leaseOwner: string
}

/** A report that ends an attempt. */
export interface OutcomeReport extends AttemptReporter {
  /** Digest of the whole body; an exact repeat is recognised by it. */
  readonly reportDigest: string
}

export interface ReportedAttempt {
  readonly kind: 'attempt'
  readonly run: Run
  readonly activity: Activity
  readonly attempt: number
}

export type AttemptReason = 'task_not_found' | 'attempt_not_found' | 'task_mismatch'

export function attemptKeys(report: AttemptReporter): SliceKey[] {
  return [
    { of: 'activity', activityId: report.activityId },
    { of: 'run', runId: runIdOf(report.activityId) },
  ]
}

/** Finds the attempt that a report names, whatever its state. */
export function reportedAttempt(draft: Draft, report: AttemptReporter): ReportedAttempt | Refused<AttemptReason> {
  const facts = { taskId: report.activityId, activityAttemptId: report.attemptId }
  const activity = draft.activity(report.activityId)
  const run = activity === undefined ? undefined : draft.run(activity.runId)
  if (activity === undefined || run === undefined || activity.namespace !== report.namespace) {
    return refuse('task_not_found', facts)
  }
  const named = parseAttemptId(report.attemptId)
  if (named === undefined) return refuse('attempt_not_found', facts)
  if (named.activityId !== report.activityId) return refuse('task_mismatch', facts)
  if (named.attempt < 1 || named.attempt > activity.attempt) return refuse('attempt_not_found', facts)
  return { kind: 'attempt', run, activity, attempt: named.attempt }
}

export type SettledReason =
  | Exclude<StopReason, 'attempt_closed' | 'activity_cancelled' | 'activity_not_running'>
  | 'lease_owner_mismatch'

/**
 * Refuses the outcome of an attempt that may not end any more: a superseded or expired one is stale, a closed run says
 * how it closed; undefined when the outcome may be recorded.
 */
function refuseOutcome(
  reported: ReportedAttempt,
  report: AttemptReporter,
  now: number,
): Refused<SettledReason> | undefined {
  const { run, activity, attempt } = reported
  const judged = verdict(run, activity, attempt, report.leaseOwner, now)
  if (judged.mayContinue) return undefined
  const facts = outcomeFacts(reported, report)
  switch (judged.reason) {
    case 'run_cancelled':
    case 'run_terminated':
      return refuse(judged.reason, { ...facts, ...closedRunFacts(run), outcome: 'ignored' })
    case 'run_closed':
      // Also for a run that timed out: `run_timed_out` on an activity report ends a Rust 4.10 worker (rust-worker §4.2).
      return refuse('run_closed', { ...facts, ...closedRunFacts(run), outcome: 'ignored' })
    default:
      return ownedByOther(activity, attempt, report.leaseOwner)
        ? refuse('lease_owner_mismatch', facts)
        : refuse('stale_attempt', facts)
  }
}

function outcomeFacts({ run, activity, attempt }: ReportedAttempt, report: AttemptReporter): JsonObject {
  const closed = closedAttempt(activity, attempt)
  return {
    taskId: report.activityId,
    activityAttemptId: report.attemptId,
    runId: run.runId,
    runStatus: run.status,
    activityStatus: activity.status,
    attemptStatus: attempt === activity.attempt ? activity.attemptStatus : (closed?.status ?? 'expired'),
    taskStatus: activity.status === 'running' ? 'leased' : activity.status === 'pending' ? 'ready' : activity.status,
    leaseOwner: activity.lease?.owner ?? null,
    leaseExpiresAt: activity.lease?.expiresAt ?? null,
    currentAttemptId: attemptIdOf(activity.activityId, activity.attempt),
    cancelRequested: false,
    canContinue: false,
  }
}

function ownedByOther(activity: Activity, attempt: number, owner: string): boolean {
  return (
    attempt === activity.attempt &&
    activity.attemptStatus === 'running' &&
    activity.lease !== undefined &&
    activity.lease.owner !== owner
  )
}

/** How an earlier attempt ended, if the row still remembers it. */
export function closedAttempt(activity: Activity, attempt: number): ClosedAttempt | undefined {
  return activity.closedAttempts.find((closed) => closed.attempt === attempt)
}

/**
 * What an outcome is answered that is not recorded: the recorded reply, if this exact report closed the attempt (it was
 * sent again after a lost reply), else the refusal; undefined when the outcome may be recorded.
 */
export function settledOutcome(
  reported: ReportedAttempt,
  report: OutcomeReport,
  now: number,
): Outcome<ActivityTaskClosed, SettledReason> | undefined {
  const refused = refuseOutcome(reported, report, now)
  if (refused?.reason !== 'stale_attempt') return refused
  const closed = closedAttempt(reported.activity, reported.attempt)
  return closed?.report?.digest === report.reportDigest && closed.owner === report.leaseOwner
    ? accept({ ...taskClosed(reported, report, closed.report), repeated: true })
    : refused
}

/** What a recorded outcome of an attempt answers. */
export interface ActivityTaskClosed {
  readonly activityId: string
  readonly attemptId: string
  readonly runId: string
  /** The workflow task that this outcome made, or the retry's; undefined when one was there already. */
  readonly nextTaskId: string | undefined
  /** When the next attempt may start (epoch ms); undefined when none follows. */
  readonly retryAt: number | undefined
  /** The same report was recorded before; nothing was recorded now. */
  readonly repeated: boolean
}

/** What a report that was recorded now answers. */
export function taskClosed(
  { run }: ReportedAttempt,
  { activityId, attemptId }: AttemptReporter,
  { nextTaskId, retryAt }: Omit<AttemptReport, 'digest'>,
): ActivityTaskClosed {
  return { activityId, attemptId, runId: run.runId, nextTaskId, retryAt, repeated: false }
}
