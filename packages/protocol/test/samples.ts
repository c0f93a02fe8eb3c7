// One request body of each operation that has one, in the fullest form that a worker or client sends.
import type { BuiltOperationId, RequestOf } from '@durable-workflow/protocol'

const envelope = { codec: 'avro', blob: 'wwHioz3/VYAiNwwA' }
const fence = { lease_owner: 'w1', workflow_task_attempt: 1 }
const attempt = { activity_attempt_id: 'a1', lease_owner: 'w1' }
const offer = { poll_request_id: 'hand-over-1', workflow_tasks: 1 }
const poll = { worker_id: 'w1', task_queue: 'q1', poll_request_id: 'poll-1', timeout_seconds: 30, build_id: null }

type Samples = { [Op in BuiltOperationId]?: NonNullable<RequestOf<Op>> & Record<string, unknown> }

export const samples = {
  registerWorker: {
    worker_id: 'w1',
    task_queue: 'q1',
    runtime: 'typescript',
    sdk_version: 'durable-workflow-typescript/0.1.0',
    build_id: null,
    supported_workflow_types: ['order'],
    supported_activity_types: ['charge'],
    workflow_definition_fingerprints: { order: 'sha256:00' },
    workflow_command_contracts: {
      order: { queries: ['status'], query_contracts: [{ name: 'status', parameters: [] }] },
    },
    capabilities: ['query_tasks'],
    capability_manifest: { local_activities: { supported: false, minimum_protocol_version: '1.18', reason: 'none' } },
    max_concurrent_workflow_tasks: 10,
    max_concurrent_activity_tasks: 10,
    task_slots: { workflow_available: 10, activity_available: 10 },
    process_metrics: {
      process_id: 1,
      process_uptime_seconds: 0.5,
      host: 'h',
      process_started_at: '2026-01-01T00:00:00Z',
    },
    heartbeat_interval_seconds: 10,
  },
  heartbeatWorker: { worker_id: 'w1', task_slots: { workflow_available: 1 }, process_metrics: { memory_bytes: 1 } },
  pollWorkflowTask: { ...poll, history_page_size: 500, accept_history_encoding: null, task_kinds: ['workflow'] },
  getWorkflowTaskHistory: { ...fence, next_history_page_token: 'NTAw' },
  heartbeatWorkflowTask: fence,
  completeWorkflowTask: {
    ...fence,
    history_cached: true,
    hand_over: { ...offer, activity_tasks: 100 },
    resolved_waits: [3],
    commands: [
      {
        type: 'schedule_activity',
        activity_type: 'charge',
        arguments: envelope,
        queue: 'q1',
        retry_policy: {
          max_attempts: 3,
          backoff_seconds: [1, 2],
          backoff_ms: [500, 2000],
          non_retryable_error_types: ['Never'],
        },
        start_to_close_timeout: 30,
        start_to_close_timeout_ms: 29500,
        heartbeat_timeout: null,
        parallel_group_id: 'parallel-activities:1:2',
        parallel_group_path: [{ parallel_group_id: 'parallel-activities:1:2' }],
      },
      { type: 'start_timer', delay_seconds: 60, delay_ms: 59500 },
      { type: 'open_condition_wait', condition_key: 'k', timeout_seconds: 0 },
      { type: 'open_signal_wait', signal_name: 'approved', timeout_seconds: null },
      { type: 'record_side_effect', result: 'wwHioz3/VYAiNwwA', payload_codec: null },
      { type: 'record_version_marker', change_id: 'c', version: -1, min_supported: -1, max_supported: 2147483647 },
      { type: 'fail_workflow', message: 'no', exception: { type: 'X' }, non_retryable: false },
      { type: 'complete_workflow', result: 'wwHioz3/VYAiNwwA' },
    ],
  },
  failWorkflowTask: {
    ...fence,
    hand_over: offer,
    failure: { message: 'm', type: 'T', reason: 'r', sequence: 1, stack_trace: null },
  },
  pollActivityTask: poll,
  heartbeatActivityTask: { ...attempt, message: 'half', current: 1, total: 2, unit: 'files', details: { beat: 1 } },
  completeActivityTask: { ...attempt, result: envelope, hand_over: offer },
  failActivityTask: {
    ...attempt,
    hand_over: offer,
    failure: {
      message: 'm',
      type: 'T',
      class: 'a.T',
      code: 3,
      stack_trace: 's',
      non_retryable: true,
      details: envelope,
    },
  },
  pollQueryTask: poll,
  completeQueryTask: { lease_owner: 'w1', query_task_attempt: 1, result: { any: [1] }, result_envelope: envelope },
  failQueryTask: {
    lease_owner: 'w1',
    query_task_attempt: 1,
    failure: { message: 'm', validation_errors: { a: ['b'] } },
  },
  startWorkflow: {
    workflow_type: 'order',
    workflow_id: 'order-1',
    task_queue: 'q1',
    input: envelope,
    duplicate_policy: 'use-existing',
    execution_timeout_seconds: 3600,
    run_timeout_seconds: 600,
    run_timeout_ms: 599500,
    start_id: 's1',
    memo: { a: 1 },
  },
  signalWorkflow: { input: [1], request_id: 'r1' },
  queryWorkflow: { input: envelope },
  cancelWorkflow: { reason: 'why', request_id: null },
  terminateWorkflow: { reason: null },
  repairWorkflow: { request_id: 'r-1' },
  runRepairPass: { run_ids: ['r-1', 'r-2'], instance_id: 'w-1' },
  requestCancellation: { reason: 'why', cleanup_timeout_seconds: 30 },
  createNamespace: { name: 'team', description: null, retention_days: 30 },
} satisfies Samples
