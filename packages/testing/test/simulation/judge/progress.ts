// Every open run has a stated reason to move, and rows stand behind it; nobody missed what a run has to hear.

import type { HistoryEvent, Run } from '@durable-workflow/engine/ports'
import { payloadOf } from '../program.ts'
import { isOpenRun, type Rows } from './rows.ts'

/** Says in words why a run would not move as it states; empty for a run that will, and for a closed one. */
export function progressProblems(rows: Rows, run: Run): string[] {
  return isOpenRun(run) ? openProblems(rows, run) : closedProblems(rows, run)
}

function closedProblems(rows: Rows, run: Run): string[] {
  const left = [
    ...rows.of(rows.workflowTasks, run.runId).filter((row) => row.status === 'ready' || row.status === 'leased'),
    ...rows.of(rows.activities, run.runId).filter((row) => row.status === 'pending' || row.status === 'running'),
    ...rows.of(rows.timers, run.runId).filter((row) => row.status === 'pending'),
    ...rows.of(rows.waits, run.runId).filter((row) => row.status === 'open'),
    ...rows.of(rows.signals, run.runId).filter((row) => row.status === 'held'),
  ]
  const problems = left.map((row) => `it is closed and leaves ${JSON.stringify(row).slice(0, 80)}`)
  if (run.progress !== undefined || run.dueAt !== undefined) problems.push(`it is closed and states ${run.progress}`)
  return problems
}

function openProblems(rows: Rows, run: Run): string[] {
  const problems: string[] = []
  const { runId } = run
  const tasks = rows.of(rows.workflowTasks, runId).filter((row) => row.status === 'ready' || row.status === 'leased')
  const activities = rows
    .of(rows.activities, runId)
    .filter((row) => row.status === 'pending' || row.status === 'running')
  const timers = rows.of(rows.timers, runId).filter((row) => row.status === 'pending')
  const waits = rows.of(rows.waits, runId).filter((row) => row.status === 'open')
  const [task, ...more] = tasks
  if (more.length > 0) problems.push(`it has ${tasks.length} open workflow tasks`)
  if (task?.taskId !== run.openTask?.taskId || (task?.status === 'leased') !== (run.openTask?.leased ?? false))
    problems.push(`it names workflow task ${JSON.stringify(run.openTask)}, and ${task?.taskId} is ${task?.status}`)
  if (task?.status === 'leased' && task.dueAt !== task.lease?.expiresAt)
    problems.push('nothing looks at the end of its lease')
  for (const activity of activities) {
    const instants = [
      activity.scheduleToCloseDeadlineAt,
      activity.lease?.expiresAt,
      activity.heartbeatDeadlineAt,
      activity.closeDeadlineAt,
    ]
    if (activity.status === 'pending') instants.push(activity.scheduleDeadlineAt)
    const first = Math.min(...instants.filter((at) => at !== undefined))
    if ((activity.dueAt ?? Number.POSITIVE_INFINITY) !== first)
      problems.push(`activity ${activity.activityId} is looked at ${activity.dueAt} and due ${first}`)
    if (activity.status === 'running' && activity.lease === undefined)
      problems.push(`${activity.activityId} runs without a lease`)
  }
  for (const timer of timers) {
    const isHeld = timer.waitId !== undefined && task?.status === 'leased'
    if (timer.dueAt !== timer.fireAt && !isHeld) problems.push(`timer ${timer.timerId} is looked at ${timer.dueAt}`)
  }
  for (const wait of waits) {
    if (wait.deadlineAt !== undefined && !timers.some((timer) => timer.timerId === wait.timerId))
      problems.push(`wait ${wait.waitId} has a deadline and no timer`)
  }
  if (rows.of(rows.signals, runId).some((signal) => signal.status === 'held') && task?.status !== 'leased')
    problems.push('a signal is held though no workflow task is leased')
  const deadlines = [run.executionDeadlineAt, run.runDeadlineAt].filter((at) => at !== undefined)
  if ((run.dueAt ?? Number.POSITIVE_INFINITY) !== Math.min(...deadlines)) problems.push('nothing looks at its deadline')
  if (task === undefined && run.replayBlockedReason === undefined) problems.push(...unheard(rows, run))
  const stated = statedReason(run, task?.status, { activities: activities.length, timers: timers.length, waits })
  if (!stated.includes(run.progress ?? 'nothing'))
    problems.push(`it states ${run.progress} and has ${stated.join(' or ')}`)
  return problems
}

function statedReason(
  run: Run,
  task: string | undefined,
  open: { readonly activities: number; readonly timers: number; readonly waits: readonly { readonly kind: string }[] },
): string[] {
  if (task !== undefined) return [`workflow_task_${task}`]
  if (run.replayBlockedReason !== undefined) return ['replay_blocked']
  const reasons: string[] = []
  if (open.activities > 0) reasons.push('activity')
  if (open.timers > 0) reasons.push('timer')
  if (open.activities + open.timers > 0) reasons.push('parallel_group')
  if (open.waits.some((wait) => wait.kind === 'signal')) reasons.push('signal_wait')
  if (open.waits.some((wait) => wait.kind === 'condition')) reasons.push('condition_wait')
  return reasons.length === 0 ? ['message'] : reasons
}

const wakes: ReadonlySet<string> = new Set([
  'ActivityCompleted',
  'ActivityFailed',
  'ActivityTimedOut',
  'TimerFired',
  'SignalReceived',
  'SignalApplied',
])

/** What happened after the last completed workflow task was claimed, and has not woken the run. */
function unheard(rows: Rows, run: Run): string[] {
  const closed = rows.of(rows.workflowTasks, run.runId).filter((task) => task.status === 'completed')
  const seen = Math.max(0, ...closed.map((task) => task.claimedSequence))
  return rows
    .history(run.runId)
    .filter((event) => event.sequence > seen && wakes.has(event.type) && !waitsForOthers(rows, event))
    .map((event) => `${event.type} at ${event.sequence} has woken nobody; a worker has seen ${seen}`)
}

// A member that ended well is told when its outermost group is complete; one that failed, at once.
function waitsForOthers(rows: Rows, event: HistoryEvent): boolean {
  const base = payloadOf(event).parallel_group_path?.[0]?.parallel_group_base_sequence
  if (base === undefined || event.type === 'ActivityFailed' || event.type === 'ActivityTimedOut') return false
  const isMember = (row: { readonly group: { readonly base: number } | undefined }) => row.group?.base === base
  const { runId } = event
  return (
    rows
      .of(rows.activities, runId)
      .some((row) => isMember(row) && (row.status === 'pending' || row.status === 'running')) ||
    rows.of(rows.timers, runId).some((row) => isMember(row) && row.status === 'pending')
  )
}
