// A worker of the SDK on this process's server, which may die at any instant.
import type { ActivityImplementation, Logger, WorkflowImplementation } from '@durable-workflow/sdk'
import type { Chance, RetryPolicy } from '@durable-workflow/sdk/client'
import { createWorker, type Worker, type WorkerOptions } from '@durable-workflow/sdk/worker'
import { Callbacks } from './callbacks.ts'
import type { LocalTransport, Network } from './network.ts'
import { CuttableClock, type VirtualClock } from './virtual-clock.ts'

/** What a worker of an environment may say besides its code; as in `createWorker`. */
export interface WorkerTuning
  extends Pick<
    WorkerOptions,
    | 'buildId'
    | 'maxConcurrentWorkflowTasks'
    | 'maxConcurrentActivityTasks'
    | 'pollers'
    | 'pollTimeoutSeconds'
    | 'stickyCacheBytes'
    | 'shutdownTimeout'
  > {}

/** The code of a worker and where it polls. */
export interface WorkerCode {
  readonly workflows: readonly WorkflowImplementation[]
  readonly activities: readonly ActivityImplementation[]
  readonly taskQueue: string
  readonly tuning: WorkerTuning
}

export interface LocalWorkerOptions {
  readonly workerId: string
  readonly code: WorkerCode
  readonly network: Network
  readonly clock: VirtualClock
  readonly chance: Chance
  readonly isSilent: boolean
  readonly onMove: () => void
  /** Told when it has ended by itself, with an error. */
  readonly onFailed: (worker: LocalWorker, error: unknown) => void
}

/** Whoever is lost in this process may come again at once: nothing is overloaded here, and time must not pass by itself. */
export const immediately: RetryPolicy = { attemptsMax: 20, firstMs: 0, longestMs: 0 }

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** A worker takes the next task as soon as it has one: more polls would only cost. */
export const fewPollers = { workflow: 2, activity: 2, query: 1 } as const

export class LocalWorker {
  readonly workerId: string
  readonly code: WorkerCode
  readonly #options: LocalWorkerOptions
  readonly #clock: CuttableClock
  readonly #transport: LocalTransport
  readonly #callbacks: Callbacks
  readonly #dying = new AbortController()
  #worker: Worker | undefined
  #running: Promise<void> = Promise.resolve()
  #isReady = false
  #isDead = false
  #isOver = false

  constructor(options: LocalWorkerOptions) {
    this.workerId = options.workerId
    this.code = options.code
    this.#options = options
    this.#clock = new CuttableClock(options.clock, 'at once')
    this.#transport = options.network.transportFor(options.workerId)
    this.#callbacks = new Callbacks(options.onMove)
  }

  /** Resolves when every kind of poller has had an answer. */
  async start(): Promise<void> {
    const { chance, isSilent } = this.#options
    const { workflows, activities, taskQueue, tuning } = this.code
    this.#worker = await createWorker({
      ...tuning,
      server: 'http://in-process.invalid',
      namespace: 'default',
      workerId: this.workerId,
      taskQueue,
      // The code of a process does not change: what differs is told by the functions themselves, and no file is read.
      buildId: tuning.buildId ?? 'in-process',
      workflows,
      activities: activities.map((activity) => this.#callbacks.watch(activity)),
      transport: this.#transport,
      clock: this.#clock,
      chance,
      retry: immediately,
      reportRetry: immediately,
      pollRetry: immediately,
      handleSignals: false,
      signal: this.#dying.signal,
      ...(isSilent ? { log: silent } : {}),
    })
    this.#running = this.#worker.run().then(
      () => this.#over(),
      (error: unknown) => {
        this.#over()
        if (!this.#isDead) this.#options.onFailed(this, error)
      },
    )
    await this.#worker.ready
    this.#isReady = true
  }

  /** Whether it polls, or works, or may do so again. */
  get isAlive(): boolean {
    return !this.#isDead && !this.#isOver
  }

  /** Whether it polls by now. */
  get isReady(): boolean {
    return this.#isReady && this.isAlive
  }

  /** Whether it works on something that does not wait for time. */
  get isBusy(): boolean {
    const { tasks } = this.#worker ?? {}
    if (tasks === undefined || !this.isAlive) return false
    return tasks.workflow + tasks.query + tasks.activity > this.#callbacks.sleeping
  }

  /** Drains and stops it. */
  async stop(): Promise<void> {
    await this.#worker?.stop()
  }

  /** As SIGKILL: nothing of it reaches the server any more, and its leases stay. Resolves when its last parts have let go. */
  async kill(): Promise<void> {
    this.#isDead = true
    this.#callbacks.kill()
    this.#transport.cut()
    this.#clock.cut()
    this.#dying.abort()
    await this.#running
  }

  /** Tells callbacks that still run that nobody waits for them. */
  abandon(): void {
    this.#callbacks.abandon()
  }

  #over(): void {
    this.#isOver = true
    this.#options.onMove()
  }
}
