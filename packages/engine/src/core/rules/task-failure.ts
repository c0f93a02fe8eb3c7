// What a worker means when it fails a workflow task (worker plane 1.19 §6.7): that it only waits, that replay is
// blocked, or an ordinary failure. The words are the published SDKs' own.

import type { TaskFailure } from '../state/workflow-task.ts'

export type FailureClass = 'waiting_for_history' | 'replay_blocked' | 'failed'

export function classify(failure: TaskFailure): FailureClass {
  const text = [failure.message, failure.type, failure.reason].join('\n').toLowerCase()
  if (
    failure.type?.toLowerCase() === 'workflowtaskwaitingforhistory' ||
    text.includes('workflow task waiting for scheduled history')
  ) {
    return 'waiting_for_history'
  }
  if (failure.reason !== undefined && blockingReasons.has(failure.reason)) return 'replay_blocked'
  return blockingTexts.some((fragment) => text.includes(fragment)) ? 'replay_blocked' : 'failed'
}

// Reasons with which the published SDKs report a replay that cannot go on (python-replay §8, rust-worker §8.2).
const blockingReasons: ReadonlySet<string> = new Set([
  'recorded_command_mismatch',
  'recorded_commands_unconsumed',
  'workflow_nondeterministic',
  'workflow_definition_changed',
  'timer_delay_mismatch',
  'timer_history_delay_mismatch',
  'timer_history_field_missing',
  'timer_identity_mismatch',
  'timer_schedule_missing_or_duplicate',
  'activity_type_mismatch',
  'activity_task_queue_mismatch',
  'activity_retry_policy_mismatch',
  'durable_command_sequence_mismatch',
  'durable_command_sequence_collision',
  'durable_command_sequence_missing',
  'signal_wait_name_missing',
  'signal_wait_open_missing_or_duplicate',
  'condition_key_changed',
  'condition_fingerprint_changed',
  'condition_wait_id_missing',
  'parallel_group_metadata_invalid',
  'parallel_group_metadata_missing',
  'version_marker_field_missing',
  'version_marker_incompatible_range',
  'version_change_id_mismatch',
  'side_effect_result_missing',
  'child_workflow_policy_changed',
  'child_workflow_schedule_missing_or_duplicate',
  'unsupported_payload_codec',
])

const blockingTexts = [
  'nondetermin',
  'non-determin',
  'determinism',
  'replay error',
  'replay failed',
  'history shape',
  'history mismatch',
  'unexpected history',
  'cannot decode workflow start input',
  'cannot replay workflow history',
  'unsupported payload codec',
  'unsupported_payload_codec',
  'workflow task completion failed after commands were produced',
  'no workflow registered',
]
