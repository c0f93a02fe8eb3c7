import { type Command, limits } from '@durable-workflow/protocol'
import { type CommandContext, type CommandRefusal, refuseCommand, refuseLimit } from '../../commands/command.ts'
import { type Membership, readGroups, stepProblem } from '../../commands/group.ts'
import { applyCommand, readBatch, type WireCommand } from '../../commands/index.ts'
import { reopenedBy } from '../../commands/open-condition-wait.ts'
import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept, widen } from '../../decision/outcome.ts'
import type { SliceKey } from '../../decision/slice.ts'
import { mustRun, patchRun } from '../../history/append.ts'
import { closeExpiredInstead, isExpired } from '../../rules/close-expired.ts'
import { closingKeys, missingToClose } from '../../rules/close-run.ts'
import {
  type ClosingReport,
  closeTask,
  repeatedTask,
  satisfyWait,
  settleSeenTimeouts,
  wakeAfterTask,
} from '../../rules/close-task.ts'
import { fence } from '../../rules/fence.ts'
import { recordHeldSignals } from '../../rules/messages.ts'
import { settleSeenGroups } from '../../rules/parallel-groups.ts'
import { heldSignalKeys } from '../../rules/run-keys.ts'
import { waitKeys } from '../../rules/wait-keys.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import type { ParallelGroup } from '../../state/parallel-group.ts'
import type { RunStatus } from '../../state/run.ts'
import type { WorkflowTask } from '../../state/workflow-task.ts'

export interface CompleteWorkflowTask extends ClosingReport {
  /** As they came, shapes checked. */
  readonly commands: readonly WireCommand[]
  /** Steps of condition waits that became true (ours, capability `resolved_waits`). */
  readonly resolvedWaits: readonly number[]
}

/** A recorded completion. */
export interface WorkflowTaskCompleted {
  readonly taskId: string
  readonly attempt: number
  readonly runId: string
  readonly runStatus: RunStatus
  readonly createdTaskIds: readonly string[]
  /** The recorded reply, given again; nothing was recorded now. */
  readonly repeated: boolean
}

/**
 * Turns the commands of a workflow task into events, activities, timers and waits, and closes the task: whole or not
 * at all; a refusal of a command keeps the claim.
 *
 * At most {@link limits.historyTransactionEventsMax} rows, those of closing the run and of held signals not counted.
 * Order of rows: what the code moved past, the commands in list order, signals held back meanwhile, the terminal one.
 *
 * @source completeWorkflowTask; worker plane §6.4, python-replay §10
 */
export const completeWorkflowTask = defineOperation({
  kind: 'completeWorkflowTask',
  locks: (input: CompleteWorkflowTask) => [lockOf(input.taskId)],
  slice(input) {
    const runId = runIdOf(input.taskId)
    const keys: SliceKey[] = [
      { of: 'workflowTask', taskId: input.taskId },
      { of: 'run', runId },
    ]
    const waited = new Map<string, number>()
    for (const name of signalNames(input.commands)) waited.set(name, (waited.get(name) ?? 0) + 1)
    for (const [name, limit] of waited) keys.push({ of: 'unreadSignals', runId, name, limit })
    return keys
  },
  follow(draft, input) {
    const run = draft.run(runIdOf(input.taskId))
    if (run === undefined) return []
    return endsRun(input.commands)
      ? closingKeys(draft, run, opensWork(input.commands))
      : [...heldSignalKeys(run), ...waitKeys(draft, run.runId)]
  },
  decide(draft, input, now) {
    const repeated = repeatedTask(draft, input)
    if (repeated !== undefined) return accept(repeatedReply(repeated))
    const held = fence(draft, input, now)
    if (held.kind === 'refused') return held
    const { run, task } = held
    if (isExpired(run, now) || endsRun(input.commands)) {
      const missing = missingToClose(draft, run, opensWork(input.commands))
      if (missing.length > 0) return widen(missing)
    }
    if (isExpired(run, now)) return closeExpiredInstead(draft, run, task, now)

    const context: CommandContext = {
      draft,
      runId: run.runId,
      task,
      index: 0,
      group: undefined,
      createdTaskIds: [],
      now,
    }
    if (input.commands.length === 0) return refuseCommand(context, 'none', 'a completion carries at least one command')
    const batch = readBatch(context, input.commands)
    if ('kind' in batch) return batch

    closeTask(draft, task, 'completed', input, now)
    settleSeenTimeouts(draft, task)
    settleSeenGroups(draft, task)
    const groups = readGroups(context, batch.ordinary)
    if ('kind' in groups) return groups
    satisfyPassedWaits(draft, task, batch.ordinary, input.resolvedWaits, now)
    for (const { command, index } of batch.ordinary) {
      const refused = applyInGroup({ ...context, index }, command, groups.members.get(index))
      if (refused !== undefined) return refused
    }
    openGroups(draft, run.runId, groups.opened)
    const events = mustRun(draft, run.runId).lastSequence - run.lastSequence
    if (events > limits.historyTransactionEventsMax) {
      return refuseLimit(context, {
        limitKind: 'history_transaction_size',
        currentValue: events,
        configuredLimit: limits.historyTransactionEventsMax,
      })
    }
    if (batch.terminal === undefined) {
      wakeAfterTask(draft, task, now)
    } else {
      recordHeldSignals(draft, run.runId, now)
      const refused = applyCommand({ ...context, index: batch.terminal.index }, batch.terminal.command)
      if (refused !== undefined) return refused
    }
    return accept(recordReply(draft, task, context.createdTaskIds))
  },
})

function applyInGroup(
  context: CommandContext,
  command: Command,
  member: Membership | undefined,
): CommandRefusal | undefined {
  if (member === undefined) return applyCommand(context, command)
  if (member.isSentAgain) return undefined
  const problem = stepProblem(context, member)
  if (problem !== undefined) return refuseCommand(context, command.type, problem)
  const { base, facts } = member
  return applyCommand({ ...context, group: { base, facts } }, command)
}

function openGroups(draft: Draft, runId: string, opened: readonly ParallelGroup[]): void {
  if (opened.length === 0) return
  patchRun(draft, runId, { parallelGroups: [...mustRun(draft, runId).parallelGroups, ...opened] })
}

// A published worker sends an unsatisfied wait again with every completion: one that it does not repeat it has moved
// past. Ours opens once and names the steps that became true.
function satisfyPassedWaits(
  draft: Draft,
  task: WorkflowTask,
  ordinary: readonly { readonly command: Command }[],
  resolvedSteps: readonly number[],
  now: number,
): void {
  const reopened = new Set<string>()
  for (const { command } of ordinary) {
    if (command.type !== 'open_condition_wait') continue
    const wait = reopenedBy(draft, task.runId, command)
    if (wait !== undefined) reopened.add(wait.waitId)
  }
  for (const wait of draft.liveWaits(task.runId)) {
    if (wait.kind !== 'condition' || wait.status !== 'open' || reopened.has(wait.waitId)) continue
    const repeatsWhileOpen = wait.fingerprint !== undefined || wait.occurrenceId !== undefined
    if (repeatsWhileOpen || resolvedSteps.includes(wait.step)) satisfyWait(draft, wait, now)
  }
}

function recordReply(draft: Draft, task: WorkflowTask, createdTaskIds: readonly string[]): WorkflowTaskCompleted {
  const run = mustRun(draft, task.runId)
  const created = run.openTask === undefined ? createdTaskIds : [...createdTaskIds, run.openTask.taskId]
  const closed = draft.workflowTask(task.taskId)
  if (closed !== undefined) {
    draft.putWorkflowTask({
      ...closed,
      reportReply: JSON.stringify({ runStatus: run.status, createdTaskIds: created }),
    })
  }
  return {
    taskId: task.taskId,
    attempt: task.attempt,
    runId: run.runId,
    runStatus: run.status,
    createdTaskIds: created,
    repeated: false,
  }
}

function repeatedReply(task: WorkflowTask): WorkflowTaskCompleted {
  const recorded: { runStatus: RunStatus; createdTaskIds: string[] } = JSON.parse(
    task.reportReply ?? '{"runStatus":"waiting","createdTaskIds":[]}',
  )
  return { taskId: task.taskId, attempt: task.attempt, runId: task.runId, ...recorded, repeated: true }
}

function endsRun(commands: readonly WireCommand[]): boolean {
  return commands.some((command) => command.type === 'complete_workflow' || command.type === 'fail_workflow')
}

// Whatever stands beside the terminal command opens something that closing must end.
function opensWork(commands: readonly WireCommand[]): boolean {
  return commands.length > 1
}

function signalNames(commands: readonly WireCommand[]): string[] {
  const names: string[] = []
  for (const command of commands) {
    if (command.type === 'open_signal_wait' && 'signal_name' in command && typeof command.signal_name === 'string') {
      names.push(command.signal_name)
    }
  }
  return names
}
