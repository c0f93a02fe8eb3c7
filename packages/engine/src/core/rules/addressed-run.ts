import type { Draft } from '../decision/draft.ts'
import { type Refused, refuse } from '../decision/outcome.ts'
import type { SliceKey } from '../decision/slice.ts'
import { isOpen, type Run } from '../state/run.ts'

/** How a control command names its run: the workflow's current one, or exactly one. */
export interface RunAddress {
  readonly namespace: string
  readonly workflowId: string
  readonly runId: string | undefined
}

export type AddressReason =
  | 'instance_not_found'
  | 'run_not_found'
  | 'historical_run_command_rejected'
  | 'run_not_active'

export function addressKeys(address: RunAddress): SliceKey[] {
  const keys: SliceKey[] = [{ of: 'workflow', workflowId: address.workflowId }]
  if (address.runId !== undefined) keys.push({ of: 'run', runId: address.runId })
  return keys
}

/** The current run of a workflow, before any check; for keys that follow from it. */
export function currentRun(draft: Draft, address: RunAddress): Run | undefined {
  const workflow = draft.workflow(address.workflowId)
  return workflow === undefined ? undefined : draft.run(workflow.currentRunId)
}

/** Finds the run that a control command means; an id of another namespace is not found (control plane 2, §6.10). */
export function addressedRun(
  draft: Draft,
  address: RunAddress,
): Run | Refused<'instance_not_found' | 'run_not_found' | 'historical_run_command_rejected'> {
  const workflow = draft.workflow(address.workflowId)
  const current = workflow === undefined ? undefined : draft.run(workflow.currentRunId)
  if (workflow === undefined || current === undefined || workflow.namespace !== address.namespace) {
    return refuse('instance_not_found', { workflowId: address.workflowId })
  }
  if (address.runId === undefined || address.runId === current.runId) return current
  const named = draft.run(address.runId)
  if (named === undefined || named.workflowId !== address.workflowId) {
    return refuse('run_not_found', { workflowId: address.workflowId, runId: address.runId })
  }
  return refuse('historical_run_command_rejected', {
    workflowId: address.workflowId,
    runId: address.runId,
    currentRunId: current.runId,
  })
}

/** As `addressedRun`, and the run must be open. */
export function addressedOpenRun(draft: Draft, address: RunAddress): Run | Refused<AddressReason> {
  const run = addressedRun(draft, address)
  if ('kind' in run || isOpen(run)) return run
  return refuse('run_not_active', {
    workflowId: run.workflowId,
    runId: run.runId,
    runStatus: run.status,
    closedReason: run.closedReason,
    isTerminal: true,
  })
}

/** Completed runs may be asked, otherwise closed ones not (control plane 2, §6.11). */
export function refuseUnaskable(run: Run): Refused<'run_not_active'> | undefined {
  if (isOpen(run) || run.status === 'completed') return undefined
  return refuse('run_not_active', {
    workflowId: run.workflowId,
    runId: run.runId,
    runStatus: run.status,
    isTerminal: true,
  })
}
