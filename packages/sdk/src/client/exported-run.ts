// A run as one document that can be kept: JSON in the wire's words, read again by `replayHistory`.
import type { ResponseOf } from '@durable-workflow/protocol'
import { memberOf } from '../transport/json.ts'
import type { RunItem } from './description.ts'

/** One event of a run as the control plane writes it. */
export type ExportedEvent = ResponseOf<'getRunHistory'>['events'][number]

/** What is recorded of a run, for a file: `JSON.stringify` and `JSON.parse` keep it whole. Instants are text with an offset. */
export interface ExportedRun {
  readonly workflow_id: string
  readonly run_id: string
  readonly workflow_type: string
  readonly namespace: string
  readonly task_queue: string
  /** The envelope of the arguments that the run was started with; left out where there were none. */
  readonly arguments?: unknown
  /** Oldest first. */
  readonly history_events: readonly ExportedEvent[]
}

export function exportedRun(description: unknown, run: RunItem, events: readonly ExportedEvent[]): ExportedRun {
  const input = memberOf(description, 'input_envelope')
  return {
    workflow_id: run.workflowId,
    run_id: run.runId,
    workflow_type: run.workflowType,
    namespace: run.namespace,
    task_queue: run.taskQueue,
    ...(input === undefined || input === null ? {} : { arguments: input }),
    history_events: events,
  }
}
