import type { Draft } from '../decision/draft.ts'
import { append, patchRun } from '../history/append.ts'
import {
  type Activity,
  type AttemptReport,
  type AttemptStatus,
  type ClosedAttempt,
  isOpenActivity,
} from '../state/activity.ts'
import { attemptIdOf } from '../state/ids.ts'
import { formatInstant } from '../state/instant.ts'
import { engineLimits } from '../state/limits.ts'
import type { Timer } from '../state/timer.ts'
import type { Wait } from '../state/wait.ts'

/** Cancels everything that a run still has open, before its terminal event. @param commandId the control command, if one closes it */
export function cancelOpenWork(draft: Draft, runId: string, commandId: string | undefined, now: number): void {
  const run = draft.run(runId)
  if (run === undefined) return
  if (run.openActivities > 0) {
    for (const activity of draft.openActivities(runId)) cancelActivity(draft, activity, commandId, now)
  }
  if (run.openTimers > 0) for (const timer of draft.openTimers(runId)) cancelTimer(draft, timer, now)
  if (run.openSignalWaits + run.openConditionWaits > 0) {
    for (const wait of draft.liveWaits(runId)) draft.putWait({ ...wait, status: 'cancelled' })
  }
  patchRun(draft, runId, {
    openActivities: 0,
    openTimers: 0,
    openSignalWaits: 0,
    openConditionWaits: 0,
    parallelGroups: [],
  })
}

/** Ends an open activity as cancelled; its attempt, if one runs, learns of it at its next report. */
export function cancelActivity(draft: Draft, activity: Activity, commandId: string | undefined, now: number): void {
  append(
    draft,
    activity.runId,
    {
      type: 'ActivityCancelled',
      payload: {
        workflow_command_id: commandId,
        activity_execution_id: activity.activityId,
        activity_type: activity.activityType,
        sequence: activity.step,
        ...attemptFacts(activity),
        cancelled_at: formatInstant(now),
        ...activity.group?.facts,
      },
      commandId,
    },
    now,
  )
  draft.putActivity({
    ...closeAttempt(activity, { status: 'cancelled' }, now),
    status: 'cancelled',
    closedAt: now,
    dueAt: undefined,
  })
}

/** The newest attempt as events name it; absent before the first claim. */
export function attemptFacts(activity: Activity): { activity_attempt_id?: string; attempt_number?: number } {
  if (activity.attempt === 0) return {}
  return { activity_attempt_id: attemptIdOf(activity.activityId, activity.attempt), attempt_number: activity.attempt }
}

/** How an attempt ended; without a report, time or the end of the run ended it. */
export interface AttemptEnding {
  readonly status: AttemptStatus
  readonly report?: AttemptReport | undefined
  readonly problem?: string
}

/** Ends the running attempt, if there is one, and remembers how, for exact answers to late reports. */
export function closeAttempt(activity: Activity, ending: AttemptEnding, now: number): Activity {
  if (activity.attemptStatus !== 'running') return activity
  const closed: ClosedAttempt = {
    attempt: activity.attempt,
    owner: activity.lease?.owner ?? '',
    closedAt: now,
    report: undefined,
    ...ending,
  }
  return {
    ...activity,
    attemptStatus: ending.status,
    closeDeadlineAt: undefined,
    heartbeatDeadlineAt: undefined,
    closedAttempts: [...activity.closedAttempts, closed].slice(-engineLimits.closedAttemptsMax),
  }
}

/** Counts a closed activity out of its run; call once for each that leaves the open states. */
export function countOutActivity(draft: Draft, activity: Activity): void {
  const run = draft.run(activity.runId)
  if (run !== undefined && isOpenActivity(activity))
    patchRun(draft, run.runId, { openActivities: run.openActivities - 1 })
}

/** Takes the timeout timer of a wait out of the way; its fire would end a wait that has ended. */
export function closeTimerOf(draft: Draft, wait: Wait, now: number): void {
  const timer = wait.timerId === undefined ? undefined : draft.timer(wait.timerId)
  if (timer === undefined || timer.status !== 'pending') return
  cancelTimer(draft, timer, now)
  const run = draft.run(wait.runId)
  if (run !== undefined) patchRun(draft, run.runId, { openTimers: run.openTimers - 1 })
}

// The timeout of a wait goes silently: published workers read its TimerCancelled as the end of the wait
// (python-replay §5.1), which has its own row.
function cancelTimer(draft: Draft, timer: Timer, now: number): void {
  draft.putTimer({ ...timer, status: 'cancelled', dueAt: undefined })
  if (timer.kind !== 'user') return
  append(
    draft,
    timer.runId,
    {
      type: 'TimerCancelled',
      payload: {
        timer_id: timer.timerId,
        sequence: timer.step,
        delay_seconds: timer.delaySeconds,
        fire_at: formatInstant(timer.fireAt),
        cancelled_at: formatInstant(now),
        ...timer.group?.facts,
      },
    },
    now,
  )
}
