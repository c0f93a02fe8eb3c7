// What properties do to an engine: steps as data, carried out by one driver that knows only what a client or a worker
// could know. The same steps give the same run in every mode of grouping.

import type { Operation } from '../../src/core/decision/operation.ts'
import {
  claimActivityTask,
  claimWorkflowTask,
  closeExpiredRun,
  fireTimer,
  releaseActivityTask,
  releaseWorkflowTask,
  resumeBlockedRun,
  timeOutActivity,
} from '../../src/core/operations/index.ts'
import { attemptIdOf, newRunId } from '../../src/core/state/ids.ts'
import {
  cancelWorkflow,
  completeActivityTask,
  completeWorkflowTask,
  failActivityTask,
  failWorkflowTask,
  heartbeatActivityTask,
  heartbeatWorkflowTask,
  repairWorkflow,
  signalWorkflow,
  startWorkflow,
  terminateWorkflow,
} from '../../src/index.ts'
import { envelope, proof } from './make.ts'
import { type AnyCommand, grouped } from './operations.ts'

/** One step; `pick` chooses among what is there at that moment, by number. */
export type Step =
  | {
      readonly do:
        | 'start'
        | 'signal'
        | 'claim'
        | 'claimActivity'
        | 'heartbeat'
        | 'heartbeatActivity'
        | 'release'
        | 'releaseActivity'
        | 'cancel'
        | 'terminate'
        | 'repair'
        | 'resume'
        | 'repeat'
      readonly workflow: number
      readonly pick: number
    }
  | {
      readonly do: 'complete'
      readonly workflow: number
      readonly pick: number
      readonly commands: readonly Authored[]
      /** What of the commands is put into a group behind the others, as many as there are of its kinds. */
      readonly group: Grouping
    }
  | {
      readonly do: 'fail'
      readonly workflow: number
      readonly pick: number
      readonly how: 'waiting' | 'blocked' | 'failed'
    }
  | {
      readonly do: 'endActivity'
      readonly workflow: number
      readonly pick: number
      readonly how: 'complete' | 'fail' | 'failForGood'
    }
  | { readonly do: 'advance'; readonly ms: number }

export type Grouping = 'none' | 'activities' | 'all' | 'nested' | 'again'

export type Authored =
  | 'activity'
  | 'retried'
  | 'timer'
  | 'condition'
  | 'timedCondition'
  | 'ownCondition'
  | 'signalWait'
  | 'timedSignalWait'
  | 'sideEffect'
  | 'marker'
  | 'completeRun'
  | 'failRun'

export const workers = ['worker-1', 'worker-2'] as const
export const workflowCount = 8
const signalNames = ['approve', 'reject'] as const

export const workflowIdOf = (workflow: number): string => `order-${workflow}`
export const runIdOfWorkflow = (workflow: number): string =>
  newRunId(workflowIdOf(workflow), 0, workflow.toString(16).padStart(6, '0'))

/** Rows as a step may choose among them. */
export interface Rows {
  readonly workflowTasks: readonly {
    readonly taskId: string
    readonly status: string
    readonly attempt: number
    readonly lease: { readonly owner: string } | undefined
    readonly availableAt: number
  }[]
  readonly activities: readonly {
    readonly activityId: string
    readonly status: string
    readonly attempt: number
    readonly lease: { readonly owner: string } | undefined
    readonly availableAt: number
  }[]
  readonly conditionStep: number | undefined
  /** The newest step of the run. */
  readonly lastStep: number
  /** A group that the run still knows. */
  readonly group: { readonly base: number; readonly size: number } | undefined
}

export function commandOf(authored: Authored, pick: number): AnyCommand {
  switch (authored) {
    case 'activity':
      return {
        type: 'schedule_activity',
        activity_type: 'charge',
        arguments: envelope,
        start_to_close_timeout: 20,
        heartbeat_timeout: 7,
      }
    case 'retried':
      return {
        type: 'schedule_activity',
        activity_type: 'charge',
        retry_policy: { max_attempts: 3, backoff_seconds: [0, 2] },
        schedule_to_close_timeout: 40,
        schedule_to_start_timeout: 15,
      }
    case 'timer':
      return { type: 'start_timer', delay_seconds: pick % 9 }
    case 'condition':
      return { type: 'open_condition_wait', condition_key: `c${pick % 2}`, condition_definition_fingerprint: 'f' }
    case 'timedCondition':
      return {
        type: 'open_condition_wait',
        condition_key: `c${pick % 2}`,
        condition_definition_fingerprint: 'f',
        timeout_seconds: 6,
      }
    case 'ownCondition':
      return { type: 'open_condition_wait', condition_key: `own-${pick}` }
    case 'signalWait':
      return { type: 'open_signal_wait', signal_name: signalNames[pick % 2] ?? 'approve' }
    case 'timedSignalWait':
      return { type: 'open_signal_wait', signal_name: signalNames[pick % 2] ?? 'approve', timeout_seconds: 5 }
    case 'sideEffect':
      return { type: 'record_side_effect', result: envelope }
    case 'marker':
      return { type: 'record_version_marker', change_id: `m${pick}`, version: 1, min_supported: -1, max_supported: 1 }
    case 'completeRun':
      return { type: 'complete_workflow', result: envelope }
    case 'failRun':
      return { type: 'fail_workflow', message: 'broken' }
  }
}

/** The commands of a completion: single ones, then perhaps a group, or the group that is recorded, sent again. */
function commandsOf(step: Extract<Step, { readonly do: 'complete' }>, rows: Rows): AnyCommand[] {
  const commands = step.commands.map((one, n) => commandOf(one, step.pick + n))
  if (step.group === 'none') return commands
  const terminal = commands.filter((command) => /^(complete|fail)_workflow$/.test(command.type))
  const members = commands.filter((command) => isMember(command, step.group))
  const single = commands.filter((command) => !members.includes(command) && !terminal.includes(command))
  const base = step.group === 'again' ? (rows.group?.base ?? 1) : rows.lastStep + single.length + 1
  const sent =
    step.group === 'again' && rows.group !== undefined
      ? Array.from({ length: rows.group.size }, () => commandOf('activity', 0))
      : members
  const kind = sent.every((command) => command.type === 'schedule_activity') ? 'activity' : 'mixed'
  const inner = { kind, base, size: Math.max(sent.length - 1, 1) }
  const outer = { kind, base, size: sent.length }
  const isNested = step.group === 'nested' && sent.length > 1
  const group = grouped(sent, (at) => (isNested && at < inner.size ? [outer, inner] : [outer]), base)
  return [...single, ...group, ...terminal]
}

function isMember(command: AnyCommand, group: Grouping): boolean {
  return (
    command.type === 'schedule_activity' ||
    (command.type === 'start_timer' && group !== 'activities' && group !== 'again')
  )
}

/** The operation of a step; undefined when there is nothing that it could be done to. */
export function operationOf(step: Step, rows: Rows, now: number): Operation | undefined {
  if (step.do === 'advance' || step.do === 'repeat') return undefined
  const workflowId = workflowIdOf(step.workflow)
  const address = { namespace: 'default', workflowId, runId: undefined }
  const owner = workers[step.pick % 2] ?? 'worker-1'
  const task = chosen(rows.workflowTasks, step.do === 'claim' ? 'ready' : 'leased', step.pick)
  const activity = chosen(rows.activities, step.do === 'claimActivity' ? 'pending' : 'running', step.pick)
  switch (step.do) {
    case 'start':
      return startWorkflow({
        namespace: 'default',
        workflowId,
        runId: runIdOfWorkflow(step.workflow),
        workflowType: 'Order',
        taskQueue: 'orders',
        arguments: undefined,
        businessKey: undefined,
        executionTimeoutSeconds: step.pick % 5 === 0 ? 300 : undefined,
        runTimeoutSeconds: step.pick % 4 === 1 ? 20 : undefined,
        executionTimeoutMs: undefined,
        runTimeoutMs: undefined,
        duplicatePolicy: step.pick % 2 === 0 ? 'fail' : 'use-existing',
        startId: undefined,
      })
    case 'signal':
      return signalWorkflow({
        ...address,
        signalName: signalNames[step.pick % 2] ?? 'approve',
        arguments: undefined,
        requestId: undefined,
      })
    case 'cancel':
      return cancelWorkflow({ ...address, reason: undefined, requestId: undefined })
    case 'terminate':
      return terminateWorkflow({ ...address, reason: 'enough', requestId: undefined })
    case 'repair':
      return repairWorkflow({ ...address, requestId: undefined })
    case 'resume':
      return resumeBlockedRun({
        runId: runIdOfWorkflow(step.workflow),
        fingerprint: step.pick % 2 === 0 ? undefined : 'f1',
      })
    case 'claim':
      return task && claimWorkflowTask({ taskId: task.taskId, proof: proof({ workerId: owner }), leaseMs: 10_000 })
    case 'heartbeat':
      return task && heartbeatWorkflowTask({ ...reporter(task) })
    case 'release':
      return task && releaseWorkflowTask({ taskId: task.taskId, surrender: surrenderOf(task) })
    case 'complete':
      return (
        task &&
        completeWorkflowTask({
          ...reporter(task),
          commands: commandsOf(step, rows),
          reportDigest: JSON.stringify(step),
          historyCached: step.pick % 3 === 0,
          resolvedWaits: step.pick % 2 === 0 && rows.conditionStep !== undefined ? [rows.conditionStep] : [],
        })
      )
    case 'fail': {
      const failure = {
        waiting: { type: 'WorkflowTaskWaitingForHistory', reason: undefined },
        blocked: { type: undefined, reason: 'workflow_nondeterministic' },
        failed: { type: 'Error', reason: undefined },
      }[step.how]
      return (
        task &&
        failWorkflowTask({
          ...reporter(task),
          failure: { message: 'x', step: undefined, ...failure },
          reportDigest: JSON.stringify(step),
          historyCached: false,
        })
      )
    }
    case 'claimActivity':
      return (
        activity &&
        claimActivityTask({ activityId: activity.activityId, proof: proof({ workerId: owner }), leaseMs: 12_000 })
      )
    case 'heartbeatActivity':
      return activity && heartbeatActivityTask({ ...attempt(activity), details: { at: now } })
    case 'releaseActivity':
      return activity && releaseActivityTask({ activityId: activity.activityId, surrender: surrenderOf(activity) })
    case 'endActivity':
      if (activity === undefined) return undefined
      if (step.how === 'complete')
        return completeActivityTask({ ...attempt(activity), result: envelope, reportDigest: JSON.stringify(step) })
      return failActivityTask({
        ...attempt(activity),
        failure: {
          message: 'no',
          type: undefined,
          class: undefined,
          code: undefined,
          nonRetryable: step.how === 'failForGood',
          exception: {},
        },
        reportDigest: JSON.stringify(step),
      })
  }
}

// Mostly one in the state that fits, so that things go on; any other now and then, for late and repeated reports.
function chosen<Row extends { readonly status: string }>(
  rows: readonly Row[],
  status: string,
  pick: number,
): Row | undefined {
  const among = pick % 6 === 5 ? rows : rows.filter((row) => row.status === status)
  return among[pick % Math.max(among.length, 1)]
}

function reporter(task: Rows['workflowTasks'][number]) {
  return {
    taskId: task.taskId,
    namespace: 'default',
    leaseOwner: task.lease?.owner ?? 'worker-1',
    attempt: task.attempt,
  }
}

function surrenderOf({ lease, attempt }: Pick<Rows['activities'][number], 'lease' | 'attempt'>) {
  return { owner: lease?.owner ?? 'worker-1', attempt }
}

function attempt(activity: Rows['activities'][number]) {
  return {
    activityId: activity.activityId,
    attemptId: attemptIdOf(activity.activityId, activity.attempt),
    namespace: 'default',
    leaseOwner: activity.lease?.owner ?? 'worker-1',
  }
}

/** What is due, as the sweep would hand it over, whatever its kind. */
export function dueOperation(kind: string, id: string): Operation {
  switch (kind) {
    case 'workflowTask':
      return releaseWorkflowTask({ taskId: id, surrender: undefined })
    case 'activity':
      return timeOutActivity({ activityId: id })
    case 'timer':
      return fireTimer({ timerId: id })
    case 'run':
      return closeExpiredRun({ runId: id })
    default:
      throw new Error(`Nothing here makes a ${kind} due.`)
  }
}
