// The text of a refusal, made from its facts: the thing, the value, the limit. What to do next is the reason's remedy.
import type { Reason } from '@durable-workflow/protocol'
import type { WireFacts } from './wire-facts.ts'

type Sentence = (facts: WireFacts) => string

const sentences: Partial<Readonly<Record<Reason, Sentence>>> = {
  missing_protocol_version: (f) =>
    `The header X-Durable-Workflow-Protocol-Version is missing; this server advertises ${f.supported_version}.`,
  unsupported_protocol_version: (f) =>
    `Worker protocol ${JSON.stringify(f.requested_version)} is not supported; this server advertises ${f.supported_version}.`,
  missing_control_plane_version: () =>
    'The header X-Durable-Workflow-Control-Plane-Version is missing; this server speaks 2.',
  unsupported_control_plane_version: (f) =>
    `Control plane version ${JSON.stringify(f.requested_version)} is not supported; this server speaks 2.`,
  malformed_json: (f) => `The body is no JSON document: ${f.json_error}.`,
  unsupported_media_type: (f) => `The media type ${JSON.stringify(f.content_type)} is not JSON.`,
  payload_too_large: (f) => `The body is larger than ${f.limit} bytes.`,
  unauthorized: () => 'The request carries no token that this server knows.',
  forbidden: (f) => `The role ${f.role} may not do this; allowed: ${listed(f.allowed_roles)}.`,
  namespace_not_found: (f) => `The namespace ${f.namespace} does not exist.`,
  namespace_already_exists: (f) => `The namespace ${f.name} exists already.`,
  validation_failed: (f) => validationSentence(f),
  structural_limit_exceeded: (f) => `${f.limit_kind} would be ${f.current_value}; the limit is ${f.configured_limit}.`,
  unsupported_payload_codec: (f) =>
    `The payload at ${f.field} has codec ${JSON.stringify(f.codec)}; only avro is spoken.`,
  not_implemented: (f) => `The operation ${f.operation} is planned and not built yet.`,
  not_found: (f) => `There is nothing at ${f.method} ${f.path}.`,
  method_not_allowed: (f) => `${f.path} has no method ${f.method}; it has ${listed(f.allowed_methods)}.`,
  malformed_request: (f) => `What came is no HTTP request: ${f.http_error}.`,
  request_headers_too_large: (f) => `Path, query and headers together have more than ${f.limit} bytes.`,
  request_timeout: (f) => `The request was not complete after ${f.limit_seconds} seconds.`,
  server_error: (f) => `The server met something that it did not expect; error ${f.error_id}.`,
  control_plane_internal_error: (f) => `The server met something that it did not expect; error ${f.error_id}.`,
  backend_unavailable: (f) =>
    f.recorded === false
      ? `The server cannot reach or write its store now (${f.condition}); nothing was recorded.`
      : 'The commit was sent to the store and its outcome is not known.',
  worker_not_registered: (f) => `The worker ${f.worker_id} is not registered in namespace ${f.namespace}.`,
  worker_not_found: (f) => `The worker ${f.worker_id} is not registered in namespace ${f.namespace}.`,
  workflow_definition_changed: (f) =>
    `The active worker of this id registered ${f.workflow_type} with another definition fingerprint.`,
  worker_capability_manifest_mismatch: (f) =>
    `capability_manifest says supported ${f.manifest_supported} for ${f.capability}, and capabilities says otherwise.`,
  worker_capability_protocol_floor_mismatch: (f) =>
    `The capability ${f.capability} needs worker protocol ${f.minimum_protocol_version}; the header is ${f.requested_version}.`,
  cooperative_cancellation_protocol_mismatch: (f) =>
    `The capability cooperative_cancellation needs worker protocol ${f.minimum_protocol_version}; the header is ${f.requested_version}.`,
  cooperative_cancellation_not_supported: (f) =>
    `Cooperative cancellation is not switched on at this server, which advertises worker protocol ${f.advertised_version}.`,
  task_queue_mismatch: (f) =>
    `The worker registered task queue ${f.registered_task_queue} and polls ${f.requested_task_queue}.`,
  build_id_mismatch: (f) =>
    `The worker registered build ${f.registered_build_id} and polls with ${f.requested_build_id}.`,
  worker_draining: (f) => `The worker ${f.worker_id} is draining and gets no more tasks.`,
  task_not_found: (f) => `The task ${f.task_id} does not exist.`,
  run_closed: (f) => `The run ${f.run_id} is closed (${f.run_closed_reason ?? f.run_status}); nothing was recorded.`,
  run_timed_out: (f) => `The run ${f.run_id} timed out; nothing was recorded.`,
  run_cancelled: (f) => `The run ${f.run_id} is cancelled; nothing was recorded.`,
  run_terminated: (f) => `The run ${f.run_id} is terminated; nothing was recorded.`,
  task_not_leased: (f) => `The task ${f.task_id} is ${f.task_status}, not leased.`,
  lease_expired: (f) => `The lease ended at ${f.lease_expires_at}.`,
  lease_owner_mismatch: (f) => `The task is leased by ${f.lease_owner}.`,
  workflow_task_attempt_mismatch: (f) =>
    `Attempt ${f.workflow_task_attempt} was reported; attempt ${f.current_attempt} is current.`,
  stale_attempt: (f) => `The attempt ${f.activity_attempt_id} is not the current one, or its lease ended.`,
  attempt_not_found: (f) => `The attempt ${f.activity_attempt_id} does not exist.`,
  task_mismatch: (f) => `The attempt ${f.activity_attempt_id} does not belong to task ${f.task_id}.`,
  invalid_page_token: (f) => `The page token ${JSON.stringify(f.next_history_page_token)} is none of this server.`,
  query_task_not_found: (f) => `The query task ${f.query_task_id} does not exist.`,
  instance_not_found: (f) => `The workflow ${f.workflow_id} does not exist in namespace ${f.namespace}.`,
  run_not_found: (f) => `The workflow ${f.workflow_id} has no run ${f.run_id}.`,
  run_not_active: (f) => `The run ${f.run_id} is ${f.run_status ?? 'closed'}.`,
  historical_run_command_rejected: (f) => `The run ${f.requested_run_id} is not the current run of ${f.workflow_id}.`,
  duplicate_not_allowed: (f) => `The workflow ${f.workflow_id} has a run already: ${f.run_id} (${f.status}).`,
  workflow_id_reserved_in_namespace: (f) => `The workflow id ${f.workflow_id} belongs to another namespace.`,
  rejected_unknown_query: (f) => `The workflow has no query ${f.query_name}.`,
  query_worker_unavailable: (f) =>
    `No live worker of queue ${f.task_queue} serves this workflow type and answers queries.`,
  query_task_queue_full: (f) => `${f.pending ?? 'Too many'} queries wait on this task queue.`,
  query_worker_timeout: (f) => `No worker answered the query ${f.query_name} in time.`,
  query_task_not_claimed: (f) => `No worker took the query ${f.query_name} in time.`,
}

/** One sentence for people; a `message` among the facts, given by a worker, wins. */
export function sentenceOf(reason: Reason, facts: WireFacts): string {
  if (typeof facts.message === 'string' && facts.message !== '') return facts.message
  return sentences[reason]?.(facts) ?? `${reason.replaceAll('_', ' ')}.`.replace(/^./, (letter) => letter.toUpperCase())
}

function validationSentence(facts: WireFacts): string {
  const { errors, command_type: command, command_index: index } = facts
  if (typeof command === 'string') return `Command ${index} (${command}) is not acceptable: ${firstOf(errors)}`
  return `The request is not acceptable: ${firstOf(errors)}`
}

function firstOf(errors: unknown): string {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return 'see errors.'
  const [field, messages] = Object.entries(errors)[0] ?? []
  return `${field}: ${Array.isArray(messages) ? messages[0] : messages}`
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
