// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.
import type * as wire from "./worker-1.20/types.ts"

/** The commands that a completion may carry. */
export const commandTypes = ["complete_workflow", "fail_workflow", "open_condition_wait", "open_signal_wait", "record_side_effect", "record_version_marker", "schedule_activity", "start_timer"] as const

/** The type of a command that is built. */
export type CommandType = (typeof commandTypes)[number]

/** Commands of the wire that are not built: a completion that carries one is refused whole. */
export const plannedCommandTypes = ["cancel_selection_operation", "complete_update", "continue_as_new", "fail_update", "record_local_activity", "start_child_workflow", "start_service_operation", "upsert_memo", "upsert_search_attributes"] as const

/** The type of a command that is not built. */
export type PlannedCommandType = (typeof plannedCommandTypes)[number]

/** Each built command by its type. */
export interface Commands {
  complete_workflow: wire.CompleteWorkflowCommand
  fail_workflow: wire.FailWorkflowCommand
  open_condition_wait: wire.OpenConditionWaitCommand
  open_signal_wait: wire.OpenSignalWaitCommand
  record_side_effect: wire.RecordSideEffectCommand
  record_version_marker: wire.RecordVersionMarkerCommand
  schedule_activity: wire.ScheduleActivityCommand
  start_timer: wire.StartTimerCommand
}

/** A command that is built. */
export type Command = Commands[CommandType]

/** Each command that is not built, as far as a source names its fields. */
export interface PlannedCommands {
  cancel_selection_operation: wire.CancelSelectionOperationCommand
  complete_update: wire.CompleteUpdateCommand
  continue_as_new: wire.ContinueAsNewCommand
  fail_update: wire.FailUpdateCommand
  record_local_activity: wire.RecordLocalActivityCommand
  start_child_workflow: wire.StartChildWorkflowCommand
  start_service_operation: wire.StartServiceOperationCommand
  upsert_memo: wire.UpsertMemoCommand
  upsert_search_attributes: wire.UpsertSearchAttributesCommand
}

/** Since which line a command exists, whether it ends the run, its fields, and those fields that are not built. */
export const commandCatalogue = {
  cancel_selection_operation: { since: "1.19", terminal: false, stage: "planned", keys: ["type", "selection_group_id", "member_key", "member_index", "member_base_sequence", "member_size", "operation_kind", "operation_identity"], plannedKeys: [] },
  complete_update: { since: "1.0", terminal: false, stage: "planned", keys: ["type", "update_id", "result", "payload_codec"], plannedKeys: [] },
  complete_workflow: { since: "1.0", terminal: true, stage: "built", keys: ["type", "result", "payload_codec"], plannedKeys: [] },
  continue_as_new: { since: "1.0", terminal: true, stage: "planned", keys: ["type", "workflow_type", "arguments", "payload_codec", "queue", "observability_context"], plannedKeys: [] },
  fail_update: { since: "1.0", terminal: false, stage: "planned", keys: ["type", "update_id", "message", "exception_class", "exception_type", "non_retryable"], plannedKeys: [] },
  fail_workflow: { since: "1.0", terminal: true, stage: "built", keys: ["type", "message", "exception_class", "exception_type", "non_retryable", "exception", "failed_step_sequence", "failed_activity_execution_id"], plannedKeys: [] },
  open_condition_wait: { since: "1.0", terminal: false, stage: "built", keys: ["type", "condition_key", "condition_definition_fingerprint", "timeout_seconds", "timeout_ms", "condition_wait_occurrence_id", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"], plannedKeys: [] },
  open_signal_wait: { since: "1.9", terminal: false, stage: "built", keys: ["type", "signal_name", "timeout_seconds", "timeout_ms", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"], plannedKeys: [] },
  record_local_activity: { since: "1.18", terminal: false, stage: "planned", keys: ["type", "activity_type", "execution_mode", "arguments", "result", "payload_codec", "outcome", "message", "exception_type", "non_retryable", "timeout_kind", "attempts", "retry_policy", "start_to_close_timeout", "schedule_to_close_timeout", "heartbeat_timeout", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"], plannedKeys: [] },
  record_side_effect: { since: "1.0", terminal: false, stage: "built", keys: ["type", "result", "payload_codec", "workflow_stream"], plannedKeys: ["workflow_stream"] },
  record_version_marker: { since: "1.0", terminal: false, stage: "built", keys: ["type", "change_id", "version", "min_supported", "max_supported", "payload_codec"], plannedKeys: [] },
  schedule_activity: { since: "1.0", terminal: false, stage: "built", keys: ["type", "activity_type", "arguments", "payload_codec", "connection", "queue", "retry_policy", "start_to_close_timeout", "schedule_to_start_timeout", "schedule_to_close_timeout", "heartbeat_timeout", "start_to_close_timeout_ms", "schedule_to_start_timeout_ms", "schedule_to_close_timeout_ms", "heartbeat_timeout_ms", "worker_session", "cancellation_policy", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"], plannedKeys: ["worker_session", "cancellation_policy"] },
  start_child_workflow: { since: "1.0", terminal: false, stage: "planned", keys: ["type", "workflow_type", "arguments", "payload_codec", "connection", "queue", "parent_close_policy", "cancellation_policy", "retry_policy", "execution_timeout_seconds", "run_timeout_seconds", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path", "observability_context"], plannedKeys: [] },
  start_service_operation: { since: "1.13", terminal: false, stage: "planned", keys: ["type", "endpoint_name", "service_name", "operation_name", "request_payload", "payload_codec", "request_payload_reference", "namespace", "caller_namespace", "service_call_id", "idempotency_key", "mode_override", "wait_for", "wait_timeout_seconds", "target_workflow_instance_id", "target_workflow_run_id", "connection", "queue", "business_key", "labels", "memo", "search_attributes", "duplicate_start_policy", "metadata", "principal_type", "principal_id", "principal_label"], plannedKeys: [] },
  start_timer: { since: "1.0", terminal: false, stage: "built", keys: ["type", "delay_seconds", "delay_ms", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"], plannedKeys: [] },
  upsert_memo: { since: "1.14", terminal: false, stage: "planned", keys: ["type", "entries"], plannedKeys: [] },
  upsert_search_attributes: { since: "1.0", terminal: false, stage: "planned", keys: ["type", "attributes", "attribute_types"], plannedKeys: [] },
} as const
