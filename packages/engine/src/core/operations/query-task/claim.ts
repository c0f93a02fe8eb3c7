import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import type { ClaimProof } from '../../state/claim.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import { engineLimits } from '../../state/limits.ts'
import type { QueryTask } from '../../state/query-task.ts'
import type { Run } from '../../state/run.ts'

export interface ClaimQueryTask {
  readonly queryTaskId: string
  readonly proof: ClaimProof
  /** Length of the lease in ms. */
  readonly leaseMs: number
}

export interface QueryTaskClaimed {
  readonly kind: 'query'
  readonly queryTask: QueryTask
  readonly run: Run
}

/** Leases a question whose caller still waits. */
export const claimQueryTask = defineOperation({
  kind: 'claimQueryTask',
  locks: (input: ClaimQueryTask) => [lockOf(input.queryTaskId)],
  slice: (input) => [
    { of: 'queryTask', queryTaskId: input.queryTaskId },
    { of: 'run', runId: runIdOf(input.queryTaskId) },
  ],
  decide(draft, input, now) {
    const task = draft.queryTask(input.queryTaskId)
    const run = task === undefined ? undefined : draft.run(task.runId)
    if (task === undefined || run === undefined) return refuse('task_not_found', { taskId: input.queryTaskId })
    if (task.status !== 'ready' || task.deadlineAt <= now)
      return refuse('task_not_ready', { taskId: input.queryTaskId })
    const lease = {
      owner: input.proof.workerId,
      leasedAt: now,
      expiresAt: now + input.leaseMs,
      leaseMs: input.leaseMs,
      proof: input.proof,
    }
    const claimed: QueryTaskClaimed = {
      kind: 'query',
      queryTask: draft.putQueryTask({
        ...task,
        status: 'leased',
        attempt: task.attempt + 1,
        lease,
        dueAt: Math.min(lease.expiresAt, task.createdAt + engineLimits.queryTaskTtlMs),
      }),
      run,
    }
    return accept(claimed)
  },
})
