// Builders of valid state rows: what a test does not name is a plain default, what is optional is absent.

import type {
  Activity,
  Changes,
  ConditionWait,
  HistoryEvent,
  Lease,
  Liveness,
  Namespace,
  QueryTask,
  Registration,
  RowChanges,
  Run,
  Signal,
  SignalWait,
  Timer,
  Workflow,
  WorkflowTask,
} from '@durable-workflow/engine/ports'

/** An instant to count from; epoch ms. */
export const t0 = 1_750_000_000_000

/** As an encoded empty list would stand there; the store does not look inside. */
export const noArguments = { codec: 'avro', blob: 'AA==' }

export function namespace(given: Partial<Namespace> = {}): Namespace {
  return { name: 'default', description: undefined, retentionDays: 30, createdAt: t0, ...given }
}

export function workflow(given: Partial<Workflow> = {}): Workflow {
  return {
    workflowId: 'w1',
    namespace: 'default',
    workflowType: 'Order',
    currentRunId: 'r1',
    runCount: 1,
    ...given,
  }
}

export function run(given: Partial<Run> = {}): Run {
  return {
    runId: 'r1',
    workflowId: 'w1',
    namespace: 'default',
    workflowType: 'Order',
    taskQueue: 'default',
    runNumber: 1,
    status: 'pending',
    closedReason: undefined,
    arguments: noArguments,
    output: undefined,
    failure: undefined,
    businessKey: undefined,
    executionTimeoutSeconds: undefined,
    runTimeoutSeconds: undefined,
    executionDeadlineAt: undefined,
    runDeadlineAt: undefined,
    startId: undefined,
    startedAt: t0,
    closedAt: undefined,
    lastProgressAt: t0,
    lastSequence: 1,
    historyBytes: 100,
    lastStep: 0,
    lastId: 0,
    commandSequence: 1,
    openActivities: 0,
    openTimers: 0,
    openSignalWaits: 0,
    openConditionWaits: 0,
    parallelGroups: [],
    signalCount: 0,
    cachedBy: undefined,
    cachedSequence: 0,
    replayBlockedReason: undefined,
    replayBlockedFingerprint: undefined,
    openTask: undefined,
    progress: 'message',
    dueAt: undefined,
    ...given,
  }
}

export function lease(given: Partial<Lease> = {}): Lease {
  return {
    owner: 'worker-1',
    leasedAt: t0,
    expiresAt: t0 + 60_000,
    leaseMs: 60_000,
    proof: {
      workerId: 'worker-1',
      registrationId: 'registration-1',
      protocolVersion: '1.19',
      capabilities: ['queries', 'cancellation'],
      buildId: undefined,
      pollRequestId: undefined,
    },
    ...given,
  }
}

export function workflowTask(given: Partial<WorkflowTask> = {}): WorkflowTask {
  return {
    taskId: 'r1-t1',
    runId: 'r1',
    namespace: 'default',
    taskQueue: 'default',
    workflowType: 'Order',
    status: 'ready',
    availableAt: t0,
    createdAt: t0,
    attempt: 0,
    lease: undefined,
    repairCount: 0,
    failureCount: 0,
    resume: {
      waitKind: 'start',
      openWaitId: undefined,
      sourceKind: undefined,
      sourceId: undefined,
      step: undefined,
      eventType: undefined,
    },
    pendingResume: undefined,
    failure: undefined,
    claimedSequence: 0,
    reportDigest: undefined,
    reportReply: undefined,
    closedAt: undefined,
    dueAt: undefined,
    ...given,
  }
}

export function activity(given: Partial<Activity> = {}): Activity {
  return {
    activityId: 'r1-a1',
    runId: 'r1',
    workflowId: 'w1',
    namespace: 'default',
    taskQueue: 'default',
    activityType: 'charge',
    step: 1,
    group: undefined,
    status: 'pending',
    arguments: noArguments,
    timeouts: {
      scheduleToStartMs: undefined,
      startToCloseMs: undefined,
      scheduleToCloseMs: undefined,
      heartbeatMs: undefined,
    },
    retry: { maxAttempts: 1, backoffMs: [], nonRetryableErrorTypes: [] },
    retryPolicyText: undefined,
    scheduledAt: t0,
    availableAt: t0,
    attempt: 0,
    attemptStatus: undefined,
    lease: undefined,
    startedAt: undefined,
    lastHeartbeatAt: undefined,
    lastHeartbeatDetails: undefined,
    scheduleDeadlineAt: undefined,
    scheduleToCloseDeadlineAt: undefined,
    closeDeadlineAt: undefined,
    heartbeatDeadlineAt: undefined,
    closedAttempts: [],
    closedAt: undefined,
    dueAt: undefined,
    ...given,
  }
}

export function timer(given: Partial<Timer> = {}): Timer {
  return {
    timerId: 'r1-i1',
    runId: 'r1',
    kind: 'user',
    step: 1,
    group: undefined,
    waitId: undefined,
    delaySeconds: 60,
    delayMs: 60_000,
    fireAt: t0 + 60_000,
    status: 'pending',
    dueAt: t0 + 60_000,
    ...given,
  }
}

export function conditionWait(given: Partial<ConditionWait> = {}): ConditionWait {
  return {
    waitId: 'r1-w1',
    runId: 'r1',
    kind: 'condition',
    step: 1,
    status: 'open',
    timeoutSeconds: undefined,
    deadlineAt: undefined,
    timerId: undefined,
    openedAt: t0,
    closedSequence: undefined,
    conditionKey: undefined,
    fingerprint: undefined,
    occurrenceId: undefined,
    ...given,
  }
}

export function signalWait(given: Partial<SignalWait> = {}): SignalWait {
  return {
    waitId: 'r1-w2',
    runId: 'r1',
    kind: 'signal',
    step: 1,
    status: 'open',
    timeoutSeconds: undefined,
    deadlineAt: undefined,
    timerId: undefined,
    openedAt: t0,
    closedSequence: undefined,
    signalName: 'approve',
    ...given,
  }
}

export function signal(given: Partial<Signal> = {}): Signal {
  return {
    signalId: 'r1-s1',
    runId: 'r1',
    name: 'approve',
    arguments: noArguments,
    status: 'received',
    commandId: 'r1-c2',
    commandSequence: 2,
    requestId: undefined,
    receivedAt: t0,
    ...given,
  }
}

export function queryTask(given: Partial<QueryTask> = {}): QueryTask {
  return {
    queryTaskId: 'r1-q1',
    runId: 'r1',
    workflowId: 'w1',
    namespace: 'default',
    taskQueue: 'default',
    workflowType: 'Order',
    queryName: 'state',
    arguments: noArguments,
    status: 'ready',
    attempt: 0,
    lease: undefined,
    outcome: undefined,
    createdAt: t0,
    deadlineAt: t0 + 10_000,
    dueAt: t0 + 180_000,
    ...given,
  }
}

export function registration(given: Partial<Registration> = {}): Registration {
  return {
    namespace: 'default',
    workerId: 'worker-1',
    registrationId: 'registration-1',
    taskQueue: 'default',
    runtime: 'typescript',
    sdkVersion: undefined,
    buildId: undefined,
    protocolVersion: '1.19',
    workflowTypes: ['Order'],
    activityTypes: ['charge'],
    capabilities: [],
    capabilityManifest: undefined,
    definitionFingerprints: {},
    commandContracts: undefined,
    maxConcurrentWorkflowTasks: 100,
    maxConcurrentActivityTasks: 100,
    status: 'active',
    process: undefined,
    heartbeatIntervalSeconds: 30,
    registeredAt: t0,
    ...given,
  }
}

export function liveness(given: Partial<Liveness> = {}): Liveness {
  return { namespace: 'default', workerId: 'worker-1', lastHeartbeatAt: t0, report: undefined, ...given }
}

export function event(given: Partial<HistoryEvent> = {}): HistoryEvent {
  return {
    eventId: 'r1-e1',
    runId: 'r1',
    sequence: 1,
    type: 'WorkflowStarted',
    payload: '{}',
    workflowTaskId: undefined,
    commandId: undefined,
    recordedAt: t0,
    ...given,
  }
}

type SomeRows<Row> = Partial<RowChanges<Row>>

/** Changes with the named lists; all others are empty. */
export function changes(
  given: {
    readonly [Table in keyof Changes]?: Changes[Table] extends RowChanges<infer Row> ? SomeRows<Row> : Changes[Table]
  },
): Changes {
  return {
    namespaces: { ...nothing, ...given.namespaces },
    workflows: { ...nothing, ...given.workflows },
    runs: { ...nothing, ...given.runs },
    workflowTasks: { ...nothing, ...given.workflowTasks },
    activities: { ...nothing, ...given.activities },
    timers: { ...nothing, ...given.timers },
    waits: { ...nothing, ...given.waits },
    signals: { ...nothing, ...given.signals },
    queryTasks: { ...nothing, ...given.queryTasks },
    registrations: { ...nothing, ...given.registrations },
    livenesses: { ...nothing, ...given.livenesses },
    events: given.events ?? [],
  }
}

const nothing = { inserted: [], updated: [], removed: [] }
