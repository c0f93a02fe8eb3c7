// The `control_plane` object of every answer under /api/workflows, success or not (control plane 2, §3.2).
import type { OperationFacts } from './operation-facts.ts'
import type { WireFacts } from './wire-facts.ts'

const legacyFields = { query: 'query_name', signal: 'signal_name', update: 'update_name', wait_policy: 'wait_for' }

/** What is repeated from the body when it stands there. */
const projected = [
  'run_id',
  'workflow_type',
  'namespace',
  'business_key',
  'status',
  'status_bucket',
  'run_status',
  'is_terminal',
  'task_queue',
  'run_number',
  'run_count',
  'workflow_count',
  'is_current_run',
  'compatibility',
  'started_at',
  'closed_at',
  'last_progress_at',
  'wait_kind',
  'wait_reason',
  'next_page_token',
  'command_id',
  'command_status',
  'command_source',
  'target_scope',
  'query_name',
  'outcome',
  'reason',
  'rejection_reason',
  'rejection_category',
  'validation_errors',
  'result',
  'result_envelope',
  'message',
  'remediation',
  'diagnostic_status',
  'retryable',
  'error_id',
] as const

/**
 * Says of an answer what it is about, for clients that check it.
 *
 * @param path  the path parameters, for answers whose body does not name workflow, run or operation
 */
export function controlPlaneObject(
  operation: OperationFacts,
  path: Readonly<Record<string, string>>,
  body: WireFacts,
): WireFacts | undefined {
  const about = operation.controlPlane
  if (about === undefined) return undefined
  const nameField = about.operation_name_field
  return {
    schema: 'durable-workflow.v2.control-plane-response',
    version: 1,
    operation: about.operation,
    workflow_id: body.workflow_id ?? path.workflow_id,
    run_id: path.run_id,
    operation_name: nameField === undefined ? undefined : path[nameField],
    operation_name_field: nameField,
    contract: {
      schema: 'durable-workflow.v2.control-plane-response.contract',
      version: 1,
      legacy_field_policy: 'reject_non_canonical',
      legacy_fields: legacyFields,
      required_fields: about.required_fields,
      success_fields: about.success_fields,
    },
    ...projectionOf(body),
  }
}

function projectionOf(body: WireFacts): WireFacts {
  const copy: Record<string, unknown> = {}
  for (const name of projected) if (body[name] !== undefined) copy[name] = body[name]
  return copy
}
