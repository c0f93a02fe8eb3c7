// Every open run has a stated reason to move (design.md §2.6). The reason follows from the run's own fields; this file
// proves that rows stand behind it.

import type { Activity } from '../state/activity.ts'
import { isOpenActivity } from '../state/activity.ts'
import { progressOf, type Run, runDueAt } from '../state/run.ts'
import type { Timer } from '../state/timer.ts'
import type { Wait } from '../state/wait.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'
import { activityDueAt } from './deadlines.ts'

/** What is open in a run. */
export interface OpenWork {
  readonly workflowTask: WorkflowTask | undefined
  readonly activities: readonly Activity[]
  readonly timers: readonly Timer[]
  readonly waits: readonly Wait[]
}

/** Says what is wrong with a run's reason to move, in words; empty when rows stand behind it. */
export function progressProblems(run: Run, work: OpenWork): string[] {
  const problems: string[] = []
  const expected = progressOf(run)
  if (run.progress !== expected)
    problems.push(`states ${run.progress ?? 'no reason'} but its fields say ${expected ?? 'none'}`)
  problems.push(...taskProblems(run, work.workflowTask))
  problems.push(...countProblems(run, work))
  problems.push(...groupProblems(run, work))
  if (run.dueAt !== runDueAt(run.executionDeadlineAt, run.runDeadlineAt))
    problems.push('its own deadline is not due at its instant')
  for (const activity of work.activities) {
    if (isOpenActivity(activity) && activity.dueAt !== activityDueAt(activity)) {
      problems.push(`activity ${activity.activityId} is not due at its earliest deadline`)
    }
    if (activity.status === 'running' && activity.lease === undefined)
      problems.push(`activity ${activity.activityId} runs without a lease`)
  }
  for (const timer of work.timers) {
    const isHeld = timer.dueAt === undefined && timer.waitId !== undefined && run.openTask?.leased === true
    if (timer.dueAt !== timer.fireAt && !isHeld) problems.push(`timer ${timer.timerId} is not due at its instant`)
  }
  for (const wait of work.waits) problems.push(...waitProblems(wait, work.timers))
  return problems
}

function taskProblems(run: Run, task: WorkflowTask | undefined): string[] {
  const stated = run.openTask
  if (stated === undefined)
    return task === undefined ? [] : [`workflow task ${task.taskId} is ${task.status} but the run does not name it`]
  if (task === undefined || task.taskId !== stated.taskId)
    return [`names workflow task ${stated.taskId}, which is not open`]
  const problems: string[] = []
  if ((task.status === 'leased') !== stated.leased)
    problems.push(
      `says that workflow task ${task.taskId} is ${stated.leased ? 'leased' : 'ready'}, but it is ${task.status}`,
    )
  if (task.status === 'leased' && task.lease === undefined)
    problems.push(`workflow task ${task.taskId} is leased without a lease`)
  if (task.status === 'leased' && task.dueAt !== task.lease?.expiresAt)
    problems.push(`workflow task ${task.taskId} is not due at the end of its lease`)
  return problems
}

function countProblems(run: Run, work: OpenWork): string[] {
  const open = work.waits.filter((wait) => wait.status === 'open')
  const counts: [string, number, number][] = [
    ['activities', run.openActivities, work.activities.length],
    ['timers', run.openTimers, work.timers.length],
    ['signal waits', run.openSignalWaits, open.filter((wait) => wait.kind === 'signal').length],
    ['condition waits', run.openConditionWaits, open.filter((wait) => wait.kind === 'condition').length],
  ]
  return counts
    .filter(([, stated, found]) => stated !== found)
    .map(([what, stated, found]) => `counts ${stated} open ${what}, but ${found} are there`)
}

function groupProblems(run: Run, work: OpenWork): string[] {
  const members = new Map<number, number>()
  for (const { group } of [...work.activities, ...work.timers])
    if (group !== undefined) members.set(group.base, (members.get(group.base) ?? 0) + 1)
  const problems: string[] = []
  for (const { groupId, base, open } of run.parallelGroups) {
    const found = members.get(base) ?? 0
    if (found !== open) problems.push(`counts ${open} open members of group ${groupId}, but ${found} are there`)
    members.delete(base)
    if (open === 0 && run.openTask === undefined && run.replayBlockedReason === undefined)
      problems.push(`group ${groupId} is complete, but no workflow task tells the run`)
  }
  for (const [base, found] of members)
    problems.push(`${found} open members belong to a group at step ${base}, which the run does not name`)
  return problems
}

function waitProblems(wait: Wait, timers: readonly Timer[]): string[] {
  if (wait.status !== 'open' || wait.deadlineAt === undefined) return []
  const timer = timers.find((one) => one.timerId === wait.timerId)
  return timer === undefined ? [`wait ${wait.waitId} has a deadline but no pending timer`] : []
}
