// The one door. Everything that changes durable state is an operation given to `execute`; everything that waits is a
// poll or an awaited outcome; everything that is read is a view.

import { systemChance, systemClock } from './clock.ts'
import type { Changes } from './core/decision/changes.ts'
import type { Operation } from './core/decision/operation.ts'
import { type Outcome, type Refused, refuse } from './core/decision/outcome.ts'
import { askQuery, createNamespace, type RegisterWorker } from './core/operations/index.ts'
import { type RunAddress, refuseUnaskable } from './core/rules/addressed-run.ts'
import { attemptIdOf, chanceLength, newRunId } from './core/state/ids.ts'
import type { Json } from './core/state/json.ts'
import { defaultSettings, type EngineSettings, engineLimits } from './core/state/limits.ts'
import { defaultNamespace } from './core/state/namespace.ts'
import type { Envelope } from './core/state/payload.ts'
import type { QueryTask } from './core/state/query-task.ts'
import type { Registration } from './core/state/registration.ts'
import type { Run } from './core/state/run.ts'
import { Dispatch } from './dispatch.ts'
import { hintsOf } from './hints.ts'
import { Outcomes } from './outcomes.ts'
import { type HandedOver, type HandOverOffer, type PollRequest, type PollResult, Polls } from './polls.ts'
import type { Chance, Clock, Hint, Observer, OutcomeKey, Probe, Store } from './ports.ts'
import { RecentHistory } from './recent-history.ts'
import { Registrations } from './registrations.ts'
import { Repair } from './repair.ts'
import { Sweep } from './sweep.ts'
import { UnitOfWork } from './unit-of-work.ts'
import { Views } from './views.ts'

/** What an engine is made of; all but the store has a default. */
export interface EngineOptions {
  readonly store: Store
  readonly settings?: Partial<EngineSettings>
  /** Default: the machine's own time. */
  readonly clock?: Clock
  readonly chance?: Chance
  /** Met at the five named points of each group; for crash and race tests. */
  readonly probe?: Probe
  /** Hears what happens, for metrics. Default: nobody. */
  readonly observer?: Observer
  /** Told of an error in a loop that goes on: a scan that failed and will be repeated. Default: nothing is told. */
  readonly onError?: (error: unknown) => void
}

/** A question to a run. */
export interface QueryInput extends RunAddress {
  readonly queryName: string
  readonly arguments: Envelope | undefined
  /** Aborts the wait, not the question. */
  readonly signal?: AbortSignal | undefined
}

/** What became of a question: the worker's value, the worker's own words, or a refusal of ours. */
export type QueryAnswer =
  | {
      readonly kind: 'answered'
      readonly run: Run
      readonly result: Json | undefined
      readonly envelope: Envelope | undefined
    }
  /** The worker's own words. */
  | {
      readonly kind: 'failed'
      readonly run: Run
      readonly reason: string
      readonly message: string
      readonly validationErrors: Json | undefined
    }
  | Refused<
      | 'instance_not_found'
      | 'run_not_found'
      | 'run_not_active'
      | 'query_worker_unavailable'
      | 'query_task_queue_full'
      | 'query_worker_timeout'
      | 'query_task_not_claimed'
    >

/** What a worker says of itself when it registers. */
export type RegisterInput = Omit<RegisterWorker, 'registrationId'>

/** Makes an engine on a store; `start` sets it going. */
export function createEngine(options: EngineOptions): Engine {
  return new Engine(options)
}

/** The door, the polls, the views; made by `createEngine`. */
export class Engine {
  readonly settings: EngineSettings
  readonly clock: Clock
  readonly views: Views
  readonly repair: Repair
  readonly #store: Store
  readonly #chance: Chance
  readonly #work: UnitOfWork
  readonly #dispatch: Dispatch
  readonly #sweep: Sweep
  readonly #outcomes: Outcomes
  readonly #registrations: Registrations
  readonly #recent = new RecentHistory()
  readonly #polls: Polls
  #accepting = false
  #endListening: (() => void) | undefined

  constructor(options: EngineOptions) {
    this.#store = options.store
    this.settings = { ...defaultSettings, ...options.settings }
    this.clock = options.clock ?? systemClock
    this.#chance = options.chance ?? systemChance
    const onError = options.onError ?? (() => {})
    const { scanIntervalMs } = this.settings
    const shared = {
      store: options.store,
      clock: this.clock,
      scanIntervalMs,
      onError,
      observer: options.observer,
      execute: this.execute.bind(this),
    }
    this.views = new Views(options.store, this.clock)
    this.repair = new Repair(shared)
    this.#dispatch = new Dispatch({ ...shared, execute: (operation) => this.#work.executeWhereFree(operation) })
    this.#sweep = new Sweep({ ...shared, onInterval: () => this.#dispatch.scan() })
    this.#outcomes = new Outcomes(this.clock, scanIntervalMs)
    this.#registrations = new Registrations({
      ...shared,
      views: this.views,
      maxAgeMs: scanIntervalMs,
      dismiss: (namespace, workerId, registrationId) => this.#dispatch.dismiss(namespace, workerId, registrationId),
    })
    this.#polls = new Polls({
      store: options.store,
      clock: this.clock,
      views: this.views,
      dispatch: this.#dispatch,
      registrations: this.#registrations,
      recent: this.#recent,
      settings: this.settings,
    })
    this.#work = new UnitOfWork({
      store: options.store,
      clock: this.clock,
      probe: options.probe,
      observer: options.observer,
      afterDecide: (draft, now, offers) => this.#dispatch.claimsFor(draft, now, offers),
      afterCommit: (changes) => this.#announce(changes),
      onError,
    })
  }

  /** Whether polls are held, and how many are. */
  get status(): { readonly accepting: boolean; readonly waiters: number } {
    return { accepting: this.#accepting, waiters: this.#dispatch.waiterCount }
  }

  /** Makes the default namespace if it is missing, and starts to look for what is due and ready. */
  async start(): Promise<void> {
    if ((await this.views.namespace(defaultNamespace)) === undefined) {
      // Another server may be first; then the refusal says that it is there.
      await this.execute(
        createNamespace({ name: defaultNamespace, description: undefined, retentionDays: engineLimits.retentionDays }),
      )
    }
    this.#sweep.start()
    this.#endListening = this.#store.wakes?.listen((hints) => {
      for (const hint of hints) this.#hear(hint)
    })
    this.#accepting = true
  }

  /**
   * Decides one operation in the next group and resolves after its commit.
   *
   * @throws StoreUnavailableError (nothing was written), CommitUnknownError, InvariantError (a bug of ours; only this operation is lost)
   */
  execute<Reply, Reason extends string>(operation: Operation<Reply, Reason>): Promise<Outcome<Reply, Reason>> {
    return this.#work.execute(operation)
  }

  /**
   * Executes a report and hands over, in the same commit, tasks that it made ready, as far as its reporter offers slots
   * for them. Each claim is the claim that a poll would have got (design.md §7, hand-over).
   */
  async report<Reply extends { readonly repeated: boolean }, Reason extends string>(
    operation: Operation<Reply, Reason>,
    offer: HandOverOffer | undefined,
  ): Promise<{ readonly outcome: Outcome<Reply, Reason>; readonly handedOver: HandedOver | undefined }> {
    if (offer === undefined || !this.#accepting)
      return { outcome: await this.execute(operation), handedOver: undefined }
    const slots = await this.#polls.offer(offer)
    const outcome = await this.#work.execute(operation, slots.waiters)
    if (outcome.kind !== 'accepted') return { outcome, handedOver: undefined }
    return { outcome, handedOver: await this.#polls.handedOver(offer, slots, outcome.reply.repeated) }
  }

  /** A new run id of a workflow. */
  newRunId(workflowId: string): string {
    return newRunId(workflowId, this.clock.now(), this.#chance.hex(chanceLength))
  }

  /** A new workflow id, for starts that name none. */
  newWorkflowId(): string {
    return this.#chance.hex(32)
  }

  /** Holds a poll until a task is claimed for it, its time is up, its signal aborts or the engine drains. */
  poll(request: PollRequest): Promise<PollResult> {
    return this.#accepting ? this.#polls.poll(request) : Promise.resolve({ kind: 'empty', status: 'draining' })
  }

  /** Registers a worker, see `Registrations.register`; then runs whose replay is blocked get a task if its code is other. */
  async register(input: RegisterInput) {
    const registered = await this.#registrations.register({ ...input, registrationId: this.#chance.hex(32) })
    if (registered.outcome.kind === 'accepted') await this.repair.resumeFor(registered.outcome.reply.registration)
    return registered
  }

  deregister(input: { readonly namespace: string; readonly workerId: string }) {
    return this.#registrations.deregister(input.namespace, input.workerId)
  }

  /** Asks a run a question and waits for a worker's answer, at most `settings.queryTimeoutMs`. */
  async query(input: QueryInput): Promise<QueryAnswer> {
    const found = await this.views.describe(input)
    if (found.kind === 'refused') return found
    const refused = refuseUnaskable(found.run) ?? (await this.#refuseQuery(found.run))
    if (refused !== undefined) return refused
    const asked = await this.execute(
      askQuery({
        ...input,
        chance: this.#chance.hex(16),
        timeoutMs: this.settings.queryTimeoutMs,
      }),
    )
    if (asked.kind === 'refused') return asked
    const { queryTask, run } = asked.reply
    const answered = await this.#awaitAnswer(queryTask, input.signal)
    return answered === undefined ? this.#unanswered(queryTask) : queryAnswer(answered, run)
  }

  /** Waits for something that a probe finds; see `Outcomes.await`. @param deadline epoch ms */
  awaitOutcome<Found>(
    key: OutcomeKey,
    deadline: number,
    probe: () => Promise<Found | undefined>,
    signal?: AbortSignal,
  ): Promise<Found | undefined> {
    return this.#outcomes.await(key, deadline, probe, signal)
  }

  /** Stops claiming; held polls answer empty. */
  async drain(): Promise<void> {
    this.#accepting = false
    this.#dispatch.drain()
    await this.#sweep.stop()
  }

  /** Drains and finishes every commit under way; the store stays open. */
  async close(): Promise<void> {
    await this.drain()
    await this.#dispatch.idle()
    await this.#work.idle()
    this.#endListening?.()
    this.#outcomes.close()
  }

  #announce(changes: Changes): void {
    this.#recent.note(changes.events)
    for (const run of changes.runs.updated) if (run.closedAt !== undefined) this.#recent.forget(run.runId)
    const hints = hintsOf(changes)
    for (const hint of hints) if (hint.kind !== 'registration') this.#hear(hint)
    this.#store.wakes?.tell(hints)
  }

  // Nothing is correct because of a wake: each of these only makes somebody look sooner.
  #hear(hint: Hint): void {
    switch (hint.kind) {
      case 'ready':
        this.#dispatch.noteReady({ ...hint, kind: hint.task }, hint.availableAt)
        return
      case 'due':
        this.#sweep.noteDue(hint.at)
        return
      case 'outcome':
        this.#outcomes.wake(hint.key)
        return
      case 'registration':
        this.#registrations.noteChanged(hint.namespace, hint.workerId, hint.registrationId)
        return
      case 'missed':
        this.#registrations.forgetAll()
        this.#dispatch.scan()
        this.#sweep.noteDue(this.clock.now())
        this.#outcomes.wakeAll()
    }
  }

  async #refuseQuery(run: Run) {
    const place = { namespace: run.namespace, taskQueue: run.taskQueue }
    const facts = {
      workflowId: run.workflowId,
      runId: run.runId,
      workflowType: run.workflowType,
      taskQueue: run.taskQueue,
    }
    const workers = await this.#store.list.registrations(place)
    const now = this.clock.now()
    const able = workers.some(({ registration, liveness }) => {
      const freshMs = Math.max(engineLimits.workerStaleAfterMs, registration.heartbeatIntervalSeconds * 3000)
      const fresh = liveness !== undefined && now - liveness.lastHeartbeatAt < freshMs
      return fresh && canAnswer(registration, run)
    })
    if (!able) return refuse('query_worker_unavailable', facts)
    const pending = await this.#store.list.openQueryTaskCount(place)
    if (pending < engineLimits.queryTasksPerQueueMax) return undefined
    return refuse('query_task_queue_full', {
      ...facts,
      currentValue: pending,
      configuredLimit: engineLimits.queryTasksPerQueueMax,
    })
  }

  async #awaitAnswer(queryTask: QueryTask, signal: AbortSignal | undefined): Promise<QueryTask | undefined> {
    const { queryTaskId, deadlineAt } = queryTask
    const key: OutcomeKey = `query:${queryTaskId}`
    // Whoever asked is told in time that nobody answers, also by a clock that skips time.
    const cancel = this.clock.at(deadlineAt, () => this.#outcomes.wake(key))
    try {
      return await this.awaitOutcome(key, deadlineAt, () => this.#answeredQuery(queryTaskId), signal)
    } finally {
      cancel()
    }
  }

  async #answeredQuery(queryTaskId: string): Promise<QueryTask | undefined> {
    const { queryTasks } = await this.#store.load([{ of: 'queryTask', queryTaskId }])
    return queryTasks.find((task) => task.outcome !== undefined)
  }

  async #unanswered(queryTask: QueryTask): Promise<QueryAnswer> {
    const { queryTasks } = await this.#store.load([{ of: 'queryTask', queryTaskId: queryTask.queryTaskId }])
    const claimed = (queryTasks[0]?.attempt ?? 0) > 0
    return refuse(claimed ? 'query_worker_timeout' : 'query_task_not_claimed', {
      workflowId: queryTask.workflowId,
      runId: queryTask.runId,
      queryName: queryTask.queryName,
      timeoutMs: this.settings.queryTimeoutMs,
    })
  }
}

function canAnswer(registration: Registration, run: Run): boolean {
  return registration.workflowTypes.includes(run.workflowType) && registration.capabilities.includes('query_tasks')
}

function queryAnswer({ outcome }: QueryTask, run: Run): QueryAnswer {
  if (outcome?.kind === 'failed') {
    return {
      kind: 'failed',
      run,
      reason: outcome.reason,
      message: outcome.message,
      validationErrors: outcome.validationErrors,
    }
  }
  return { kind: 'answered', run, result: outcome?.result, envelope: outcome?.envelope }
}

/** The attempt id of the attempt that an activity is in. */
export function currentAttemptId(activity: { readonly activityId: string; readonly attempt: number }): string {
  return attemptIdOf(activity.activityId, activity.attempt)
}
