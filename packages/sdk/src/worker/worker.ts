// A worker process: registration, pollers, drain.
//
// Owns:      the order of starting and stopping, the signals of the process, the first fatal error.
// Does not:  know what a task is made of.
//
// Invariants
//   WK1  Ready means that every kind of poller has had an answer.
//   WK2  A fatal error stops the worker, and `run` rejects with that very error.
//   WK3  A drain stops polling first, lets tasks end within the timeout, then gives them up, then deregisters.
import { meets, type WorkflowTask } from '@durable-workflow/protocol'
import { RefusedError } from '../authoring/failure.ts'
import { installGuard } from '../guard/guard.ts'
import { wait } from '../transport/clock.ts'
import { type Connection, openConnection } from '../transport/connection.ts'
import type { Discovery } from '../transport/discovery.ts'
import { warnOfDifferingDocuments } from './differing-documents.ts'
import { createHandOver } from './hand-over.ts'
import { withFacts } from './log.ts'
import { resolveOptions, type WorkerOptions, type WorkerSettings } from './options.ts'
import { createOutageLog } from './outage-log.ts'
import { pollRequestIds } from './poll-request-id.ts'
import { type PollerOptions, pollRetry, runPoller, type TaskKind } from './poller.ts'
import { createPolls } from './polls.ts'
import { answersQueries, createRegistration, type Registration } from './register.ts'
import { createReplays } from './replays.ts'
import { reportRetry } from './report.ts'
import { createActivityTaskRunner } from './run-activity-task.ts'
import { createQueryTaskRunner } from './run-query-task.ts'
import { createWorkflowTaskRunner } from './run-workflow-task.ts'
import type { Session } from './session.ts'
import { createSlots } from './slots.ts'
import { createStickyCache } from './sticky-cache.ts'

/** A worker of one task queue in this process. */
export interface Worker {
  readonly workerId: string
  /** Resolves when every kind of poller has had an answer; rejects when the worker ends before. */
  readonly ready: Promise<void>
  /**
   * Works until `stop`, the option `signal`, SIGTERM or SIGINT, then drains.
   *
   * @throws the original error that made it impossible to go on
   */
  run(): Promise<void>
  /** The tasks that it works on now; a task that only waits for its turn at the server is none of them. */
  readonly tasks: Readonly<Record<TaskKind, number>>
  /** Drains and stops; resolves when `run` has ended, however it ended. */
  stop(): Promise<void>
}

/**
 * Connects a worker to a server. It does nothing before `run`.
 *
 * @throws ContractError for options out of range, TransportError where the server cannot be reached, RefusedError
 *   `unsupported_protocol_version` where it speaks another line
 * @example
 * const worker = await createWorker({ taskQueue: 'orders', workflows: [checkoutImpl], activities: [chargeImpl] })
 * await worker.run()
 */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const settings = resolveOptions(options)
  const connection = openConnection({
    ...options,
    environment: process.env,
    workerProtocol: settings.protocolVersion,
    connections: 64,
  })
  try {
    const discovery = await connection.discover()
    assertProtocol(settings, discovery)
    return assemble(options, settings, connection, discovery)
  } catch (error) {
    await connection.close()
    throw error
  }
}

function assertProtocol(settings: WorkerSettings, discovery: Discovery): void {
  if (meets(discovery.workerProtocol, settings.protocolVersion)) return
  const remedy =
    'Set protocolVersion of createWorker to a line the server speaks, or start it with DW_WORKER_PROTOCOL_VERSION=1.20.'
  throw new RefusedError(
    `The server speaks worker protocol ${discovery.workerProtocol || '(none)'}; this worker needs ${settings.protocolVersion}. ${remedy}`,
    {
      reason: 'unsupported_protocol_version',
      facts: { advertised: discovery.workerProtocol, needed: settings.protocolVersion },
      remedy,
    },
  )
}

function assemble(
  options: WorkerOptions,
  settings: WorkerSettings,
  connection: Connection,
  discovery: Discovery,
): Worker {
  const { chance } = connection
  const workerId = options.workerId ?? `ts-worker-${chance.uuid()}`
  const giveUp = new AbortController()
  const stopping = new AbortController()
  const session: Session = {
    connection,
    discovery,
    clock: connection.clock,
    log: withFacts(settings.log, { namespace: connection.settings.namespace, taskQueue: settings.taskQueue, workerId }),
    namespace: connection.settings.namespace,
    taskQueue: settings.taskQueue,
    workerId,
    buildId: options.buildId,
    reportRetry: options.reportRetry ?? reportRetry,
    pollRetry: options.pollRetry ?? pollRetry,
    newPollRequestId: pollRequestIds(chance),
    giveUp: giveUp.signal,
  }
  const readiness = Promise.withResolvers<void>()
  // Whoever does not wait for readiness learns of the end from run().
  readiness.promise.catch(() => {})
  let running: Promise<void> | undefined
  const tasks = { workflow: 0, activity: 0, query: 0 }

  const stop = async () => {
    stopping.abort()
    await running?.catch(() => {
      // run() rejects with it; stop() only waits.
    })
  }

  return {
    workerId,
    ready: readiness.promise,
    run() {
      const signals = { own: options.signal, ofProcess: options.handleSignals ?? true }
      running ??= runOnce(session, settings, signals, { giveUp, stopping, readiness, tasks })
      return running
    },
    tasks,
    stop,
  }
}

interface Life {
  readonly giveUp: AbortController
  readonly stopping: AbortController
  readonly readiness: { resolve(): void; reject(error: unknown): void }
  readonly tasks: Record<TaskKind, number>
}

/** What stops a worker from outside: a signal that it was given, and those of the process. */
interface StopSignals {
  readonly own: AbortSignal | undefined
  readonly ofProcess: boolean
}

async function runOnce(session: Session, settings: WorkerSettings, signals: StopSignals, life: Life): Promise<void> {
  const { giveUp, stopping, readiness, tasks } = life
  const guard = installGuard()
  const cache = createStickyCache(settings.stickyCacheBytes)
  const slots = {
    workflow: createSlots(settings.maxConcurrentWorkflowTasks),
    activity: createSlots(settings.maxConcurrentActivityTasks),
    query: createSlots(settings.maxConcurrentWorkflowTasks),
  }
  const registration = createRegistration(session, settings, slots, stopping.signal)
  const uninstall = stopOnSignals(stopping, signals)
  const compared = warnOfDifferingDocuments(session, stopping.signal)
  let fatal: { readonly error: unknown } | undefined
  const end = (error: unknown) => {
    fatal ??= { error }
    // WK2: nothing that still runs may report as if all were well.
    giveUp.abort(error)
    stopping.abort()
  }
  const fail = (error: unknown) => {
    if (!giveUp.signal.aborted) return end(error)
    // Given up already: by the drain, which is no failure, or for an earlier error, which is the one that counts.
    const message = 'What a task had to report was given up; its lease ends by deregistration or by expiry.'
    session.log.warn(message, { error: String(error) })
  }
  try {
    await registration.register()
    const working = startPollers(session, settings, {
      guard,
      cache,
      slots,
      registration,
      stopping,
      readiness,
      tasks,
      fail,
    })
    const heartbeats = registration.heartbeats(stopping.signal)
    await aborted(stopping.signal)
    await drain(session, settings, giveUp, working)
    await heartbeats
    await withdraw(session, registration)
  } catch (error) {
    end(error)
  } finally {
    uninstall()
    cache.clear()
    guard.uninstall()
    stopping.abort()
    await compared
    await session.connection.close()
  }
  readiness.reject(fatal?.error ?? new Error('The worker was stopped before it was ready.'))
  if (fatal !== undefined) throw fatal.error
}

interface Parts {
  readonly guard: ReturnType<typeof installGuard>
  readonly cache: ReturnType<typeof createStickyCache>
  readonly slots: Readonly<Record<TaskKind, ReturnType<typeof createSlots>>>
  readonly registration: Registration
  readonly stopping: AbortController
  readonly readiness: { resolve(): void }
  readonly tasks: Record<TaskKind, number>
  fail(error: unknown): void
}

interface Working {
  /** Ends when no poller runs and no task is left. */
  readonly idle: () => Promise<void>
}

function startPollers(session: Session, settings: WorkerSettings, parts: Parts): Working {
  const { slots, stopping, fail } = parts
  const polls = createPolls(session)
  const tasks = new Set<Promise<void>>()
  const pollers: Promise<void>[] = []
  const awaited = new Set<TaskKind>()
  const outage = createOutageLog(session.log, session.clock)

  /** Works on a task in its slot; polled and handed tasks alike. */
  const working =
    <Task>(kind: TaskKind, run: (task: Task) => Promise<void>) =>
    (task: Task, release: () => void) => {
      parts.tasks[kind] += 1
      const work = run(task)
        .catch(fail)
        .finally(() => {
          release()
          parts.tasks[kind] -= 1
          tasks.delete(work)
        })
      tasks.add(work)
    }

  const handOver = createHandOver({
    session,
    polls,
    slots,
    activityTypes: new Set(settings.activities.keys()),
    hasWorkflows: settings.workflows.size > 0,
    draining: stopping.signal,
    startWorkflowTask: (task, release) => workOnWorkflowTask(task, release),
    startActivityTask: (task, release) => workOnActivityTask(task, release),
  })
  const replays = createReplays(session, settings.workflows, parts.guard)
  const workflowTasks = createWorkflowTaskRunner(session, replays, parts.cache, handOver)
  const queryTasks = createQueryTaskRunner(session, replays, parts.cache)
  const activityTasks = createActivityTaskRunner(session, settings.activities, handOver)
  // A task that a reply hands over for the same slot goes on in it.
  const workOnWorkflowTask = working<WorkflowTask>('workflow', async (task) => {
    let next: WorkflowTask | undefined = task
    while (next !== undefined) next = await workflowTasks.run(next)
  })
  const workOnActivityTask = working('activity', activityTasks.run)

  const start = <Task>(
    kind: TaskKind,
    poll: PollerOptions<Task>['poll'],
    work: (task: Task, release: () => void) => void,
  ) => {
    awaited.add(kind)
    const options: PollerOptions<Task> = {
      kind,
      slots: slots[kind],
      clock: session.clock,
      outage,
      retry: session.pollRetry,
      newPollRequestId: session.newPollRequestId,
      pollTimeoutSeconds: settings.pollTimeoutSeconds,
      signal: stopping.signal,
      poll,
      work,
      registerAgain: () => parts.registration.register(),
      polled() {
        awaited.delete(kind)
        if (awaited.size === 0) parts.readiness.resolve()
      },
      fatal: fail,
    }
    for (let index = 0; index < settings.pollers[kind]; index += 1) pollers.push(runPoller(options))
  }

  if (settings.workflows.size > 0) start('workflow', polls.workflow, workOnWorkflowTask)
  if (settings.activities.size > 0) start('activity', polls.activity, workOnActivityTask)
  if (session.discovery.queryTasks && [...settings.workflows.values()].some(answersQueries)) {
    start('query', polls.query, working('query', queryTasks.run))
  }
  return {
    idle: async () => {
      await Promise.all(pollers)
      // Tasks that still run may be handed further ones. Their failures reached `fail`; here only their end counts.
      while (tasks.size > 0) await Promise.all(tasks)
    },
  }
}

// WK3
async function drain(
  session: Session,
  settings: WorkerSettings,
  giveUp: AbortController,
  working: Working,
): Promise<void> {
  const idle = working.idle()
  const timer = new AbortController()
  const timeUp = async () => {
    await wait(session.clock, settings.shutdownTimeoutMs, AbortSignal.any([timer.signal, giveUp.signal]))
    if (timer.signal.aborted || giveUp.signal.aborted) return
    session.log.warn('Tasks still run at the end of the shutdown timeout; they are given up.', {
      shutdownTimeoutMs: settings.shutdownTimeoutMs,
    })
    giveUp.abort(new Error('The worker is shutting down.'))
  }
  const limit = timeUp()
  // An activity that ignores its signal cannot be stopped from here; the process ends without it.
  await Promise.race([idle, aborted(giveUp.signal).then(() => wait(session.clock, graceMs))])
  timer.abort()
  await limit
}

/** For activities that obey their signal to come to an end. */
const graceMs = 1_000

async function withdraw(session: Session, registration: Registration): Promise<void> {
  try {
    await registration.deregister()
  } catch (error) {
    // What is leased comes back by the expiry of the leases instead.
    session.log.warn('The worker could not be deregistered.', { error: String(error) })
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function stopOnSignals(stopping: AbortController, { own, ofProcess }: StopSignals): () => void {
  const stop = () => stopping.abort()
  if (ofProcess) {
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  }
  if (own?.aborted) stop()
  own?.addEventListener('abort', stop, { once: true })
  return () => {
    process.off('SIGTERM', stop)
    process.off('SIGINT', stop)
    own?.removeEventListener('abort', stop)
  }
}
