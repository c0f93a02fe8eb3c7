// A worker as a small state machine: it knows what it was given and what it was answered, and nothing else.

import type {
  ActivityTaskClaim,
  HistoryEvent,
  QueryTaskClaim,
  RegisterInput,
  WorkflowTaskClaim,
} from '@durable-workflow/engine'
import { type AnyCommand, envelopeOf, group, nextTurn, stage, type Turn } from './program.ts'
import { mixed, randomFrom } from './random.ts'
import type { Request } from './request.ts'

/** A workflow task in a worker's hands, with the part of the history that it has. */
export interface HeldTask {
  readonly claim: WorkflowTaskClaim
  events: readonly HistoryEvent[]
  /** Position after which it lacks events; undefined when it has all. */
  nextAfter: number | undefined
}

export interface WorkerOptions {
  readonly number: number
  readonly namespace: string
  /** Seed of the authored programs. */
  readonly chance: number
  /** Numbers reports, so that each is told apart from every other. */
  readonly nextNumber: () => number
}

/** How a worker says who it is in a report. */
interface Voice {
  readonly namespace: string
  readonly leaseOwner: string
}

export class Worker {
  readonly workerId: string
  readonly namespace: string
  readonly taskQueue: string
  readonly #options: WorkerOptions
  /** Counts processes that had this id. */
  #process = 0
  #fingerprint = 0
  workflowTasks: HeldTask[] = []
  activityTasks: ActivityTaskClaim[] = []
  queryTasks: QueryTaskClaim[] = []
  /** What it has reported on; some workers report late, or again. */
  pastWorkflowTasks: HeldTask[] = []
  pastActivityTasks: ActivityTaskClaim[] = []
  /** Histories that it keeps of runs whose task it completed, by run. */
  readonly #cache = new Map<string, readonly HistoryEvent[]>()

  constructor(options: WorkerOptions) {
    this.#options = options
    this.namespace = options.namespace
    this.workerId = `worker-${options.number}`
    // The second worker serves another queue besides nobody; the others share one.
    this.taskQueue = options.number % 3 === 1 ? 'other' : 'orders'
  }

  /** Which process it is; answers to another one are not for it. */
  get process(): number {
    return this.#process
  }

  /** The process dies, another one takes its id. */
  vanish(): void {
    this.#process += 1
    this.workflowTasks = []
    this.activityTasks = []
    this.queryTasks = []
    this.pastWorkflowTasks = []
    this.pastActivityTasks = []
    this.#cache.clear()
  }

  registration(how: number): Request {
    if (how % 8 === 5) this.#fingerprint += 1
    const input: RegisterInput = {
      namespace: how % 32 === 17 ? 'nowhere' : this.namespace,
      workerId: this.workerId,
      taskQueue: this.taskQueue,
      runtime: how % 2 === 0 ? 'python' : 'typescript',
      sdkVersion: undefined,
      buildId: this.#options.number % 2 === 0 ? 'b1' : undefined,
      protocolVersion: '1.19',
      workflowTypes: ['Order', 'Refund'],
      activityTypes: ['charge'],
      capabilities: how % 16 === 3 ? [] : ['query_tasks'],
      capabilityManifest: undefined,
      definitionFingerprints: how % 4 === 0 ? {} : { Order: `f${this.#fingerprint}` },
      commandContracts: undefined,
      maxConcurrentWorkflowTasks: 10,
      maxConcurrentActivityTasks: 10,
      heartbeatIntervalSeconds: 10,
      process: how % 16 === 7 ? undefined : { host: 'h', processId: '1', startedAt: String(this.#process) },
      liveness: undefined,
    }
    return { kind: 'register', input }
  }

  poll(kind: 'workflow' | 'activity' | 'query', how: number): Request {
    const timeouts = [0, 0, 1_000, 3_000]
    return {
      kind: 'poll',
      input: {
        kind,
        namespace: this.namespace,
        taskQueue: how % 64 === 33 ? 'elsewhere' : this.taskQueue,
        workerId: how % 64 === 34 ? 'nobody' : this.workerId,
        buildId: how % 64 === 35 ? 'b2' : undefined,
        pollRequestId: how % 5 === 4 ? undefined : `poll-${this.#options.nextNumber()}`,
        timeoutMs: timeouts[how % 4] ?? 0,
        protocolVersion: '1.19',
      },
    }
  }

  takeWorkflowTask(claim: WorkflowTaskClaim): void {
    const { run, history } = claim
    const known = history.offset === 0 ? [] : (this.#cache.get(run.runId) ?? []).slice(0, history.offset)
    this.workflowTasks.push({ claim, events: [...known, ...history.events], nextAfter: history.nextAfter })
  }

  /** It has reported, and knows how that went. */
  doneWorkflowTask(held: HeldTask, keeps: boolean): void {
    this.workflowTasks = this.workflowTasks.filter((one) => one !== held)
    this.pastWorkflowTasks = [...this.pastWorkflowTasks.filter((one) => one !== held), held].slice(-4)
    if (keeps) this.#cache.set(held.claim.run.runId, held.events)
    else this.#cache.delete(held.claim.run.runId)
  }

  doneActivityTask(held: ActivityTaskClaim): void {
    this.activityTasks = this.activityTasks.filter((one) => one !== held)
    this.pastActivityTasks = [...this.pastActivityTasks.filter((one) => one !== held), held].slice(-4)
  }

  /** The next page of a task's history; undefined when the worker has all. */
  nextPage(held: HeldTask): Extract<Request, { readonly kind: 'taskHistory' }> | undefined {
    if (held.nextAfter === undefined) return undefined
    const { taskId, attempt } = held.claim.task
    return { kind: 'taskHistory', input: { ...this.#voice, taskId, attempt, after: held.nextAfter, limit: 12 } }
  }

  /** What its code, and its replay, make of a task. */
  turn(held: HeldTask): Turn {
    return nextTurn(this.#options.chance, held.claim.run.workflowId, held.events)
  }

  /** What an honest worker reports. */
  honestReport(held: HeldTask, how: number): Request {
    const turn = this.turn(held)
    if (turn.kind === 'complete') return this.#completion(held, turn.commands, turn.resolvedWaits, how)
    return this.#failure(
      held,
      { message: 'waits', type: 'WorkflowTaskWaitingForHistory', reason: undefined, step: undefined },
      how,
    )
  }

  /** What any worker may report. */
  report(held: HeldTask, how: number): Request {
    const { taskId, attempt } = held.claim.task
    const other = { step: undefined, type: 'Error', reason: undefined }
    switch (how % 32) {
      case 20:
      case 21:
        return { kind: 'heartbeatWorkflowTask', input: { ...this.#voice, taskId, attempt } }
      case 22:
        return this.#completion(held, this.#anything(how, held.claim.run.lastStep), [], how)
      case 23:
        return this.#completion(held, invalid(how), [], how)
      case 24:
        return this.#failure(held, { ...other, message: 'cannot go on' }, how)
      case 25:
        return this.#failure(held, { ...other, message: 'replay', reason: 'workflow_nondeterministic' }, how)
      case 26:
        return this.#failure(held, { ...other, message: 'waits', type: 'WorkflowTaskWaitingForHistory' }, how)
      case 27:
        return this.#asAnother(held, how)
      default:
        return this.honestReport(held, how)
    }
  }

  activityReport(held: ActivityTaskClaim, how: number): Request {
    const number = this.#options.nextNumber()
    const report = {
      ...this.#voice,
      activityId: held.activity.activityId,
      attemptId: held.attemptId,
      reportDigest: `report-${number}`,
    }
    const result = envelopeOf(`result-${number}`)
    const complete = (changed: Partial<typeof report>): Request => ({
      kind: 'completeActivityTask',
      input: { ...report, ...changed, result },
      offer: how % 128 > 96 ? this.#offer() : undefined,
    })
    switch (how % 32) {
      case 18:
      case 19:
      case 20:
      case 21: {
        const { reportDigest: _, ...beat } = report
        return {
          kind: 'heartbeatActivityTask',
          input: { ...beat, details: how % 3 === 0 ? undefined : { at: number } },
        }
      }
      case 22:
      case 23:
      case 24:
        return this.#activityFailure(report, { nonRetryable: false, type: how % 5 === 0 ? 'Fatal' : 'Error' })
      case 25:
        return this.#activityFailure(report, { nonRetryable: true, type: 'Error' })
      case 26:
        return complete({ leaseOwner: 'worker-9' })
      case 27:
        return complete({ attemptId: `${report.activityId}x${held.activity.attempt + 1}` })
      case 28:
        return complete({ attemptId: 'x' })
      case 29:
        return complete({ attemptId: `${report.activityId}7x1` })
      case 30:
        return complete({ activityId: `${report.activityId}999` })
      default:
        return complete({})
    }
  }

  queryReport(held: QueryTaskClaim, how: number): Request {
    const { queryTaskId, attempt } = held.queryTask
    const report = { ...this.#voice, queryTaskId, attempt }
    switch (how % 8) {
      case 5:
        return {
          kind: 'failQueryTask',
          input: {
            ...report,
            failure: { message: 'no', reason: undefined, type: undefined, validationErrors: undefined },
          },
        }
      case 6:
        return { kind: 'completeQueryTask', input: { ...report, attempt: attempt + 1, result: 7, envelope: undefined } }
      case 7:
        return {
          kind: 'completeQueryTask',
          input: { ...report, leaseOwner: 'worker-9', result: 7, envelope: undefined },
        }
      default:
        return { kind: 'completeQueryTask', input: { ...report, result: 7, envelope: undefined } }
    }
  }

  get #voice(): Voice {
    return { namespace: this.namespace, leaseOwner: this.workerId }
  }

  #offer() {
    return {
      namespace: this.namespace,
      workerId: this.workerId,
      pollRequestId: `offer-${this.#options.nextNumber()}`,
      protocolVersion: '1.19',
      workflowTasks: 1,
      activityTasks: 2,
    }
  }

  #completion(held: HeldTask, commands: readonly AnyCommand[], resolvedWaits: readonly number[], how: number): Request {
    const { taskId, attempt } = held.claim.task
    const report = { ...this.#voice, taskId, attempt, reportDigest: `report-${this.#options.nextNumber()}` }
    return {
      kind: 'completeWorkflowTask',
      input: { ...report, historyCached: how % 3 === 0, commands, resolvedWaits },
      offer: how % 128 > 96 ? this.#offer() : undefined,
    }
  }

  #failure(
    held: HeldTask,
    failure: Extract<Request, { kind: 'failWorkflowTask' }>['input']['failure'],
    how: number,
  ): Request {
    const { taskId, attempt } = held.claim.task
    const report = { ...this.#voice, taskId, attempt, reportDigest: `report-${this.#options.nextNumber()}` }
    return { kind: 'failWorkflowTask', input: { ...report, historyCached: how % 3 === 0, failure } }
  }

  #activityFailure(
    report: Voice & { readonly activityId: string; readonly attemptId: string; readonly reportDigest: string },
    { nonRetryable, type }: { readonly nonRetryable: boolean; readonly type: string },
  ): Request {
    const failure = { message: 'no', type, class: undefined, code: undefined, nonRetryable, exception: {} }
    return { kind: 'failActivityTask', input: { ...report, failure } }
  }

  /** Commands that no replay would have emitted here. */
  #anything(how: number, lastStep: number): AnyCommand[] {
    const random = randomFrom(mixed(how, lastStep))
    return random.happens(0.5) ? stage(random, 'published', lastStep) : group(random, random.below(4))
  }

  /** A report that does not come from the claim that holds the task. */
  #asAnother(held: HeldTask, how: number): Request {
    const report = this.honestReport(held, how)
    if (report.kind !== 'completeWorkflowTask' && report.kind !== 'failWorkflowTask') return report
    const { input } = report
    const changes = [
      { leaseOwner: 'worker-9' },
      { attempt: input.attempt + 1 },
      { attempt: input.attempt - 1 },
      { namespace: 'nowhere' },
      { taskId: `${input.taskId}999` },
    ] as const
    const changed = changes[how % 5] ?? changes[0]
    return report.kind === 'completeWorkflowTask'
      ? { ...report, input: { ...report.input, ...changed } }
      : { ...report, input: { ...report.input, ...changed } }
  }
}

/** Completions that the server refuses whole. */
function invalid(how: number): AnyCommand[] {
  const timer = { type: 'start_timer', delay_seconds: 1 }
  const lists: readonly AnyCommand[][] = [
    [],
    [timer, { type: 'launch_rocket' }],
    [timer, { type: 'complete_workflow' }, { type: 'fail_workflow', message: 'x' }],
    [timer, { type: 'schedule_activity', activity_type: 'charge', heartbeat_timeout: 9, start_to_close_timeout: 3 }],
    [timer, { ...timer, parallel_group_id: 'parallel-timers:1:2' }],
    [timer, { type: 'record_side_effect', result: { codec: 'json', blob: 'AA==' } }],
    [timer, { type: 'record_version_marker', change_id: 'x', version: 9, min_supported: 1, max_supported: 2 }],
    Array.from({ length: 1_001 }, () => timer),
  ]
  return lists[(how >> 5) % lists.length] ?? []
}
