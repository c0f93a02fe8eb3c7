// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.
import type * as wire from "./worker-1.20/types.ts"

/** The event types that this line records. A history may hold others: keep what you do not know. */
export const eventTypes = [
  "ActivityCancelled",
  "ActivityCompleted",
  "ActivityFailed",
  "ActivityHeartbeatRecorded",
  "ActivityRetryScheduled",
  "ActivityScheduled",
  "ActivityStarted",
  "ActivityTimedOut",
  "CancelRequested",
  "ConditionWaitOpened",
  "ConditionWaitSatisfied",
  "RepairRequested",
  "SideEffectRecorded",
  "SignalApplied",
  "SignalReceived",
  "SignalWaitOpened",
  "StartAccepted",
  "StartRejected",
  "TerminateRequested",
  "TimerCancelled",
  "TimerFired",
  "TimerScheduled",
  "VersionMarkerRecorded",
  "WorkflowCancelled",
  "WorkflowCompleted",
  "WorkflowFailed",
  "WorkflowStarted",
  "WorkflowTerminated",
  "WorkflowTimedOut",
] as const

/** An event type that this line records. */
export type EventType = (typeof eventTypes)[number]

/** The payload of each event type. A stored event may carry keys that are not named here. */
export interface EventPayloads {
  ActivityCancelled: wire.ActivityCancelledPayload
  ActivityCompleted: wire.ActivityCompletedPayload
  ActivityFailed: wire.ActivityFailedPayload
  ActivityHeartbeatRecorded: wire.ActivityHeartbeatRecordedPayload
  ActivityRetryScheduled: wire.ActivityRetryScheduledPayload
  ActivityScheduled: wire.ActivityScheduledPayload
  ActivityStarted: wire.ActivityStartedPayload
  ActivityTimedOut: wire.ActivityTimedOutPayload
  CancelRequested: wire.CancelRequestedPayload
  ConditionWaitOpened: wire.ConditionWaitOpenedPayload
  ConditionWaitSatisfied: wire.ConditionWaitSatisfiedPayload
  RepairRequested: wire.RepairRequestedPayload
  SideEffectRecorded: wire.SideEffectRecordedPayload
  SignalApplied: wire.SignalAppliedPayload
  SignalReceived: wire.SignalReceivedPayload
  SignalWaitOpened: wire.SignalWaitOpenedPayload
  StartAccepted: wire.StartAcceptedPayload
  StartRejected: wire.StartRejectedPayload
  TerminateRequested: wire.TerminateRequestedPayload
  TimerCancelled: wire.TimerCancelledPayload
  TimerFired: wire.TimerFiredPayload
  TimerScheduled: wire.TimerScheduledPayload
  VersionMarkerRecorded: wire.VersionMarkerRecordedPayload
  WorkflowCancelled: wire.WorkflowCancelledPayload
  WorkflowCompleted: wire.WorkflowCompletedPayload
  WorkflowFailed: wire.WorkflowFailedPayload
  WorkflowStarted: wire.WorkflowStartedPayload
  WorkflowTerminated: wire.WorkflowTerminatedPayload
  WorkflowTimedOut: wire.WorkflowTimedOutPayload
}

/** Event types of the wire that this line does not record yet. A history of another server may hold them. */
export const plannedEventTypes = [
  "ArchiveRequested",
  "ChildRunCancelled",
  "ChildRunCompleted",
  "ChildRunFailed",
  "ChildRunStarted",
  "ChildRunTerminated",
  "ChildWorkflowScheduled",
  "ConditionWaitTimedOut",
  "FailureHandled",
  "MemoUpserted",
  "MessageCursorAdvanced",
  "ParentClosePolicyApplied",
  "ParentClosePolicyFailed",
  "ScheduleCreated",
  "ScheduleDeleted",
  "SchedulePaused",
  "ScheduleResumed",
  "ScheduleTriggerSkipped",
  "ScheduleTriggered",
  "ScheduleUpdated",
  "SearchAttributesUpserted",
  "SelectionOperationCancelled",
  "SelectionResolved",
  "ServiceCallCancelled",
  "ServiceCallCompleted",
  "ServiceCallFailed",
  "ServiceCallStarted",
  "UpdateAccepted",
  "UpdateApplied",
  "UpdateCompleted",
  "UpdateRejected",
  "WorkflowArchived",
  "WorkflowContinuedAsNew",
] as const

/** An event type that is not recorded yet. */
export type PlannedEventType = (typeof plannedEventTypes)[number]

/** The payload of each event type that is not recorded yet, as far as a source names its keys. */
export interface PlannedEventPayloads {
  ArchiveRequested: wire.ArchiveRequestedPayload
  ChildRunCancelled: wire.ChildRunCancelledPayload
  ChildRunCompleted: wire.ChildRunCompletedPayload
  ChildRunFailed: wire.ChildRunFailedPayload
  ChildRunStarted: wire.ChildRunStartedPayload
  ChildRunTerminated: wire.ChildRunTerminatedPayload
  ChildWorkflowScheduled: wire.ChildWorkflowScheduledPayload
  ConditionWaitTimedOut: wire.ConditionWaitTimedOutPayload
  FailureHandled: wire.FailureHandledPayload
  MemoUpserted: wire.MemoUpsertedPayload
  MessageCursorAdvanced: wire.MessageCursorAdvancedPayload
  ParentClosePolicyApplied: wire.ParentClosePolicyAppliedPayload
  ParentClosePolicyFailed: wire.ParentClosePolicyFailedPayload
  ScheduleCreated: wire.ScheduleCreatedPayload
  ScheduleDeleted: wire.ScheduleDeletedPayload
  SchedulePaused: wire.SchedulePausedPayload
  ScheduleResumed: wire.ScheduleResumedPayload
  ScheduleTriggerSkipped: wire.ScheduleTriggerSkippedPayload
  ScheduleTriggered: wire.ScheduleTriggeredPayload
  ScheduleUpdated: wire.ScheduleUpdatedPayload
  SearchAttributesUpserted: wire.SearchAttributesUpsertedPayload
  SelectionOperationCancelled: wire.SelectionOperationCancelledPayload
  SelectionResolved: wire.SelectionResolvedPayload
  ServiceCallCancelled: wire.ServiceCallCancelledPayload
  ServiceCallCompleted: wire.ServiceCallCompletedPayload
  ServiceCallFailed: wire.ServiceCallFailedPayload
  ServiceCallStarted: wire.ServiceCallStartedPayload
  UpdateAccepted: wire.UpdateAcceptedPayload
  UpdateApplied: wire.UpdateAppliedPayload
  UpdateCompleted: wire.UpdateCompletedPayload
  UpdateRejected: wire.UpdateRejectedPayload
  WorkflowArchived: wire.WorkflowArchivedPayload
  WorkflowContinuedAsNew: wire.WorkflowContinuedAsNewPayload
}

/** Since which line an event exists, which part of the engine appends it, and the keys of its payload. */
export const eventCatalogue = {
  ActivityCancelled: { since: "1.0", appendedBy: "core/rules/cancel-open-work", keys: ["workflow_command_id", "activity_execution_id", "activity_type", "activity_class", "sequence", "activity_attempt_id", "attempt_number", "cancelled_at", "activity", "activity_attempt", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ActivityCompleted: { since: "1.0", appendedBy: "core/operations/activity-task/complete", keys: ["activity_execution_id", "activity_type", "activity_class", "sequence", "activity_attempt_id", "attempt_number", "result", "payload_codec", "activity", "activity_attempt", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ActivityFailed: { since: "1.0", appendedBy: "core/operations/activity-task/fail", keys: ["activity_execution_id", "activity_type", "activity_class", "sequence", "activity_attempt_id", "attempt_number", "failure_id", "failure_category", "non_retryable", "exception_type", "exception_class", "message", "code", "exception", "structural_limit_kind", "structural_limit_value", "structural_limit_configured", "activity", "activity_attempt", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ActivityHeartbeatRecorded: { since: "1.0", appendedBy: "core/operations/activity-task/heartbeat", keys: ["activity_execution_id", "activity_type", "activity_class", "sequence", "activity_attempt_id", "attempt_number", "heartbeat_at", "lease_expires_at", "activity", "activity_attempt", "progress", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ActivityRetryScheduled: { since: "1.0", appendedBy: "core/rules/end-attempt", keys: ["activity_execution_id", "activity_type", "activity_class", "sequence", "activity_attempt_id", "retry_task_id", "retry_of_task_id", "retry_available_at", "retry_backoff_seconds", "retry_after_attempt_id", "retry_after_attempt", "retry_reason", "max_attempts", "retry_policy", "timeout_kind", "exception_type", "exception_class", "message", "code", "exception", "activity", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ActivityScheduled: { since: "1.0", appendedBy: "core/commands/schedule-activity", keys: ["activity_execution_id", "activity_type", "activity_class", "sequence", "execution_mode", "local_activity", "workflow_task_id", "activity", "cancellation_policy", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ActivityStarted: { since: "1.0", appendedBy: "core/operations/activity-task/claim", keys: ["activity_execution_id", "activity_type", "activity_class", "sequence", "activity_attempt_id", "attempt_number", "lease_expires_at", "activity", "activity_attempt", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ActivityTimedOut: { since: "1.0", appendedBy: "core/operations/due/time-out-activity", keys: ["activity_execution_id", "activity_type", "activity_class", "sequence", "activity_attempt_id", "attempt_number", "failure_id", "failure_category", "timeout_kind", "message", "exception_type", "exception_class", "schedule_deadline_at", "close_deadline_at", "schedule_to_close_deadline_at", "heartbeat_deadline_at", "activity", "activity_attempt", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  CancelRequested: { since: "1.0", appendedBy: "core/operations/workflow/cancel", keys: ["workflow_command_id", "workflow_instance_id", "workflow_run_id", "command_type", "reason"] },
  ConditionWaitOpened: { since: "1.0", appendedBy: "core/commands/open-condition-wait", keys: ["condition_wait_id", "condition_key", "condition_definition_fingerprint", "condition_wait_occurrence_id", "sequence", "timeout_seconds", "timeout_ms", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  ConditionWaitSatisfied: { since: "1.0", appendedBy: "core/rules/close-task", keys: ["condition_wait_id", "condition_key", "condition_definition_fingerprint", "condition_wait_occurrence_id", "sequence", "timer_id", "timeout_seconds", "timeout_ms", "workflow_signal_id", "signal_name", "signal_wait_id", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  RepairRequested: { since: "1.0", appendedBy: "core/operations/workflow/repair", keys: ["workflow_command_id", "workflow_instance_id", "workflow_run_id", "command_type", "outcome", "liveness_state", "wait_kind", "task_id", "task_type"] },
  SideEffectRecorded: { since: "1.0", appendedBy: "core/commands/record-side-effect", keys: ["sequence", "result", "payload_codec"] },
  SignalApplied: { since: "1.0", appendedBy: "core/rules/messages", keys: ["workflow_command_id", "signal_id", "signal_name", "signal_wait_id", "sequence", "value", "arguments", "payload_codec"] },
  SignalReceived: { since: "1.0", appendedBy: "core/rules/messages", keys: ["workflow_command_id", "signal_id", "workflow_instance_id", "workflow_run_id", "signal_name", "signal_wait_id", "arguments", "payload_codec", "workflow_sequence"] },
  SignalWaitOpened: { since: "1.9", appendedBy: "core/commands/open-signal-wait", keys: ["signal_name", "signal_wait_id", "sequence", "timeout_seconds", "timeout_ms", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  StartAccepted: { since: "1.0", appendedBy: "core/operations/workflow/start", keys: ["workflow_command_id", "workflow_instance_id", "workflow_run_id", "workflow_type", "workflow_class", "business_key", "visibility_labels", "memo", "search_attributes", "outcome", "rejection_reason"] },
  StartRejected: { since: "1.0", appendedBy: "core/operations/workflow/start", keys: ["workflow_command_id", "workflow_instance_id", "workflow_run_id", "workflow_type", "workflow_class", "business_key", "visibility_labels", "memo", "search_attributes", "outcome", "rejection_reason"] },
  TerminateRequested: { since: "1.0", appendedBy: "core/operations/workflow/terminate", keys: ["workflow_command_id", "workflow_instance_id", "workflow_run_id", "command_type", "reason"] },
  TimerCancelled: { since: "1.0", appendedBy: "core/rules/cancel-open-work", keys: ["timer_id", "sequence", "delay_seconds", "delay_ms", "fire_at", "timer_kind", "condition_wait_id", "condition_key", "condition_definition_fingerprint", "condition_wait_occurrence_id", "signal_wait_id", "signal_name", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path", "cancelled_at"] },
  TimerFired: { since: "1.0", appendedBy: "core/rules/timers", keys: ["timer_id", "sequence", "delay_seconds", "delay_ms", "fire_at", "timer_kind", "condition_wait_id", "condition_key", "condition_definition_fingerprint", "condition_wait_occurrence_id", "signal_wait_id", "signal_name", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path", "fired_at"] },
  TimerScheduled: { since: "1.0", appendedBy: "core/commands/start-timer", keys: ["timer_id", "sequence", "delay_seconds", "delay_ms", "fire_at", "timer_kind", "condition_wait_id", "condition_key", "condition_definition_fingerprint", "condition_wait_occurrence_id", "signal_wait_id", "signal_name", "parallel_group_id", "parallel_group_kind", "parallel_group_base_sequence", "parallel_group_size", "parallel_group_index", "parallel_group_path"] },
  VersionMarkerRecorded: { since: "1.0", appendedBy: "core/commands/record-version-marker", keys: ["sequence", "change_id", "version", "min_supported", "max_supported"] },
  WorkflowCancelled: { since: "1.0", appendedBy: "core/operations/workflow/cancel", keys: ["workflow_command_id", "workflow_instance_id", "workflow_run_id", "failure_id", "failure_category", "closed_reason", "exception_class", "message", "reason"] },
  WorkflowCompleted: { since: "1.0", appendedBy: "core/commands/complete-workflow", keys: ["output", "payload_codec"] },
  WorkflowFailed: { since: "1.0", appendedBy: "core/commands/fail-workflow", keys: ["failure_id", "failure_category", "non_retryable", "exception_type", "exception_class", "message", "code", "exception", "source_kind", "source_id", "failed_step_sequence", "failed_activity_execution_id", "structural_limit_kind", "structural_limit_value", "structural_limit_configured"] },
  WorkflowStarted: { since: "1.0", appendedBy: "core/operations/workflow/start", keys: ["workflow_type", "workflow_class", "workflow_instance_id", "workflow_run_id", "workflow_command_id", "business_key", "visibility_labels", "memo", "search_attributes", "execution_timeout_seconds", "run_timeout_seconds", "execution_timeout_ms", "run_timeout_ms", "execution_deadline_at", "run_deadline_at", "workflow_definition_fingerprint", "timestamp", "declared_queries", "declared_query_contracts", "declared_signals", "declared_signal_contracts", "declared_updates", "declared_update_contracts", "declared_update_validators"] },
  WorkflowTerminated: { since: "1.0", appendedBy: "core/operations/workflow/terminate", keys: ["workflow_command_id", "workflow_instance_id", "workflow_run_id", "failure_id", "failure_category", "closed_reason", "exception_class", "message", "reason"] },
  WorkflowTimedOut: { since: "1.0", appendedBy: "core/rules/close-expired", keys: ["failure_id", "timeout_kind", "failure_category", "message", "exception_class", "execution_deadline_at", "run_deadline_at"] },
} as const
