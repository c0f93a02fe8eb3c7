import type { Draft } from '../decision/draft.ts'
import { type Refused, refuse } from '../decision/outcome.ts'
import type { LimitExceeded } from '../state/limits.ts'
import type { GroupMember } from '../state/parallel-group.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'

/** What a command needs to know besides itself. */
export interface CommandContext {
  readonly draft: Draft
  readonly runId: string
  /** The task whose completion carries the command. */
  readonly task: WorkflowTask
  /** Position of the command in the list, for refusals. */
  readonly index: number
  /** Set for a member of a parallel group. */
  readonly group: GroupMember | undefined
  /** Ids of the tasks that the completion makes; commands add theirs. */
  readonly createdTaskIds: string[]
  readonly now: number
}

export type CommandRefusal = Refused<'validation_failed' | 'structural_limit_exceeded'>

/** Refuses a whole completion because of one command; the claim is kept. */
export function refuseCommand(context: CommandContext, commandType: string, problem: string): CommandRefusal {
  return refuse('validation_failed', {
    taskId: context.task.taskId,
    workflowTaskAttempt: context.task.attempt,
    runId: context.runId,
    commandIndex: context.index,
    commandType,
    problem,
  })
}

/** Refuses a completion that would exceed a structural limit; the claim is kept. */
export function refuseLimit(context: CommandContext, exceeded: LimitExceeded): CommandRefusal {
  return refuse('structural_limit_exceeded', {
    taskId: context.task.taskId,
    workflowTaskAttempt: context.task.attempt,
    runId: context.runId,
    ...exceeded,
  })
}
