// A poll: what may poll, what it gets again when its reply was lost, how long it waits, what its task carries.

import { type Refused, refuse } from './core/decision/outcome.ts'
import type { Activity } from './core/state/activity.ts'
import { isLive } from './core/state/claim.ts'
import { attemptIdOf, runIdOf } from './core/state/ids.ts'
import type { EngineSettings } from './core/state/limits.ts'
import type { QueryTask } from './core/state/query-task.ts'
import type { Registration } from './core/state/registration.ts'
import type { Run } from './core/state/run.ts'
import type { WorkflowTask } from './core/state/workflow-task.ts'
import type { Dispatch } from './dispatch.ts'
import {
  type Clock,
  CommitUnknownError,
  type HeldLease,
  type HistoryEvent,
  type Store,
  StoreUnavailableError,
  type TaskKind,
} from './ports.ts'
import type { RecentHistory } from './recent-history.ts'
import type { Registrations } from './registrations.ts'
import type { HistoryPage, Views } from './views.ts'
import type { Claimed, Waiter } from './waiter.ts'

/** A held poll of a worker. */
export interface PollRequest {
  readonly kind: TaskKind
  readonly namespace: string
  readonly taskQueue: string
  readonly workerId: string
  readonly buildId?: string | undefined
  /** The same id again collects the claim whose reply was lost (L-18). */
  readonly pollRequestId?: string | undefined
  /** How long to hold the poll, in ms; 0 is a probe. */
  readonly timeoutMs: number
  /** The header of the request, like `1.19`; part of the claim proof. */
  readonly protocolVersion: string
  /** Events of the first history page; default `settings.historyPageSize`. */
  readonly historyPageSize?: number | undefined
  /** Aborts when the client goes. */
  readonly signal?: AbortSignal | undefined
}

/** A leased workflow task with the history that its worker lacks. */
export interface WorkflowTaskClaim {
  readonly run: Run
  readonly task: WorkflowTask
  readonly history: HistoryPage
}

/** A leased activity task: the execution and the attempt that was started. */
export interface ActivityTaskClaim {
  readonly activity: Activity
  readonly attemptId: string
}

/** A leased question with the run's history. */
export interface QueryTaskClaim {
  readonly queryTask: QueryTask
  readonly run: Run
  /** Whole: there are no pages for queries. */
  readonly history: readonly HistoryEvent[]
}

/** What a poll ends with. */
export type PollResult =
  | { readonly kind: 'workflow'; readonly claim: WorkflowTaskClaim }
  | { readonly kind: 'activity'; readonly claim: ActivityTaskClaim }
  | { readonly kind: 'query'; readonly claim: QueryTaskClaim }
  | {
      readonly kind: 'empty'
      readonly status: 'empty' | 'draining' | 'no_workflow_capability' | 'no_activity_capability'
    }
  | Refused<'worker_not_registered' | 'task_queue_mismatch' | 'build_id_mismatch' | 'worker_draining'>

/** Free slots that a worker offers with a report (design.md §7, hand-over). */
export interface HandOverOffer {
  readonly namespace: string
  readonly workerId: string
  /** A poll with this id collects what a lost reply carried. */
  readonly pollRequestId: string
  /** The header of the report, part of the claim proof. */
  readonly protocolVersion: string
  readonly workflowTasks: number
  readonly activityTasks: number
}

/** The tasks that a report made ready and that its reporter holds now; the claims are those of polls. */
export interface HandedOver {
  readonly workflowTasks: readonly WorkflowTaskClaim[]
  readonly activityTasks: readonly ActivityTaskClaim[]
}

/** The slots of an offer as waiters, and what they were given. */
export interface OfferedSlots {
  readonly waiters: readonly Waiter[]
  readonly taken: readonly Claimed[]
}

/** How long after its time a poll waits for the look that is under way: looks may follow each other without a pause. */
const lookPatienceMs = 1_000

export interface PollsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly views: Views
  readonly dispatch: Dispatch
  readonly registrations: Registrations
  readonly recent: RecentHistory
  readonly settings: EngineSettings
}

export class Polls {
  readonly #options: PollsOptions
  readonly #held = new Map<string, Promise<Claimed | undefined>>()

  constructor(options: PollsOptions) {
    this.#options = options
  }

  async poll(request: PollRequest): Promise<PollResult> {
    const registration = await this.#options.registrations.find(request.namespace, request.workerId)
    const refused = refusePoll(request, registration)
    if (refused !== undefined) return refused
    if (registration === undefined) return { kind: 'empty', status: 'empty' }
    if (this.#options.registrations.typesOf(registration, request.kind).size === 0) {
      return {
        kind: 'empty',
        status: request.kind === 'activity' ? 'no_activity_capability' : 'no_workflow_capability',
      }
    }
    const held = request.pollRequestId === undefined ? undefined : await this.#heldBy(request, request.pollRequestId)
    const deadline = this.#options.clock.now() + request.timeoutMs
    const claimed = held ?? (await this.#join(request, () => this.#wait(request, registration, deadline)))
    return claimed === undefined
      ? { kind: 'empty', status: 'empty' }
      : afterCommit(() => this.#withHistory(claimed, request.historyPageSize))
  }

  /** Makes an offer's slots; none for a worker that could not poll. */
  async offer(offer: HandOverOffer): Promise<OfferedSlots> {
    const taken: Claimed[] = []
    const registration = await this.#options.registrations.find(offer.namespace, offer.workerId)
    if (registration === undefined || registration.status === 'draining') return { waiters: [], taken }
    const slots = (kind: 'workflow' | 'activity', count: number): Waiter[] =>
      Array.from({ length: count }, () => ({
        ...this.#waiterOf(kind, registration, offer),
        isOver: () => true,
        settle: (claimed) => {
          if (claimed !== undefined) taken.push(claimed)
        },
      }))
    return { waiters: [...slots('workflow', offer.workflowTasks), ...slots('activity', offer.activityTasks)], taken }
  }

  /** What an offer brought, with history; for a report that was a repeat, what its first reply carried. */
  handedOver(offer: HandOverOffer, slots: OfferedSlots, isRepeat: boolean): Promise<HandedOver> {
    return afterCommit(() => this.#handedOver(offer, slots, isRepeat))
  }

  async #handedOver(offer: HandOverOffer, slots: OfferedSlots, isRepeat: boolean): Promise<HandedOver> {
    const { namespace, workerId, pollRequestId } = offer
    const claimed = isRepeat ? await this.#allHeldBy({ namespace, workerId, pollRequestId }) : slots.taken
    const workflowTasks: WorkflowTaskClaim[] = []
    const activityTasks: ActivityTaskClaim[] = []
    for (const one of claimed) {
      const result = await this.#withHistory(one, undefined)
      if (result.kind === 'workflow') workflowTasks.push(result.claim)
      if (result.kind === 'activity') activityTasks.push(result.claim)
    }
    return { workflowTasks, activityTasks }
  }

  // L-18: the claim of this very poll, as long as its lease and attempt are still bound to it.
  async #heldBy(request: PollRequest, pollRequestId: string): Promise<Claimed | undefined> {
    const { namespace, workerId } = request
    const [claimed] = await this.#allHeldBy({ namespace, workerId, pollRequestId, kind: request.kind })
    return claimed
  }

  async #allHeldBy(poll: {
    readonly namespace: string
    readonly workerId: string
    readonly pollRequestId: string
    readonly kind?: TaskKind
  }): Promise<readonly Claimed[]> {
    const { store, clock } = this.#options
    const { workerId: owner, ...asked } = poll
    const leases = await store.find.leasedBy({ ...asked, owner })
    const live = leases.filter((one) => one.pollRequestId === poll.pollRequestId && one.leaseExpiresAt > clock.now())
    const claimed = await Promise.all(live.map((lease) => this.#claimOf(lease)))
    return claimed.filter((one) => one !== undefined)
  }

  // The rows may have moved on since the lease was found: only the same attempt is the same claim.
  async #claimOf(lease: HeldLease): Promise<Claimed | undefined> {
    const { store, clock } = this.#options
    const run = { of: 'run' as const, runId: runIdOf(lease.id) }
    switch (lease.kind) {
      case 'workflow': {
        const { workflowTasks, runs } = await store.load([{ of: 'workflowTask', taskId: lease.id }, run])
        const task = workflowTasks[0]
        if (task?.lease === undefined || task.attempt !== lease.attempt || !isLive(task.lease, clock.now()))
          return undefined
        return runs[0] === undefined ? undefined : { kind: 'workflow', run: runs[0], task, cachedSequence: 0 }
      }
      case 'activity': {
        const { activities } = await store.load([{ of: 'activity', activityId: lease.id }])
        const activity = activities[0]
        if (activity === undefined || activity.attempt !== lease.attempt) return undefined
        return { kind: 'activity', activity, attemptId: attemptIdOf(activity.activityId, activity.attempt) }
      }
      case 'query': {
        const { queryTasks, runs } = await store.load([{ of: 'queryTask', queryTaskId: lease.id }, run])
        const queryTask = queryTasks[0]
        return queryTask === undefined || runs[0] === undefined ? undefined : { kind: 'query', queryTask, run: runs[0] }
      }
    }
  }

  #wait(request: PollRequest, registration: Registration, deadline: number): Promise<Claimed | undefined> {
    const { dispatch, clock } = this.#options
    const { promise, resolve } = Promise.withResolvers<Claimed | undefined>()
    let isOver = false
    const waiter = this.#waiterOf(request.kind, registration, request)
    const leave = dispatch.wait({ ...waiter, isOver: () => isOver, settle: resolve })
    // A waiter that a claim has reserved is no longer in its queue: the claim is on its way and answers (DI5).
    const end = () => {
      isOver = true
      if (leave()) resolve(undefined)
    }
    // A look that is under way may still bring a task: a store on another machine answers later than a probe's timer.
    const timeUp = () => {
      cancelTimer = clock.at(deadline + lookPatienceMs, end, 'optional')
      void dispatch.looked(waiter).then(end)
    }
    let cancelTimer = clock.at(deadline, timeUp, 'optional')
    request.signal?.addEventListener('abort', end, { once: true })
    if (request.signal?.aborted === true) end()
    return promise.finally(() => {
      cancelTimer()
      request.signal?.removeEventListener('abort', end)
    })
  }

  // The same poll id again while its first poll is held joins it (worker plane §5.4). When that one ends with nothing,
  // one of those who joined waits on and the others join it: never two tasks for one poll id.
  async #join(request: PollRequest, wait: () => Promise<Claimed | undefined>): Promise<Claimed | undefined> {
    if (request.pollRequestId === undefined) return wait()
    const key = [request.namespace, request.kind, request.workerId, request.pollRequestId].join('\n')
    for (let first = this.#held.get(key); first !== undefined; first = this.#held.get(key)) {
      const claimed = await first
      if (claimed !== undefined) return claimed
    }
    const held = wait()
    this.#held.set(key, held)
    try {
      return await held
    } finally {
      this.#held.delete(key)
    }
  }

  // What a slot of this worker can take, and the proof of what the worker is (design.md §2.4).
  #waiterOf(
    kind: TaskKind,
    registration: Registration,
    poll: { readonly pollRequestId?: string | undefined; readonly protocolVersion: string },
  ): Omit<Waiter, 'isOver' | 'settle'> {
    return {
      kind,
      namespace: registration.namespace,
      taskQueue: registration.taskQueue,
      types: this.#options.registrations.typesOf(registration, kind),
      proof: {
        workerId: registration.workerId,
        registrationId: registration.registrationId,
        protocolVersion: poll.protocolVersion,
        capabilities: registration.capabilities,
        buildId: registration.buildId,
        pollRequestId: poll.pollRequestId,
      },
      leaseMs: leaseMsOf(kind, this.#options.settings),
    }
  }

  async #withHistory(claimed: Claimed, historyPageSize: number | undefined): Promise<PollResult> {
    const { views, store, settings } = this.#options
    switch (claimed.kind) {
      case 'workflow': {
        const { run, task, cachedSequence } = claimed
        const seen = { ...run, lastSequence: task.claimedSequence }
        const pageSize = historyPageSize ?? settings.historyPageSize
        const recent = this.#options.recent.read(run.runId, cachedSequence, seen.lastSequence)
        const history =
          recent !== undefined && recent.length <= pageSize
            ? { events: recent, total: seen.lastSequence, offset: cachedSequence, nextAfter: undefined }
            : await views.page(seen, cachedSequence, pageSize, cachedSequence)
        return { kind: 'workflow', claim: { run, task, history } }
      }
      case 'activity':
        return { kind: 'activity', claim: claimed }
      case 'query': {
        const { run, queryTask } = claimed
        const history = await store.list.history({ runId: run.runId, after: 0, limit: run.lastSequence })
        return { kind: 'query', claim: { run, queryTask, history } }
      }
    }
  }
}

/**
 * Reads what an answer needs besides what is committed. When that fails the answer must not say that nothing was written
 * (UW7): the same request again gets the same answer.
 */
async function afterCommit<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof StoreUnavailableError ? new CommitUnknownError({ cause: error }) : error
  }
}

function leaseMsOf(kind: TaskKind, settings: EngineSettings): number {
  switch (kind) {
    case 'workflow':
      return settings.workflowTaskLeaseMs
    case 'activity':
      return settings.activityTaskLeaseMs
    case 'query':
      return settings.queryLeaseMs
  }
}

function refusePoll(request: PollRequest, registration: Registration | undefined) {
  if (registration === undefined) return refuse('worker_not_registered', { workerId: request.workerId })
  if (registration.taskQueue !== request.taskQueue) {
    return refuse('task_queue_mismatch', {
      workerId: request.workerId,
      registeredTaskQueue: registration.taskQueue,
      requestedTaskQueue: request.taskQueue,
    })
  }
  if (request.buildId !== undefined && registration.buildId !== undefined && request.buildId !== registration.buildId) {
    return refuse('build_id_mismatch', {
      workerId: request.workerId,
      registeredBuildId: registration.buildId,
      requestedBuildId: request.buildId,
    })
  }
  if (registration.status === 'draining') {
    return refuse('worker_draining', {
      workerId: request.workerId,
      taskQueue: request.taskQueue,
      workerStatus: registration.status,
    })
  }
  return undefined
}
