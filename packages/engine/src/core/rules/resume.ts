// Which workflow task a resolved thing makes. A run has at most one that is ready or leased: what is resolved while
// one is ready needs nothing (the claim reads all), while one is leased it leaves a mark, and the report that closes
// the task makes the successor.

import type { Draft } from '../decision/draft.ts'
import { mustRun, nextId, patchRun } from '../history/append.ts'
import type { Activity } from '../state/activity.ts'
import type { Signal } from '../state/signal.ts'
import type { Timer } from '../state/timer.ts'
import type { Wait } from '../state/wait.ts'
import type { Resume, TaskFailure, WorkflowTask } from '../state/workflow-task.ts'

const nothing = {
  openWaitId: undefined,
  sourceKind: undefined,
  sourceId: undefined,
  step: undefined,
  eventType: undefined,
}

/** The first task of a run. */
export const startResume: Resume = { ...nothing, waitKind: 'start' }

/** A task that repeats one whose worker failed it. */
export const retryResume: Resume = { ...nothing, waitKind: 'retry' }

/** A task that an operator, a repair pass or corrected code gives to a run. */
export const repairResume: Resume = { ...nothing, waitKind: 'repair' }

export function activityResume(activity: Activity, eventType: string): Resume {
  return {
    waitKind: 'activity',
    openWaitId: `activity:${activity.activityId}`,
    sourceKind: 'activity_execution',
    sourceId: activity.activityId,
    step: activity.step,
    eventType,
  }
}

export function timerResume(timer: Timer): Resume {
  const waitKind =
    timer.kind === 'condition_timeout' ? 'condition' : timer.kind === 'signal_timeout' ? 'signal' : 'timer'
  return {
    waitKind,
    openWaitId: timer.waitId ?? `timer:${timer.timerId}`,
    sourceKind: 'timer',
    sourceId: timer.timerId,
    step: timer.step,
    eventType: 'TimerFired',
  }
}

export function signalResume(signal: Signal, wait: Wait | undefined): Resume {
  return {
    waitKind: 'signal',
    openWaitId: `signal-application:${signal.signalId}`,
    sourceKind: 'workflow_signal',
    sourceId: signal.signalId,
    step: wait?.step,
    eventType: wait?.kind === 'signal' ? 'SignalApplied' : 'SignalReceived',
  }
}

/**
 * Sees to it that the run gets a workflow task: makes one, or marks the leased one.
 *
 * A replay-blocked run gets none: corrected code or an operator resumes it (protocol/README, "Replay-blocked run").
 *
 * @returns the id of the task that it made, if it made one
 */
export function wakeRun(draft: Draft, runId: string, resume: Resume, now: number): string | undefined {
  const run = mustRun(draft, runId)
  if (run.openTask === undefined) {
    return run.replayBlockedReason === undefined
      ? makeTask(draft, runId, { resume, availableAt: now }, now).taskId
      : undefined
  }
  if (!run.openTask.leased) return undefined
  const task = draft.workflowTask(run.openTask.taskId)
  if (task !== undefined && task.pendingResume === undefined) draft.putWorkflowTask({ ...task, pendingResume: resume })
  return undefined
}

/** Makes a ready workflow task; a replacement goes on with the attempts and failures of its predecessor, and keeps its last one. */
export function makeTask(
  draft: Draft,
  runId: string,
  made: { resume: Resume; availableAt: number; attempt?: number; failureCount?: number; failure?: TaskFailure },
  now: number,
): WorkflowTask {
  const taskId = nextId(draft, runId, 'workflowTask')
  const run = mustRun(draft, runId)
  patchRun(draft, runId, { openTask: { taskId, leased: false } })
  return draft.putWorkflowTask({
    taskId,
    runId,
    namespace: run.namespace,
    taskQueue: run.taskQueue,
    workflowType: run.workflowType,
    status: 'ready',
    availableAt: made.availableAt,
    createdAt: now,
    attempt: made.attempt ?? 0,
    lease: undefined,
    repairCount: 0,
    failureCount: made.failureCount ?? 0,
    resume: made.resume,
    pendingResume: undefined,
    failure: made.failure,
    claimedSequence: 0,
    reportDigest: undefined,
    reportReply: undefined,
    closedAt: undefined,
    dueAt: undefined,
  })
}
