import type { Draft } from '../decision/draft.ts'
import type { SliceKey } from '../decision/slice.ts'
import { mustRun, patchRun } from '../history/append.ts'
import type { Envelope } from '../state/payload.ts'
import { type ClosedReason, isOpen, type Run, type RunFailure, type RunStatus } from '../state/run.ts'
import { isOpenTask } from '../state/workflow-task.ts'
import { cancelOpenWork } from './cancel-open-work.ts'
import { heldSignalKeys, openTaskKeys } from './run-keys.ts'
import { waitKeys } from './wait-keys.ts'

/** How a run ends. */
export interface Ending {
  readonly status: Extract<RunStatus, 'completed' | 'failed' | 'cancelled' | 'terminated'>
  readonly closedReason: ClosedReason
  readonly output?: Envelope | undefined
  readonly failure?: RunFailure | undefined
}

/**
 * What closing an open run reads, as far as its rows say so by now: only what is there.
 *
 * @param opensWork whether the same decision opens more before it closes
 */
export function closingKeys(draft: Draft, run: Run | undefined, opensWork = false): SliceKey[] {
  if (run === undefined || !isOpen(run)) return []
  const { runId } = run
  const keys: SliceKey[] = [...heldSignalKeys(run), ...openTaskKeys(run)]
  if (opensWork || run.openActivities > 0) keys.push({ of: 'openActivities', runId })
  if (opensWork || run.openTimers > 0) keys.push({ of: 'openTimers', runId })
  return [...keys, ...waitKeys(draft, runId)]
}

/** Those of `closingKeys` that the slice lacks; a decision that finds some asks for them first. */
export function missingToClose(draft: Draft, run: Run, opensWork = false): SliceKey[] {
  return closingKeys(draft, run, opensWork).filter((key) => !draft.knows(key) && !isInDraft(draft, key))
}

// A row that a neighbour of the group made is there without having been asked for.
function isInDraft(draft: Draft, key: SliceKey): boolean {
  if (key.of === 'timer') return draft.hasTimer(key.timerId)
  return key.of === 'workflowTask' && draft.hasWorkflowTask(key.taskId)
}

/** The first half of a terminal state: open work and the task that is still out end; the caller then appends the last event. */
export function endOpenWork(draft: Draft, runId: string, commandId: string | undefined, now: number): void {
  cancelOpenWork(draft, runId, commandId, now)
  cancelOpenTask(draft, runId, now)
}

/** The second half, after the last event: the run itself. */
export function closeRun(draft: Draft, runId: string, ending: Ending, now: number): Run {
  const run = mustRun(draft, runId)
  return patchRun(draft, runId, {
    status: ending.status,
    closedReason: ending.closedReason,
    closedAt: now,
    output: ending.output ?? run.output,
    failure: ending.failure,
    openTask: undefined,
    replayBlockedReason: undefined,
    replayBlockedFingerprint: undefined,
    cachedBy: undefined,
    dueAt: undefined,
  })
}

function cancelOpenTask(draft: Draft, runId: string, now: number): void {
  const open = mustRun(draft, runId).openTask
  const task = open === undefined ? undefined : draft.workflowTask(open.taskId)
  if (task !== undefined && isOpenTask(task)) {
    draft.putWorkflowTask({ ...task, status: 'cancelled', closedAt: now, dueAt: undefined })
  }
}
