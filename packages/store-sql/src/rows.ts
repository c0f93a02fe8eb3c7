// Row → state. The only file with casts: a driver hands out rows of unknown type, the schema says what they are, and
// JSON columns hold what columns.ts wrote. A member that JSON leaves out comes back as undefined, named.

import type {
  Activity,
  ActivityTimeouts,
  BlockedRun,
  ClosedAttempt,
  DueThing,
  Envelope,
  GroupMember,
  HeldLease,
  HistoryEvent,
  Json,
  JsonObject,
  Lease,
  Liveness,
  Namespace,
  ParallelGroup,
  ProcessIdentity,
  QueryOutcome,
  QueryTask,
  ReadyTask,
  Registration,
  Resume,
  RetryPolicy,
  Run,
  RunFailure,
  Signal,
  TaskFailure,
  Timer,
  Wait,
  Workflow,
  WorkflowTask,
} from '@durable-workflow/engine/ports'
import type {
  ActivityRow,
  HistoryEventRow,
  LeaseColumns,
  LivenessRow,
  NamespaceRow,
  QueryTaskRow,
  RegistrationRow,
  RunRow,
  SignalRow,
  TimerRow,
  WaitRow,
  WorkflowRow,
  WorkflowTaskRow,
} from './schema.ts'

export function namespaceOf(row: unknown): Namespace {
  const r = row as NamespaceRow
  return {
    name: r.name,
    description: r.description ?? undefined,
    retentionDays: r.retention_days,
    createdAt: r.created_at,
  }
}

export function workflowOf(row: unknown): Workflow {
  const r = row as WorkflowRow
  return {
    workflowId: r.workflow_id,
    namespace: r.namespace,
    workflowType: r.workflow_type,
    currentRunId: r.current_run_id,
    runCount: r.run_count,
  }
}

export function runOf(row: unknown): Run {
  const r = row as RunRow
  return {
    runId: r.run_id,
    workflowId: r.workflow_id,
    namespace: r.namespace,
    workflowType: r.workflow_type,
    taskQueue: r.task_queue,
    runNumber: r.run_number,
    status: r.status,
    closedReason: r.closed_reason ?? undefined,
    arguments: { codec: r.arguments_codec, blob: r.arguments_blob },
    output: envelopeOf(r.output_codec, r.output_blob),
    failure: r.failure_json === null ? undefined : runFailureOf(r.failure_json),
    businessKey: r.business_key ?? undefined,
    executionTimeoutSeconds: r.execution_timeout_seconds ?? undefined,
    runTimeoutSeconds: r.run_timeout_seconds ?? undefined,
    executionDeadlineAt: r.execution_deadline_at ?? undefined,
    runDeadlineAt: r.run_deadline_at ?? undefined,
    startId: r.start_id ?? undefined,
    startedAt: r.started_at,
    closedAt: r.closed_at ?? undefined,
    lastProgressAt: r.last_progress_at,
    lastSequence: r.last_sequence,
    historyBytes: r.history_bytes,
    lastStep: r.last_step,
    lastId: r.last_id,
    commandSequence: r.command_sequence,
    openActivities: r.open_activities,
    openTimers: r.open_timers,
    openSignalWaits: r.open_signal_waits,
    openConditionWaits: r.open_condition_waits,
    parallelGroups: parallelGroupsOf(r.parallel_groups_json),
    signalCount: r.signal_count,
    cachedBy: r.cached_by ?? undefined,
    cachedSequence: r.cached_sequence,
    replayBlockedReason: r.replay_blocked_reason ?? undefined,
    replayBlockedFingerprint: r.replay_blocked_fingerprint ?? undefined,
    openTask: r.open_task_id === null ? undefined : { taskId: r.open_task_id, leased: r.open_task_leased === 1 },
    progress: r.progress ?? undefined,
    dueAt: r.due_at ?? undefined,
  }
}

export function workflowTaskOf(row: unknown): WorkflowTask {
  const r = row as WorkflowTaskRow
  return {
    taskId: r.task_id,
    runId: r.run_id,
    namespace: r.namespace,
    taskQueue: r.task_queue,
    workflowType: r.workflow_type,
    status: r.status,
    availableAt: r.available_at,
    createdAt: r.created_at,
    attempt: r.attempt,
    lease: leaseOf(r),
    repairCount: r.repair_count,
    failureCount: r.failure_count,
    resume: resumeOf(r.resume_json),
    pendingResume: r.pending_resume_json === null ? undefined : resumeOf(r.pending_resume_json),
    failure: r.failure_json === null ? undefined : taskFailureOf(r.failure_json),
    claimedSequence: r.claimed_sequence,
    reportDigest: r.report_digest ?? undefined,
    reportReply: r.report_reply ?? undefined,
    closedAt: r.closed_at ?? undefined,
    dueAt: r.due_at ?? undefined,
  }
}

export function activityOf(row: unknown): Activity {
  const r = row as ActivityRow
  return {
    activityId: r.activity_id,
    runId: r.run_id,
    workflowId: r.workflow_id,
    namespace: r.namespace,
    taskQueue: r.task_queue,
    activityType: r.activity_type,
    step: r.step,
    group: optional<GroupMember>(r.group_json),
    status: r.status,
    arguments: { codec: r.arguments_codec, blob: r.arguments_blob },
    timeouts: timeoutsOf(r.timeouts_json),
    retry: parsed<RetryPolicy>(r.retry_json),
    retryPolicyText: r.retry_policy_text ?? undefined,
    scheduledAt: r.scheduled_at,
    availableAt: r.available_at,
    attempt: r.attempt,
    attemptStatus: r.attempt_status ?? undefined,
    lease: leaseOf(r),
    startedAt: r.started_at ?? undefined,
    lastHeartbeatAt: r.last_heartbeat_at ?? undefined,
    lastHeartbeatDetails: optional<Json>(r.last_heartbeat_details_json),
    scheduleDeadlineAt: r.schedule_deadline_at ?? undefined,
    scheduleToCloseDeadlineAt: r.schedule_to_close_deadline_at ?? undefined,
    closeDeadlineAt: r.close_deadline_at ?? undefined,
    heartbeatDeadlineAt: r.heartbeat_deadline_at ?? undefined,
    closedAttempts: closedAttemptsOf(r.closed_attempts_json),
    closedAt: r.closed_at ?? undefined,
    dueAt: r.due_at ?? undefined,
  }
}

export function timerOf(row: unknown): Timer {
  const r = row as TimerRow
  return {
    timerId: r.timer_id,
    runId: r.run_id,
    kind: r.kind,
    step: r.step,
    group: optional<GroupMember>(r.group_json),
    waitId: r.wait_id ?? undefined,
    delaySeconds: r.delay_seconds,
    delayMs: r.delay_ms,
    fireAt: r.fire_at,
    status: r.status,
    dueAt: r.due_at ?? undefined,
  }
}

export function waitOf(row: unknown): Wait {
  const r = row as WaitRow
  const base = {
    waitId: r.wait_id,
    runId: r.run_id,
    step: r.step,
    status: r.status,
    timeoutSeconds: r.timeout_seconds ?? undefined,
    deadlineAt: r.deadline_at ?? undefined,
    timerId: r.timer_id ?? undefined,
    openedAt: r.opened_at,
    closedSequence: r.closed_sequence ?? undefined,
  }
  if (r.kind === 'signal') return { ...base, kind: 'signal', signalName: r.signal_name as string }
  return {
    ...base,
    kind: r.kind,
    conditionKey: r.condition_key ?? undefined,
    fingerprint: r.fingerprint ?? undefined,
    occurrenceId: r.occurrence_id ?? undefined,
  }
}

export function signalOf(row: unknown): Signal {
  const r = row as SignalRow
  return {
    signalId: r.signal_id,
    runId: r.run_id,
    name: r.name,
    arguments: { codec: r.arguments_codec, blob: r.arguments_blob },
    status: r.status,
    commandId: r.command_id,
    commandSequence: r.command_sequence,
    requestId: r.request_id ?? undefined,
    receivedAt: r.received_at,
  }
}

export function queryTaskOf(row: unknown): QueryTask {
  const r = row as QueryTaskRow
  return {
    queryTaskId: r.query_task_id,
    runId: r.run_id,
    workflowId: r.workflow_id,
    namespace: r.namespace,
    taskQueue: r.task_queue,
    workflowType: r.workflow_type,
    queryName: r.query_name,
    arguments: { codec: r.arguments_codec, blob: r.arguments_blob },
    status: r.status,
    attempt: r.attempt,
    lease: leaseOf(r),
    outcome: r.outcome_json === null ? undefined : outcomeOf(r.outcome_json),
    createdAt: r.created_at,
    deadlineAt: r.deadline_at,
    dueAt: r.due_at,
  }
}

export function registrationOf(row: unknown): Registration {
  const r = row as RegistrationRow
  return {
    namespace: r.namespace,
    workerId: r.worker_id,
    registrationId: r.registration_id,
    taskQueue: r.task_queue,
    runtime: r.runtime,
    sdkVersion: r.sdk_version ?? undefined,
    buildId: r.build_id ?? undefined,
    protocolVersion: r.protocol_version,
    workflowTypes: parsed<string[]>(r.workflow_types_json),
    activityTypes: parsed<string[]>(r.activity_types_json),
    capabilities: parsed<string[]>(r.capabilities_json),
    capabilityManifest: optional<JsonObject>(r.capability_manifest_json),
    definitionFingerprints: parsed<Record<string, string>>(r.definition_fingerprints_json),
    commandContracts: optional<JsonObject>(r.command_contracts_json),
    maxConcurrentWorkflowTasks: r.max_concurrent_workflow_tasks,
    maxConcurrentActivityTasks: r.max_concurrent_activity_tasks,
    status: r.status,
    process: r.process_json === null ? undefined : processOf(r.process_json),
    heartbeatIntervalSeconds: r.heartbeat_interval_seconds,
    registeredAt: r.registered_at,
  }
}

export function livenessOf(row: unknown): Liveness {
  const r = row as LivenessRow
  return {
    namespace: r.namespace,
    workerId: r.worker_id,
    lastHeartbeatAt: r.last_heartbeat_at,
    report: optional<JsonObject>(r.report_json),
  }
}

/** A registration joined with its liveness, whose columns are prefixed. */
export function registrationWithLivenessOf(row: unknown): {
  readonly registration: Registration
  readonly liveness: Liveness | undefined
} {
  const r = row as { last_heartbeat_at: number | null; report_json: string | null }
  const registration = registrationOf(row)
  if (r.last_heartbeat_at === null) return { registration, liveness: undefined }
  return {
    registration,
    liveness: {
      namespace: registration.namespace,
      workerId: registration.workerId,
      lastHeartbeatAt: r.last_heartbeat_at,
      report: optional<JsonObject>(r.report_json),
    },
  }
}

export function historyEventOf(row: unknown): HistoryEvent {
  const r = row as HistoryEventRow
  return {
    eventId: r.event_id,
    runId: r.run_id,
    sequence: r.sequence,
    type: r.type,
    payload: r.payload,
    workflowTaskId: r.workflow_task_id ?? undefined,
    commandId: r.command_id ?? undefined,
    recordedAt: r.recorded_at,
  }
}

/** The name of a migration or of a table. */
export function nameOf(row: unknown): string {
  return (row as { name: string }).name
}

/** A candidate without its kind, which the query knows. */
export function readyTaskOf(row: unknown): Omit<ReadyTask, 'kind'> {
  const r = row as { id: string; run_id: string; type: string; available_at: number }
  return { id: r.id, runId: r.run_id, type: r.type, availableAt: r.available_at }
}

export function dueThingOf(row: unknown): DueThing {
  const r = row as { kind: DueThing['kind']; id: string; due_at: number }
  return { kind: r.kind, id: r.id, dueAt: r.due_at }
}

export function heldLeaseOf(row: unknown): HeldLease {
  const r = row as {
    kind: HeldLease['kind']
    id: string
    attempt: number
    poll_request_id: string | null
    lease_expires_at: number
  }
  return {
    kind: r.kind,
    id: r.id,
    attempt: r.attempt,
    pollRequestId: r.poll_request_id ?? undefined,
    leaseExpiresAt: r.lease_expires_at,
  }
}

export function blockedRunOf(row: unknown): BlockedRun {
  const r = row as Pick<RunRow, 'run_id' | 'workflow_type' | 'task_queue' | 'replay_blocked_fingerprint' | 'started_at'>
  return {
    runId: r.run_id,
    workflowType: r.workflow_type,
    taskQueue: r.task_queue,
    fingerprint: r.replay_blocked_fingerprint ?? undefined,
    startedAt: r.started_at,
  }
}

/** The one number of an aggregate that calls it `value`. */
export function numberOf(row: unknown): number | undefined {
  return (row as { value: number | null } | undefined)?.value ?? undefined
}

function envelopeOf(codec: string | null, blob: string | null): Envelope | undefined {
  return codec === null || blob === null ? undefined : { codec, blob }
}

function leaseOf(r: LeaseColumns): Lease | undefined {
  if (r.lease_owner === null) return undefined
  const proof = JSON.parse(r.lease_proof_json as string) as Lease['proof']
  return {
    owner: r.lease_owner,
    leasedAt: r.leased_at as number,
    expiresAt: r.lease_expires_at as number,
    leaseMs: r.lease_ms as number,
    proof: {
      workerId: proof.workerId,
      registrationId: proof.registrationId,
      protocolVersion: proof.protocolVersion,
      capabilities: proof.capabilities,
      buildId: proof.buildId,
      pollRequestId: r.poll_request_id ?? undefined,
    },
  }
}

function resumeOf(text: string): Resume {
  const resume = JSON.parse(text) as Resume
  return {
    waitKind: resume.waitKind,
    openWaitId: resume.openWaitId,
    sourceKind: resume.sourceKind,
    sourceId: resume.sourceId,
    step: resume.step,
    eventType: resume.eventType,
  }
}

function taskFailureOf(text: string): TaskFailure {
  const failure = JSON.parse(text) as TaskFailure
  return { message: failure.message, type: failure.type, reason: failure.reason, step: failure.step }
}

function timeoutsOf(text: string): ActivityTimeouts {
  const timeouts = JSON.parse(text) as ActivityTimeouts
  return {
    scheduleToStartMs: timeouts.scheduleToStartMs,
    startToCloseMs: timeouts.startToCloseMs,
    scheduleToCloseMs: timeouts.scheduleToCloseMs,
    heartbeatMs: timeouts.heartbeatMs,
  }
}

function closedAttemptsOf(text: string): readonly ClosedAttempt[] {
  if (text === '[]') return []
  return (JSON.parse(text) as ClosedAttempt[]).map(({ report, ...closed }) => ({
    ...closed,
    report: report && { digest: report.digest, nextTaskId: report.nextTaskId, retryAt: report.retryAt },
  }))
}

function parallelGroupsOf(text: string): readonly ParallelGroup[] {
  if (text === '[]') return []
  return (JSON.parse(text) as ParallelGroup[]).map((group) => ({ ...group, closedSequence: group.closedSequence }))
}

function runFailureOf(text: string): RunFailure {
  const failure = JSON.parse(text) as RunFailure
  return {
    failureId: failure.failureId,
    category: failure.category,
    message: failure.message,
    exceptionType: failure.exceptionType,
    exceptionClass: failure.exceptionClass,
    nonRetryable: failure.nonRetryable,
    exception: failure.exception,
  }
}

function outcomeOf(text: string): QueryOutcome {
  const outcome = JSON.parse(text) as QueryOutcome
  if (outcome.kind === 'completed') return { ...outcome, result: outcome.result, envelope: outcome.envelope }
  return { ...outcome, type: outcome.type, validationErrors: outcome.validationErrors }
}

function processOf(text: string): ProcessIdentity {
  const identity = JSON.parse(text) as ProcessIdentity
  return { host: identity.host, processId: identity.processId, startedAt: identity.startedAt }
}

function optional<T>(text: string | null): T | undefined {
  return text === null ? undefined : parsed<T>(text)
}

function parsed<T>(text: string): T {
  return JSON.parse(text) as T
}
