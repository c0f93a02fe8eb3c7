import { defaults, limits } from '@durable-workflow/protocol'
import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept, widen } from '../../decision/outcome.ts'
import type { SliceKey } from '../../decision/slice.ts'
import { mustRun } from '../../history/append.ts'
import { closeExpiredInstead, isExpired } from '../../rules/close-expired.ts'
import { missingToClose } from '../../rules/close-run.ts'
import {
  type ClosingReport,
  closeTask,
  repeatedTask,
  settleSeenTimeouts,
  wakeAfterTask,
} from '../../rules/close-task.ts'
import { fence } from '../../rules/fence.ts'
import { receiveHeld } from '../../rules/held.ts'
import { settleSeenGroups } from '../../rules/parallel-groups.ts'
import { blockReplay } from '../../rules/replay-block.ts'
import { makeTask, retryResume } from '../../rules/resume.ts'
import { heldSignalKeys } from '../../rules/run-keys.ts'
import { classify, type FailureClass } from '../../rules/task-failure.ts'
import { waitKeys } from '../../rules/wait-keys.ts'
import { lockOf, runIdOf, shortKey } from '../../state/ids.ts'
import type { RunStatus } from '../../state/run.ts'
import type { TaskFailure, WorkflowTask } from '../../state/workflow-task.ts'

export interface FailWorkflowTask extends ClosingReport {
  readonly failure: TaskFailure
}

/** A recorded failure of a task and how it was understood. */
export interface WorkflowTaskFailed {
  readonly taskId: string
  readonly attempt: number
  readonly runId: string
  readonly runStatus: RunStatus
  readonly outcome: FailureClass
  readonly nextTaskId: string | undefined
  /** The recorded reply, given again; nothing was recorded now. */
  readonly repeated: boolean
}

/**
 * Takes a worker's word that it could not take the run further: it waits (the task is closed as completed), replay is
 * blocked (no further task until the code is corrected), or it failed (a replacement after a back-off). No event.
 *
 * @source failWorkflowTask; worker plane §6.7, protocol/README "Ordinary task failure"
 */
export const failWorkflowTask = defineOperation({
  kind: 'failWorkflowTask',
  locks: (input: FailWorkflowTask) => [lockOf(input.taskId)],
  slice: (input) => [
    { of: 'workflowTask', taskId: input.taskId },
    { of: 'run', runId: runIdOf(input.taskId) },
  ],
  follow(draft, input) {
    const run = draft.run(runIdOf(input.taskId))
    if (run === undefined) return []
    const keys = [...heldSignalKeys(run), ...waitKeys(draft, run.runId)]
    return classify(input.failure) === 'replay_blocked' ? [...keys, ...claimerKeys(draft, input.taskId)] : keys
  },
  decide(draft, input, now) {
    const repeated = repeatedTask(draft, input)
    if (repeated !== undefined) return accept(repeatedReply(repeated))
    const held = fence(draft, input, now)
    if (held.kind === 'refused') return held
    const { run, task } = held
    if (isExpired(run, now)) {
      const missing = missingToClose(draft, run)
      return missing.length > 0 ? widen(missing) : closeExpiredInstead(draft, run, task, now)
    }
    const outcome = classify(input.failure)
    switch (outcome) {
      case 'waiting_for_history':
        closeTask(draft, task, 'completed', input, now)
        settleSeenTimeouts(draft, task)
        settleSeenGroups(draft, task)
        wakeAfterTask(draft, task, now)
        break
      case 'replay_blocked':
        block(draft, task, input, now)
        break
      case 'failed':
        replace(draft, task, input, now)
        break
    }
    return accept(recordReply(draft, task, outcome))
  },
})

function claimerKeys(draft: Draft, taskId: string): SliceKey[] {
  const task = draft.workflowTask(taskId)
  const workerId = task?.lease?.proof.workerId
  return task === undefined || workerId === undefined
    ? []
    : [{ of: 'registration', namespace: task.namespace, workerId }]
}

function block(draft: Draft, task: WorkflowTask, input: FailWorkflowTask, now: number): void {
  closeTask(draft, { ...task, failure: input.failure }, 'failed', { ...input, historyCached: false }, now)
  blockReplay(draft, task.runId, input.failure, fingerprintOf(draft, task))
  receiveHeld(draft, task.runId, now)
}

/** The definition that its claimer had registered; a registration that was replaced since is not asked (design.md §2.4). */
function fingerprintOf(draft: Draft, task: WorkflowTask): string | undefined {
  if (task.lease === undefined) return undefined
  const { workerId, registrationId } = task.lease.proof
  const registration = draft.registration(task.namespace, workerId)
  return registration?.registrationId === registrationId
    ? registration.definitionFingerprints[task.workflowType]
    : undefined
}

function replace(draft: Draft, task: WorkflowTask, input: FailWorkflowTask, now: number): void {
  closeTask(draft, { ...task, failure: input.failure }, 'failed', { ...input, historyCached: false }, now)
  const failureCount = task.failureCount + 1
  makeTask(
    draft,
    task.runId,
    {
      resume: retryResume,
      availableAt: now + failureBackoffMs(task.taskId, failureCount),
      attempt: task.attempt,
      failureCount,
      failure: input.failure,
    },
    now,
  )
  receiveHeld(draft, task.runId, now)
}

/** 1 s, doubled with each failure in a row, at most 60 s, less up to a tenth by the id: many do not come back at once. */
export function failureBackoffMs(taskId: string, failureCount: number): number {
  const full =
    Math.min(defaults.taskFailureBackoffSeconds * 2 ** (failureCount - 1), limits.taskFailureBackoffSecondsMax) * 1000
  const chance = Number.parseInt(shortKey(taskId).slice(0, 4), 16) / 0xffff
  return Math.round(full * (1 - chance / 10))
}

function recordReply(draft: Draft, task: WorkflowTask, outcome: FailureClass): WorkflowTaskFailed {
  const run = mustRun(draft, task.runId)
  const nextTaskId = run.openTask?.taskId
  const closed = draft.workflowTask(task.taskId)
  if (closed !== undefined) {
    draft.putWorkflowTask({ ...closed, reportReply: JSON.stringify({ runStatus: run.status, outcome, nextTaskId }) })
  }
  return {
    taskId: task.taskId,
    attempt: task.attempt,
    runId: run.runId,
    runStatus: run.status,
    outcome,
    nextTaskId,
    repeated: false,
  }
}

function repeatedReply(task: WorkflowTask): WorkflowTaskFailed {
  const recorded: { runStatus: RunStatus; outcome: FailureClass; nextTaskId?: string } = JSON.parse(
    task.reportReply ?? '{"runStatus":"waiting","outcome":"failed"}',
  )
  return {
    taskId: task.taskId,
    attempt: task.attempt,
    runId: task.runId,
    runStatus: recorded.runStatus,
    outcome: recorded.outcome,
    nextTaskId: recorded.nextTaskId,
    repeated: true,
  }
}
