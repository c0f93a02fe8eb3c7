// A run whose replay was refused is suspended: nothing that happens makes it a workflow task, and everything that
// happens is recorded. An operator or a worker with other code resumes it (protocol/README, "Replay-blocked run").

import type { Draft } from '../decision/draft.ts'
import { patchRun } from '../history/append.ts'
import { engineLimits } from '../state/limits.ts'
import type { TaskFailure, WorkflowTask } from '../state/workflow-task.ts'
import { makeTask, repairResume } from './resume.ts'

/**
 * Suspends a run.
 *
 * @param fingerprint of the definition that refused the history; undefined when its worker had registered none
 */
export function blockReplay(draft: Draft, runId: string, failure: TaskFailure, fingerprint: string | undefined): void {
  const said = failure.reason === undefined ? failure.message : `${failure.reason}: ${failure.message}`
  patchRun(draft, runId, {
    replayBlockedReason: said.slice(0, engineLimits.replayBlockedReasonCharactersMax),
    replayBlockedFingerprint: fingerprint,
  })
}

/** Resumes a suspended run: its next task carries all that happened meanwhile. */
export function resumeReplay(draft: Draft, runId: string, now: number): WorkflowTask {
  patchRun(draft, runId, { replayBlockedReason: undefined, replayBlockedFingerprint: undefined })
  return makeTask(draft, runId, { resume: repairResume, availableAt: now }, now)
}
