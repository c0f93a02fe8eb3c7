// Generated from spec/ by `pnpm generate`. Do not edit: change the document and generate again.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type CancelRequest = {
    reason?: string | null;
    request_id?: string | null;
    observability_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * Discovery. Answered to any role, with or without a version header, never refused for a version.
 */
export type ClusterInfo = {
    server_id?: string;
    /**
     * Informational.
     */
    version: string;
    default_namespace?: string;
    /**
     * Facts of the asked namespace; no payload storage while uploads are not built.
     */
    namespace?: {
        [key: string]: unknown;
    };
    /**
     * What the control plane can do.
     */
    capabilities?: {
        workflow_tasks?: boolean;
        activity_tasks?: boolean;
        signals?: boolean;
        queries?: boolean;
        updates?: boolean;
        schedules?: boolean;
        history_export?: boolean;
        payload_codecs?: Array<string>;
        response_compression?: Array<string>;
        /**
         * Ours: repeated starts return the first answer.
         */
        start_id?: boolean;
        /**
         * Ours: describe may be held until the run closes.
         */
        wait_closed?: boolean;
        /**
         * Ours: discovery states the digests of the documents.
         */
        spec_digests?: boolean;
        /**
         * Ours: the debug document says in sentences why a run does or does not move.
         */
        explanation?: boolean;
        /**
         * Ours: fields that end in _ms.
         */
        millisecond_durations?: boolean;
    };
    control_plane: {
        version: '2';
        header?: string;
        request_contract: {
            schema: 'durable-workflow.v2.control-plane-request.contract';
            version: 1;
            /**
             * By operation: fields, canonical values, refused fields.
             */
            operations: {
                [key: string]: unknown;
            };
        };
        response_contract?: {
            [key: string]: unknown;
        };
    };
    worker_protocol: {
        /**
         * The advertised line.
         */
        version: string;
        /**
         * The same object as in every answer of the worker plane.
         */
        server_capabilities: {
            query_tasks: boolean;
            supported_workflow_task_commands?: Array<string>;
            cooperative_cancellation?: boolean;
            workflow_memo_updates?: {
                [key: string]: unknown;
            };
        };
        /**
         * The rule of the request header; the server adds default_advertised_version, the line it advertises.
         */
        version_negotiation?: {
            [key: string]: unknown;
        };
    };
    auth_composition_contract: {
        schema: 'durable-workflow.v2.auth-composition.contract';
        version: 1;
        precedence: {
            connection_values: Array<string>;
            profile_selection: Array<string>;
        };
        canonical_environment: {
            [key: string]: string;
        };
        auth_material: {
            [key: string]: {
                [key: string]: unknown;
            };
        };
        effective_config: {
            required_fields: Array<string>;
        };
        redaction: {
            never_echo: Array<string>;
        };
    };
    limits?: {
        max_payload_bytes?: number;
    };
    structural_limits?: {
        [key: string]: number;
    };
    /**
     * Ours: only when asked with spec=1.
     */
    spec?: {
        /**
         * Document → sha256.
         */
        documents: {
            [key: string]: string;
        };
        /**
         * Operation → short digest.
         */
        operations: {
            [key: string]: string;
        };
    };
};

/**
 * A control command or query that was not carried out.
 */
export type CommandRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message, for clients that read this key.
     */
    error?: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    workflow_id?: string | null;
    run_id?: string | null;
    namespace?: string;
    outcome?: string | null;
    command_id?: string;
    command_status?: 'rejected';
    command_source?: 'control_plane';
    target_scope?: 'instance' | 'run';
    requested_run_id?: string | null;
    resolved_run_id?: string | null;
    workflow_type?: string;
    rejection_reason?: string | null;
    rejection_category?: string | null;
    run_status?: string;
    is_terminal?: boolean;
    signal_name?: string;
    query_name?: string;
    request_id?: string | null;
    retained_command_id?: string;
    retained_command_type?: string;
    retained_outcome?: string;
    conflict?: Array<string>;
    minimum_protocol_version?: string;
    /**
     * Reason that the worker gave.
     */
    worker_reason?: string;
    validation_errors?: {
        [key: string]: unknown;
    };
    errors?: {
        [key: string]: unknown;
    };
    retryable?: boolean;
    retry_after_seconds?: number;
    remediation?: string;
    control_plane: ControlPlane;
};

/**
 * The control command was accepted; for cancel and terminate the run is closed.
 */
export type CommandReply = {
    workflow_id: string;
    run_id: string;
    outcome: string;
    command_id?: string;
    command_sequence?: number | null;
    command_status?: 'accepted' | 'rejected';
    command_source?: 'control_plane';
    target_scope?: 'instance' | 'run';
    requested_run_id?: string | null;
    resolved_run_id?: string | null;
    workflow_type?: string;
    /**
     * The reason that the caller gave.
     */
    reason?: string | null;
    rejection_reason?: string | null;
    rejection_category?: string | null;
    message?: string | null;
    request_id?: string | null;
    namespace?: string;
    status?: 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated';
    control_plane: ControlPlane;
};

/**
 * What the answer is about, for clients that check it (the dw command does). Stands in every answer under /api/workflows.
 */
export type ControlPlane = {
    schema: 'durable-workflow.v2.control-plane-response';
    version: 1;
    operation: string;
    workflow_id?: string | null;
    run_id?: string | null;
    operation_name?: string | null;
    operation_name_field?: string | null;
    contract: {
        schema: 'durable-workflow.v2.control-plane-response.contract';
        version: 1;
        legacy_field_policy: 'reject_non_canonical';
        legacy_fields: {
            [key: string]: string;
        };
        required_fields?: Array<string>;
        success_fields?: Array<string>;
    };
};

/**
 * A "no" of the control plane. Nothing was recorded.
 */
export type ControlRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message, for clients that read this key.
     */
    error?: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    retryable?: boolean;
    retry_after_seconds?: number;
    limit?: number;
    namespace?: string;
    remediation?: string;
    accepted_content_types?: Array<string>;
    error_id?: string;
    workflow_id?: string | null;
    run_id?: string | null;
    operation?: string;
    control_plane?: ControlPlane;
};

export type ControlRoleRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message, for clients that read this key.
     */
    error?: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    role?: string;
    allowed_roles?: Array<string>;
    control_plane?: ControlPlane;
};

export type ControlValidationRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message, for clients that read this key.
     */
    error?: string;
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
    limit_kind?: string;
    current_value?: number;
    configured_limit?: number;
    workflow_id?: string | null;
    run_id?: string | null;
    outcome?: string | null;
    control_plane?: ControlPlane;
};

export type ControlVersionRefusal = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message, for clients that read this key.
     */
    error?: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    supported_version?: string;
    requested_version?: string | null;
    remediation?: string;
    json_error?: string;
    control_plane?: ControlPlane;
};

export type CreateNamespaceRequest = {
    /**
     * Stored in lower case.
     */
    name: string;
    description?: string | null;
    retention_days?: number | null;
};

export type DebugFinding = {
    severity: 'warning' | 'error';
    /**
     * no_active_pollers, expired_leases, task_problem, repair_attention or workflow_replay_blocked.
     */
    code: string;
    message: string;
};

export type DebugReply = {
    workflow_id: string;
    run_id: string;
    namespace?: string;
    generated_at?: string;
    diagnostic_status: 'terminal' | 'needs_attention' | 'pending_work' | 'waiting' | 'queue_backlog' | 'running';
    /**
     * Status, waits, liveness and the next due event.
     */
    execution: {
        [key: string]: unknown;
    };
    pending_workflow_tasks: Array<{
        [key: string]: unknown;
    }>;
    pending_activities: Array<{
        [key: string]: unknown;
    }>;
    task_queue?: {
        [key: string]: unknown;
    };
    recent_failures?: Array<{
        [key: string]: unknown;
    }>;
    compatibility?: {
        [key: string]: unknown;
    };
    findings: Array<DebugFinding>;
    /**
     * Ours: why the run does or does not move, in sentences.
     */
    explanation?: Array<string>;
    control_plane: ControlPlane;
};

export type Health = {
    status: 'serving' | 'degraded';
    timestamp: string;
    /**
     * database: ok or unavailable, which decides. writes, which does not: ok, or what the database said to the newest commit, like full or read_only.
     */
    checks: {
        [key: string]: string;
    };
};

export type ListRunsReply = {
    workflow_id: string;
    namespace: string;
    run_count: number;
    /**
     * Oldest first.
     */
    runs: Array<RunItem>;
    control_plane: ControlPlane;
};

export type ListWorkflowsReply = {
    workflows: Array<WorkflowItem>;
    /**
     * Items on this page.
     */
    workflow_count: number;
    /**
     * Null at the end.
     */
    next_page_token: string | null;
    control_plane: ControlPlane;
};

export type Namespace = {
    name: string;
    description: string | null;
    retention_days: number;
    /**
     * active.
     */
    status: string;
    external_payload_storage: {
        [key: string]: unknown;
    } | null;
    created_at: string;
    updated_at: string;
};

export type NamespaceList = {
    namespaces: Array<Namespace>;
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

export type QueryReply = {
    workflow_id: string;
    run_id: string;
    query_name: string;
    target_scope?: 'instance' | 'run';
    /**
     * Plain JSON view.
     */
    result: unknown;
    /**
     * The encoded result.
     */
    result_envelope: Payload | null;
    reason?: string | null;
    namespace?: string;
    control_plane: ControlPlane;
};

export type QueryRequest = {
    /**
     * Nothing, a list, an object, or an envelope.
     */
    input?: unknown;
};

export type Ready = {
    status: 'ready' | 'not_ready';
    timestamp: string;
    /**
     * By check: a word, or an object. writes is as in health and does not decide.
     */
    checks: {
        [key: string]: unknown;
    };
};

/**
 * What a pass found, did and could not do. What another server was first with is neither repaired nor failed.
 */
export type RepairPassReport = {
    connection?: null;
    queue?: null;
    run_ids?: Array<string>;
    instance_id?: string | null;
    /**
     * Whether the throttle counted; not for a pass that names its runs.
     */
    respect_throttle?: boolean;
    /**
     * Too soon after the last pass of this server; nothing was looked at.
     */
    throttled: boolean;
    /**
     * Workflow tasks whose lease has expired.
     */
    selected_existing_task_candidates: number;
    /**
     * Runs whose replay is blocked.
     */
    selected_missing_task_candidates: number;
    selected_total_candidates: number;
    /**
     * Tasks that were redelivered.
     */
    repaired_existing_tasks: number;
    /**
     * Runs that got a workflow task.
     */
    repaired_missing_tasks: number;
    dispatched_tasks: number;
    /**
     * Runs whose own deadline has passed.
     */
    deadline_expired_candidates: number;
    /**
     * Runs that were closed at their deadline; no task is made for that.
     */
    deadline_expired_tasks_created: number;
    activity_timeout_candidates: number;
    /**
     * Activities on which a timeout or the end of a lease was acted.
     */
    activity_timeouts_enforced: number;
    /**
     * Always 0; nothing is backfilled.
     */
    selected_command_contract_candidates: number;
    /**
     * Always 0.
     */
    backfilled_command_contracts: number;
    /**
     * Always 0.
     */
    command_contract_backfill_unavailable: number;
    existing_task_failures: Array<{
        candidate_id: string;
        message: string;
    }>;
    missing_run_failures: Array<{
        run_id: string;
        message: string;
    }>;
    deadline_expired_failures: Array<{
        run_id: string;
        message: string;
    }>;
    activity_timeout_failures: Array<{
        execution_id: string;
        message: string;
    }>;
    command_contract_failures: Array<{
        run_id: string;
        message: string;
    }>;
};

export type RepairPassRequest = {
    /**
     * Only these runs; the throttle does not count.
     */
    run_ids?: Array<string> | null;
    /**
     * Only runs of this workflow; the throttle does not count.
     */
    instance_id?: string | null;
};

export type RepairRequest = {
    request_id?: string | null;
    observability_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * The policy of repair, and what waits for one in the namespace.
 */
export type RepairStatus = {
    policy: {
        redispatch_after_seconds: number;
        loop_throttle_seconds: number;
        scan_limit: number;
        failure_backoff_max_seconds: number;
        scan_strategy: 'scope_fair_round_robin';
        failure_backoff_strategy: 'exponential_by_repair_count';
    };
    candidates: {
        total_candidates: number;
        /**
         * Workflow tasks whose lease has expired.
         */
        existing_task_candidates: number;
        /**
         * Runs whose replay is blocked.
         */
        missing_task_candidates: number;
        /**
         * More candidates than one pass acts on.
         */
        scan_pressure: boolean;
        oldest_task_candidate_created_at?: string | null;
        oldest_missing_run_started_at?: string | null;
        /**
         * By task queue.
         */
        scopes: Array<{
            /**
             * The task queue.
             */
            scope_key: string;
            existing_task_candidates?: number;
            missing_task_candidates?: number;
            total_candidates?: number;
            selected_total_candidates?: number;
            scan_limited_by_global_policy?: boolean;
        }>;
    };
};

export type RequestCancellationRequest = {
    reason?: string | null;
    cleanup_timeout_seconds?: number | null;
};

/**
 * One run. What has no value is null or absent as listed; failures is a list or absent, never null.
 */
export type RunDescription = {
    workflow_id: string;
    run_id: string;
    namespace: string;
    workflow_type: string;
    business_key: string | null;
    status: 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated';
    status_bucket: 'running' | 'completed' | 'failed';
    is_terminal: boolean;
    closed_reason: 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timed_out' | 'continued' | null;
    task_queue: string;
    run_number: number;
    run_count: number;
    is_current_run: boolean;
    compatibility?: string | null;
    compatibility_status?: string | null;
    compatibility_supported_in_fleet?: boolean | null;
    compatibility_fleet_reason?: string | null;
    payload_codec: string;
    execution_timeout_seconds?: number | null;
    run_timeout_seconds?: number | null;
    execution_deadline_at?: string | null;
    run_deadline_at?: string | null;
    /**
     * Decoded view, where there is one.
     */
    input?: unknown;
    /**
     * Decoded view, where there is one.
     */
    output?: unknown;
    /**
     * Input as stored.
     */
    input_envelope: Payload | null;
    /**
     * Result as stored; null until completed.
     */
    output_envelope: Payload | null;
    started_at: string | null;
    closed_at: string | null;
    last_progress_at?: string | null;
    wait_kind?: string | null;
    wait_reason?: string | null;
    memo: {
        [key: string]: unknown;
    };
    search_attributes: {
        [key: string]: unknown;
    };
    actions: {
        can_signal: boolean;
        can_query: boolean;
        can_update: boolean;
        can_cancel: boolean;
        can_terminate: boolean;
        can_repair: boolean;
        can_archive: boolean;
    };
    failure?: RunFailure;
    failures?: Array<RunFailure>;
    error?: string | null;
    exception?: unknown;
    /**
     * What the caller gave when the run was cancelled or terminated.
     */
    reason?: string | null;
    control_plane: ControlPlane;
};

export type RunFailure = {
    message?: string;
    failure_id?: string | null;
    failure_category?: string | null;
    exception_type?: string | null;
    exception_class?: string | null;
    non_retryable?: boolean | null;
    exception?: unknown;
};

export type RunHistoryEvent = {
    sequence: number;
    event_type: string;
    timestamp: string;
    payload: {
        [key: string]: unknown;
    };
    principal?: {
        [key: string]: unknown;
    };
};

export type RunHistoryReply = {
    workflow_id: string;
    run_id: string;
    namespace?: string;
    events: Array<RunHistoryEvent>;
    /**
     * Null at the end.
     */
    next_page_token: string | null;
    control_plane: ControlPlane;
};

export type RunItem = {
    workflow_id?: string;
    run_id: string;
    run_number: number;
    /**
     * Commands of the workflow go to this run.
     */
    is_current_run?: boolean;
    workflow_type: string;
    business_key?: string | null;
    status: 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated';
    /**
     * running, completed or failed.
     */
    status_bucket?: string;
    task_queue: string;
    compatibility?: string | null;
    compatibility_status?: string | null;
    compatibility_supported_in_fleet?: boolean | null;
    compatibility_fleet_reason?: string | null;
    closed_reason?: string | null;
    started_at: string | null;
    closed_at: string | null;
};

export type SignalReply = {
    workflow_id: string;
    run_id: string;
    outcome: string;
    command_id?: string;
    command_sequence?: number | null;
    command_status?: 'accepted' | 'rejected';
    command_source?: 'control_plane';
    target_scope?: 'instance' | 'run';
    requested_run_id?: string | null;
    resolved_run_id?: string | null;
    workflow_type?: string;
    /**
     * The reason that the caller gave.
     */
    reason?: string | null;
    rejection_reason?: string | null;
    rejection_category?: string | null;
    message?: string | null;
    request_id?: string | null;
    namespace?: string;
    signal_name: string;
    /**
     * An earlier signal with this request_id was found.
     */
    retained?: boolean;
    intent_verified?: boolean;
    control_plane: ControlPlane;
};

export type SignalRequest = {
    /**
     * Nothing, a list, an object, or an envelope.
     */
    input?: unknown;
    request_id?: string | null;
    observability_context?: {
        [key: string]: unknown;
    } | null;
};

/**
 * duplicate_not_allowed is a rejection: it is recorded on the existing run. The others record nothing.
 */
export type StartWorkflowConflict = {
    /**
     * Stable machine key; see the catalogue of reasons.
     */
    reason: string;
    /**
     * The thing, the value, the limit, the next step.
     */
    message: string;
    /**
     * The same text as message, for clients that read this key.
     */
    error?: string;
    /**
     * What to do next.
     */
    remedy?: string;
    recorded?: false;
    workflow_id?: string;
    run_id?: string;
    workflow_type?: string;
    namespace?: string;
    status?: string;
    business_key?: string | null;
    payload_codec?: string;
    /**
     * rejected_duplicate when the rejection is recorded.
     */
    outcome?: string | null;
    command_id?: string;
    command_status?: 'rejected';
    command_source?: 'control_plane';
    /**
     * instance_already_started.
     */
    rejection_reason?: string | null;
    start_id?: string | null;
    remediation?: string;
    control_plane: ControlPlane;
};

export type StartWorkflowReply = {
    workflow_id: string;
    run_id: string;
    workflow_type: string;
    namespace: string;
    status: 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated';
    business_key?: string | null;
    payload_codec?: string;
    outcome: 'started_new' | 'returned_existing_active';
    command_id?: string;
    command_status?: 'accepted';
    command_source?: 'control_plane';
    reason?: string | null;
    rejection_reason?: string | null;
    message?: string | null;
    start_id?: string | null;
    control_plane: ControlPlane;
};

/**
 * Starts a workflow. A planned field is refused, never dropped.
 */
export type StartWorkflowRequest = {
    workflow_type: string;
    /**
     * Made by the server when absent.
     */
    workflow_id?: string | null;
    /**
     * Default: default.
     */
    task_queue?: string | null;
    /**
     * Nothing, a list of arguments, an object whose values are taken by position, or an envelope that is used as it is.
     */
    input?: unknown;
    business_key?: string | null;
    /**
     * use-existing returns an open run; an id that ever closed is refused.
     */
    duplicate_policy?: 'fail' | 'use-existing' | null;
    execution_timeout_seconds?: number | null;
    run_timeout_seconds?: number | null;
    /**
     * The exact timeout behind execution_timeout_seconds.
     */
    execution_timeout_ms?: number | null;
    /**
     * The exact timeout behind run_timeout_seconds.
     */
    run_timeout_ms?: number | null;
    /**
     * Only avro.
     */
    payload_codec?: string | null;
    /**
     * Ours: repeats of one start_id return the first answer.
     */
    start_id?: string | null;
    memo?: {
        [key: string]: unknown;
    } | null;
    search_attributes?: {
        [key: string]: unknown;
    } | null;
    priority?: number | null;
    fairness_key?: string | null;
    fairness_weight?: number | null;
    build_id?: string | null;
    compatibility?: string | null;
    observability_context?: {
        [key: string]: unknown;
    } | null;
};

export type TerminateRequest = {
    reason?: string | null;
    request_id?: string | null;
};

export type WorkflowItem = {
    workflow_id: string;
    run_id: string;
    workflow_type: string;
    namespace: string;
    business_key?: string | null;
    status: 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated';
    status_bucket: 'running' | 'completed' | 'failed';
    is_terminal: boolean;
    closed_reason?: string | null;
    task_queue: string;
    payload_codec?: string;
    compatibility?: string | null;
    compatibility_status?: string | null;
    compatibility_supported_in_fleet?: boolean | null;
    compatibility_fleet_reason?: string | null;
    started_at: string | null;
    closed_at: string | null;
    search_attributes?: {
        [key: string]: unknown;
    };
    memo?: {
        [key: string]: unknown;
    };
};

/**
 * Always 2.
 */
export type ControlVersion = string;

/**
 * Lower-cased; then the query parameter namespace, then the default namespace.
 */
export type Namespace2 = string;

/**
 * The workflow.
 */
export type WorkflowId = string;

/**
 * The run.
 */
export type RunId = string;

/**
 * Name of the signal.
 */
export type SignalName = string;

/**
 * Name of the query.
 */
export type QueryName = string;

/**
 * The namespace.
 */
export type NamespaceName = string;

export type ListWorkflowsData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: {
        /**
         * Only this type.
         */
        workflow_type?: string;
        /**
         * running, completed or failed.
         */
        status?: string;
        /**
         * Free text, or a visibility query.
         */
        query?: string;
        /**
         * 1 to 200, default 50.
         */
        page_size?: string;
        /**
         * From the page before.
         */
        next_page_token?: string;
    };
    url: '/api/workflows';
};

export type ListWorkflowsErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type ListWorkflowsError = ListWorkflowsErrors[keyof ListWorkflowsErrors];

export type ListWorkflowsResponses = {
    /**
     * Done.
     */
    200: ListWorkflowsReply;
};

export type ListWorkflowsResponse = ListWorkflowsResponses[keyof ListWorkflowsResponses];

export type StartWorkflowData = {
    body: StartWorkflowRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/workflows';
};

export type StartWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * duplicate_not_allowed or workflow_id_reserved_in_namespace.
     */
    409: StartWorkflowConflict;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type StartWorkflowError = StartWorkflowErrors[keyof StartWorkflowErrors];

export type StartWorkflowResponses = {
    /**
     * Done.
     */
    200: StartWorkflowReply;
    /**
     * Done.
     */
    201: StartWorkflowReply;
};

export type StartWorkflowResponse = StartWorkflowResponses[keyof StartWorkflowResponses];

export type DescribeWorkflowData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
    };
    query?: {
        /**
         * Ours: hold the answer until the run is closed, or the wait ends. Capability wait_closed.
         */
        wait_closed?: 'true' | 'false' | '1' | '0';
        /**
         * How long wait_closed may hold, 0 to 60; default 30.
         */
        wait_timeout_seconds?: string;
    };
    url: '/api/workflows/{workflow_id}';
};

export type DescribeWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type DescribeWorkflowError = DescribeWorkflowErrors[keyof DescribeWorkflowErrors];

export type DescribeWorkflowResponses = {
    /**
     * Done.
     */
    200: RunDescription;
};

export type DescribeWorkflowResponse = DescribeWorkflowResponses[keyof DescribeWorkflowResponses];

export type ListRunsData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/runs';
};

export type ListRunsErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type ListRunsError = ListRunsErrors[keyof ListRunsErrors];

export type ListRunsResponses = {
    /**
     * Done.
     */
    200: ListRunsReply;
};

export type ListRunsResponse = ListRunsResponses[keyof ListRunsResponses];

export type DescribeRunData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
    };
    query?: {
        /**
         * Ours: hold the answer until the run is closed, or the wait ends. Capability wait_closed.
         */
        wait_closed?: 'true' | 'false' | '1' | '0';
        /**
         * How long wait_closed may hold, 0 to 60; default 30.
         */
        wait_timeout_seconds?: string;
    };
    url: '/api/workflows/{workflow_id}/runs/{run_id}';
};

export type DescribeRunErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type DescribeRunError = DescribeRunErrors[keyof DescribeRunErrors];

export type DescribeRunResponses = {
    /**
     * Done.
     */
    200: RunDescription;
};

export type DescribeRunResponse = DescribeRunResponses[keyof DescribeRunResponses];

export type GetRunHistoryData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
    };
    query?: {
        /**
         * 1 to 1000, default 100.
         */
        page_size?: string;
        /**
         * From the page before.
         */
        next_page_token?: string;
        /**
         * Hold the answer until there is a newer event.
         */
        wait_new_event?: 'true' | 'false' | '1' | '0';
    };
    url: '/api/workflows/{workflow_id}/runs/{run_id}/history';
};

export type GetRunHistoryErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type GetRunHistoryError = GetRunHistoryErrors[keyof GetRunHistoryErrors];

export type GetRunHistoryResponses = {
    /**
     * Done.
     */
    200: RunHistoryReply;
};

export type GetRunHistoryResponse = GetRunHistoryResponses[keyof GetRunHistoryResponses];

export type DebugWorkflowData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
    };
    query?: {
        /**
         * Adds a preview of the last payload.
         */
        include_last_event_payload?: 'true' | 'false' | '1' | '0';
    };
    url: '/api/workflows/{workflow_id}/debug';
};

export type DebugWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type DebugWorkflowError = DebugWorkflowErrors[keyof DebugWorkflowErrors];

export type DebugWorkflowResponses = {
    /**
     * Done.
     */
    200: DebugReply;
};

export type DebugWorkflowResponse = DebugWorkflowResponses[keyof DebugWorkflowResponses];

export type DebugRunData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
    };
    query?: {
        /**
         * Adds a preview of the last payload.
         */
        include_last_event_payload?: 'true' | 'false' | '1' | '0';
    };
    url: '/api/workflows/{workflow_id}/runs/{run_id}/debug';
};

export type DebugRunErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type DebugRunError = DebugRunErrors[keyof DebugRunErrors];

export type DebugRunResponses = {
    /**
     * Done.
     */
    200: DebugReply;
};

export type DebugRunResponse = DebugRunResponses[keyof DebugRunResponses];

export type SignalWorkflowData = {
    body?: SignalRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * Name of the signal.
         */
        signal_name: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/signal/{signal_name}';
};

export type SignalWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type SignalWorkflowError = SignalWorkflowErrors[keyof SignalWorkflowErrors];

export type SignalWorkflowResponses = {
    /**
     * Done.
     */
    202: SignalReply;
};

export type SignalWorkflowResponse = SignalWorkflowResponses[keyof SignalWorkflowResponses];

export type QueryWorkflowData = {
    body?: QueryRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * Name of the query.
         */
        query_name: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/query/{query_name}';
};

export type QueryWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * query_task_queue_full.
     */
    429: CommandRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * query_task_queue_unavailable, backend_unavailable.
     */
    503: CommandRefusal;
    /**
     * query_worker_timeout, query_task_not_claimed or query_worker_execution_timeout.
     */
    504: CommandRefusal;
};

export type QueryWorkflowError = QueryWorkflowErrors[keyof QueryWorkflowErrors];

export type QueryWorkflowResponses = {
    /**
     * Done.
     */
    200: QueryReply;
};

export type QueryWorkflowResponse = QueryWorkflowResponses[keyof QueryWorkflowResponses];

export type CancelWorkflowData = {
    body?: CancelRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/cancel';
};

export type CancelWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type CancelWorkflowError = CancelWorkflowErrors[keyof CancelWorkflowErrors];

export type CancelWorkflowResponses = {
    /**
     * Done.
     */
    200: CommandReply;
};

export type CancelWorkflowResponse = CancelWorkflowResponses[keyof CancelWorkflowResponses];

export type TerminateWorkflowData = {
    body?: TerminateRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/terminate';
};

export type TerminateWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type TerminateWorkflowError = TerminateWorkflowErrors[keyof TerminateWorkflowErrors];

export type TerminateWorkflowResponses = {
    /**
     * Done.
     */
    200: CommandReply;
};

export type TerminateWorkflowResponse = TerminateWorkflowResponses[keyof TerminateWorkflowResponses];

export type RequestCancellationData = {
    body?: RequestCancellationRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/request-cancellation';
};

export type RequestCancellationErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * cooperative_cancellation_not_supported.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type RequestCancellationError = RequestCancellationErrors[keyof RequestCancellationErrors];

export type RepairWorkflowData = {
    body?: RepairRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/repair';
};

export type RepairWorkflowErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type RepairWorkflowError = RepairWorkflowErrors[keyof RepairWorkflowErrors];

export type RepairWorkflowResponses = {
    /**
     * Done.
     */
    200: CommandReply;
};

export type RepairWorkflowResponse = RepairWorkflowResponses[keyof RepairWorkflowResponses];

export type SignalRunData = {
    body?: SignalRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
        /**
         * Name of the signal.
         */
        signal_name: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/runs/{run_id}/signal/{signal_name}';
};

export type SignalRunErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type SignalRunError = SignalRunErrors[keyof SignalRunErrors];

export type SignalRunResponses = {
    /**
     * Done.
     */
    202: SignalReply;
};

export type SignalRunResponse = SignalRunResponses[keyof SignalRunResponses];

export type QueryRunData = {
    body?: QueryRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
        /**
         * Name of the query.
         */
        query_name: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/runs/{run_id}/query/{query_name}';
};

export type QueryRunErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * query_task_queue_full.
     */
    429: CommandRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * query_task_queue_unavailable, backend_unavailable.
     */
    503: CommandRefusal;
    /**
     * query_worker_timeout, query_task_not_claimed or query_worker_execution_timeout.
     */
    504: CommandRefusal;
};

export type QueryRunError = QueryRunErrors[keyof QueryRunErrors];

export type QueryRunResponses = {
    /**
     * Done.
     */
    200: QueryReply;
};

export type QueryRunResponse = QueryRunResponses[keyof QueryRunResponses];

export type CancelRunData = {
    body?: CancelRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/runs/{run_id}/cancel';
};

export type CancelRunErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type CancelRunError = CancelRunErrors[keyof CancelRunErrors];

export type CancelRunResponses = {
    /**
     * Done.
     */
    200: CommandReply;
};

export type CancelRunResponse = CancelRunResponses[keyof CancelRunResponses];

export type TerminateRunData = {
    body?: TerminateRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/runs/{run_id}/terminate';
};

export type TerminateRunErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type TerminateRunError = TerminateRunErrors[keyof TerminateRunErrors];

export type TerminateRunResponses = {
    /**
     * Done.
     */
    200: CommandReply;
};

export type TerminateRunResponse = TerminateRunResponses[keyof TerminateRunResponses];

export type RequestRunCancellationData = {
    body?: RequestCancellationRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/runs/{run_id}/request-cancellation';
};

export type RequestRunCancellationErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * cooperative_cancellation_not_supported.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type RequestRunCancellationError = RequestRunCancellationErrors[keyof RequestRunCancellationErrors];

export type RepairRunData = {
    body?: RepairRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The workflow.
         */
        workflow_id: string;
        /**
         * The run.
         */
        run_id: string;
    };
    query?: never;
    url: '/api/workflows/{workflow_id}/runs/{run_id}/repair';
};

export type RepairRunErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found, run_not_found, unknown_signal, query_not_found or rejected_unknown_query.
     */
    404: CommandRefusal;
    /**
     * The run does not take the command.
     */
    409: CommandRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type RepairRunError = RepairRunErrors[keyof RepairRunErrors];

export type RepairRunResponses = {
    /**
     * Done.
     */
    200: CommandReply;
};

export type RepairRunResponse = RepairRunResponses[keyof RepairRunResponses];

export type ListNamespacesData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/namespaces';
};

export type ListNamespacesErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type ListNamespacesError = ListNamespacesErrors[keyof ListNamespacesErrors];

export type ListNamespacesResponses = {
    /**
     * Done.
     */
    200: NamespaceList;
};

export type ListNamespacesResponse = ListNamespacesResponses[keyof ListNamespacesResponses];

export type CreateNamespaceData = {
    body: CreateNamespaceRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/namespaces';
};

export type CreateNamespaceErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_already_exists.
     */
    409: ControlRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type CreateNamespaceError = CreateNamespaceErrors[keyof CreateNamespaceErrors];

export type CreateNamespaceResponses = {
    /**
     * Done.
     */
    201: Namespace;
};

export type CreateNamespaceResponse = CreateNamespaceResponses[keyof CreateNamespaceResponses];

export type DescribeNamespaceData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path: {
        /**
         * The namespace.
         */
        namespace: string;
    };
    query?: never;
    url: '/api/namespaces/{namespace}';
};

export type DescribeNamespaceErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type DescribeNamespaceError = DescribeNamespaceErrors[keyof DescribeNamespaceErrors];

export type DescribeNamespaceResponses = {
    /**
     * Done.
     */
    200: Namespace;
};

export type DescribeNamespaceResponse = DescribeNamespaceResponses[keyof DescribeNamespaceResponses];

export type GetPrometheusMetricsData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/system/prometheus-metrics';
};

export type GetPrometheusMetricsErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type GetPrometheusMetricsError = GetPrometheusMetricsErrors[keyof GetPrometheusMetricsErrors];

export type GetPrometheusMetricsResponses = {
    /**
     * Every series with its help and type; text/plain, version 0.0.4.
     */
    200: string;
};

export type GetPrometheusMetricsResponse = GetPrometheusMetricsResponses[keyof GetPrometheusMetricsResponses];

export type GetRepairStatusData = {
    body?: never;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/system/repair';
};

export type GetRepairStatusErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type GetRepairStatusError = GetRepairStatusErrors[keyof GetRepairStatusErrors];

export type GetRepairStatusResponses = {
    /**
     * Done.
     */
    200: RepairStatus;
};

export type GetRepairStatusResponse = GetRepairStatusResponses[keyof GetRepairStatusResponses];

export type RunRepairPassData = {
    body?: RepairPassRequest;
    headers: {
        /**
         * Always 2.
         */
        'X-Durable-Workflow-Control-Plane-Version': string;
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/system/repair/pass';
};

export type RunRepairPassErrors = {
    /**
     * missing_control_plane_version, unsupported_control_plane_version or malformed_json.
     */
    400: ControlVersionRefusal;
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * namespace_not_found, instance_not_found or run_not_found.
     */
    404: ControlRefusal;
    /**
     * payload_too_large.
     */
    413: ControlRefusal;
    /**
     * unsupported_media_type.
     */
    415: ControlRefusal;
    /**
     * validation_failed, structural_limit_exceeded or invalid arguments.
     */
    422: ControlValidationRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type RunRepairPassError = RunRepairPassErrors[keyof RunRepairPassErrors];

export type RunRepairPassResponses = {
    /**
     * Done.
     */
    200: RepairPassReport;
    /**
     * Done, and something failed; the lists of failures say what.
     */
    207: RepairPassReport;
};

export type RunRepairPassResponse = RunRepairPassResponses[keyof RunRepairPassResponses];

export type GetClusterInfoData = {
    body?: never;
    headers?: {
        /**
         * Lower-cased; then the query parameter namespace, then the default namespace.
         */
        'X-Namespace'?: string;
    };
    path?: never;
    query?: {
        /**
         * Ours: 1 adds the digests of the documents.
         */
        spec?: 'true' | 'false' | '1' | '0';
        /**
         * diagnostics is accepted and adds nothing.
         */
        include?: string;
    };
    url: '/api/cluster/info';
};

export type GetClusterInfoErrors = {
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * backend_lock_pressure, backend_unavailable.
     */
    503: ControlRefusal;
};

export type GetClusterInfoError = GetClusterInfoErrors[keyof GetClusterInfoErrors];

export type GetClusterInfoResponses = {
    /**
     * Answered.
     */
    200: ClusterInfo;
};

export type GetClusterInfoResponse = GetClusterInfoResponses[keyof GetClusterInfoResponses];

export type GetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/health';
};

export type GetHealthErrors = {
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * Answered.
     */
    503: Health;
};

export type GetHealthError = GetHealthErrors[keyof GetHealthErrors];

export type GetHealthResponses = {
    /**
     * Answered.
     */
    200: Health;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type GetReadyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/ready';
};

export type GetReadyErrors = {
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
    /**
     * Answered.
     */
    503: Ready;
};

export type GetReadyError = GetReadyErrors[keyof GetReadyErrors];

export type GetReadyResponses = {
    /**
     * Answered.
     */
    200: Ready;
};

export type GetReadyResponse = GetReadyResponses[keyof GetReadyResponses];

export type GetMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type GetMetricsErrors = {
    /**
     * unauthorized.
     */
    401: ControlRefusal;
    /**
     * forbidden.
     */
    403: ControlRoleRefusal;
    /**
     * control_plane_internal_error: our fault.
     */
    500: ControlRefusal;
};

export type GetMetricsError = GetMetricsErrors[keyof GetMetricsErrors];

export type GetMetricsResponses = {
    /**
     * Every series with its help and type; text/plain, version 0.0.4.
     */
    200: string;
};

export type GetMetricsResponse = GetMetricsResponses[keyof GetMetricsResponses];
