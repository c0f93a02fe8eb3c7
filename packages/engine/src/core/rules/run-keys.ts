import type { SliceKey } from '../decision/slice.ts'
import type { Run } from '../state/run.ts'

/** The workflow task that a run names as open: what waking the run may mark. Nothing is asked where nothing is open. */
export function openTaskKeys(run: Run | undefined): SliceKey[] {
  return run?.openTask === undefined ? [] : [{ of: 'workflowTask', taskId: run.openTask.taskId }]
}

/** The held signals of a run that ever had a signal. */
export function heldSignalKeys(run: Run | undefined): SliceKey[] {
  return run === undefined || run.signalCount === 0 ? [] : [{ of: 'heldSignals', runId: run.runId }]
}
