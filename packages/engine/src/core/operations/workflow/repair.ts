import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept } from '../../decision/outcome.ts'
import { append, mustRun, nextId, patchRun } from '../../history/append.ts'
import { addressedOpenRun, addressKeys, currentRun, type RunAddress } from '../../rules/addressed-run.ts'
import { livenessOf } from '../../rules/liveness.ts'
import { releaseKeys, releaseTask } from '../../rules/release-task.ts'
import { resumeReplay } from '../../rules/replay-block.ts'
import { makeTask, repairResume } from '../../rules/resume.ts'
import { openTaskKeys } from '../../rules/run-keys.ts'
import { shortKey } from '../../state/ids.ts'
import type { Run } from '../../state/run.ts'
import type { WorkflowTask } from '../../state/workflow-task.ts'

export interface RepairWorkflow extends RunAddress {
  readonly requestId: string | undefined
}

/** A recorded repair and what came of it. */
export interface RepairReply {
  readonly run: Run
  readonly commandId: string
  readonly commandSequence: number
  readonly outcome: 'repair_dispatched' | 'repair_not_needed'
  /** The workflow task that the run got. */
  readonly taskId: string | undefined
}

/**
 * An operator's nudge: resumes a replay-blocked run, redelivers an expired lease at once, wakes a run for which nothing is
 * scheduled; any other run moves by itself and is left alone (L-03). Recorded in each case.
 *
 * @source repairWorkflow, repairRun; history-replay §7.5
 */
export const repairWorkflow = defineOperation({
  kind: 'repairWorkflow',
  locks: (input: RepairWorkflow) => [shortKey(input.workflowId)],
  slice: (input) => addressKeys(input),
  follow(draft, input) {
    const run = currentRun(draft, input)
    return [...openTaskKeys(run), ...releaseKeys(draft, run)]
  },
  decide(draft, input, now) {
    const run = addressedOpenRun(draft, input)
    if ('kind' in run) return run
    const { runId } = run
    const task = run.openTask === undefined ? undefined : draft.workflowTask(run.openTask.taskId)
    const liveness = livenessOf(run, task, now)
    const commandId = nextId(draft, runId, 'command')
    const taskId = liveness.repairReason === undefined ? undefined : nudge(draft, run, task, now)
    const outcome = taskId === undefined ? 'repair_not_needed' : 'repair_dispatched'
    append(
      draft,
      runId,
      {
        type: 'RepairRequested',
        payload: {
          workflow_command_id: commandId,
          workflow_instance_id: run.workflowId,
          workflow_run_id: runId,
          command_type: 'repair',
          outcome,
          liveness_state: liveness.state,
          ...(liveness.waitKind === undefined ? {} : { wait_kind: liveness.waitKind }),
          ...(taskId === undefined ? {} : { task_id: taskId, task_type: 'workflow' }),
        },
        commandId,
      },
      now,
    )
    const commandSequence = mustRun(draft, runId).commandSequence + 1
    const reply: RepairReply = {
      run: patchRun(draft, runId, { commandSequence }),
      commandId,
      commandSequence,
      outcome,
      taskId,
    }
    return accept(reply)
  },
})

function nudge(draft: Draft, run: Run, task: WorkflowTask | undefined, now: number): string {
  if (run.openTask === undefined && run.replayBlockedReason !== undefined)
    return resumeReplay(draft, run.runId, now).taskId
  if (task === undefined) return makeTask(draft, run.runId, { resume: repairResume, availableAt: now }, now).taskId
  releaseTask(draft, task, now)
  return task.taskId
}
