import type { BuiltOperationId } from '@durable-workflow/protocol'
import { activityType, queue, resultOf, schedule, worker, workflowType } from './wire.ts'

const poll = { worker_id: worker, task_queue: queue, timeout_seconds: 0, poll_request_id: 'p', build_id: null }
const report = { lease_owner: worker, workflow_task_attempt: 1 }
const retry = { max_attempts: 2, backoff_seconds: [1], backoff_ms: [3], non_retryable_error_types: ['a'] }
const groupEntry = {
  parallel_group_id: 'parallel-timers:7:1',
  parallel_group_kind: 'timer',
  parallel_group_base_sequence: 7,
  parallel_group_size: 1,
  parallel_group_index: 0,
}
const commands = [
  schedule({
    start_to_close_timeout: 3,
    heartbeat_timeout: 2,
    schedule_to_close_timeout_ms: 9000,
    retry_policy: retry,
  }),
  { type: 'start_timer', delay_seconds: 3, delay_ms: 7 },
  { type: 'open_condition_wait', condition_key: 'k', timeout_seconds: 3 },
  { type: 'open_signal_wait', signal_name: 's', timeout_seconds: 1, timeout_ms: 5 },
  { type: 'record_side_effect', result: resultOf(1), payload_codec: 'avro' },
  { type: 'record_version_marker', change_id: 'c', version: 1, min_supported: -1, max_supported: 2 },
  { type: 'start_timer', delay_seconds: 3, ...groupEntry, parallel_group_path: [groupEntry] },
]
const message = { input: [1], request_id: 'r' }
const command = { reason: 'r', request_id: 'x' }

/** A good body of each operation that takes one. */
export const bodies: Partial<Readonly<Record<BuiltOperationId, object>>> = {
  startWorkflow: {
    workflow_type: workflowType,
    task_queue: 'elsewhere',
    input: [1],
    execution_timeout_seconds: 5,
    run_timeout_ms: 7,
    business_key: 'b',
    start_id: 's',
    duplicate_policy: 'fail',
  },
  registerWorker: {
    worker_id: 'fuzzed',
    task_queue: 'fuzzed',
    runtime: 'rust',
    supported_workflow_types: [workflowType],
    supported_activity_types: [activityType],
    capabilities: ['query_tasks'],
    heartbeat_interval_seconds: 5,
    max_concurrent_activity_tasks: 3,
    workflow_definition_fingerprints: { [workflowType]: 'x' },
    workflow_command_contracts: { [workflowType]: { queries: [] } },
    process_metrics: { host: 'h', process_id: 1 },
  },
  heartbeatWorker: { worker_id: worker, task_slots: { workflow_available: 1 }, process_metrics: { cpu_percent: 0.5 } },
  pollWorkflowTask: { ...poll, history_page_size: 2 },
  pollActivityTask: poll,
  pollQueryTask: poll,
  getWorkflowTaskHistory: { ...report, next_history_page_token: 'MA==', history_page_size: 3 },
  heartbeatWorkflowTask: report,
  completeWorkflowTask: { ...report, commands, history_cached: true, resolved_waits: [] },
  failWorkflowTask: { ...report, failure: { message: 'm', type: 't', reason: 'r', sequence: 1, stack_trace: 's' } },
  heartbeatActivityTask: { lease_owner: worker, details: { page: 1 }, message: 'm', current: 1, total: 2, unit: 'u' },
  completeActivityTask: { lease_owner: worker, result: resultOf(1) },
  failActivityTask: {
    lease_owner: worker,
    failure: { message: 'm', type: 't', code: 1, non_retryable: false, details: {} },
  },
  completeQueryTask: { lease_owner: worker, query_task_attempt: 1, result: 1, result_envelope: resultOf(1) },
  failQueryTask: { lease_owner: worker, query_task_attempt: 1, failure: { message: 'm', reason: 'r' } },
  signalWorkflow: message,
  signalRun: message,
  queryWorkflow: { input: [1] },
  queryRun: { input: [1] },
  cancelWorkflow: command,
  cancelRun: command,
  terminateWorkflow: command,
  terminateRun: command,
  repairWorkflow: { request_id: 'x' },
  repairRun: { request_id: 'x' },
  runRepairPass: { run_ids: ['r'], instance_id: 'w' },
  requestCancellation: { reason: 'r', cleanup_timeout_seconds: 5 },
  createNamespace: { name: 'fuzzed', description: 'd', retention_days: 3 },
}
