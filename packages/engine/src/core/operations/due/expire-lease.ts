// A lease ends by expiry, by deregistration of its owner, or because another process took the owner's id; never by
// silence. Each lease stands alone (L-01): nothing here looks at any other task of the run, and no event is written.

import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { makeAvailable } from '../../rules/end-attempt.ts'
import { releaseKeys, releaseTask } from '../../rules/release-task.ts'
import { isLive, type Lease } from '../../state/claim.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import { isOpen } from '../../state/run.ts'

/** The lease that its owner gives up, as it was found: a later one, also of the same worker id, stays (design.md §2.4). */
export interface Surrender {
  readonly owner: string
  readonly attempt: number
}

/** Sets one workflow task free: because its lease has expired, or because its owner gives it up. */
export interface ReleaseWorkflowTask {
  readonly taskId: string
  /** The lease that ends, live or not; undefined: one that has expired. */
  readonly surrender: Surrender | undefined
}

/** Redelivers the same task row: ready at once, the attempt goes on at the next claim (L-02, L-12). */
export const releaseWorkflowTask = defineOperation({
  kind: 'releaseWorkflowTask',
  locks: (input: ReleaseWorkflowTask) => [lockOf(input.taskId)],
  slice: (input) => [
    { of: 'workflowTask', taskId: input.taskId },
    { of: 'run', runId: runIdOf(input.taskId) },
  ],
  follow: (draft, input) => releaseKeys(draft, draft.run(runIdOf(input.taskId))),
  decide(draft, input, now) {
    const task = draft.workflowTask(input.taskId)
    const run = task === undefined ? undefined : draft.run(task.runId)
    const lease = task?.lease
    if (task === undefined || run === undefined || lease === undefined || task.status !== 'leased' || !isOpen(run)) {
      return refuse('not_leased', { taskId: input.taskId })
    }
    const { surrender } = input
    const ends = surrender === undefined ? !isLive(lease, now) : isOf(surrender, lease, task.attempt)
    if (!ends) return refuse('not_due', { taskId: input.taskId, leaseExpiresAt: lease.expiresAt })
    releaseTask(draft, task, now)
    return accept({ taskId: task.taskId, owner: lease.owner, attempt: task.attempt })
  },
})

/** As ReleaseWorkflowTask, for the running attempt of an activity. */
export interface ReleaseActivityTask {
  readonly activityId: string
  readonly surrender: Surrender
}

/** Redelivers a lost attempt as the next one, also past the policy's attempts (L-15). */
export const releaseActivityTask = defineOperation({
  kind: 'releaseActivityTask',
  locks: (input: ReleaseActivityTask) => [lockOf(input.activityId)],
  slice: (input) => [
    { of: 'activity', activityId: input.activityId },
    { of: 'run', runId: runIdOf(input.activityId) },
  ],
  decide(draft, input, now) {
    const activity = draft.activity(input.activityId)
    const run = activity === undefined ? undefined : draft.run(activity.runId)
    const lease = activity?.lease
    if (
      activity === undefined ||
      run === undefined ||
      lease === undefined ||
      activity.status !== 'running' ||
      !isOpen(run)
    ) {
      return refuse('not_leased', { taskId: input.activityId })
    }
    if (!isOf(input.surrender, lease, activity.attempt))
      return refuse('not_due', { taskId: input.activityId, leaseExpiresAt: lease.expiresAt })
    makeAvailable(draft, activity, { status: 'expired' }, now, now)
    return accept({ taskId: activity.activityId, owner: lease.owner, attempt: activity.attempt })
  },
})

function isOf({ owner, attempt }: Surrender, lease: Lease, currentAttempt: number): boolean {
  return lease.owner === owner && currentAttempt === attempt
}
