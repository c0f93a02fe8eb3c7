// The commands this SDK writes: exactly the keys it sends, a narrower shape than what the wire admits.
import type { Envelope } from '@durable-workflow/codec'

export interface RetryPolicyField {
  max_attempts: number
  backoff_seconds: number[]
  backoff_ms?: number[]
  non_retryable_error_types?: string[]
}

export interface ScheduleActivity {
  type: 'schedule_activity'
  activity_type: string
  queue: string
  arguments: Envelope
  start_to_close_timeout?: number
  start_to_close_timeout_ms?: number
  schedule_to_start_timeout?: number
  schedule_to_start_timeout_ms?: number
  schedule_to_close_timeout?: number
  schedule_to_close_timeout_ms?: number
  heartbeat_timeout?: number
  heartbeat_timeout_ms?: number
  retry_policy: RetryPolicyField
}
export interface StartTimer {
  type: 'start_timer'
  delay_seconds: number
  delay_ms?: number
}
export interface OpenSignalWait {
  type: 'open_signal_wait'
  signal_name: string
  timeout_seconds?: number
  timeout_ms?: number
}
export interface OpenConditionWait {
  type: 'open_condition_wait'
  condition_key: string
  timeout_seconds?: number
  timeout_ms?: number
}
export interface RecordSideEffect {
  type: 'record_side_effect'
  result: Envelope
}
export interface RecordVersionMarker {
  type: 'record_version_marker'
  change_id: string
  version: number
  min_supported: number
  max_supported: number
}
/** One group around a call, exactly as history repeats it. */
// A type, not an interface: the wire's entry is an open object, and only types fit into one.
export type GroupEntry = {
  readonly parallel_group_id: string
  readonly parallel_group_kind: string
  readonly parallel_group_base_sequence: number
  readonly parallel_group_size: number
  readonly parallel_group_index: number
}
export interface CompleteWorkflow {
  type: 'complete_workflow'
  result: Envelope
}
/** An error as history keeps it: without its stack, with its details as a payload and its causes down to the root. */
// A type, not an interface: the wire's exception is open, and only types fit into an open object.
export type RecordedException = {
  type: string
  message: string
  category?: string
  details?: string
  details_payload_codec?: 'avro'
  cause?: RecordedException
}
export interface FailWorkflow {
  type: 'fail_workflow'
  message: string
  exception_type: string
  exception_class: string
  non_retryable: boolean
  exception: RecordedException & { class: string; activity_type?: string; activity_attempt_id?: string }
  failed_step_sequence?: number
  failed_activity_execution_id?: string
}

/** A command that takes a step number. */
export type StepCommand =
  | ScheduleActivity
  | StartTimer
  | OpenSignalWait
  | OpenConditionWait
  | RecordSideEffect
  | RecordVersionMarker
export type TerminalCommand = CompleteWorkflow | FailWorkflow
export type EmittedCommand = StepCommand | TerminalCommand
