import type { Refused } from '@durable-workflow/engine'
import { refused } from '../refusal.ts'
import type { No } from '../reply.ts'
import type { Target } from './workflow-commands.ts'

/** A view of a workflow or run that is not there. */
export function refusedRead(target: Target, refusal: Refused): No {
  return refused(refusal, { workflow_id: target.workflowId, run_id: target.runId, namespace: target.namespace })
}
