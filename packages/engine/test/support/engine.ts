// An engine on a database of its own, in memory unless a test says otherwise, with time in the test's hand.

import type { EngineSettings } from '../../src/core/state/limits.ts'
import {
  completeWorkflowTask,
  createEngine,
  type Engine,
  type PollRequest,
  type PollResult,
  type RegisterInput,
  type WorkflowTaskClaim,
} from '../../src/index.ts'
import type { Chance, Observer, Probe } from '../../src/ports.ts'
import { t0, workerFacts } from './make.ts'
import { type AnyCommand, start } from './operations.ts'
import { type OpenStore, openSqlite } from './stores.ts'
import { VirtualClock } from './virtual-clock.ts'
import { WatchedStore } from './watched-store.ts'

export interface TestEngine extends AsyncDisposable {
  readonly engine: Engine
  readonly clock: VirtualClock
  readonly store: WatchedStore
  /** Errors of loops that went on. */
  readonly errors: unknown[]
  /** Lets a promise come true without time passing. */
  settled<T>(promise: Promise<T>): Promise<T>
}

/** Counts instead of guessing: the same test makes the same ids. */
export function countingChance(): Chance {
  let count = 0
  return { hex: (digits) => (++count).toString(16).padStart(digits, '0') }
}

export async function startEngine(
  options: {
    readonly settings?: Partial<EngineSettings>
    readonly probe?: Probe
    readonly observer?: Observer
    readonly isStarted?: boolean
    /** Default: one that stands at `t0`. */
    readonly clock?: VirtualClock
    /** Opens the store; default: SQLite in memory. */
    readonly open?: OpenStore
    /** Another server on the same database, with the same time; it closes the store. */
    readonly beside?: TestEngine
  } = {},
): Promise<TestEngine> {
  const clock = options.beside?.clock ?? options.clock ?? new VirtualClock(t0)
  const store = options.beside?.store ?? new WatchedStore(await (options.open ?? openSqlite)())
  if (options.beside === undefined) clock.watch(store)
  const errors: unknown[] = []
  const engine = createEngine({
    store,
    clock,
    chance: countingChance(),
    onError: (error) => errors.push(error),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    ...(options.probe === undefined ? {} : { probe: options.probe }),
    ...(options.observer === undefined ? {} : { observer: options.observer }),
  })
  const settled = async <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => undefined)
    await clock.settle()
    return promise
  }
  if (options.isStarted !== false) await settled(engine.start())
  return {
    engine,
    clock,
    store,
    errors,
    settled,
    async [Symbol.asyncDispose]() {
      await settled(engine.close())
      if (options.beside === undefined) await store.close()
    },
  }
}

/** An engine with the worker of {@link registerOn}. */
export async function startWithWorker(settings: Partial<EngineSettings> = {}): Promise<TestEngine> {
  const made = await startEngine({ settings })
  await registerOn(made)
  return made
}

/** A poll of a worker of queue `orders`, held for 30 s. */
export function pollOf(kind: PollRequest['kind'], given: Partial<PollRequest> = {}): PollRequest {
  return {
    kind,
    namespace: 'default',
    taskQueue: 'orders',
    workerId: 'worker-1',
    timeoutMs: 30_000,
    protocolVersion: '1.19',
    ...given,
  }
}

/** The claim of a workflow poll; fails with what came instead. */
export function workflowClaim(result: PollResult) {
  if (result.kind !== 'workflow') throw new Error(`Expected a workflow task, got ${JSON.stringify(result)}.`)
  return result.claim
}

/** The claim of an activity poll; fails with what came instead. */
export function activityClaim(result: PollResult) {
  if (result.kind !== 'activity') throw new Error(`Expected an activity task, got ${JSON.stringify(result)}.`)
  return result.claim
}

/** The claim of a query poll; fails with what came instead. */
export function queryClaim(result: PollResult) {
  if (result.kind !== 'query') throw new Error(`Expected a query task, got ${JSON.stringify(result)}.`)
  return result.claim
}

/** The reply of an accepted operation; fails with what came instead. */
export function replyOf<Reply>(outcome: { readonly kind: string; readonly reply?: Reply }): Reply {
  if (outcome.kind !== 'accepted' || outcome.reply === undefined)
    throw new Error(`Expected it accepted, got ${JSON.stringify(outcome)}.`)
  return outcome.reply
}

/** Completes a claimed workflow task as its owner does. */
export function completeClaim(
  made: TestEngine,
  { task }: Pick<WorkflowTaskClaim, 'task'>,
  commands: readonly AnyCommand[],
  given: { readonly historyCached?: boolean } = {},
) {
  const report = {
    taskId: task.taskId,
    namespace: 'default',
    leaseOwner: task.lease?.owner ?? '',
    attempt: task.attempt,
  }
  return made.settled(
    made.engine.execute(
      completeWorkflowTask({
        ...report,
        commands,
        reportDigest: 'd',
        historyCached: false,
        resolvedWaits: [],
        ...given,
      }),
    ),
  )
}

/** A worker of queue `orders` that serves `Order` and `charge`. */
export function registration(given: Partial<RegisterInput> = {}): RegisterInput {
  return {
    ...workerFacts,
    process: { host: 'h', processId: '1', startedAt: 'a' },
    liveness: undefined,
    ...given,
  }
}

/** Registers the worker of {@link registration}. */
export function registerOn(made: Pick<TestEngine, 'engine' | 'settled'>, given: Partial<RegisterInput> = {}) {
  return made.settled(made.engine.register(registration(given)))
}

/** Starts workflow `workflowId`; its run id is counted, not chosen. */
export async function startOn(
  made: Pick<TestEngine, 'engine' | 'settled'>,
  workflowId = 'order-1',
  taskQueue = 'orders',
): Promise<string> {
  const runId = made.engine.newRunId(workflowId)
  replyOf(await made.settled(made.engine.execute(start({ workflowId, runId, taskQueue }))))
  return runId
}

/** Whether a promise has come true by now. */
export async function isSettled(made: TestEngine, promise: Promise<unknown>): Promise<boolean> {
  let done = false
  promise.then(
    () => (done = true),
    () => (done = true),
  )
  await made.clock.settle()
  return done
}
