// The barrier of parallel groups. A run keeps a counter for each of its outermost groups: an end of a member costs the
// same whatever the size of the group (history-replay §3.5).
//
// A member that ends well wakes the run only when all members have ended; one that fails wakes it at once, for an author
// may go on at the first failure. A published Python worker that is woken so sends its group again: nothing is recorded
// of it (python-replay §10.3), and it waits on.

import type { Draft } from '../decision/draft.ts'
import { mustRun, patchRun } from '../history/append.ts'
import type { GroupMember, ParallelGroup } from '../state/parallel-group.ts'
import type { Resume, WorkflowTask } from '../state/workflow-task.ts'
import { wakeRun } from './resume.ts'

/** The end of a step that may be a member of a group; its event is the newest of the run. */
export interface EndedStep {
  readonly runId: string
  readonly group: GroupMember | undefined
}

/**
 * Counts an ended step out of its group, and wakes the run if it has to hear of it.
 *
 * @param outcome `failed` also for what timed out
 * @returns the id of the workflow task that it made, if it made one
 */
export function wakeForEnd(
  draft: Draft,
  step: EndedStep,
  outcome: 'succeeded' | 'failed',
  resume: Resume,
  now: number,
): string | undefined {
  const isComplete = step.group === undefined || countOut(draft, step.runId, step.group)
  return isComplete || outcome === 'failed' ? wakeRun(draft, step.runId, resume, now) : undefined
}

/** @returns whether the group is complete */
function countOut(draft: Draft, runId: string, member: GroupMember): boolean {
  const run = mustRun(draft, runId)
  let isComplete = true
  const parallelGroups = run.parallelGroups.map((group): ParallelGroup => {
    if (group.base !== member.base) return group
    const open = group.open - 1
    isComplete = open <= 0
    return { ...group, open, closedSequence: isComplete ? run.lastSequence : undefined }
  })
  patchRun(draft, runId, { parallelGroups })
  return isComplete
}

/** Forgets the groups whose end the worker has seen: it does not send them again. */
export function settleSeenGroups(draft: Draft, task: WorkflowTask): void {
  const { parallelGroups } = mustRun(draft, task.runId)
  const left = parallelGroups.filter(
    ({ closedSequence }) => closedSequence === undefined || closedSequence > task.claimedSequence,
  )
  if (left.length < parallelGroups.length) patchRun(draft, task.runId, { parallelGroups: left })
}
