// Why a run waits, in words. Made from the same rows that the checker proves; nobody parses the text.

import { passedTimeout } from '../rules/deadlines.ts'
import type { OpenWork } from '../rules/progress.ts'
import { toldProblem } from '../rules/told-problem.ts'
import type { Activity } from '../state/activity.ts'
import { isLive } from '../state/claim.ts'
import { formatInstant } from '../state/instant.ts'
import { isOpen, type Run } from '../state/run.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'

/** Something that an operator should look at. */
export interface Finding {
  readonly severity: 'warning' | 'error'
  readonly code: 'no_active_pollers' | 'expired_leases' | 'task_problem' | 'workflow_replay_blocked'
  readonly message: string
}

/** Why a run waits, in words, and what stands in its way. */
export interface Explanation {
  /** One sentence each, the next thing to happen first. */
  readonly sentences: readonly string[]
  readonly findings: readonly Finding[]
}

/** Explains what an open run waits for and what stands in its way. @param pollers registered workers of its queue that serve its type */
export function explain(run: Run, work: OpenWork, pollers: number, now: number): Explanation {
  if (!isOpen(run)) return { sentences: [closedSentence(run)], findings: [] }
  const sentences: string[] = []
  const findings: Finding[] = []
  if (work.workflowTask !== undefined) explainTask(work.workflowTask, pollers, now, sentences, findings)
  if (run.replayBlockedReason !== undefined) {
    sentences.push(
      `Replay is blocked: ${run.replayBlockedReason}`,
      `What happens is recorded; the run goes on when a worker registers another definition of '${run.workflowType}', or when somebody repairs it.`,
    )
    findings.push({ severity: 'error', code: 'workflow_replay_blocked', message: run.replayBlockedReason })
  }
  for (const { groupId, size, open } of run.parallelGroups) {
    if (open > 0) sentences.push(`Waits for parallel group ${groupId}: ${size - open} of ${size} members have ended.`)
  }
  for (const activity of work.activities) explainActivity(activity, now, sentences, findings)
  for (const timer of work.timers) {
    if (timer.kind === 'user') sentences.push(`Sleeps until ${formatInstant(timer.fireAt)} (timer ${timer.timerId}).`)
  }
  for (const wait of work.waits) {
    if (wait.status !== 'open') continue
    const until = wait.deadlineAt === undefined ? '' : ` until ${formatInstant(wait.deadlineAt)}`
    sentences.push(
      wait.kind === 'signal'
        ? `Waits for signal '${wait.signalName}'${until}.`
        : `Waits for condition '${wait.conditionKey ?? wait.waitId}'${until}.`,
    )
  }
  if (sentences.length === 0) sentences.push('Nothing is scheduled: only a signal or a deadline of the run moves it.')
  if (run.dueAt !== undefined) sentences.push(`The run itself times out at ${formatInstant(run.dueAt)}.`)
  return { sentences, findings }
}

function explainTask(task: WorkflowTask, pollers: number, now: number, sentences: string[], findings: Finding[]): void {
  const lease = task.lease
  if (task.status === 'leased' && lease !== undefined && !isLive(lease, now)) {
    const message = `Workflow task ${task.taskId} (attempt ${task.attempt}) was leased by ${lease.owner}; its lease expired at ${formatInstant(lease.expiresAt)} and it is about to be redelivered.`
    sentences.push(message)
    findings.push({ severity: 'error', code: 'expired_leases', message })
    return
  }
  if (task.status === 'leased' && lease !== undefined) {
    sentences.push(
      `Worker ${lease.owner} has workflow task ${task.taskId} (attempt ${task.attempt}) until ${formatInstant(lease.expiresAt)}.`,
    )
    return
  }
  const problem = problemOf(task)
  const when = task.availableAt > now ? ` from ${formatInstant(task.availableAt)} on` : ''
  sentences.push(
    `Workflow task ${task.taskId} waits on queue '${task.taskQueue}'${when} for a worker that serves '${task.workflowType}'.${problem === undefined ? '' : ` It ${problem}`}`,
  )
  if (problem !== undefined)
    findings.push({ severity: 'warning', code: 'task_problem', message: `Workflow task ${task.taskId} ${problem}` })
  if (pollers === 0) {
    findings.push({
      severity: 'error',
      code: 'no_active_pollers',
      message: `No registered worker serves '${task.workflowType}' on queue '${task.taskQueue}'.`,
    })
  }
}

function problemOf({ failureCount, failure }: WorkflowTask): string | undefined {
  if (failureCount === 0) return undefined
  const often = failureCount === 1 ? 'failed once' : `failed ${failureCount} times in a row`
  if (failure === undefined) return `${often}.`
  return `${often}; the last time: ${toldProblem(failure.type, failure.message)}`
}

function explainActivity(activity: Activity, now: number, sentences: string[], findings: Finding[]): void {
  const name = `Activity '${activity.activityType}' (step ${activity.step})`
  const passed = passedTimeout(activity, now)
  if (activity.status === 'pending') {
    const when =
      activity.availableAt > now
        ? `: attempt ${activity.attempt + 1} may start at ${formatInstant(activity.availableAt)}`
        : ''
    const problem = activity.closedAttempts.findLast((ended) => ended.attempt === activity.attempt)?.problem
    const after = problem === undefined ? '.' : `; attempt ${activity.attempt} failed: ${problem}`
    sentences.push(`${name} waits on queue '${activity.taskQueue}'${when}${after}`)
    return
  }
  const lease = activity.lease
  if (lease === undefined) return
  if (!isLive(lease, now) || passed !== undefined) {
    const message = `${name}, attempt ${activity.attempt}, was leased by ${lease.owner}; its ${passed ?? 'lease'} has run out and it is about to be acted on.`
    sentences.push(message)
    findings.push({ severity: 'warning', code: 'expired_leases', message })
    return
  }
  sentences.push(
    `${name} runs on worker ${lease.owner}, attempt ${activity.attempt}, lease until ${formatInstant(lease.expiresAt)}.`,
  )
}

function closedSentence(run: Run): string {
  const at = run.closedAt === undefined ? '' : ` at ${formatInstant(run.closedAt)}`
  const why = run.failure === undefined ? '' : `: ${run.failure.message}`
  return `The run is closed (${run.closedReason ?? run.status})${at}${why}.`
}
