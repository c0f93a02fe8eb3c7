// What completion and failure of a workflow task share: an exact repeat, the waits that the worker has seen end, the
// closed task, what waited for it.

import type { Draft } from '../decision/draft.ts'
import { append, mustRun, patchRun } from '../history/append.ts'
import type { ConditionWait } from '../state/wait.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'
import { closeTimerOf } from './cancel-open-work.ts'
import type { Reporter } from './fence.ts'
import { receiveHeld } from './held.ts'
import { wakeRun } from './resume.ts'
import { waitFacts } from './wait-facts.ts'

/** A report that closes a workflow task. */
export interface ClosingReport extends Reporter {
  /** Digest of the whole body; an exact repeat is recognised by it. */
  readonly reportDigest: string
  /** The worker keeps the run's state in its cache (ours, capability `history_cache`). */
  readonly historyCached: boolean
}

/**
 * The task that this very report closed, sent again after a lost reply: same task, owner, attempt and body, run still
 * open (protocol/README, "Repeated completion").
 */
export function repeatedTask(draft: Draft, report: ClosingReport): WorkflowTask | undefined {
  const task = draft.workflowTask(report.taskId)
  const run = task === undefined ? undefined : draft.run(task.runId)
  return task !== undefined &&
    run !== undefined &&
    run.closedAt === undefined &&
    task.namespace === report.namespace &&
    task.reportDigest === report.reportDigest &&
    task.lease?.owner === report.leaseOwner &&
    task.attempt === report.attempt
    ? task
    : undefined
}

/** Marks the timeouts that the worker has seen: a wait of theirs is not opened again. */
export function settleSeenTimeouts(draft: Draft, task: WorkflowTask): void {
  for (const wait of draft.liveWaits(task.runId)) {
    if (wait.status === 'expired' && (wait.closedSequence ?? 0) <= task.claimedSequence) {
      draft.putWait({ ...wait, status: 'timed_out' })
    }
  }
}

/** Ends a condition wait that the code has moved past; written before the rows of the completion (python-replay §10.5). */
export function satisfyWait(draft: Draft, wait: ConditionWait, now: number): void {
  const closedSequence = append(
    draft,
    wait.runId,
    {
      type: 'ConditionWaitSatisfied',
      payload: { sequence: wait.step, ...waitFacts(wait), condition_wait_id: wait.waitId },
    },
    now,
  )
  draft.putWait({ ...wait, status: 'satisfied', closedSequence })
  const run = mustRun(draft, wait.runId)
  patchRun(draft, wait.runId, { openConditionWaits: run.openConditionWaits - 1 })
  closeTimerOf(draft, wait, now)
}

/** Closes the task; the run has no open task from here on. @returns the task as closed, its mark for a successor taken off */
export function closeTask(
  draft: Draft,
  task: WorkflowTask,
  status: 'completed' | 'failed',
  report: ClosingReport,
  now: number,
): WorkflowTask {
  patchRun(draft, task.runId, {
    openTask: undefined,
    status: 'waiting',
    cachedBy: report.historyCached ? task.lease?.proof.registrationId : undefined,
    cachedSequence: report.historyCached ? task.claimedSequence : 0,
  })
  return draft.putWorkflowTask({
    ...task,
    status,
    // What an earlier task said stays with a failure only.
    failure: status === 'failed' ? task.failure : undefined,
    pendingResume: undefined,
    reportDigest: report.reportDigest,
    closedAt: now,
    dueAt: undefined,
  })
}

/** What the run still has to hear after its task closed: what was held, and whatever was resolved meanwhile. */
export function wakeAfterTask(draft: Draft, before: WorkflowTask, now: number): void {
  receiveHeld(draft, before.runId, now)
  if (before.pendingResume !== undefined) wakeRun(draft, before.runId, before.pendingResume, now)
}
