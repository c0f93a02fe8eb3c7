import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { addressKeys, currentRun, type RunAddress, refuseUnaskable } from '../../rules/addressed-run.ts'
import { shortKey } from '../../state/ids.ts'
import { type Envelope, noArguments } from '../../state/payload.ts'
import type { QueryTask } from '../../state/query-task.ts'
import type { Run } from '../../state/run.ts'

export interface AskQuery extends RunAddress {
  /** 16 lowercase hex digits, made outside the core: a query takes no counter of its run. */
  readonly chance: string
  readonly queryName: string
  readonly arguments: Envelope | undefined
  /** How long the caller waits, in ms. */
  readonly timeoutMs: number
}

export interface QueryAsked {
  readonly queryTask: QueryTask
  readonly run: Run
}

/**
 * Puts a question to a run: a row that a worker of its queue answers; never history. Completed runs may be asked,
 * otherwise closed ones not (control plane 2, §6.11).
 *
 * @source queryWorkflow, queryRun
 */
export const askQuery = defineOperation({
  kind: 'askQuery',
  locks: (input: AskQuery) => [shortKey(input.workflowId)],
  slice: (input) => addressKeys(input),
  decide(draft, input, now) {
    const current = currentRun(draft, input)
    if (current === undefined || current.namespace !== input.namespace) {
      return refuse('instance_not_found', { workflowId: input.workflowId })
    }
    const run = input.runId === undefined ? current : draft.run(input.runId)
    if (run === undefined || run.workflowId !== input.workflowId) {
      return refuse('run_not_found', { workflowId: input.workflowId, runId: input.runId })
    }
    const refused = refuseUnaskable(run)
    if (refused !== undefined) return refused
    const queryTask = draft.putQueryTask({
      queryTaskId: `${run.runId}q${input.chance}`,
      runId: run.runId,
      workflowId: run.workflowId,
      namespace: run.namespace,
      taskQueue: run.taskQueue,
      workflowType: run.workflowType,
      queryName: input.queryName,
      arguments: input.arguments ?? noArguments,
      status: 'ready',
      attempt: 0,
      lease: undefined,
      outcome: undefined,
      createdAt: now,
      deadlineAt: now + input.timeoutMs,
      // Unclaimed, it goes when its caller does; a claim prolongs it, so that a late answer hears why it is late.
      dueAt: now + input.timeoutMs,
    })
    const asked: QueryAsked = { queryTask, run }
    return accept(asked)
  },
})
