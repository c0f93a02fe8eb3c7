// Operations on the run of make.ts: what a case does not name is a plain default of the worker that holds the task.

import type { WireCommand } from '../../src/core/commands/index.ts'
import {
  askQuery,
  cancelWorkflow,
  claimActivityTask,
  claimQueryTask,
  claimWorkflowTask,
  completeActivityTask,
  completeQueryTask,
  completeWorkflowTask,
  failActivityTask,
  failQueryTask,
  failWorkflowTask,
  heartbeatActivityTask,
  heartbeatWorkflowTask,
  registerWorker,
  repairWorkflow,
  signalWorkflow,
  startWorkflow,
  terminateWorkflow,
} from '../../src/core/operations/index.ts'
import { attemptIdOf } from '../../src/core/state/ids.ts'
import { activityId, envelope, proof, queryTaskId, runId, taskId, workerFacts, workflowId } from './make.ts'

type InputOf<Make extends (input: never) => unknown> = Parameters<Make>[0]

/** A command of the wire, as loosely as it may come. */
export interface AnyCommand extends WireCommand {
  readonly [member: string]: unknown
}

const address = { namespace: 'default', workflowId, runId: undefined }
const taskReporter = { taskId, namespace: 'default', leaseOwner: 'worker-1', attempt: 1 }
const attemptReporter = {
  activityId: activityId(),
  attemptId: attemptIdOf(activityId(), 1),
  namespace: 'default',
  leaseOwner: 'worker-1',
}
const queryReporter = { queryTaskId, namespace: 'default', leaseOwner: 'worker-1', attempt: 1 }

export const start = (given: Partial<InputOf<typeof startWorkflow>> = {}) =>
  startWorkflow({
    namespace: 'default',
    workflowId,
    runId,
    workflowType: 'Order',
    taskQueue: 'orders',
    arguments: envelope,
    businessKey: undefined,
    executionTimeoutSeconds: undefined,
    runTimeoutSeconds: undefined,
    executionTimeoutMs: undefined,
    runTimeoutMs: undefined,
    duplicatePolicy: 'fail',
    startId: undefined,
    ...given,
  })

export const sendSignal = (given: Partial<InputOf<typeof signalWorkflow>> = {}) =>
  signalWorkflow({ ...address, signalName: 'approve', arguments: envelope, requestId: undefined, ...given })

export const cancel = (given: Partial<InputOf<typeof cancelWorkflow>> = {}) =>
  cancelWorkflow({ ...address, reason: undefined, requestId: undefined, ...given })

export const terminate = (given: Partial<InputOf<typeof terminateWorkflow>> = {}) =>
  terminateWorkflow({ ...address, reason: undefined, requestId: undefined, ...given })

export const repair = (given: Partial<InputOf<typeof repairWorkflow>> = {}) =>
  repairWorkflow({ ...address, requestId: undefined, ...given })

export const claim = (given: Partial<InputOf<typeof claimWorkflowTask>> = {}) =>
  claimWorkflowTask({ taskId, proof: proof(), leaseMs: 60_000, ...given })

export const heartbeat = (given: Partial<InputOf<typeof heartbeatWorkflowTask>> = {}) =>
  heartbeatWorkflowTask({ ...taskReporter, ...given })

export const complete = (commands: readonly AnyCommand[], given: Partial<InputOf<typeof completeWorkflowTask>> = {}) =>
  completeWorkflowTask({
    ...taskReporter,
    reportDigest: 'digest-1',
    historyCached: false,
    resolvedWaits: [],
    commands,
    ...given,
  })

export const fail = (
  failure: Partial<InputOf<typeof failWorkflowTask>['failure']> = {},
  given: Partial<InputOf<typeof failWorkflowTask>> = {},
) =>
  failWorkflowTask({
    ...taskReporter,
    reportDigest: 'digest-1',
    historyCached: false,
    failure: { message: 'cannot go on', type: undefined, reason: undefined, step: undefined, ...failure },
    ...given,
  })

export const claimActivity = (given: Partial<InputOf<typeof claimActivityTask>> = {}) =>
  claimActivityTask({ activityId: activityId(), proof: proof(), leaseMs: 60_000, ...given })

export const completeActivity = (given: Partial<InputOf<typeof completeActivityTask>> = {}) =>
  completeActivityTask({ ...attemptReporter, result: envelope, reportDigest: 'digest-1', ...given })

export const failActivity = (
  failure: Partial<InputOf<typeof failActivityTask>['failure']> = {},
  given: Partial<InputOf<typeof failActivityTask>> = {},
) =>
  failActivityTask({
    ...attemptReporter,
    reportDigest: 'digest-1',
    failure: {
      message: 'no funds',
      type: undefined,
      class: undefined,
      code: undefined,
      nonRetryable: false,
      exception: { message: 'no funds' },
      ...failure,
    },
    ...given,
  })

export const heartbeatActivity = (given: Partial<InputOf<typeof heartbeatActivityTask>> = {}) =>
  heartbeatActivityTask({ ...attemptReporter, details: undefined, ...given })

export const ask = (given: Partial<InputOf<typeof askQuery>> = {}) =>
  askQuery({
    ...address,
    chance: '00000000000000b1',
    queryName: 'total',
    arguments: undefined,
    timeoutMs: 30_000,
    ...given,
  })

export const claimQuery = (given: Partial<InputOf<typeof claimQueryTask>> = {}) =>
  claimQueryTask({ queryTaskId, proof: proof(), leaseMs: 60_000, ...given })

export const answer = (given: Partial<InputOf<typeof completeQueryTask>> = {}) =>
  completeQueryTask({ ...queryReporter, result: 7, envelope: undefined, ...given })

export const failQuery = (
  failure: Partial<InputOf<typeof failQueryTask>['failure']> = {},
  given: Partial<InputOf<typeof failQueryTask>> = {},
) =>
  failQueryTask({
    ...queryReporter,
    failure: { message: 'no such query', reason: undefined, type: undefined, validationErrors: undefined, ...failure },
    ...given,
  })

export const register = (given: Partial<InputOf<typeof registerWorker>> = {}) =>
  registerWorker({
    ...workerFacts,
    registrationId: 'registration-2',
    process: undefined,
    liveness: undefined,
    ...given,
  })

// What workflow code emits.

/** The members of groups as the published SDKs send them; `levels` are the groups around each member, outermost first. */
export function grouped(
  commands: readonly AnyCommand[],
  levels: (at: number) => readonly { readonly kind: string; readonly base: number; readonly size: number }[],
  firstStep: number,
): AnyCommand[] {
  return commands.map((command, at) => {
    const path = levels(at).map(({ kind, base, size }) => ({
      parallel_group_id: groupId(kind, base, size),
      parallel_group_kind: kind,
      parallel_group_base_sequence: base,
      parallel_group_size: size,
      parallel_group_index: firstStep + at - base,
    }))
    return { ...command, ...path.at(-1), parallel_group_path: path }
  })
}

/** One group of all commands. */
export const inGroup = (commands: readonly AnyCommand[], kind = 'activity', base = 1): AnyCommand[] =>
  grouped(commands, () => [{ kind, base, size: commands.length }], base)

export function groupId(kind: string, base: number, size: number): string {
  const prefix = kind === 'activity' ? 'parallel-activities' : kind === 'timer' ? 'parallel-timers' : 'parallel-calls'
  return `${prefix}:${base}:${size}`
}
export const activityCommand = (given: object = {}): AnyCommand => ({
  type: 'schedule_activity',
  activity_type: 'charge',
  arguments: envelope,
  ...given,
})
export const timerCommand = (given: object = {}): AnyCommand => ({ type: 'start_timer', delay_seconds: 30, ...given })
export const conditionCommand = (given: object = {}): AnyCommand => ({
  type: 'open_condition_wait',
  condition_key: 'paid',
  condition_definition_fingerprint: 'f1',
  ...given,
})
export const signalCommand = (given: object = {}): AnyCommand => ({
  type: 'open_signal_wait',
  signal_name: 'approve',
  ...given,
})
export const sideEffectCommand = (given: object = {}): AnyCommand => ({
  type: 'record_side_effect',
  result: envelope,
  ...given,
})
export const markerCommand = (given: object = {}): AnyCommand => ({
  type: 'record_version_marker',
  change_id: 'pricing',
  version: 2,
  min_supported: 1,
  max_supported: 3,
  ...given,
})
export const completeCommand = (given: object = {}): AnyCommand => ({
  type: 'complete_workflow',
  result: envelope,
  ...given,
})
export const failCommand = (given: object = {}): AnyCommand => ({ type: 'fail_workflow', message: 'broken', ...given })
