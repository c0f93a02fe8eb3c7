// What the control commands of a workflow have in common (control plane 2, §6.10).
import type { Refused, Run } from '@durable-workflow/engine'
import { limits } from '@durable-workflow/protocol'
import { refused } from '../refusal.ts'
import { invalid, type No } from '../reply.ts'
import type { WireFacts } from '../wire-facts.ts'

/** What a command is addressed to: a workflow's current run, or exactly one run. */
export interface Target {
  readonly namespace: string
  readonly workflowId: string
  readonly runId: string | undefined
}

/** The run that a path names, if it names one. */
export function targetOf(namespace: string, path: { readonly workflow_id: string; readonly run_id?: string }): Target {
  return { namespace, workflowId: path.workflow_id, runId: path.run_id }
}

const outcomes: Readonly<Record<string, string>> = {
  instance_not_started: 'rejected_not_started',
  run_not_active: 'rejected_not_active',
  historical_run_command_rejected: 'rejected_not_current',
  selected_run_not_current: 'rejected_not_current',
  unknown_signal: 'rejected_unknown_signal',
  invalid_signal_arguments: 'rejected_invalid_arguments',
  invalid_query_arguments: 'rejected_invalid_arguments',
}

/** Facts of a command that was carried out. */
export function commandFacts(target: Target, run: Run, facts: WireFacts): WireFacts {
  return {
    workflow_id: run.workflowId,
    run_id: run.runId,
    namespace: run.namespace,
    workflow_type: run.workflowType,
    command_status: 'accepted',
    command_source: 'control_plane',
    ...scopeFacts(target, run.runId),
    reason: null,
    rejection_reason: null,
    rejection_category: null,
    message: null,
    ...facts,
  }
}

/** A command that was not carried out. */
export function refusedCommand(target: Target, refusal: Refused, facts: WireFacts = {}): No {
  const answer = refused(refusal, {
    workflow_id: target.workflowId,
    run_id: target.runId,
    namespace: target.namespace,
    ...facts,
  })
  return {
    ...answer,
    facts: {
      ...answer.facts,
      outcome: outcomes[answer.reason] ?? null,
      command_status: 'rejected',
      command_source: 'control_plane',
      ...scopeFacts(target, undefined),
      rejection_reason: answer.reason,
    },
  }
}

function scopeFacts(target: Target, resolved: string | undefined): WireFacts {
  return {
    target_scope: target.runId === undefined ? 'instance' : 'run',
    requested_run_id: target.runId ?? null,
    resolved_run_id: resolved ?? null,
  }
}

/** Names of signals and queries come in the path; they go into logs and histories. */
export function nameProblem(field: string, name: string): No | undefined {
  const bytes = Buffer.byteLength(name)
  if (bytes > limits.operationNameBytesMax) {
    return invalid({ [field]: [`must have at most ${limits.operationNameBytesMax} bytes; it has ${bytes}`] })
  }
  // Control characters would go into logs and histories as they are.
  return /\p{Cc}/u.test(name) ? invalid({ [field]: ['must not hold control characters'] }) : undefined
}
