import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { resumeReplay } from '../../rules/replay-block.ts'
import { lockOf } from '../../state/ids.ts'
import { isOpen } from '../../state/run.ts'

export interface ResumeBlockedRun {
  readonly runId: string
  /** Fingerprint of the definition that a worker registered; the one that was blocked is not tried again. Undefined: any is. */
  readonly fingerprint: string | undefined
}

/**
 * Resumes a replay-blocked run because a worker registered another definition of its type, or in a repair pass. No event:
 * nobody gave a command.
 */
export const resumeBlockedRun = defineOperation({
  kind: 'resumeBlockedRun',
  locks: (input: ResumeBlockedRun) => [lockOf(input.runId)],
  slice: (input) => [{ of: 'run', runId: input.runId }],
  decide(draft, input, now) {
    const run = draft.run(input.runId)
    if (run === undefined || !isOpen(run) || run.openTask !== undefined || run.replayBlockedReason === undefined) {
      return refuse('not_blocked', { runId: input.runId })
    }
    if (input.fingerprint !== undefined && input.fingerprint === run.replayBlockedFingerprint) {
      return refuse('same_definition', { runId: input.runId, workflowType: run.workflowType })
    }
    return accept({ taskId: resumeReplay(draft, run.runId, now).taskId })
  },
})
