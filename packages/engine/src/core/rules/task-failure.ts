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

// Reasons with which the published SDKs report a replay that cannot go on (history-replay §4, python-replay §8, rust-worker §3.2, §8.2).
const blockingReasons: ReadonlySet<string> = new Set([
  'recorded_command_mismatch',
  'recorded_commands_unconsumed',
  'recorded_command_detail_mismatch',
  'recorded_continue_as_new_unconsumed',
  'workflow_nondeterministic',
  'workflow_definition_changed',
  'workflow_entry_arguments_mismatch',
  'history_shape_mismatch',
  'unsupported_payload_codec',
  'durable_command_sequence_mismatch',
  'durable_command_sequence_collision',
  'durable_command_sequence_missing',
  'durable_command_sequence_invalid',
  'continue_as_new_sequence_missing',
  'duplicate_continue_as_new_transition',
  'activity_type_mismatch',
  'activity_task_queue_mismatch',
  'activity_retry_policy_mismatch',
  'activity_identity_mismatch',
  'activity_execution_mode_mismatch',
  'duplicate_activity_schedule',
  'duplicate_activity_terminal_event',
  'timer_delay_mismatch',
  'timer_history_delay_mismatch',
  'timer_history_field_missing',
  'timer_identity_mismatch',
  'timer_schedule_missing_or_duplicate',
  'duplicate_timer_fire',
  'signal_wait_name_missing',
  'signal_wait_open_missing_or_duplicate',
  'signal_wait_identity_mismatch',
  'duplicate_signal_wait_apply',
  'condition_key_changed',
  'condition_fingerprint_changed',
  'condition_wait_id_missing',
  'condition_wait_definition_mismatch',
  'parallel_group_metadata_invalid',
  'parallel_group_metadata_missing',
  'parallel_group_partially_scheduled',
  'parallel_group_missing_from_workflow',
  'parallel_group_shape_mismatch',
  'parallel_group_history_conflict',
  'side_effect_result_missing',
  'side_effect_payload_malformed',
  'side_effect_payload_incompatible',
  'side_effect_type_mismatch',
  'duplicate_side_effect_record',
  'version_marker_field_missing',
  'version_marker_incompatible_range',
  'version_change_id_mismatch',
  'version_marker_kind_mismatch',
  'version_marker_sequence_invalid',
  'version_marker_history_range_invalid',
  'version_change_id_invalid',
  'version_range_invalid',
  'duplicate_version_marker',
  'duplicate_version_marker_record',
  'child_workflow_policy_changed',
  'child_workflow_schedule_missing_or_duplicate',
  'child_workflow_identity_mismatch',
  'child_workflow_policy_history_conflict',
  'duplicate_child_workflow_terminal_event',
  'invalid_child_workflow_policy_history',
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
