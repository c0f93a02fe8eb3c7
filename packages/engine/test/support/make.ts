// Builders of valid rows of one run: what a test does not name is a plain default, what is optional is absent.

import { idIn, newRunId } from '../../src/core/state/ids.ts'
import type {
  Activity,
  ClaimProof,
  ConditionWait,
  GroupMember,
  Lease,
  Liveness,
  Namespace,
  ParallelGroup,
  QueryTask,
  Registration,
  Resume,
  Run,
  Signal,
  SignalWait,
  Timer,
  Workflow,
  WorkflowTask,
} from '../../src/ports.ts'

/** The instant to count from; epoch ms. */
export const t0 = 1_750_000_000_000
export const workflowId = 'order-1'
export const runId = newRunId(workflowId, 0, '0000a1')
/** A payload of the one codec; nothing here decodes it. */
export const envelope = { codec: 'avro', blob: 'AA==' } as const

export const taskId = idIn(runId, 'workflowTask', 1)
export const activityId = (n = 1): string => idIn(runId, 'activity', n)
export const timerId = (n = 1): string => idIn(runId, 'timer', n)
export const waitId = (n = 1): string => idIn(runId, 'wait', n)
export const signalId = (n = 1): string => idIn(runId, 'signal', n)
export const queryTaskId = idIn(runId, 'queryTask', 1)

export function proof(given: Partial<ClaimProof> = {}): ClaimProof {
  return {
    workerId: 'worker-1',
    registrationId: 'registration-1',
    protocolVersion: '1.19',
    capabilities: ['query_tasks'],
    buildId: undefined,
    pollRequestId: undefined,
    ...given,
  }
}

/** A lease of 60 s, taken at t0. */
export function lease(given: Partial<Lease> = {}): Lease {
  const owner = given.owner ?? 'worker-1'
  return { owner, leasedAt: t0, expiresAt: t0 + 60_000, leaseMs: 60_000, proof: proof({ workerId: owner }), ...given }
}

export function namespace(given: Partial<Namespace> = {}): Namespace {
  return { name: 'default', description: undefined, retentionDays: 30, createdAt: t0, ...given }
}

export function workflow(given: Partial<Workflow> = {}): Workflow {
  return { workflowId, namespace: 'default', workflowType: 'Order', currentRunId: runId, runCount: 1, ...given }
}

export function run(given: Partial<Run> = {}): Run {
  return {
    runId,
    workflowId,
    namespace: 'default',
    workflowType: 'Order',
    taskQueue: 'orders',
    runNumber: 1,
    status: 'waiting',
    closedReason: undefined,
    arguments: envelope,
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
    lastSequence: 10,
    historyBytes: 100,
    lastStep: 0,
    lastId: 100,
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
    progress: undefined,
    dueAt: undefined,
    ...given,
  }
}

const noResume: Resume = {
  waitKind: 'start',
  openWaitId: undefined,
  sourceKind: undefined,
  sourceId: undefined,
  step: undefined,
  eventType: undefined,
}

export function readyTask(given: Partial<WorkflowTask> = {}): WorkflowTask {
  return {
    taskId,
    runId,
    namespace: 'default',
    taskQueue: 'orders',
    workflowType: 'Order',
    status: 'ready',
    availableAt: t0,
    createdAt: t0,
    attempt: 0,
    lease: undefined,
    repairCount: 0,
    failureCount: 0,
    resume: noResume,
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

/** Leased by worker-1, attempt 1, until t0 + 60 s. */
export function leasedTask(given: Partial<WorkflowTask> = {}): WorkflowTask {
  const held = given.lease ?? lease()
  return readyTask({ status: 'leased', attempt: 1, lease: held, claimedSequence: 10, dueAt: held.expiresAt, ...given })
}

export function pendingActivity(given: Partial<Activity> = {}, n = 1): Activity {
  return {
    activityId: activityId(n),
    runId,
    workflowId,
    namespace: 'default',
    taskQueue: 'orders',
    activityType: 'charge',
    step: n,
    group: undefined,
    status: 'pending',
    arguments: envelope,
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

/** A member of the group that begins at step `base`; what it repeats on its events. */
export function groupMember(base = 1, facts: GroupMember['facts'] = {}): GroupMember {
  return { base, facts: { parallel_group_id: `parallel-calls:${base}:2`, ...facts } }
}

/** A group of two at step 1 that is counted by its run. */
export function parallelGroup(given: Partial<ParallelGroup> = {}): ParallelGroup {
  return {
    groupId: 'parallel-calls:1:2',
    base: 1,
    size: 2,
    shape: '00000000000000c1',
    open: 2,
    closedSequence: undefined,
    ...given,
  }
}

/** Attempt 1 runs on worker-1, leased until t0 + 60 s. */
export function runningActivity(given: Partial<Activity> = {}, n = 1): Activity {
  const held = given.lease ?? lease()
  const running = { status: 'running', attempt: 1, attemptStatus: 'running', startedAt: t0 } as const
  return pendingActivity({ ...running, lease: held, dueAt: held.expiresAt, ...given }, n)
}

export function timer(given: Partial<Timer> = {}, n = 1): Timer {
  const fireAt = given.fireAt ?? t0 + 30_000
  return {
    timerId: timerId(n),
    runId,
    kind: 'user',
    step: n,
    group: undefined,
    waitId: undefined,
    delaySeconds: 30,
    delayMs: 30_000,
    fireAt,
    status: 'pending',
    dueAt: fireAt,
    ...given,
  }
}

const openWait = {
  runId,
  status: 'open',
  timeoutSeconds: undefined,
  deadlineAt: undefined,
  timerId: undefined,
  openedAt: t0,
  closedSequence: undefined,
} as const

export function conditionWait(given: Partial<ConditionWait> = {}, n = 1): ConditionWait {
  const names = { conditionKey: 'paid', fingerprint: 'f1', occurrenceId: undefined }
  return { ...openWait, kind: 'condition', waitId: waitId(n), step: n, ...names, ...given }
}

export function signalWait(given: Partial<SignalWait> = {}, n = 1): SignalWait {
  return { ...openWait, kind: 'signal', waitId: waitId(n), step: n, signalName: 'approve', ...given }
}

export function signal(given: Partial<Signal> = {}, n = 1): Signal {
  return {
    signalId: signalId(n),
    runId,
    name: 'approve',
    arguments: envelope,
    status: 'received',
    commandId: idIn(runId, 'command', n),
    commandSequence: n,
    requestId: undefined,
    receivedAt: t0,
    ...given,
  }
}

export function queryTask(given: Partial<QueryTask> = {}): QueryTask {
  return {
    queryTaskId,
    runId,
    workflowId,
    namespace: 'default',
    taskQueue: 'orders',
    workflowType: 'Order',
    queryName: 'total',
    arguments: envelope,
    status: 'ready',
    attempt: 0,
    lease: undefined,
    outcome: undefined,
    createdAt: t0,
    deadlineAt: t0 + 30_000,
    dueAt: t0 + 180_000,
    ...given,
  }
}

/** What the worker of these tests says of itself: queue `orders`, serves `Order` and `charge`. */
export const workerFacts = {
  namespace: 'default',
  workerId: 'worker-1',
  taskQueue: 'orders',
  runtime: 'typescript',
  sdkVersion: undefined,
  buildId: undefined,
  protocolVersion: '1.19',
  workflowTypes: ['Order'],
  activityTypes: ['charge'],
  capabilities: ['query_tasks'],
  capabilityManifest: undefined,
  definitionFingerprints: {},
  commandContracts: undefined,
  maxConcurrentWorkflowTasks: 100,
  maxConcurrentActivityTasks: 100,
  heartbeatIntervalSeconds: 10,
}

export function registration(given: Partial<Registration> = {}): Registration {
  return {
    ...workerFacts,
    registrationId: 'registration-1',
    status: 'active',
    process: undefined,
    registeredAt: t0,
    ...given,
  }
}

export function liveness(given: Partial<Liveness> = {}): Liveness {
  return { namespace: 'default', workerId: 'worker-1', lastHeartbeatAt: t0, report: undefined, ...given }
}
