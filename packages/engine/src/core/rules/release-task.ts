import type { Draft } from '../decision/draft.ts'
import type { SliceKey } from '../decision/slice.ts'
import { patchRun } from '../history/append.ts'
import type { Run } from '../state/run.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'
import { receiveHeld } from './held.ts'
import { heldSignalKeys } from './run-keys.ts'
import { waitKeys } from './wait-keys.ts'

/** What setting a leased workflow task of a run free reads besides the task. */
export function releaseKeys(draft: Draft, run: Run | undefined): SliceKey[] {
  return run === undefined ? [] : [...heldSignalKeys(run), ...waitKeys(draft, run.runId)]
}

/** Redelivers a leased task: the same row, ready at once; the attempt goes on at the next claim (L-02, L-12). */
export function releaseTask(draft: Draft, task: WorkflowTask, now: number): void {
  draft.putWorkflowTask({
    ...task,
    status: 'ready',
    lease: undefined,
    availableAt: now,
    repairCount: task.repairCount + 1,
    pendingResume: undefined,
    dueAt: undefined,
  })
  patchRun(draft, task.runId, {
    status: 'waiting',
    openTask: { taskId: task.taskId, leased: false },
    cachedBy: undefined,
    cachedSequence: 0,
  })
  receiveHeld(draft, task.runId, now)
}
