// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

/**
 * The settlement receipt of an attempt that has ended, or was taken over.
 */
export type ActivityAttemptReceipt = {
    reason: 'stale_attempt' | 'attempt_closed' | 'activity_cancelled' | 'task_cancelled' | 'activity_not_running';
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded: false;
    task_id: string;
    activity_attempt_id: string;
    /**
     * ignored.
     */
    outcome?: string;
    run_id?: string;
    run_status?: string;
    cancel_requested?: boolean;
    can_continue?: boolean;
    activity_status: string;
    attempt_status: string;
    task_status: string;
    lease_owner?: string | null;
    lease_expires_at?: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * The execution was open when the run was closed from outside.
 */
export type ActivityCancelledPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    activity_attempt_id?: string;
    attempt_number?: number;
    /**
     * When.
     */
    cancelled_at?: string;
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * The attempt as it stood, null members dropped.
     */
    activity_attempt?: {
        [key: string]: unknown;
    };
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * The execution has its result.
 */
export type ActivityCompletedPayload = {
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The attempt.
     */
    activity_attempt_id: string;
    /**
     * Which attempt, from 1.
     */
    attempt_number: number;
    result?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * The attempt as it stood, null members dropped.
     */
    activity_attempt?: {
        [key: string]: unknown;
    };
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * The execution failed and no attempt follows.
 */
export type ActivityFailedPayload = {
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The attempt.
     */
    activity_attempt_id: string;
    /**
     * Which attempt, from 1.
     */
    attempt_number: number;
    /**
     * Id of the recorded failure.
     */
    failure_id?: string;
    /**
     * application, cancelled, terminated, timeout, activity, child_workflow, task_failure, internal or structural_limit.
     */
    failure_category?: string;
    /**
     * The failure forbids another attempt.
     */
    non_retryable?: boolean;
    /**
     * Short type name.
     */
    exception_type?: string | null;
    /**
     * Qualified class name.
     */
    exception_class?: string | null;
    /**
     * What went wrong.
     */
    message: string;
    /**
     * Code of the authored error.
     */
    code?: number | null;
    /**
     * The structured failure, as the worker sent it.
     */
    exception?: {
        [key: string]: unknown;
    };
    structural_limit_kind?: string;
    structural_limit_value?: number;
    structural_limit_configured?: number;
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * The attempt as it stood, null members dropped.
     */
    activity_attempt?: {
        [key: string]: unknown;
    };
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A heartbeat of an attempt was accepted.
 */
export type ActivityHeartbeatRecordedPayload = {
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The attempt.
     */
    activity_attempt_id: string;
    /**
     * Which attempt, from 1.
     */
    attempt_number: number;
    /**
     * When.
     */
    heartbeat_at?: string;
    /**
     * End of the renewed lease.
     */
    lease_expires_at?: string;
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * The attempt as it stood, null members dropped.
     */
    activity_attempt?: {
        [key: string]: unknown;
    };
    /**
     * The heartbeat as sent: message, current, total, unit, details.
     */
    progress?: {
        [key: string]: unknown;
    };
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

export type ActivityReportReply = {
    task_id: string;
    activity_attempt_id: string;
    /**
     * completed or failed.
     */
    outcome: string;
    recorded: true;
    reason: null;
    /**
     * The retry, or the workflow task that resumes the run.
     */
    next_task_id: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
    handed_over?: HandedOver;
};

/**
 * An attempt failed or timed out, and another follows.
 */
export type ActivityRetryScheduledPayload = {
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The attempt that ended.
     */
    activity_attempt_id: string;
    /**
     * Task of the next attempt.
     */
    retry_task_id: string;
    /**
     * Task that ended.
     */
    retry_of_task_id?: string;
    /**
     * When the next attempt may be claimed.
     */
    retry_available_at?: string;
    /**
     * Delay before it.
     */
    retry_backoff_seconds: number;
    retry_after_attempt_id?: string;
    /**
     * Number of the attempt that ended.
     */
    retry_after_attempt: number;
    /**
     * failure or timeout.
     */
    retry_reason?: string;
    /**
     * Null: without limit.
     */
    max_attempts?: number | null;
    /**
     * The policy as stored.
     */
    retry_policy?: {
        [key: string]: unknown;
    } | null;
    timeout_kind?: string;
    exception_type?: string | null;
    exception_class?: string | null;
    message?: string;
    code?: number | null;
    exception?: {
        [key: string]: unknown;
    };
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * The settlement receipt of an activity whose run is closed.
 */
export type ActivityRunClosedReceipt = {
    reason: 'run_cancelled' | 'run_terminated' | 'run_closed';
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded: false;
    task_id: string;
    activity_attempt_id: string;
    /**
     * ignored.
     */
    outcome?: string;
    run_id: string;
    /**
     * What closed the run.
     */
    stop_reason: 'run_cancelled' | 'run_terminated' | 'run_completed' | 'run_failed' | 'run_closed';
    /**
     * True only for a cancelled or terminated run.
     */
    cancel_requested: boolean;
    can_continue: false;
    run_status: 'completed' | 'failed' | 'cancelled' | 'terminated';
    /**
     * Why it closed.
     */
    run_closed_reason: string | null;
    /**
     * When it closed.
     */
    run_closed_at: string | null;
    activity_status: string;
    attempt_status: string;
    task_status: string;
    lease_owner?: string | null;
    lease_expires_at?: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * An activity execution and its first task exist.
 */
export type ActivityScheduledPayload = {
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * Absent for a remote activity.
     */
    execution_mode?: string;
    local_activity?: boolean;
    workflow_task_id?: string;
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * Only as the command gave it; never null.
     */
    cancellation_policy?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A worker claimed an attempt.
 */
export type ActivityStartedPayload = {
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The attempt.
     */
    activity_attempt_id: string;
    /**
     * Which attempt, from 1.
     */
    attempt_number: number;
    /**
     * End of the lease that this claim gave.
     */
    lease_expires_at?: string;
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * The attempt as it stood, null members dropped.
     */
    activity_attempt?: {
        [key: string]: unknown;
    };
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * One claimed activity task. What has no value is absent.
 */
export type ActivityTask = {
    task_id: string;
    activity_attempt_id: string;
    activity_execution_id: string;
    activity_type: string;
    payload_codec: 'avro';
    /**
     * Positional arguments.
     */
    arguments: Payload | null;
    attempt_number: number;
    lease_owner: string;
    lease_expires_at: string;
    workflow_id: string;
    run_id: string;
    namespace: string;
    task_queue: string;
    /**
     * The same for every attempt of one execution.
     */
    idempotency_key: string;
    /**
     * The stored snapshot; max_attempts null means without limit.
     */
    retry_policy?: {
        [key: string]: unknown;
    } | null;
    /**
     * Instants by timeout; absent where there is none.
     */
    deadlines?: {
        schedule_to_start?: string;
        start_to_close?: string;
        schedule_to_close?: string;
        heartbeat?: string;
    };
    /**
     * Ours: details of the last heartbeat of an earlier attempt, as sent; absent when there were none.
     */
    last_heartbeat_details?: unknown;
};

/**
 * The report names a task or attempt that is not the reporter's.
 */
export type ActivityTaskRefusal = {
    reason: 'task_not_found' | 'attempt_not_found' | 'task_mismatch' | 'lease_owner_mismatch' | 'activity_execution_missing';
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded: false;
    task_id: string;
    activity_attempt_id: string;
    run_id?: string;
    lease_owner?: string | null;
    namespace?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * A timeout of the execution passed and no attempt follows.
 */
export type ActivityTimedOutPayload = {
    /**
     * The scheduled call.
     */
    activity_execution_id: string;
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Qualified class, where the worker names one.
     */
    activity_class?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The attempt, if one had started.
     */
    activity_attempt_id?: string;
    attempt_number?: number;
    failure_id?: string;
    /**
     * timeout.
     */
    failure_category?: string;
    /**
     * schedule_to_start, start_to_close, schedule_to_close or heartbeat.
     */
    timeout_kind: string;
    message: string;
    exception_type?: string | null;
    exception_class?: string | null;
    schedule_deadline_at?: string | null;
    close_deadline_at?: string | null;
    schedule_to_close_deadline_at?: string | null;
    heartbeat_deadline_at?: string | null;
    /**
     * The execution as it stood, null members dropped.
     */
    activity?: {
        [key: string]: unknown;
    };
    /**
     * The attempt as it stood, null members dropped.
     */
    activity_attempt?: {
        [key: string]: unknown;
    };
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * An archive of a closed run was asked for.
 */
export type ArchiveRequestedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    /**
     * archive.
     */
    command_type?: string;
    /**
     * archived or archive_not_needed.
     */
    outcome?: string;
    reason?: string | null;
};

/**
 * A cancel was accepted; the terminal event follows in the same commit.
 */
export type CancelRequestedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    /**
     * cancel.
     */
    command_type?: string;
    reason?: string | null;
};

/**
 * Gives up one member of a selection. Takes a step number in its own completion and none afterwards. Not built yet: a completion that carries it is refused whole.
 */
export type CancelSelectionOperationCommand = {
    type: 'cancel_selection_operation';
    /**
     * select-calls, base step and size.
     */
    selection_group_id: string;
    /**
     * Name or position of the member, as the code gave it.
     */
    member_key: string | number;
    /**
     * Position of the member, from 0.
     */
    member_index: number;
    /**
     * First step of the member.
     */
    member_base_sequence: number;
    /**
     * Steps of the member.
     */
    member_size: number;
    operation_kind: 'activity' | 'child' | 'timer' | 'signal' | 'condition' | 'group';
    /**
     * Which operation; of a group its group id.
     */
    operation_identity: unknown;
};

/**
 * One entry of the capability manifest.
 */
export type CapabilityManifestEntry = {
    supported: boolean;
    minimum_protocol_version: string;
    implementation?: string;
    reason?: string;
};

/**
 * A child was cancelled.
 */
export type ChildRunCancelledPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    workflow_link_id?: string;
    /**
     * The call of the parent.
     */
    child_call_id?: string;
    /**
     * The workflow id of the child.
     */
    child_workflow_instance_id?: string;
    /**
     * The run of the child.
     */
    child_workflow_run_id: string;
    /**
     * Qualified class, where the worker names one.
     */
    child_workflow_class?: string | null;
    /**
     * Type of the child.
     */
    child_workflow_type: string;
    child_run_number?: number;
    child_status?: string;
    closed_reason?: string | null;
    closed_at?: string | null;
    failure_id?: string | null;
    /**
     * application, cancelled, terminated, timeout, activity, child_workflow, task_failure, internal or structural_limit.
     */
    failure_category?: string | null;
    exception_class?: string | null;
    message?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A child ended with a result.
 */
export type ChildRunCompletedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    workflow_link_id?: string;
    /**
     * The call of the parent.
     */
    child_call_id?: string;
    /**
     * The workflow id of the child.
     */
    child_workflow_instance_id?: string;
    /**
     * The run of the child.
     */
    child_workflow_run_id: string;
    /**
     * Qualified class, where the worker names one.
     */
    child_workflow_class?: string | null;
    /**
     * Type of the child.
     */
    child_workflow_type: string;
    child_run_number?: number;
    child_status?: string;
    closed_reason?: string | null;
    closed_at?: string | null;
    /**
     * The result of the child.
     */
    output?: Payload | null;
    /**
     * The same as output.
     */
    result?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A child failed or timed out.
 */
export type ChildRunFailedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    workflow_link_id?: string;
    /**
     * The call of the parent.
     */
    child_call_id?: string;
    /**
     * The workflow id of the child.
     */
    child_workflow_instance_id?: string;
    /**
     * The run of the child.
     */
    child_workflow_run_id: string;
    /**
     * Qualified class, where the worker names one.
     */
    child_workflow_class?: string | null;
    /**
     * Type of the child.
     */
    child_workflow_type: string;
    child_run_number?: number;
    child_status?: string;
    closed_reason?: string | null;
    closed_at?: string | null;
    failure_id?: string | null;
    /**
     * application, cancelled, terminated, timeout, activity, child_workflow, task_failure, internal or structural_limit.
     */
    failure_category?: string | null;
    exception_type?: string | null;
    exception_class?: string | null;
    message?: string;
    /**
     * Code that the authored error carried.
     */
    code?: unknown;
    /**
     * The error as its worker described it.
     */
    exception?: {
        [key: string]: unknown;
    } | null;
    non_retryable?: boolean | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A run of a child began: its first, a retry, or one that it continued as.
 */
export type ChildRunStartedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    workflow_link_id?: string;
    /**
     * The call of the parent.
     */
    child_call_id?: string;
    /**
     * The workflow id of the child.
     */
    child_workflow_instance_id?: string;
    /**
     * The run of the child.
     */
    child_workflow_run_id: string;
    /**
     * Qualified class, where the worker names one.
     */
    child_workflow_class?: string | null;
    /**
     * Type of the child.
     */
    child_workflow_type: string;
    child_run_number?: number;
    child_status?: string;
    execution_timeout_seconds?: number | null;
    run_timeout_seconds?: number | null;
    execution_deadline_at?: string | null;
    run_deadline_at?: string | null;
    retry_attempt?: number | null;
    retry_of_child_workflow_run_id?: string | null;
    retry_backoff_seconds?: number | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A child was terminated.
 */
export type ChildRunTerminatedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    workflow_link_id?: string;
    /**
     * The call of the parent.
     */
    child_call_id?: string;
    /**
     * The workflow id of the child.
     */
    child_workflow_instance_id?: string;
    /**
     * The run of the child.
     */
    child_workflow_run_id: string;
    /**
     * Qualified class, where the worker names one.
     */
    child_workflow_class?: string | null;
    /**
     * Type of the child.
     */
    child_workflow_type: string;
    child_run_number?: number;
    child_status?: string;
    closed_reason?: string | null;
    closed_at?: string | null;
    failure_id?: string | null;
    /**
     * application, cancelled, terminated, timeout, activity, child_workflow, task_failure, internal or structural_limit.
     */
    failure_category?: string | null;
    exception_class?: string | null;
    message?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * The code started a child workflow.
 */
export type ChildWorkflowScheduledPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    workflow_link_id?: string;
    /**
     * The call of the parent.
     */
    child_call_id?: string;
    /**
     * The workflow id of the child.
     */
    child_workflow_instance_id?: string;
    /**
     * The run of the child.
     */
    child_workflow_run_id: string;
    /**
     * Qualified class, where the worker names one.
     */
    child_workflow_class?: string | null;
    /**
     * Type of the child.
     */
    child_workflow_type: string;
    child_run_number?: number;
    /**
     * abandon, request_cancel or terminate.
     */
    parent_close_policy?: string;
    retry_policy?: {
        [key: string]: unknown;
    } | null;
    timeout_policy?: {
        [key: string]: unknown;
    } | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * What workflow code emits. Types that are not built are refused by the engine with their name.
 */
export type Command = ScheduleActivityCommand | StartTimerCommand | OpenConditionWaitCommand | OpenSignalWaitCommand | CompleteWorkflowCommand | FailWorkflowCommand | ContinueAsNewCommand | StartChildWorkflowCommand | StartServiceOperationCommand | CompleteUpdateCommand | FailUpdateCommand | RecordSideEffectCommand | RecordVersionMarkerCommand | UpsertSearchAttributesCommand | UpsertMemoCommand | RecordLocalActivityCommand | CancelSelectionOperationCommand;

export type CompleteActivityTaskRequest = {
    activity_attempt_id: string;
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    /**
     * The encoded result.
     */
    result?: Payload | null;
    hand_over?: HandOver;
};

export type CompleteQueryTaskRequest = {
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    query_task_attempt: number;
    /**
     * Plain JSON view.
     */
    result?: unknown;
    /**
     * The encoded result; preferred.
     */
    result_envelope?: Payload | null;
};

/**
 * Ends the update of this task with a result. Not built yet: a completion that carries it is refused whole.
 */
export type CompleteUpdateCommand = {
    type: 'complete_update';
    update_id: string;
    /**
     * The encoded result.
     */
    result?: Payload | null;
    /**
     * Codec of a bare blob.
     */
    payload_codec?: string | null;
};

/**
 * Ends the run with a result. Applied last, whatever its position.
 */
export type CompleteWorkflowCommand = {
    type: 'complete_workflow';
    /**
     * The encoded result.
     */
    result?: Payload | null;
    /**
     * Codec of a bare result blob.
     */
    payload_codec?: string | null;
};

export type CompleteWorkflowTaskReply = {
    task_id: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    outcome: 'completed';
    recorded: true;
    run_id: string;
    run_status: string;
    created_task_ids: Array<string>;
    reason: null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
    handed_over?: HandedOver;
};

export type CompleteWorkflowTaskRequest = {
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    /**
     * In authored order; at most one terminal command, applied last. Empty only for a task that a signal resumed; otherwise at least one. At most limits.commandsPerCompletionMax, which is a refusal of its own.
     */
    commands: Array<Command>;
    /**
     * Ours: the worker keeps the replay of this run.
     */
    history_cached?: boolean;
    /**
     * Ours: steps of the waits that the code has moved past.
     */
    resolved_waits?: Array<number>;
    hand_over?: HandOver;
};

/**
 * The code waits until a condition of its own holds. A re-opened wait is a new opening with its own step and id, and keeps the first deadline.
 */
export type ConditionWaitOpenedPayload = {
    /**
     * The opened wait.
     */
    condition_wait_id: string;
    /**
     * Key that the code gave.
     */
    condition_key?: string | null;
    /**
     * Digest of the predicate.
     */
    condition_definition_fingerprint?: string | null;
    /**
     * Which occurrence of this wait, since 1.17.
     */
    condition_wait_occurrence_id?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * As the command gave it.
     */
    timeout_seconds?: number;
    /**
     * The exact timeout behind timeout_seconds.
     */
    timeout_ms?: number;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A completion has moved past the wait.
 */
export type ConditionWaitSatisfiedPayload = {
    /**
     * The opened wait.
     */
    condition_wait_id: string;
    /**
     * Key that the code gave.
     */
    condition_key?: string | null;
    /**
     * Digest of the predicate.
     */
    condition_definition_fingerprint?: string | null;
    /**
     * Which occurrence of this wait, since 1.17.
     */
    condition_wait_occurrence_id?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    timer_id?: string;
    timeout_seconds?: number;
    /**
     * The exact timeout behind timeout_seconds.
     */
    timeout_ms?: number;
    workflow_signal_id?: string;
    signal_name?: string;
    signal_wait_id?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * The deadline of the wait passed. This server records the TimerFired of the wait instead; a history of another server may hold it.
 */
export type ConditionWaitTimedOutPayload = {
    /**
     * The opened wait.
     */
    condition_wait_id: string;
    /**
     * Key that the code gave.
     */
    condition_key?: string | null;
    /**
     * Digest of the predicate.
     */
    condition_definition_fingerprint?: string | null;
    /**
     * Which occurrence of this wait, since 1.17.
     */
    condition_wait_occurrence_id?: string | null;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    timer_id?: string;
    timeout_seconds?: number;
    /**
     * The exact timeout behind timeout_seconds.
     */
    timeout_ms?: number;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * Ends the run and goes on as a new run of the same workflow id. Not built yet: a completion that carries it is refused whole.
 */
export type ContinueAsNewCommand = {
    type: 'continue_as_new';
    /**
     * The run's when absent.
     */
    workflow_type?: string | null;
    /**
     * Positional arguments: an encoded list.
     */
    arguments?: Payload | null;
    /**
     * Codec of a bare blob.
     */
    payload_codec?: string | null;
    /**
     * Task queue; the run's when absent.
     */
    queue?: string | null;
    /**
     * Trace context of the call.
     */
    observability_context?: {
        [key: string]: unknown;
    } | null;
};

export type DeregisterWorkerReply = {
    worker_id: string;
    outcome: 'deregistered';
    /**
     * Workflow tasks whose lease was released.
     */
    recovered_workflow_task_count: number;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

export type FailActivityTaskRequest = {
    activity_attempt_id: string;
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    failure: Failure;
    hand_over?: HandOver;
};

export type FailQueryTaskRequest = {
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    query_task_attempt: number;
    failure: QueryFailure;
};

/**
 * Ends the update of this task with a failure. Not built yet: a completion that carries it is refused whole.
 */
export type FailUpdateCommand = {
    type: 'fail_update';
    update_id: string;
    message: string;
    exception_class?: string | null;
    exception_type?: string | null;
    non_retryable?: boolean | null;
};

/**
 * Ends the run with a failure. Applied last, whatever its position.
 */
export type FailWorkflowCommand = {
    type: 'fail_workflow';
    /**
     * What went wrong.
     */
    message: string;
    /**
     * Qualified class name.
     */
    exception_class?: string | null;
    /**
     * Short type name.
     */
    exception_type?: string | null;
    /**
     * The failure forbids a retry of the run.
     */
    non_retryable?: boolean | null;
    /**
     * The structured failure, since 1.10; its message, class and type fill blanks.
     */
    exception?: {
        [key: string]: unknown;
    } | null;
    /**
     * Step whose failure escaped.
     */
    failed_step_sequence?: number | null;
    /**
     * Execution whose failure escaped.
     */
    failed_activity_execution_id?: string | null;
};

export type FailWorkflowTaskReply = {
    task_id: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    /**
     * failed, replay_blocked or waiting_for_history.
     */
    outcome: string;
    /**
     * The report was taken.
     */
    recorded: boolean;
    reason: string | null;
    /**
     * The replacement task, if one was made.
     */
    next_task_id: string | null;
    run_id?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
    handed_over?: HandedOver;
};

export type FailWorkflowTaskRequest = {
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    failure: WorkflowTaskFailure;
    /**
     * Ours: the worker keeps the replay of this run.
     */
    history_cached?: boolean;
    hand_over?: HandOver;
};

/**
 * Why an activity attempt failed, as its worker reports it.
 */
export type Failure = {
    /**
     * What went wrong, for people. At least 62 KiB are accepted.
     */
    message: string;
    /**
     * Short name of the failure type.
     */
    type?: string | null;
    /**
     * Qualified name of the failure class.
     */
    class?: string | null;
    /**
     * Code that the authored error carried.
     */
    code?: number | null;
    /**
     * Where it happened.
     */
    stack_trace?: string | null;
    /**
     * True: no further attempt, whatever the policy says.
     */
    non_retryable?: boolean | null;
    /**
     * False says the same as non_retryable true.
     */
    retryable?: boolean | null;
    /**
     * application, timeout, cancellation, malformed_output, handler_crash, decode_failure or unsupported_payload.
     */
    kind?: string | null;
    /**
     * schedule_to_start, start_to_close, schedule_to_close, heartbeat or deadline_exceeded.
     */
    timeout_type?: string | null;
    /**
     * The attempt ended because it was cancelled.
     */
    cancelled?: boolean | null;
    /**
     * The result could not be encoded.
     */
    malformed_output?: boolean | null;
    /**
     * What the author attached: a payload, or plain JSON.
     */
    details?: unknown;
    /**
     * Free facts about the report itself.
     */
    diagnostics?: {
        [key: string]: unknown;
    } | null;
    /**
     * Free facts about the runtime.
     */
    runtime_diagnostics?: {
        [key: string]: unknown;
    } | null;
};

/**
 * Authored code caught a failure and went on.
 */
export type FailureHandledPayload = {
    failure_id: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence?: number;
    /**
     * application, cancelled, terminated, timeout, activity, child_workflow, task_failure, internal or structural_limit.
     */
    failure_category?: string | null;
    source_kind?: string | null;
    source_id?: string | null;
    propagation_kind?: string | null;
    exception_class?: string | null;
    exception_type?: string | null;
    message?: string;
    /**
     * True.
     */
    handled?: boolean;
};

/**
 * Ours: the slots that a worker offers with a report. The tasks that the report makes ready for this worker may come back with its reply; more than was offered never does.
 */
export type HandOver = {
    /**
     * Names the claims, as in a poll; a poll with this id collects a task whose reply was lost. New for each report.
     */
    poll_request_id: string;
    /**
     * Free slots for workflow tasks; absent is 0.
     */
    workflow_tasks?: number;
    /**
     * Free slots for activity tasks; absent is 0.
     */
    activity_tasks?: number;
};

/**
 * Ours: tasks that this report made ready, leased to the reporter as a poll with the offered poll_request_id would have leased them. An exact repeat of the report hands them over again as long as their leases hold.
 */
export type HandedOver = {
    workflow_task?: WorkflowTask;
    activity_tasks?: Array<ActivityTask>;
};

/**
 * Answered 200 also when the attempt may not continue.
 */
export type HeartbeatActivityTaskReply = {
    task_id: string;
    activity_attempt_id: string;
    lease_owner: string;
    cancel_requested: boolean;
    can_continue: boolean;
    heartbeat_recorded: boolean;
    reason: 'run_cancelled' | 'run_terminated' | 'run_closed' | 'attempt_closed' | 'stale_attempt' | 'activity_cancelled' | 'task_cancelled' | 'activity_not_running' | 'stale_task' | 'task_not_leased' | null;
    lease_expires_at: string | null;
    last_heartbeat_at: string | null;
    run_closed_reason?: string | null;
    run_closed_at?: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

export type HeartbeatActivityTaskRequest = {
    activity_attempt_id: string;
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    message?: string | null;
    current?: number | null;
    total?: number | null;
    unit?: string | null;
    /**
     * Any JSON; stored whole, never a ground for refusal.
     */
    details?: unknown;
};

export type HeartbeatWorkerReply = {
    worker_id: string;
    acknowledged: true;
    heartbeat_interval_seconds: number;
    stale_after_seconds?: number;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

export type HeartbeatWorkerRequest = {
    worker_id: string;
    task_slots?: TaskSlots;
    process_metrics?: ProcessMetrics;
    heartbeat_interval_seconds?: number;
};

/**
 * One event as a worker reads it.
 */
export type HistoryEvent = {
    /**
     * Id of the event.
     */
    id: string;
    /**
     * History sequence, from 1 without gaps.
     */
    sequence: number;
    /**
     * One of the event types; a reader keeps one it does not know.
     */
    event_type: string;
    namespace?: string;
    /**
     * By event type; see the event schemas. payload.sequence is the step number.
     */
    payload: {
        [key: string]: unknown;
    };
    /**
     * Workflow task whose completion recorded it.
     */
    workflow_task_id?: string | null;
    /**
     * Control command behind it.
     */
    workflow_command_id?: string | null;
    /**
     * When.
     */
    recorded_at: string;
};

/**
 * The code changed the memo of the run.
 */
export type MemoUpsertedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * An encoded map as sent; null deletes.
     */
    entries: Payload;
    /**
     * The whole memo afterwards, encoded.
     */
    merged?: Payload;
};

/**
 * Messages of the run are consumed up to a position.
 */
export type MessageCursorAdvancedPayload = {
    /**
     * instance: and the workflow id.
     */
    stream_key: string;
    previous_position: number;
    new_position: number;
};

/**
 * Waits until a condition of the code holds.
 */
export type OpenConditionWaitCommand = {
    type: 'open_condition_wait';
    /**
     * Key of the wait.
     */
    condition_key?: string | null;
    /**
     * Digest of the predicate.
     */
    condition_definition_fingerprint?: string | null;
    /**
     * Deadline of the wait.
     */
    timeout_seconds?: number | null;
    /**
     * The exact timeout behind timeout_seconds.
     */
    timeout_ms?: number | null;
    /**
     * Which occurrence of this wait, since 1.17.
     */
    condition_wait_occurrence_id?: string | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string | null;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string | null;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number | null;
    /**
     * Number of members.
     */
    parallel_group_size?: number | null;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number | null;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * Waits for the next signal of a name.
 */
export type OpenSignalWaitCommand = {
    type: 'open_signal_wait';
    /**
     * Name of the signal.
     */
    signal_name: string;
    /**
     * Deadline of the wait.
     */
    timeout_seconds?: number | null;
    /**
     * The exact timeout behind timeout_seconds.
     */
    timeout_ms?: number | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string | null;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string | null;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number | null;
    /**
     * Number of members.
     */
    parallel_group_size?: number | null;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number | null;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * What the close of a run did to an open child.
 */
export type ParentClosePolicyAppliedPayload = {
    child_instance_id: string;
    child_run_id: string;
    /**
     * request_cancel or terminate.
     */
    policy: string;
    reason?: string | null;
};

/**
 * The close of a run could not be carried over to an open child.
 */
export type ParentClosePolicyFailedPayload = {
    child_instance_id: string;
    child_run_id: string;
    /**
     * request_cancel or terminate.
     */
    policy: string;
    reason?: string | null;
    error: string;
};

/**
 * One encoded value. The envelope names its codec; a bare string is a blob in the codec that the surrounding payload_codec declares. The blob is base64 text. Only codec avro is spoken since 2.0.
 */
export type Payload = {
    /**
     * Name of the codec, "avro".
     */
    codec: string;
    /**
     * Base64 text of the encoded value.
     */
    blob: string;
} | string;

export type PollActivityTaskReply = {
    task: ActivityTask | null;
    poll_status: PollStatus;
    reason?: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

export type PollQueryTaskReply = {
    task: QueryTask | null;
    poll_status: PollStatus;
    reason?: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * A poll that is not served. The body still reads as a poll reply without a task.
 */
export type PollRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    task: null;
    poll_status?: PollStatus;
    recorded?: false;
    worker_id?: string;
    task_queue?: string | null;
    registered_task_queue?: string;
    requested_task_queue?: string;
    registered_build_id?: string | null;
    requested_build_id?: string | null;
    worker_status?: string;
    drain_intent?: string;
    task_kind?: string;
    poll_request_id?: string | null;
    retry_same_poll_request_id?: boolean;
    retryable?: boolean;
    retry_after_seconds?: number;
    operation?: string;
    outcome?: string;
    namespace?: string;
    remediation?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * A poll for one task.
 */
export type PollRequest = {
    /**
     * The lease owner.
     */
    worker_id: string;
    task_queue: string;
    build_id?: string | null;
    /**
     * Repeats of one id collect the same claim.
     */
    poll_request_id?: string | null;
    /**
     * How long to hold the poll; 0 asks once.
     */
    timeout_seconds?: number | null;
};

/**
 * Why there is, or is not, a task.
 */
export type PollStatus = 'leased' | 'empty' | 'no_workflow_capability' | 'no_activity_capability' | 'query_task_pending' | 'workflow_task_pending' | 'compatibility_blocked' | 'no_compatible_worker' | 'stale_worker_registration' | 'throttled' | 'unavailable' | 'draining' | 'unsupported' | 'rejected' | 'long_poll_capacity_exhausted' | 'backend_lock_pressure' | 'backend_unavailable';

export type PollWorkflowTaskReply = {
    task: WorkflowTask | null;
    poll_status: PollStatus;
    reason?: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * A poll for one workflow task.
 */
export type PollWorkflowTaskRequest = {
    /**
     * The lease owner.
     */
    worker_id: string;
    task_queue: string;
    build_id?: string | null;
    /**
     * Repeats of one id collect the same claim.
     */
    poll_request_id?: string | null;
    /**
     * How long to hold the poll; 0 asks once.
     */
    timeout_seconds?: number | null;
    /**
     * Events in one page; the whole history when absent.
     */
    history_page_size?: number | null;
    /**
     * Comma list; this server sends no compressed history.
     */
    accept_history_encoding?: string | null;
    /**
     * Default: workflow.
     */
    task_kinds?: Array<'workflow' | 'update_validation'>;
};

/**
 * Facts about the worker process; host, process id and start tell one process from the next.
 */
export type ProcessMetrics = {
    cpu_percent?: number;
    memory_bytes?: number;
    process_uptime_seconds?: number;
    process_id?: number | string;
    host?: string;
    process_started_at?: string;
};

export type QueryFailure = {
    message: string;
    reason?: string | null;
    type?: string | null;
    stack_trace?: string | null;
    validation_errors?: {
        [key: string]: Array<string>;
    } | null;
};

export type QueryReportReply = {
    query_task_id: string;
    query_task_attempt: number;
    /**
     * completed or failed.
     */
    outcome: string;
    reason?: string | null;
    status?: number;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * One claimed query task.
 */
export type QueryTask = {
    query_task_id: string;
    query_task_attempt: number;
    workflow_id: string;
    run_id: string;
    workflow_type: string;
    query_name: string;
    payload_codec: 'avro';
    /**
     * Input of the run.
     */
    workflow_arguments: Payload | null;
    /**
     * Arguments of the query.
     */
    query_arguments: Payload | null;
    run_status: string;
    last_history_sequence: number;
    /**
     * The whole history: there is no page route for queries.
     */
    history_events: Array<HistoryEvent>;
    namespace: string;
    task_queue: string;
    lease_owner: string;
    lease_expires_at: string;
};

export type QueryTaskRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded: false;
    query_task_id: string;
    outcome: 'rejected';
    status?: number;
    current_attempt?: number;
    namespace?: string;
    remediation?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * Records an activity that ran inside the workflow task. Not built yet: a completion that carries it is refused whole.
 */
export type RecordLocalActivityCommand = {
    type: 'record_local_activity';
    /**
     * Name of the authored function.
     */
    activity_type: string;
    execution_mode?: 'local';
    /**
     * Positional arguments: an encoded list.
     */
    arguments?: Payload | null;
    /**
     * The encoded result, of a completed one.
     */
    result?: Payload | null;
    /**
     * Codec of a bare blob.
     */
    payload_codec?: string | null;
    outcome: 'completed' | 'failed' | 'timed_out' | 'cancelled';
    /**
     * Needed unless it completed.
     */
    message?: string | null;
    exception_type?: string | null;
    /**
     * Not with completed.
     */
    non_retryable?: boolean | null;
    /**
     * With timed_out, and only then.
     */
    timeout_kind?: 'start_to_close' | 'schedule_to_close' | 'heartbeat' | null;
    /**
     * Every attempt, since 1.19 always.
     */
    attempts?: Array<{
        attempt_id: string;
        attempt_number: number;
        /**
         * completed, failed, timed_out or cancelled.
         */
        outcome: string;
        duration_ms?: number;
        message?: string | null;
        exception_type?: string | null;
        non_retryable?: boolean | null;
        timeout_kind?: string | null;
        /**
         * failure, timeout or cold_replay.
         */
        retry_reason?: string | null;
        backoff_seconds?: number | null;
        heartbeats?: Array<{
            elapsed_ms?: number;
            details?: Payload | null;
        }> | null;
    }> | null;
    retry_policy?: RetryPolicy | null;
    /**
     * Seconds.
     */
    start_to_close_timeout?: number | null;
    /**
     * Seconds.
     */
    schedule_to_close_timeout?: number | null;
    /**
     * Seconds.
     */
    heartbeat_timeout?: number | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string | null;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string | null;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number | null;
    /**
     * Number of members.
     */
    parallel_group_size?: number | null;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number | null;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * Records a value that the code computed once; replay hands it out again.
 */
export type RecordSideEffectCommand = {
    type: 'record_side_effect';
    /**
     * The encoded value; never empty.
     */
    result: Payload;
    /**
     * Codec of a bare result blob.
     */
    payload_codec?: string | null;
    /**
     * An append to an output stream of the run.
     */
    workflow_stream?: {
        [key: string]: unknown;
    } | null;
};

/**
 * Pins the run to one version of a change of its code.
 */
export type RecordVersionMarkerCommand = {
    type: 'record_version_marker';
    /**
     * Name of the change.
     */
    change_id: string;
    /**
     * The version of this run, within the range that the code supports; -1 is the code before the change.
     */
    version: number;
    /**
     * The oldest version that the code supports.
     */
    min_supported: number;
    /**
     * The newest version that the code supports.
     */
    max_supported: number;
    /**
     * Sent by some workers; means nothing here.
     */
    payload_codec?: string | null;
};

export type RegisterWorkerReply = {
    worker_id: string;
    registered: true;
    namespace: string;
    task_queue: string;
    runtime: string;
    /**
     * As sent; null when none was.
     */
    build_id: string | null;
    /**
     * As sent.
     */
    capabilities: Array<string>;
    /**
     * As sent.
     */
    capability_manifest?: {
        [key: string]: CapabilityManifestEntry;
    };
    status: 'active' | 'draining';
    heartbeat_interval_seconds: number;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * A worker announces itself.
 */
export type RegisterWorkerRequest = {
    /**
     * Made by the server when absent.
     */
    worker_id?: string;
    /**
     * The one queue of this registration.
     */
    task_queue: string;
    /**
     * Language of the worker.
     */
    runtime: 'php' | 'python' | 'rust' | 'typescript' | 'go' | 'java' | 'external';
    sdk_version?: string | null;
    /**
     * Build that the worker is pinned to.
     */
    build_id?: string | null;
    /**
     * Without any, workflow polls answer no_workflow_capability.
     */
    supported_workflow_types?: Array<string>;
    /**
     * Digest of each definition.
     */
    workflow_definition_fingerprints?: {
        [key: string]: string;
    };
    /**
     * By workflow type.
     */
    workflow_command_contracts?: {
        [key: string]: WorkflowCommandContract;
    };
    supported_activity_types?: Array<string>;
    capabilities?: Array<string>;
    /**
     * Mandatory from header 1.18 on.
     */
    capability_manifest?: {
        [key: string]: CapabilityManifestEntry;
    };
    max_concurrent_workflow_tasks?: number;
    max_concurrent_activity_tasks?: number;
    max_concurrent_worker_sessions?: number;
    task_slots?: TaskSlots;
    process_metrics?: ProcessMetrics;
    heartbeat_interval_seconds?: number;
};

export type RegistrationRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    registered?: false;
    worker_id?: string;
    workflow_type?: string;
    capability?: string;
    requested_version?: string | null;
    minimum_protocol_version?: string;
    remediation?: string;
    namespace?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * An operator asked for a repair: the run got a workflow task, or needed none.
 */
export type RepairRequestedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    /**
     * repair.
     */
    command_type?: string;
    /**
     * repair_dispatched or repair_not_needed.
     */
    outcome: string;
    /**
     * What kept the run going, or did not, when it was asked: workflow_replay_blocked, repair_needed, workflow_task_ready and others.
     */
    liveness_state: string;
    /**
     * What the run waited for.
     */
    wait_kind?: string | null;
    /**
     * The task that it got.
     */
    task_id?: string | null;
    /**
     * workflow.
     */
    task_type?: string | null;
};

/**
 * When another attempt of an activity follows a failed one. The policy is kept as sent: unknown keys survive.
 */
export type RetryPolicy = {
    /**
     * Attempts in all, the first included; null means without limit, absent means 1.
     */
    max_attempts?: number | null;
    /**
     * Delay before attempt n+1, by position; the last entry repeats; an empty list means no delay.
     */
    backoff_seconds?: Array<number> | null;
    /**
     * The exact delays behind backoff_seconds, by position.
     */
    backoff_ms?: Array<number> | null;
    /**
     * Failure types or classes after which no attempt follows.
     */
    non_retryable_error_types?: Array<string> | null;
};

export type RoleRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    role?: string;
    allowed_roles?: Array<string>;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * The settlement receipt of a workflow task whose run is closed, complete enough that a worker may drop its report. run_timed_out when the run or execution timeout closed it.
 */
export type RunClosedReceipt = {
    reason: 'run_closed' | 'run_timed_out';
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded: false;
    task_id: string;
    /**
     * The attempt that was reported.
     */
    workflow_task_attempt: number;
    run_id: string;
    /**
     * What closed the run.
     */
    stop_reason: 'run_cancelled' | 'run_terminated' | 'run_completed' | 'run_failed' | 'run_closed';
    /**
     * True only for a cancelled or terminated run.
     */
    cancel_requested: boolean;
    can_continue: false;
    run_status: 'completed' | 'failed' | 'cancelled' | 'terminated';
    /**
     * Why it closed.
     */
    run_closed_reason: string | null;
    /**
     * When it closed.
     */
    run_closed_at: string | null;
    task_status: string;
    lease_owner: string | null;
    lease_expires_at: string | null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * Schedules one activity execution.
 */
export type ScheduleActivityCommand = {
    type: 'schedule_activity';
    /**
     * Name of the authored function.
     */
    activity_type: string;
    /**
     * Positional arguments: an encoded list.
     */
    arguments?: Payload | null;
    /**
     * Codec of a bare arguments blob.
     */
    payload_codec?: string | null;
    connection?: string | null;
    /**
     * Task queue; the run's when absent.
     */
    queue?: string | null;
    retry_policy?: RetryPolicy | null;
    /**
     * Seconds for one attempt.
     */
    start_to_close_timeout?: number | null;
    /**
     * Seconds until an attempt is claimed.
     */
    schedule_to_start_timeout?: number | null;
    /**
     * Seconds for all attempts.
     */
    schedule_to_close_timeout?: number | null;
    /**
     * Seconds between heartbeats of an attempt.
     */
    heartbeat_timeout?: number | null;
    /**
     * The exact timeout behind start_to_close_timeout.
     */
    start_to_close_timeout_ms?: number | null;
    /**
     * The exact timeout behind schedule_to_start_timeout.
     */
    schedule_to_start_timeout_ms?: number | null;
    /**
     * The exact timeout behind schedule_to_close_timeout.
     */
    schedule_to_close_timeout_ms?: number | null;
    /**
     * The exact timeout behind heartbeat_timeout.
     */
    heartbeat_timeout_ms?: number | null;
    /**
     * Session that must run it.
     */
    worker_session?: {
        [key: string]: unknown;
    } | null;
    /**
     * try_cancel, wait_cancellation_completed or abandon.
     */
    cancellation_policy?: string | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string | null;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string | null;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number | null;
    /**
     * Number of members.
     */
    parallel_group_size?: number | null;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number | null;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A schedule was created. Stands in the schedule's own history.
 */
export type ScheduleCreatedPayload = {
    /**
     * When it fires.
     */
    spec?: {
        [key: string]: unknown;
    };
    /**
     * What it starts.
     */
    action?: {
        [key: string]: unknown;
    };
    /**
     * skip, buffer_one, buffer_all, cancel_other, terminate_other or allow_all.
     */
    overlap_policy?: string;
    next_fire_at?: string | null;
    /**
     * Who asked, and how.
     */
    command_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A schedule was deleted. Stands in the schedule's own history.
 */
export type ScheduleDeletedPayload = {
    /**
     * max_runs_exhausted, for example.
     */
    reason?: string | null;
    deleted_at?: string;
    /**
     * Who asked, and how.
     */
    command_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A schedule was paused. Stands in the schedule's own history.
 */
export type SchedulePausedPayload = {
    reason?: string | null;
    paused_at?: string;
    /**
     * Who asked, and how.
     */
    command_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A schedule goes on. Stands in the schedule's own history.
 */
export type ScheduleResumedPayload = {
    next_fire_at?: string | null;
    /**
     * Who asked, and how.
     */
    command_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A schedule did not fire. Stands in the schedule's own history.
 */
export type ScheduleTriggerSkippedPayload = {
    reason?: string;
    skipped_trigger_count?: number;
    last_skipped_at?: string;
    /**
     * Who asked, and how.
     */
    command_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A schedule fired. Stands in the schedule's own history and in that of the run it started.
 */
export type ScheduleTriggeredPayload = {
    /**
     * The workflow id.
     */
    workflow_instance_id?: string | null;
    /**
     * The run.
     */
    workflow_run_id?: string | null;
    schedule_id?: string;
    schedule_ulid?: string;
    cron_expression?: string | null;
    timezone?: string | null;
    overlap_policy?: string;
    outcome?: string;
    effective_overlap_policy?: string | null;
    trigger_number?: number | null;
    occurrence_time?: string | null;
    /**
     * Who asked, and how.
     */
    command_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A schedule was changed. Stands in the schedule's own history.
 */
export type ScheduleUpdatedPayload = {
    changed_fields?: Array<string>;
    /**
     * When it fires.
     */
    spec?: {
        [key: string]: unknown;
    };
    /**
     * What it starts.
     */
    action?: {
        [key: string]: unknown;
    };
    /**
     * skip, buffer_one, buffer_all, cancel_other, terminate_other or allow_all.
     */
    overlap_policy?: string;
    next_fire_at?: string | null;
    /**
     * Who asked, and how.
     */
    command_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * The code changed the attributes by which the run is found.
 */
export type SearchAttributesUpsertedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * As sent; null deletes.
     */
    attributes: {
        [key: string]: unknown;
    };
    /**
     * All of them afterwards.
     */
    merged?: {
        [key: string]: unknown;
    };
    /**
     * Type of each attribute, since 1.16.
     */
    attribute_types?: {
        [key: string]: unknown;
    } | null;
};

/**
 * The code gave up a member of a selection.
 */
export type SelectionOperationCancelledPayload = {
    /**
     * select-calls, base step and size.
     */
    selection_group_id: string;
    /**
     * Name or position of the member, as the code gave it.
     */
    member_key: unknown;
    /**
     * Position of the member, from 0.
     */
    member_index?: number;
    /**
     * First step of the member.
     */
    member_base_sequence?: number;
    /**
     * Steps of the member.
     */
    member_size?: number;
    /**
     * activity, child, timer, signal, condition or group.
     */
    operation_kind?: string;
    /**
     * Which operation; of a group its group id.
     */
    operation_identity?: unknown;
    cancelled_at?: string;
};

/**
 * One member of a selection won.
 */
export type SelectionResolvedPayload = {
    /**
     * select-calls, base step and size.
     */
    selection_group_id: string;
    /**
     * First step of the selection.
     */
    selection_group_base_sequence?: number;
    /**
     * Steps of the selection.
     */
    selection_group_size?: number;
    /**
     * Name or position of the member, as the code gave it.
     */
    member_key: unknown;
    /**
     * Position of the member, from 0.
     */
    member_index?: number;
    /**
     * First step of the member.
     */
    member_base_sequence?: number;
    /**
     * Steps of the member.
     */
    member_size?: number;
    /**
     * activity, child, timer, signal, condition or group.
     */
    operation_kind?: string;
    /**
     * Which operation; of a group its group id.
     */
    operation_identity?: unknown;
    /**
     * How the winner ended.
     */
    outcome: string;
    /**
     * The event that decided it.
     */
    resolution_event_id?: string;
    resolution_event_type?: string;
};

/**
 * What this server can do. A key that is absent is a thing it does not do. The same object stands in discovery and in every answer of the worker plane.
 */
export type ServerCapabilities = {
    /**
     * Queries are routed to workers.
     */
    query_tasks: boolean;
    /**
     * Command types that a completion may carry.
     */
    supported_workflow_task_commands: Array<string>;
    /**
     * Seconds that a poll is held when it does not say.
     */
    long_poll_timeout: number;
    /**
     * A repeated poll_request_id returns the same claim.
     */
    workflow_task_poll_request_idempotency?: boolean;
    /**
     * The same for query polls.
     */
    query_task_poll_request_idempotency?: boolean;
    history_page_size_default?: number;
    history_page_size_max?: number;
    /**
     * Bounds of a query.
     */
    query_task_timeouts?: {
        control_plane_timeout_seconds?: number;
        lease_timeout_seconds?: number;
        lease_grace_seconds?: number;
    };
    activity_retry_policy?: boolean;
    activity_timeouts?: boolean;
    non_retryable_failures?: boolean;
    /**
     * How often a registration is refreshed, and when it counts as stale.
     */
    worker_status?: {
        [key: string]: unknown;
    };
    /**
     * Occurrence ids of condition waits, since 1.17.
     */
    condition_wait_occurrence_identity?: {
        [key: string]: unknown;
    };
    /**
     * Requests for cooperative cancellation are admitted; the same function admits them.
     */
    cooperative_cancellation?: boolean;
    /**
     * Ours: fields that end in _ms carry exact durations beside the whole seconds.
     */
    millisecond_durations?: boolean;
    /**
     * Ours: a worker that says history_cached with a report gets only the history after it.
     */
    history_cache?: boolean;
    /**
     * Ours: an activity task carries the details of the last heartbeat of an earlier attempt.
     */
    heartbeat_details?: boolean;
    /**
     * Ours: a completion may name the steps of the waits that it has moved past.
     */
    resolved_waits?: boolean;
    /**
     * Ours: a report may offer free slots, and its reply may hand over the tasks that it made ready.
     */
    task_hand_over?: boolean;
};

/**
 * A service operation was cancelled.
 */
export type ServiceCallCancelledPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The call.
     */
    service_call_id: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    caller_workflow_instance_id?: string | null;
    caller_workflow_run_id?: string | null;
    caller_sdk_language?: string | null;
    endpoint_name?: string;
    service_name?: string;
    operation_name?: string;
    service_sdk_language?: string | null;
    request_payload?: Payload | null;
    response_payload?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * sync or async.
     */
    operation_mode?: string | null;
    /**
     * accepted or completed.
     */
    wait_for?: string | null;
    status?: string | null;
    outcome?: string | null;
    resolved_binding_kind?: string | null;
    resolved_target_reference?: string | null;
    linked_workflow_instance_id?: string | null;
    linked_workflow_run_id?: string | null;
    linked_workflow_update_id?: string | null;
    /**
     * The call as it stood.
     */
    service_call?: {
        [key: string]: unknown;
    } | null;
    /**
     * What the caller sees of it.
     */
    response_or_failure_surface?: unknown;
    exception_type?: string | null;
    exception_class?: string | null;
    message?: string;
    /**
     * Code that the authored error carried.
     */
    code?: unknown;
    /**
     * The error as its worker described it.
     */
    exception?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A service operation ended with a result.
 */
export type ServiceCallCompletedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The call.
     */
    service_call_id: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    caller_workflow_instance_id?: string | null;
    caller_workflow_run_id?: string | null;
    caller_sdk_language?: string | null;
    endpoint_name?: string;
    service_name?: string;
    operation_name?: string;
    service_sdk_language?: string | null;
    request_payload?: Payload | null;
    response_payload?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * sync or async.
     */
    operation_mode?: string | null;
    /**
     * accepted or completed.
     */
    wait_for?: string | null;
    status?: string | null;
    outcome?: string | null;
    resolved_binding_kind?: string | null;
    resolved_target_reference?: string | null;
    linked_workflow_instance_id?: string | null;
    linked_workflow_run_id?: string | null;
    linked_workflow_update_id?: string | null;
    /**
     * The call as it stood.
     */
    service_call?: {
        [key: string]: unknown;
    } | null;
    /**
     * What the caller sees of it.
     */
    response_or_failure_surface?: unknown;
};

/**
 * A service operation failed.
 */
export type ServiceCallFailedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The call.
     */
    service_call_id: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    caller_workflow_instance_id?: string | null;
    caller_workflow_run_id?: string | null;
    caller_sdk_language?: string | null;
    endpoint_name?: string;
    service_name?: string;
    operation_name?: string;
    service_sdk_language?: string | null;
    request_payload?: Payload | null;
    response_payload?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * sync or async.
     */
    operation_mode?: string | null;
    /**
     * accepted or completed.
     */
    wait_for?: string | null;
    status?: string | null;
    outcome?: string | null;
    resolved_binding_kind?: string | null;
    resolved_target_reference?: string | null;
    linked_workflow_instance_id?: string | null;
    linked_workflow_run_id?: string | null;
    linked_workflow_update_id?: string | null;
    /**
     * The call as it stood.
     */
    service_call?: {
        [key: string]: unknown;
    } | null;
    /**
     * What the caller sees of it.
     */
    response_or_failure_surface?: unknown;
    exception_type?: string | null;
    exception_class?: string | null;
    message?: string;
    /**
     * Code that the authored error carried.
     */
    code?: unknown;
    /**
     * The error as its worker described it.
     */
    exception?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A service operation was called and goes on.
 */
export type ServiceCallStartedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The call.
     */
    service_call_id: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    caller_workflow_instance_id?: string | null;
    caller_workflow_run_id?: string | null;
    caller_sdk_language?: string | null;
    endpoint_name?: string;
    service_name?: string;
    operation_name?: string;
    service_sdk_language?: string | null;
    request_payload?: Payload | null;
    response_payload?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * sync or async.
     */
    operation_mode?: string | null;
    /**
     * accepted or completed.
     */
    wait_for?: string | null;
    status?: string | null;
    outcome?: string | null;
    resolved_binding_kind?: string | null;
    resolved_target_reference?: string | null;
    linked_workflow_instance_id?: string | null;
    linked_workflow_run_id?: string | null;
    linked_workflow_update_id?: string | null;
    /**
     * The call as it stood.
     */
    service_call?: {
        [key: string]: unknown;
    } | null;
    /**
     * What the caller sees of it.
     */
    response_or_failure_surface?: unknown;
};

/**
 * A value that the code computed once.
 */
export type SideEffectRecordedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The encoded value.
     */
    result: Payload;
    /**
     * Codec of the result.
     */
    payload_codec?: string;
};

/**
 * A signal wait consumed a signal; sequence is the step of the wait.
 */
export type SignalAppliedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    signal_id: string;
    signal_name: string;
    signal_wait_id: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * Null or absent when the signal has none.
     */
    value?: Payload | null;
    /**
     * Null or absent when the signal has none.
     */
    arguments?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
};

/**
 * A signal was accepted.
 */
export type SignalReceivedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    signal_id: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    signal_name: string;
    /**
     * The wait that it found open.
     */
    signal_wait_id?: string;
    /**
     * Null or absent when the signal has none.
     */
    arguments?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * Step of the wait that consumed it, once known.
     */
    workflow_sequence?: number;
};

/**
 * The code waits for the next signal of a name.
 */
export type SignalWaitOpenedPayload = {
    signal_name: string;
    signal_wait_id: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * As the command gave it.
     */
    timeout_seconds?: number;
    /**
     * The exact timeout behind timeout_seconds.
     */
    timeout_ms?: number;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * A start was accepted for this workflow id: it made the run, or found it open.
 */
export type StartAcceptedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    workflow_type?: string;
    workflow_class?: string | null;
    business_key?: string | null;
    visibility_labels?: {
        [key: string]: unknown;
    } | null;
    memo?: {
        [key: string]: unknown;
    } | null;
    search_attributes?: {
        [key: string]: unknown;
    } | null;
    /**
     * started_new or returned_existing_active.
     */
    outcome: string;
    rejection_reason?: string | null;
};

/**
 * Starts a child workflow. Not built yet: a completion that carries it is refused whole.
 */
export type StartChildWorkflowCommand = {
    type: 'start_child_workflow';
    /**
     * Name of the authored workflow.
     */
    workflow_type: string;
    /**
     * Positional arguments: an encoded list.
     */
    arguments?: Payload | null;
    /**
     * Codec of a bare blob.
     */
    payload_codec?: string | null;
    connection?: string | null;
    /**
     * Task queue; the run's when absent.
     */
    queue?: string | null;
    /**
     * abandon (default), request_cancel or terminate; since 1.20 request_cancellation.
     */
    parent_close_policy?: string | null;
    /**
     * abandon (default); since 1.20 try_cancel or wait_cancellation_completed.
     */
    cancellation_policy?: string | null;
    retry_policy?: RetryPolicy | null;
    execution_timeout_seconds?: number | null;
    /**
     * At most the execution timeout.
     */
    run_timeout_seconds?: number | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string | null;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string | null;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number | null;
    /**
     * Number of members.
     */
    parallel_group_size?: number | null;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number | null;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
    /**
     * Trace context of the call.
     */
    observability_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * A start for this workflow id was rejected because the id has a run.
 */
export type StartRejectedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    workflow_type?: string;
    workflow_class?: string | null;
    business_key?: string | null;
    visibility_labels?: {
        [key: string]: unknown;
    } | null;
    memo?: {
        [key: string]: unknown;
    } | null;
    search_attributes?: {
        [key: string]: unknown;
    } | null;
    /**
     * rejected_duplicate.
     */
    outcome: string;
    /**
     * instance_already_started.
     */
    rejection_reason: string;
};

/**
 * Calls an operation of a service. Not built yet: a completion that carries it is refused whole.
 */
export type StartServiceOperationCommand = {
    type: 'start_service_operation';
    endpoint_name: string;
    service_name: string;
    operation_name: string;
    request_payload?: Payload | null;
    /**
     * Codec of a bare blob.
     */
    payload_codec?: string | null;
    request_payload_reference?: string | null;
    /**
     * Namespace of the service.
     */
    namespace?: string | null;
    caller_namespace?: string | null;
    service_call_id?: string | null;
    /**
     * Made from workflow, run and step when absent.
     */
    idempotency_key?: string | null;
    mode_override?: 'sync' | 'async' | null;
    wait_for?: 'accepted' | 'completed' | null;
    wait_timeout_seconds?: number | null;
    target_workflow_instance_id?: string | null;
    target_workflow_run_id?: string | null;
    connection?: string | null;
    queue?: string | null;
    business_key?: string | null;
    labels?: {
        [key: string]: unknown;
    } | null;
    memo?: {
        [key: string]: unknown;
    } | null;
    search_attributes?: {
        [key: string]: unknown;
    } | null;
    /**
     * reject_duplicate or return_existing_active.
     */
    duplicate_start_policy?: string | null;
    metadata?: {
        [key: string]: unknown;
    } | null;
    principal_type?: string | null;
    principal_id?: string | null;
    principal_label?: string | null;
};

/**
 * Starts a durable timer.
 */
export type StartTimerCommand = {
    type: 'start_timer';
    /**
     * Delay. Published workers send whole numbers and, for a timer given as such, what the code said.
     */
    delay_seconds: number;
    /**
     * The exact delay behind delay_seconds.
     */
    delay_ms?: number | null;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string | null;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string | null;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number | null;
    /**
     * Number of members.
     */
    parallel_group_size?: number | null;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number | null;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * Free slots of the worker.
 */
export type TaskSlots = {
    workflow_available?: number;
    activity_available?: number;
    session_available?: number;
};

/**
 * A terminate was accepted; the terminal event follows in the same commit.
 */
export type TerminateRequestedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    /**
     * terminate.
     */
    command_type?: string;
    reason?: string | null;
};

/**
 * The timer will not fire: its wait was satisfied, or the run was closed from outside.
 */
export type TimerCancelledPayload = {
    /**
     * The timer.
     */
    timer_id: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * As the command gave it.
     */
    delay_seconds: number;
    /**
     * The exact delay behind delay_seconds.
     */
    delay_ms?: number;
    /**
     * When it is due.
     */
    fire_at?: string;
    /**
     * Absent for a timer of the code; condition_timeout or signal_timeout for the deadline of a wait.
     */
    timer_kind?: string;
    /**
     * The wait whose deadline this is.
     */
    condition_wait_id?: string;
    condition_key?: string | null;
    condition_definition_fingerprint?: string | null;
    condition_wait_occurrence_id?: string | null;
    /**
     * The wait whose deadline this is.
     */
    signal_wait_id?: string;
    signal_name?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
    /**
     * When.
     */
    cancelled_at: string;
};

/**
 * The timer is due.
 */
export type TimerFiredPayload = {
    /**
     * The timer.
     */
    timer_id: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * As the command gave it.
     */
    delay_seconds: number;
    /**
     * The exact delay behind delay_seconds.
     */
    delay_ms?: number;
    /**
     * When it is due.
     */
    fire_at?: string;
    /**
     * Absent for a timer of the code; condition_timeout or signal_timeout for the deadline of a wait.
     */
    timer_kind?: string;
    /**
     * The wait whose deadline this is.
     */
    condition_wait_id?: string;
    condition_key?: string | null;
    condition_definition_fingerprint?: string | null;
    condition_wait_occurrence_id?: string | null;
    /**
     * The wait whose deadline this is.
     */
    signal_wait_id?: string;
    signal_name?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
    /**
     * When it fired.
     */
    fired_at: string;
};

/**
 * A timer of the code, or the deadline of a wait.
 */
export type TimerScheduledPayload = {
    /**
     * The timer.
     */
    timer_id: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * As the command gave it.
     */
    delay_seconds: number;
    /**
     * The exact delay behind delay_seconds.
     */
    delay_ms?: number;
    /**
     * When it is due.
     */
    fire_at?: string;
    /**
     * Absent for a timer of the code; condition_timeout or signal_timeout for the deadline of a wait.
     */
    timer_kind?: string;
    /**
     * The wait whose deadline this is.
     */
    condition_wait_id?: string;
    condition_key?: string | null;
    condition_definition_fingerprint?: string | null;
    condition_wait_occurrence_id?: string | null;
    /**
     * The wait whose deadline this is.
     */
    signal_wait_id?: string;
    signal_name?: string;
    /**
     * Group that this member belongs to: prefix, base step and size.
     */
    parallel_group_id?: string;
    /**
     * activity, timer, child, condition or mixed.
     */
    parallel_group_kind?: string;
    /**
     * Step number of the first member.
     */
    parallel_group_base_sequence?: number;
    /**
     * Number of members.
     */
    parallel_group_size?: number;
    /**
     * Position of this member, from 0.
     */
    parallel_group_index?: number;
    /**
     * The groups around this member, outermost first.
     */
    parallel_group_path?: Array<{
        [key: string]: unknown;
    }> | null;
};

/**
 * An update was accepted.
 */
export type UpdateAcceptedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    update_id: string;
    update_name: string;
    arguments?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * ready or queued.
     */
    ordering_state?: string;
    queued_behind_command_id?: string | null;
    queued_behind_command_sequence?: number | null;
    queued_behind_command_type?: string | null;
};

/**
 * The handler of an update ran.
 */
export type UpdateAppliedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    update_id: string;
    update_name: string;
    arguments?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence?: number;
};

/**
 * An update ended: with a result, or with a failure.
 */
export type UpdateCompletedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    update_id: string;
    update_name: string;
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence?: number;
    result?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    failure_id?: string | null;
    /**
     * application, cancelled, terminated, timeout, activity, child_workflow, task_failure, internal or structural_limit.
     */
    failure_category?: string | null;
    non_retryable?: boolean | null;
    exception_type?: string | null;
    exception_class?: string | null;
    message?: string | null;
    /**
     * Code that the authored error carried.
     */
    code?: unknown;
    exception?: {
        [key: string]: unknown;
    } | null;
    /**
     * How the run closed, where that ended the update.
     */
    terminal_reason?: string | null;
};

/**
 * An update was refused by its validator.
 */
export type UpdateRejectedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    update_id: string;
    update_name: string;
    arguments?: Payload | null;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
    validation_errors?: {
        [key: string]: unknown;
    } | null;
};

/**
 * Changes the memo of the run. Not built yet: a completion that carries it is refused whole.
 */
export type UpsertMemoCommand = {
    type: 'upsert_memo';
    /**
     * An encoded map; null deletes. At most 100 keys, 10 KiB each, 64 KiB in all.
     */
    entries: Payload;
};

/**
 * Changes the attributes by which the run is found. Not built yet: a completion that carries it is refused whole.
 */
export type UpsertSearchAttributesCommand = {
    type: 'upsert_search_attributes';
    /**
     * At least one; a scalar, a list of strings, or null, which deletes.
     */
    attributes: {
        [key: string]: string | number | boolean | null | Array<string>;
    };
    /**
     * string, keyword, keyword_list, int, float, bool or datetime by attribute, since 1.16.
     */
    attribute_types?: {
        [key: string]: string;
    } | null;
};

/**
 * The request is well formed JSON and still not acceptable. Nothing was recorded; a claim is kept.
 */
export type ValidationRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    /**
     * Messages by field.
     */
    errors?: {
        [key: string]: Array<string>;
    };
    /**
     * The same map again.
     */
    validation_errors?: {
        [key: string]: Array<string>;
    };
    /**
     * The command that is refused.
     */
    command_type?: string;
    /**
     * Its position.
     */
    command_index?: number;
    limit_kind?: string;
    current_value?: number;
    configured_limit?: number;
    task_id?: string;
    workflow_task_attempt?: number;
    run_id?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * The run is pinned to one version of a change of its code.
 */
export type VersionMarkerRecordedPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * Name of the change.
     */
    change_id: string;
    /**
     * The version of this run.
     */
    version: number;
    /**
     * The oldest version that the code supported when it asked.
     */
    min_supported: number;
    /**
     * The newest version that the code supported when it asked.
     */
    max_supported: number;
};

/**
 * The header is missing, malformed, of another major or ahead of the server; or the body is no JSON.
 */
export type VersionRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    /**
     * What this server advertises.
     */
    supported_version?: string;
    /**
     * The header as it came.
     */
    requested_version?: string | null;
    /**
     * How to speak a version that fits.
     */
    remediation?: string;
    json_error?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * A "no" of the worker plane. Nothing was recorded.
 */
export type WorkerRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
    retryable?: boolean;
    retry_after_seconds?: number;
    /**
     * The bound that was passed.
     */
    limit?: number;
    limit_kind?: string;
    current_value?: number;
    configured_limit?: number;
    worker_id?: string;
    task_queue?: string | null;
    namespace?: string;
    remediation?: string;
    requested_version?: string | null;
    minimum_protocol_version?: string;
    capability?: string;
    workflow_type?: string;
};

/**
 * The closed run is archived.
 */
export type WorkflowArchivedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id?: string;
    /**
     * The run.
     */
    workflow_run_id?: string;
    archive_command_id?: string;
    reason?: string | null;
};

/**
 * The run was cancelled at once. Terminal.
 */
export type WorkflowCancelledPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    failure_id?: string;
    /**
     * cancelled.
     */
    failure_category?: string;
    /**
     * cancelled.
     */
    closed_reason?: string;
    exception_class?: string | null;
    message?: string;
    /**
     * What the caller gave as reason.
     */
    reason?: string | null;
};

/**
 * What a workflow type answers to.
 */
export type WorkflowCommandContract = {
    queries?: Array<string>;
    query_contracts?: Array<{
        [key: string]: unknown;
    }>;
    signals?: Array<string>;
    signal_contracts?: Array<{
        [key: string]: unknown;
    }>;
    updates?: Array<string>;
    update_contracts?: Array<{
        [key: string]: unknown;
    }>;
    update_validators?: Array<string>;
};

/**
 * The code returned. Terminal.
 */
export type WorkflowCompletedPayload = {
    output?: Payload;
    /**
     * Codec of the bare payloads in this event; absent rather than null.
     */
    payload_codec?: string;
};

/**
 * The run went on as a new run. Terminal; the status is completed, the closed reason continued.
 */
export type WorkflowContinuedAsNewPayload = {
    /**
     * Step number of the authored call; the same on every event of that step.
     */
    sequence: number;
    /**
     * The new run.
     */
    continued_to_run_id: string;
    continued_to_run_number?: number;
    workflow_link_id?: string;
    /**
     * continued.
     */
    closed_reason?: string;
};

/**
 * The code threw. Terminal.
 */
export type WorkflowFailedPayload = {
    /**
     * Id of the recorded failure.
     */
    failure_id?: string;
    /**
     * application, cancelled, terminated, timeout, activity, child_workflow, task_failure, internal or structural_limit.
     */
    failure_category?: string;
    /**
     * The failure forbids another attempt.
     */
    non_retryable?: boolean;
    /**
     * Short type name.
     */
    exception_type?: string | null;
    /**
     * Qualified class name.
     */
    exception_class?: string | null;
    /**
     * What went wrong.
     */
    message: string;
    /**
     * Code of the authored error.
     */
    code?: number | null;
    /**
     * The structured failure, as the worker sent it.
     */
    exception?: {
        [key: string]: unknown;
    };
    /**
     * workflow_run, or what failed.
     */
    source_kind?: string;
    source_id?: string;
    /**
     * Step whose failure escaped.
     */
    failed_step_sequence?: number;
    /**
     * Execution whose failure escaped.
     */
    failed_activity_execution_id?: string;
    structural_limit_kind?: string;
    structural_limit_value?: number;
    structural_limit_configured?: number;
};

/**
 * The run exists. The input is not here; it travels as the arguments of each workflow task.
 */
export type WorkflowStartedPayload = {
    workflow_type: string;
    workflow_class?: string | null;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    /**
     * The control command.
     */
    workflow_command_id?: string;
    business_key?: string | null;
    visibility_labels?: {
        [key: string]: unknown;
    };
    memo?: {
        [key: string]: unknown;
    };
    search_attributes?: {
        [key: string]: unknown;
    };
    execution_timeout_seconds?: number;
    run_timeout_seconds?: number;
    /**
     * The exact timeout behind execution_timeout_seconds.
     */
    execution_timeout_ms?: number;
    /**
     * The exact timeout behind run_timeout_seconds.
     */
    run_timeout_ms?: number;
    /**
     * When the workflow times out.
     */
    execution_deadline_at?: string;
    /**
     * When the run times out.
     */
    run_deadline_at?: string;
    /**
     * Fingerprint that a worker registered for the type.
     */
    workflow_definition_fingerprint?: string;
    /**
     * The replay clock at the start: an instant with a zone.
     */
    timestamp?: string;
    declared_queries?: Array<string>;
    declared_query_contracts?: Array<{
        [key: string]: unknown;
    }>;
    declared_signals?: Array<string>;
    declared_signal_contracts?: Array<{
        [key: string]: unknown;
    }>;
    declared_updates?: Array<string>;
    declared_update_contracts?: Array<{
        [key: string]: unknown;
    }>;
    declared_update_validators?: Array<string>;
};

/**
 * One claimed workflow task. What has no value is absent, never null, where a published worker wants a number, a list or an object.
 */
export type WorkflowTask = {
    task_kind: 'workflow';
    task_id: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    workflow_id: string;
    run_id: string;
    workflow_type: string;
    namespace: string;
    task_queue: string;
    payload_codec: 'avro';
    /**
     * Input of the run.
     */
    arguments: Payload | null;
    history_events: Array<HistoryEvent>;
    /**
     * Null at the end; never empty, never the same twice.
     */
    next_history_page_token: string | null;
    total_history_events: number;
    /**
     * Ours: events before the first one sent; absent when the history begins here.
     */
    history_offset?: number;
    history_size_bytes?: number;
    history_fan_out?: number;
    last_history_sequence?: number;
    continue_as_new_recommended?: boolean;
    history_budget_pressure?: 'ok' | 'approaching' | 'continue_as_new_recommended';
    history_budget_pressure_dimensions?: Array<string>;
    run_status: string;
    lease_owner: string;
    lease_expires_at: string;
    connection?: string | null;
    compatibility?: string | null;
    cancel_requested?: boolean;
    /**
     * What the run waited for: activity, timer, condition, signal …
     */
    workflow_wait_kind?: string | null;
    open_wait_id?: string | null;
    resume_source_kind?: string | null;
    resume_source_id?: string | null;
    workflow_signal_id?: string | null;
    signal_name?: string | null;
    signal_wait_id?: string | null;
    /**
     * Arguments of the signal that resumed the run.
     */
    signal_arguments?: Payload | null;
    workflow_update_id?: string | null;
    update_name?: string | null;
    workflow_command_id?: string | null;
    activity_execution_id?: string | null;
    activity_attempt_id?: string | null;
    activity_type?: string | null;
    /**
     * Step that resolved.
     */
    workflow_sequence?: number | null;
    workflow_event_type?: string | null;
    timer_id?: string | null;
    timer_kind?: string | null;
    condition_wait_id?: string | null;
    condition_key?: string | null;
    condition_definition_fingerprint?: string | null;
};

/**
 * Why the workflow task has no commands.
 */
export type WorkflowTaskFailure = {
    message: string;
    /**
     * WorkflowTaskWaitingForHistory is the waiting acknowledgement, not a failure.
     */
    type?: string | null;
    reason?: string | null;
    /**
     * Step of the mismatch.
     */
    sequence?: number | null;
    stack_trace?: string | null;
};

/**
 * Who claimed, and which delivery.
 */
export type WorkflowTaskFence = {
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
};

export type WorkflowTaskHeartbeatReply = {
    task_id: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    lease_owner: string;
    renewed: true;
    lease_expires_at: string;
    /**
     * pending, running or waiting.
     */
    run_status: string;
    task_status: 'leased';
    reason: null;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

export type WorkflowTaskHistoryReply = {
    task_id: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    history_events: Array<HistoryEvent>;
    total_history_events: number;
    /**
     * Null at the end.
     */
    next_history_page_token: string | null;
    history_size_bytes?: number;
    history_fan_out?: number;
    continue_as_new_recommended?: boolean;
    history_budget_pressure?: string;
    history_budget_pressure_dimensions?: Array<string>;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

export type WorkflowTaskHistoryRequest = {
    /**
     * The worker id that claimed.
     */
    lease_owner: string;
    /**
     * Which delivery of the task, from 1.
     */
    workflow_task_attempt: number;
    next_history_page_token: string;
    history_page_size?: number | null;
    accept_history_encoding?: string | null;
};

/**
 * The run is open and the report is not from the current claim. Nothing was recorded.
 */
export type WorkflowTaskReceipt = {
    reason: 'task_not_leased' | 'lease_expired' | 'lease_owner_mismatch' | 'workflow_task_attempt_mismatch' | 'stale_worker_registration';
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded: false;
    task_id: string;
    /**
     * The attempt that was reported.
     */
    workflow_task_attempt: number;
    run_id: string;
    /**
     * Status of the run.
     */
    run_status?: string;
    can_continue?: boolean;
    /**
     * ready, leased, cancelled, completed or failed.
     */
    task_status: string;
    /**
     * Who holds the lease.
     */
    lease_owner: string | null;
    /**
     * When it ends.
     */
    lease_expires_at: string | null;
    /**
     * The attempt that is current.
     */
    current_attempt?: number;
    renewed?: false;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * There is no such task in this namespace.
 */
export type WorkflowTaskRefusal = {
    reason: 'task_not_found' | 'history_not_available';
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message; older clients read this key.
     */
    error: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded: false;
    task_id: string;
    /**
     * The attempt that was reported.
     */
    workflow_task_attempt?: number;
    namespace?: string;
    /**
     * The line that this server advertises.
     */
    protocol_version: string;
    server_capabilities: ServerCapabilities;
};

/**
 * The run was terminated. Terminal.
 */
export type WorkflowTerminatedPayload = {
    /**
     * The control command.
     */
    workflow_command_id?: string;
    /**
     * The workflow id.
     */
    workflow_instance_id: string;
    /**
     * The run.
     */
    workflow_run_id: string;
    failure_id?: string;
    /**
     * terminated.
     */
    failure_category?: string;
    /**
     * terminated.
     */
    closed_reason?: string;
    exception_class?: string | null;
    message?: string;
    /**
     * What the caller gave as reason.
     */
    reason?: string | null;
};

/**
 * The run or execution timeout passed. Terminal; the status is failed, the closed reason timed_out.
 */
export type WorkflowTimedOutPayload = {
    failure_id?: string;
    /**
     * execution_timeout or run_timeout.
     */
    timeout_kind: string;
    /**
     * timeout.
     */
    failure_category?: string;
    message?: string;
    exception_class?: string | null;
    execution_deadline_at?: string;
    run_deadline_at?: string;
};

/**
 * The line that the worker speaks, two decimal integers.
 */
export type ProtocolVersion = string;

/**
 * Lower-cased; then the query parameter namespace, then the default namespace.
 */
export type Namespace = string;

/**
 * The claimed task.
 */
export type TaskId = string;

/**
 * The claimed query task.
 */
export type QueryTaskId = string;

/**
 * The registered worker.
 */
export type WorkerId = string;

export type RegisterWorkerData = {
    body: RegisterWorkerRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/worker/register';
};

export type RegisterWorkerErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * namespace_not_found, or what the operation names.
     */
    404: WorkerRefusal;
    /**
     * The registration contradicts an active one, or its header.
     */
    409: RegistrationRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type RegisterWorkerError = RegisterWorkerErrors[keyof RegisterWorkerErrors];

export type RegisterWorkerResponses = {
    /**
     * Done.
     */
    201: RegisterWorkerReply;
};

export type RegisterWorkerResponse = RegisterWorkerResponses[keyof RegisterWorkerResponses];

export type HeartbeatWorkerData = {
    body: HeartbeatWorkerRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/worker/heartbeat';
};

export type HeartbeatWorkerErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * namespace_not_found, or what the operation names.
     */
    404: WorkerRefusal;
    /**
     * The registration contradicts an active one, or its header.
     */
    409: RegistrationRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type HeartbeatWorkerError = HeartbeatWorkerErrors[keyof HeartbeatWorkerErrors];

export type HeartbeatWorkerResponses = {
    /**
     * Done.
     */
    200: HeartbeatWorkerReply;
};

export type HeartbeatWorkerResponse = HeartbeatWorkerResponses[keyof HeartbeatWorkerResponses];

export type DeregisterWorkerData = {
    body?: never;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The registered worker.
         */
        worker_id: string;
    };
    query?: never;
    url: '/api/worker/registrations/{worker_id}';
};

export type DeregisterWorkerErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * namespace_not_found, or what the operation names.
     */
    404: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type DeregisterWorkerError = DeregisterWorkerErrors[keyof DeregisterWorkerErrors];

export type DeregisterWorkerResponses = {
    /**
     * Done.
     */
    200: DeregisterWorkerReply;
};

export type DeregisterWorkerResponse = DeregisterWorkerResponses[keyof DeregisterWorkerResponses];

export type PollWorkflowTaskData = {
    body: PollWorkflowTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/worker/workflow-tasks/poll';
};

export type PollWorkflowTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * namespace_not_found, or what the operation names.
     */
    404: WorkerRefusal;
    /**
     * The registration does not fit the poll, or the worker drains.
     */
    409: PollRefusal;
    /**
     * worker_not_registered.
     */
    412: PollRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * long_poll_capacity_exhausted.
     */
    429: PollRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable, query_task_queue_unavailable.
     */
    503: PollRefusal;
};

export type PollWorkflowTaskError = PollWorkflowTaskErrors[keyof PollWorkflowTaskErrors];

export type PollWorkflowTaskResponses = {
    /**
     * Done.
     */
    200: PollWorkflowTaskReply;
};

export type PollWorkflowTaskResponse = PollWorkflowTaskResponses[keyof PollWorkflowTaskResponses];

export type GetWorkflowTaskHistoryData = {
    body: WorkflowTaskHistoryRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed task.
         */
        task_id: string;
    };
    query?: never;
    url: '/api/worker/workflow-tasks/{task_id}/history';
};

export type GetWorkflowTaskHistoryErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * task_not_found, namespace_not_found or history_not_available.
     */
    404: WorkflowTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: RunClosedReceipt | WorkflowTaskReceipt;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type GetWorkflowTaskHistoryError = GetWorkflowTaskHistoryErrors[keyof GetWorkflowTaskHistoryErrors];

export type GetWorkflowTaskHistoryResponses = {
    /**
     * Done.
     */
    200: WorkflowTaskHistoryReply;
};

export type GetWorkflowTaskHistoryResponse = GetWorkflowTaskHistoryResponses[keyof GetWorkflowTaskHistoryResponses];

export type HeartbeatWorkflowTaskData = {
    body: WorkflowTaskFence;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed task.
         */
        task_id: string;
    };
    query?: never;
    url: '/api/worker/workflow-tasks/{task_id}/heartbeat';
};

export type HeartbeatWorkflowTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * task_not_found, namespace_not_found or history_not_available.
     */
    404: WorkflowTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: RunClosedReceipt | WorkflowTaskReceipt;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type HeartbeatWorkflowTaskError = HeartbeatWorkflowTaskErrors[keyof HeartbeatWorkflowTaskErrors];

export type HeartbeatWorkflowTaskResponses = {
    /**
     * Done.
     */
    200: WorkflowTaskHeartbeatReply;
};

export type HeartbeatWorkflowTaskResponse = HeartbeatWorkflowTaskResponses[keyof HeartbeatWorkflowTaskResponses];

export type CompleteWorkflowTaskData = {
    body: CompleteWorkflowTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed task.
         */
        task_id: string;
    };
    query?: never;
    url: '/api/worker/workflow-tasks/{task_id}/complete';
};

export type CompleteWorkflowTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * task_not_found, namespace_not_found or history_not_available.
     */
    404: WorkflowTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: RunClosedReceipt | WorkflowTaskReceipt;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type CompleteWorkflowTaskError = CompleteWorkflowTaskErrors[keyof CompleteWorkflowTaskErrors];

export type CompleteWorkflowTaskResponses = {
    /**
     * Done.
     */
    200: CompleteWorkflowTaskReply;
};

export type CompleteWorkflowTaskResponse = CompleteWorkflowTaskResponses[keyof CompleteWorkflowTaskResponses];

export type FailWorkflowTaskData = {
    body: FailWorkflowTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed task.
         */
        task_id: string;
    };
    query?: never;
    url: '/api/worker/workflow-tasks/{task_id}/fail';
};

export type FailWorkflowTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * task_not_found, namespace_not_found or history_not_available.
     */
    404: WorkflowTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: RunClosedReceipt | WorkflowTaskReceipt;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type FailWorkflowTaskError = FailWorkflowTaskErrors[keyof FailWorkflowTaskErrors];

export type FailWorkflowTaskResponses = {
    /**
     * Done.
     */
    200: FailWorkflowTaskReply;
};

export type FailWorkflowTaskResponse = FailWorkflowTaskResponses[keyof FailWorkflowTaskResponses];

export type PollActivityTaskData = {
    body: PollRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/worker/activity-tasks/poll';
};

export type PollActivityTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * namespace_not_found, or what the operation names.
     */
    404: WorkerRefusal;
    /**
     * The registration does not fit the poll, or the worker drains.
     */
    409: PollRefusal;
    /**
     * worker_not_registered.
     */
    412: PollRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * long_poll_capacity_exhausted.
     */
    429: PollRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable, query_task_queue_unavailable.
     */
    503: PollRefusal;
};

export type PollActivityTaskError = PollActivityTaskErrors[keyof PollActivityTaskErrors];

export type PollActivityTaskResponses = {
    /**
     * Done.
     */
    200: PollActivityTaskReply;
};

export type PollActivityTaskResponse = PollActivityTaskResponses[keyof PollActivityTaskResponses];

export type HeartbeatActivityTaskData = {
    body: HeartbeatActivityTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed task.
         */
        task_id: string;
    };
    query?: never;
    url: '/api/worker/activity-tasks/{task_id}/heartbeat';
};

export type HeartbeatActivityTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * task_not_found, attempt_not_found or namespace_not_found.
     */
    404: ActivityTaskRefusal | WorkerRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type HeartbeatActivityTaskError = HeartbeatActivityTaskErrors[keyof HeartbeatActivityTaskErrors];

export type HeartbeatActivityTaskResponses = {
    /**
     * Done.
     */
    200: HeartbeatActivityTaskReply;
};

export type HeartbeatActivityTaskResponse = HeartbeatActivityTaskResponses[keyof HeartbeatActivityTaskResponses];

export type CompleteActivityTaskData = {
    body: CompleteActivityTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed task.
         */
        task_id: string;
    };
    query?: never;
    url: '/api/worker/activity-tasks/{task_id}/complete';
};

export type CompleteActivityTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * task_not_found, attempt_not_found or namespace_not_found.
     */
    404: ActivityTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: ActivityRunClosedReceipt | ActivityAttemptReceipt | ActivityTaskRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type CompleteActivityTaskError = CompleteActivityTaskErrors[keyof CompleteActivityTaskErrors];

export type CompleteActivityTaskResponses = {
    /**
     * Done.
     */
    200: ActivityReportReply;
};

export type CompleteActivityTaskResponse = CompleteActivityTaskResponses[keyof CompleteActivityTaskResponses];

export type FailActivityTaskData = {
    body: FailActivityTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed task.
         */
        task_id: string;
    };
    query?: never;
    url: '/api/worker/activity-tasks/{task_id}/fail';
};

export type FailActivityTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * task_not_found, attempt_not_found or namespace_not_found.
     */
    404: ActivityTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: ActivityRunClosedReceipt | ActivityAttemptReceipt | ActivityTaskRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type FailActivityTaskError = FailActivityTaskErrors[keyof FailActivityTaskErrors];

export type FailActivityTaskResponses = {
    /**
     * Done.
     */
    200: ActivityReportReply;
};

export type FailActivityTaskResponse = FailActivityTaskResponses[keyof FailActivityTaskResponses];

export type PollQueryTaskData = {
    body: PollRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/worker/query-tasks/poll';
};

export type PollQueryTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * namespace_not_found, or what the operation names.
     */
    404: WorkerRefusal;
    /**
     * The registration does not fit the poll, or the worker drains.
     */
    409: PollRefusal;
    /**
     * worker_not_registered.
     */
    412: PollRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * long_poll_capacity_exhausted.
     */
    429: PollRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable, query_task_queue_unavailable.
     */
    503: PollRefusal;
};

export type PollQueryTaskError = PollQueryTaskErrors[keyof PollQueryTaskErrors];

export type PollQueryTaskResponses = {
    /**
     * Done.
     */
    200: PollQueryTaskReply;
};

export type PollQueryTaskResponse = PollQueryTaskResponses[keyof PollQueryTaskResponses];

export type CompleteQueryTaskData = {
    body: CompleteQueryTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed query task.
         */
        query_task_id: string;
    };
    query?: never;
    url: '/api/worker/query-tasks/{query_task_id}/complete';
};

export type CompleteQueryTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * query_task_not_found or namespace_not_found.
     */
    404: QueryTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: QueryTaskRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type CompleteQueryTaskError = CompleteQueryTaskErrors[keyof CompleteQueryTaskErrors];

export type CompleteQueryTaskResponses = {
    /**
     * Done.
     */
    200: QueryReportReply;
};

export type CompleteQueryTaskResponse = CompleteQueryTaskResponses[keyof CompleteQueryTaskResponses];

export type FailQueryTaskData = {
    body: FailQueryTaskRequest;
    headers: {
        /**
         * The line that the worker speaks, two decimal integers.
         */
        'X-Durable-Workflow-Protocol-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The claimed query task.
         */
        query_task_id: string;
    };
    query?: never;
    url: '/api/worker/query-tasks/{query_task_id}/fail';
};

export type FailQueryTaskErrors = {
    /**
     * missing_protocol_version, unsupported_protocol_version, malformed_json or invalid_page_token.
     */
    400: VersionRefusal;
    /**
     * unauthorized.
     */
    401: WorkerRefusal;
    /**
     * forbidden.
     */
    403: RoleRefusal;
    /**
     * query_task_not_found or namespace_not_found.
     */
    404: QueryTaskRefusal | WorkerRefusal;
    /**
     * The fence says no.
     */
    409: QueryTaskRefusal;
    /**
     * payload_too_large.
     */
    413: WorkerRefusal;
    /**
     * unsupported_media_type.
     */
    415: WorkerRefusal;
    /**
     * validation_failed, structural_limit_exceeded or unsupported_payload_codec.
     */
    422: ValidationRefusal;
    /**
     * server_error: our fault; nothing is known to be recorded.
     */
    500: WorkerRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: WorkerRefusal;
};

export type FailQueryTaskError = FailQueryTaskErrors[keyof FailQueryTaskErrors];

export type FailQueryTaskResponses = {
    /**
     * Done.
     */
    200: QueryReportReply;
};

export type FailQueryTaskResponse = FailQueryTaskResponses[keyof FailQueryTaskResponses];
