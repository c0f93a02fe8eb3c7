// Whoever holds a task is heard: a report of the current claim is refused for what it says, never for who says it.

import { type Commit, memberOf, runOf, type Say } from './commit.ts'
import { isOpenRun } from './rows.ts'

/** Refusals that speak of the report's content; its claim is kept. */
const ofContent: ReadonlySet<string> = new Set(['validation_failed', 'structural_limit_exceeded'])

export function judgeRefusals(commit: Commit, say: Say): void {
  // Beside others in its group a report may come after what has ended its claim.
  const [only, ...others] = commit.decided
  if (only === undefined || others.length > 0 || commit.group.kinds.length > 1) return
  const { request, decision } = only
  const isUnheard =
    decision.kind === 'refused'
      ? !ofContent.has(decision.reason)
      : memberOf(decision.reply, 'heartbeatRecorded') === false
  if (!isUnheard) return
  switch (request.kind) {
    case 'completeWorkflowTask':
    case 'failWorkflowTask':
    case 'heartbeatWorkflowTask':
      if (holdsWorkflowTask(commit, request.input))
        say(
          'authority',
          `${request.kind} of ${request.input.taskId} is refused though ${request.input.leaseOwner} holds it`,
        )
      return
    case 'completeActivityTask':
    case 'failActivityTask':
    case 'heartbeatActivityTask':
      if (holdsActivityTask(commit, request.input))
        say(
          'authority',
          `${request.kind} of ${request.input.attemptId} is refused though ${request.input.leaseOwner} holds it`,
        )
      return
    default:
      return
  }
}

/** Whether the run may still hear of it: open, and before its own deadline. */
function isLiveRun(commit: Commit, id: string): boolean {
  const run = commit.rows.runs.get(runOf(id))
  return isOpenRun(run) && (run?.dueAt === undefined || run.dueAt > commit.now)
}

function holdsWorkflowTask(
  commit: Commit,
  report: {
    readonly namespace: string
    readonly taskId: string
    readonly leaseOwner: string
    readonly attempt: number
  },
): boolean {
  const task = commit.rows.workflowTasks.get(report.taskId)
  return (
    task?.status === 'leased' &&
    task.namespace === report.namespace &&
    task.attempt === report.attempt &&
    task.lease?.owner === report.leaseOwner &&
    task.lease.expiresAt > commit.now &&
    isLiveRun(commit, report.taskId)
  )
}

function holdsActivityTask(
  commit: Commit,
  report: {
    readonly namespace: string
    readonly activityId: string
    readonly attemptId: string
    readonly leaseOwner: string
  },
): boolean {
  const activity = commit.rows.activities.get(report.activityId)
  if (activity?.status !== 'running' || activity.namespace !== report.namespace) return false
  const { lease, heartbeatDeadlineAt, closeDeadlineAt, scheduleToCloseDeadlineAt } = activity
  const ends = [lease?.expiresAt, heartbeatDeadlineAt, closeDeadlineAt, scheduleToCloseDeadlineAt]
  const isOver = ends.some((at) => at !== undefined && at <= commit.now)
  const isCurrent =
    report.attemptId === `${report.activityId}x${activity.attempt}` && lease?.owner === report.leaseOwner
  return isCurrent && !isOver && isOpenRun(commit.rows.runs.get(activity.runId))
}
