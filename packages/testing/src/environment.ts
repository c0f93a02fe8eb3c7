// The whole house in one process: the real engine, server, workers and client, one clock, SQLite in memory.
//
// Owns:      the wiring, the order of closing.
// Does not:  decide anything that the parts decide in production.

import { type Clock, defaultNamespace, type Store } from '@durable-workflow/engine/ports'
import { type Duration, parseDuration, workflow } from '@durable-workflow/sdk'
import { type Client, createClient, type RecordedEvent, type WorkflowHandle } from '@durable-workflow/sdk/client'
import { openStore } from '@durable-workflow/store-sql'
import { isInCallback, sleep } from './callbacks.ts'
import { EnvironmentClosedError } from './errors.ts'
import { LocalServer } from './local-server.ts'
import { fewPollers, immediately, LocalWorker, type WorkerCode, type WorkerTuning } from './local-worker.ts'
import { type Carry, Network, serverUrl } from './network.ts'
import { type SeededChance, seededChance } from './seeded-chance.ts'
import type { EnvironmentOptions, EnvironmentWorker, RunOf, TestEnvironment, WorkerParts } from './test-environment.ts'
import { Timekeeper } from './timekeeper.ts'
import { mismatchesOf } from './verify-replays.ts'
import { VirtualClock } from './virtual-clock.ts'
import { clientParty, giveUpWaits, isAsking, waitsOf } from './waits.ts'

const startDefault = Date.UTC(2026, 0, 1)
const stopsMaxDefault = 10_000

/** What an environment meets from outside of it. */
export interface Surroundings {
  /** What befalls its requests. */
  readonly carry: Carry
  /** Whoever looks after its workers: told of one that ended by an error. Undefined: such an error is the environment's. */
  readonly onWorkerFailed: ((worker: LocalWorker, error: unknown) => void) | undefined
}

const undisturbed: Surroundings = { carry: (_party, _exchange, send) => send(), onWorkerFailed: undefined }

/** Types nothing: for handles of runs whose result nobody reads. */
const anyWorkflow = workflow('any')

/**
 * Makes an environment, with one worker if workflows or activities are given.
 *
 * @example
 * await using env = await testEnvironment({ workflows: [checkoutImpl], activities: [charge.implement(async () => ({ paymentId: 'p1' }))] })
 * const run = await env.client.start(checkout, { input: order })
 * await env.advance('2 days')
 */
export async function testEnvironment(options: EnvironmentOptions = {}): Promise<TestEnvironment> {
  return Environment.open(options)
}

export class Environment implements TestEnvironment {
  readonly client: Client
  readonly taskQueue: string
  readonly network: Network
  readonly chance: SeededChance
  readonly clock: VirtualClock
  readonly #options: EnvironmentOptions
  readonly #store: Store
  readonly #surroundings: Surroundings
  readonly #time: Timekeeper
  readonly #workers: LocalWorker[] = []
  /** Errors of workers that ended by themselves, and of loops of the server. */
  readonly #errors: unknown[] = []
  #server: LocalServer
  #workerCount = 0
  #starting = 0
  /** Who waits for time, besides the requests of the client. */
  #waiting = 0
  #closing: Promise<void> | undefined

  static async open(options: EnvironmentOptions, surroundings: Surroundings = undisturbed): Promise<Environment> {
    if (Number.isNaN(options.startAt?.getTime())) throw new RangeError('The option startAt is no valid Date.')
    const store = await openStore('sqlite::memory:')
    const environment = new Environment(options, store, surroundings)
    try {
      await environment.#server.start()
      if (options.workflows !== undefined || options.activities !== undefined) await environment.startWorker()
    } catch (error) {
      await environment.close()
      throw error
    }
    return environment
  }

  private constructor(options: EnvironmentOptions, store: Store, surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#options = options
    this.#store = store
    this.taskQueue = options.taskQueue ?? 'default'
    this.chance = seededChance(options.seed ?? 0)
    const pick = options.seed === undefined ? undefined : (count: number) => this.chance.below(count)
    this.clock = new VirtualClock(options.startAt?.getTime() ?? startDefault, pick)
    this.#time = new Timekeeper({
      clock: this.clock,
      isAutomatic: options.time === 'auto',
      nextAt: () => this.#nextAt(),
      stopsMax: options.stopsMax ?? stopsMaxDefault,
      isBusy: () => this.#isBusy,
      isAwaited: () => this.#waiting > 0 || waitsOf(this.network).length > 0,
      giveUp: (why, stops) =>
        giveUpWaits({
          network: this.network,
          why,
          stops,
          now: this.now(),
          explain: (run) => this.explain(run),
          failures: this.#errors,
        }),
    })
    this.#server = this.#makeServer()
    this.network = new Network({
      server: Promise.resolve(this.#server),
      onMove: this.#time.noteMove,
      hop: () => this.hop(),
      carry: async (party, exchange, send) => {
        if (party === clientParty) await this.#time.catchUp(() => this.network.isBeating)
        return surroundings.carry(party, exchange, send)
      },
    })
    this.client = createClient({
      server: serverUrl,
      namespace: defaultNamespace,
      taskQueue: this.taskQueue,
      transport: this.network.transportFor(clientParty),
      clock: this.clock,
      chance: this.chance,
      retry: immediately,
    })
  }

  get workers(): readonly LocalWorker[] {
    return this.#workers.filter((worker) => worker.isAlive)
  }

  now(): Date {
    return new Date(this.clock.now())
  }

  async advance(by: Duration | Date): Promise<void> {
    this.#refuseClosed()
    const now = this.clock.now()
    if (isInCallback()) {
      throw new Error('An activity cannot move time, which waits for it. Let it wait with env.sleep() instead.')
    }
    const instant = by instanceof Date ? by.getTime() : now + parseDuration(by)
    if (!(instant >= now)) {
      throw new RangeError(
        `Time goes forward only: it is ${this.now().toISOString()}, and ${String(by)} is before that.`,
      )
    }
    await this.#time.advanceTo(instant)
  }

  async sleep(duration: Duration, signal?: AbortSignal): Promise<void> {
    this.#refuseClosed()
    await this.#awaited(() => sleep(this.clock, parseDuration(duration), signal))
  }

  /** Resolves when nothing moves without time passing. */
  rest(): Promise<void> {
    return this.#time.rest()
  }

  /** Resolves in a later turn, when it is its turn. */
  hop(): Promise<void> {
    return new Promise((resolve) => this.clock.soon(resolve))
  }

  startWorker(parts: WorkerParts = this.#options): Promise<LocalWorker> {
    this.#refuseClosed()
    const { workflows = [], activities = [], taskQueue = this.taskQueue } = parts
    return this.startWorkerOf({ workflows, activities, taskQueue, tuning: tuningOf(parts) })
  }

  async startWorkerOf(code: WorkerCode): Promise<LocalWorker> {
    const worker = new LocalWorker({
      workerId: `worker-${++this.#workerCount}`,
      code,
      network: this.network,
      clock: this.clock,
      chance: this.chance,
      isSilent: this.#options.log !== 'stderr',
      onMove: this.#time.noteMove,
      awaited: (act) => this.#awaited(act),
      onFailed: (failed, error) => {
        const { onWorkerFailed } = this.#surroundings
        if (onWorkerFailed === undefined) this.#errors.push(error)
        else onWorkerFailed(failed, error)
      },
    })
    this.#workers.push(worker)
    this.#starting += 1
    try {
      await worker.start()
    } catch (error) {
      this.#workers.splice(this.#workers.indexOf(worker), 1)
      throw error
    } finally {
      this.#starting -= 1
      this.#time.noteMove()
    }
    return worker
  }

  async crashWorker(worker?: EnvironmentWorker): Promise<void> {
    const named = worker ?? this.workers[0]
    const victim = this.workers.find((one) => one === named)
    if (victim === undefined) {
      throw new Error(
        worker === undefined
          ? 'No worker of this environment lives. Start one with env.startWorker().'
          : `The worker ${worker.workerId} does not live in this environment: it was stopped or crashed before.`,
      )
    }
    await victim.kill()
  }

  async restartServer(): Promise<void> {
    this.#refuseClosed()
    await this.replaceServer()
    await this.rest()
  }

  /** Resolves when the new server takes requests; what was open then comes again. */
  async replaceServer(): Promise<void> {
    this.#server.cut()
    const server = this.#makeServer()
    this.#server = server
    const started = server.start()
    this.network.leadTo(started.then(() => server))
    this.network.cutAll()
    await started
  }

  async history(run: RunOf): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = []
    for await (const event of this.#handle(run).history()) events.push(event)
    return events
  }

  explain(run: RunOf): Promise<string[]> {
    return this.#handle(run).explain()
  }

  async verifyReplays(): Promise<void> {
    const code = this.#workers.flatMap((worker) => worker.code.workflows)
    const mismatches = await mismatchesOf(this.client, code)
    if (mismatches.length > 1)
      throw new AggregateError(mismatches, 'The code of several runs does not fit their histories.')
    if (mismatches.length === 1) throw mismatches[0]
  }

  close(): Promise<void> {
    this.#closing ??= this.#verifyAndClose()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #verifyAndClose(): Promise<void> {
    try {
      if (this.#options.verifyReplays !== false) await this.verifyReplays()
    } finally {
      await this.#close()
    }
  }

  async #close(): Promise<void> {
    const errors = [...this.#errors]
    await this.#time.close()
    await Promise.all(this.#workers.map((worker) => worker.kill()))
    for (const worker of this.#workers) worker.abandon()
    await this.client.close()
    await this.#server.close()
    await this.#store.close()
    if (errors.length > 0)
      throw new AggregateError(errors, 'Something of the environment ended with an error of its own.')
  }

  #makeServer(): LocalServer {
    return new LocalServer({
      store: this.#store,
      clock: this.clock,
      chance: this.chance,
      log: this.#options.log === 'stderr' ? process.stderr : undefined,
      onError: (error) => this.#errors.push(error),
    })
  }

  #handle({ workflowId, runId }: RunOf): WorkflowHandle {
    return this.client.get(anyWorkflow, workflowId, { runId })
  }

  #refuseClosed(): void {
    if (this.#closing === undefined) return
    throw new EnvironmentClosedError('The test environment is closed. Use it before the end of its block.', {
      reason: 'environment_closed',
    })
  }

  // The server's own alarms may be of what has ended meanwhile, a lease above all; its rows know.
  async #nextAt(): Promise<number | undefined> {
    const next = this.clock.nextAt()
    const ofOthers = this.clock.nextAt(this.#server.clock)
    if (next === ofOthers || isAsking(this.network)) return next
    const { nextDueAt } = await this.#store.find.due({ now: this.clock.now(), limit: 1 })
    if (nextDueAt === next) return next
    const available = await Promise.all(this.workers.map(({ code }) => nextAvailableAt(this.#store, code, this.clock)))
    return earliest([ofOthers, nextDueAt, ...available])
  }

  async #awaited<T>(act: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    this.#time.noteMove()
    try {
      return await act()
    } finally {
      this.#waiting -= 1
      this.#time.noteMove()
    }
  }

  get #isBusy(): boolean {
    if (this.#starting > 0 || this.#server.isBusy || this.network.isBusy) return true
    return this.#workers.some((worker) => worker.isBusy)
  }
}

/** When a task of this code becomes available that waits for its time: the next attempt of an activity, a task that failed. */
async function nextAvailableAt(store: Store, code: WorkerCode, clock: Clock): Promise<number | undefined> {
  const { taskQueue, workflows, activities } = code
  const place = { namespace: defaultNamespace, taskQueue, now: clock.now(), limit: 1 }
  const [ofWorkflows, ofActivities] = await Promise.all([
    store.find.readyTasks({ ...place, kind: 'workflow', types: workflows.map(({ name }) => name) }),
    store.find.readyTasks({ ...place, kind: 'activity', types: activities.map(({ name }) => name) }),
  ])
  return earliest([ofWorkflows.nextAvailableAt, ofActivities.nextAvailableAt])
}

function earliest(instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((instant) => instant !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

// By name: an environment's options have more in them.
function tuningOf(parts: WorkerParts): WorkerTuning {
  const { buildId, maxConcurrentWorkflowTasks, maxConcurrentActivityTasks } = parts
  const { pollers, pollTimeoutSeconds, stickyCacheBytes, shutdownTimeout } = parts
  return {
    buildId,
    maxConcurrentWorkflowTasks,
    maxConcurrentActivityTasks,
    pollers: { ...fewPollers, ...pollers },
    pollTimeoutSeconds,
    stickyCacheBytes,
    shutdownTimeout,
  }
}
