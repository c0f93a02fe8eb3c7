import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { patchRun } from '../../history/append.ts'
import { isExpired } from '../../rules/close-expired.ts'
import type { ClaimProof } from '../../state/claim.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import { isOpen, type Run } from '../../state/run.ts'
import type { WorkflowTask } from '../../state/workflow-task.ts'

export interface ClaimWorkflowTask {
  readonly taskId: string
  readonly proof: ClaimProof
  /** Length of the lease in ms. */
  readonly leaseMs: number
}

export interface WorkflowTaskClaimed {
  readonly kind: 'workflow'
  readonly run: Run
  readonly task: WorkflowTask
  /** History events that the claimer keeps in its cache; its first page begins after them. */
  readonly cachedSequence: number
}

/**
 * Leases a ready workflow task: the next attempt, with the proof of what the claimer was. Re-checked under the lock;
 * a lost race is refused and costs its waiter a retry (DI4).
 */
export const claimWorkflowTask = defineOperation({
  kind: 'claimWorkflowTask',
  locks: (input: ClaimWorkflowTask) => [lockOf(input.taskId)],
  slice: (input) => [
    { of: 'workflowTask', taskId: input.taskId },
    { of: 'run', runId: runIdOf(input.taskId) },
  ],
  decide(draft, input, now) {
    const task = draft.workflowTask(input.taskId)
    const run = task === undefined ? undefined : draft.run(task.runId)
    if (task === undefined || run === undefined) return refuse('task_not_found', { taskId: input.taskId })
    // A run whose deadline has passed is the sweep's: its next report could only hear `run_timed_out`.
    if (!isOpen(run) || isExpired(run, now) || task.status !== 'ready' || task.availableAt > now) {
      return refuse('task_not_ready', { taskId: input.taskId, taskStatus: task.status })
    }
    const owner = input.proof.workerId
    const expiresAt = now + input.leaseMs
    const { registrationId } = input.proof
    const cached = run.cachedBy === registrationId
    const claimed: WorkflowTaskClaimed = {
      kind: 'workflow',
      run: patchRun(draft, run.runId, {
        status: 'running',
        openTask: { taskId: task.taskId, leased: true },
        cachedBy: cached ? registrationId : undefined,
      }),
      task: draft.putWorkflowTask({
        ...task,
        status: 'leased',
        attempt: task.attempt + 1,
        lease: { owner, leasedAt: now, expiresAt, leaseMs: input.leaseMs, proof: input.proof },
        claimedSequence: run.lastSequence,
        dueAt: expiresAt,
      }),
      cachedSequence: cached ? run.cachedSequence : 0,
    }
    return accept(claimed)
  },
})
