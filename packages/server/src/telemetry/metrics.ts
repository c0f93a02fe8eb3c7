// What an operator sees of a server in numbers: Prometheus metrics, by prom-client.
//
// Owns:      every series, its name, its labels, its buckets.
// Does not:  know a workflow: no label is an id, a type, a queue or a namespace, so the number of series is bounded by the
//            documents, however many workflows there are.
import { CommitUnknownError, type Observer, StoreUnavailableError } from '@durable-workflow/engine'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is read from a server at the moment in which metrics are asked for. */
export interface Watched {
  /** Requests that were read and have no answer yet; held ones too. */
  openCount(): number
  /** Requests that are held now, by operation. */
  heldCounts(): ReadonlyMap<string, number>
  /** Polls that wait in the engine for a task. */
  waiterCount(): number
}

/** The metrics of one server and its engine. */
export interface Metrics {
  /** Hand it to the engine. */
  readonly observer: Observer
  /** A request has been answered. @param reason of a refusal; empty where there is none @param ms how long it took */
  request(operation: string, status: number, reason: string, ms: number): void
  /** An error came out of the store; one error is counted once, however many requests it failed. */
  storeError(error: unknown): void
  /** A loop of the engine met an error and goes on. */
  backgroundError(): void
  watch(watched: Watched): void
  readonly contentType: string
  /** Everything in Prometheus' text format. */
  text(): Promise<string>
}

export interface MetricsOptions {
  /** Also CPU, memory, event loop and garbage collection of the process; one server in it may. Default: no. */
  readonly process?: boolean
}

const prefix = 'durable_workflow_'
/** Milliseconds of a fast answer to the minute of a held one. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const phaseSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10]
const lagSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const groupSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** The phase of a unit of work that ends at a point. */
const phases = { locked: 'lock', loaded: 'load', decided: 'decide', written: 'write', committed: 'commit' } as const

/** Makes the metrics of one server; hand them to its engine and to the server. */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (options.process === true) collectDefaultMetrics({ register: registry })
  const requests = requestSeries(registry)
  const storeErrors = new Counter({
    name: `${prefix}store_errors_total`,
    help: 'Errors of the store by what the database said; unknown_commit: the commit was sent and its fate is not known.',
    labelNames: ['condition'],
    registers,
  })
  const background = new Counter({
    name: `${prefix}background_errors_total`,
    help: 'Errors of background looks, which are repeated.',
    registers,
  })
  const counted = new WeakSet<object>()
  return {
    observer: observerOn(registry),
    request: requests,
    storeError(error) {
      const condition = conditionOf(error)
      if (condition === undefined || !isObject(error) || counted.has(error)) return
      counted.add(error)
      storeErrors.inc({ condition })
    },
    backgroundError: () => background.inc(),
    watch: (watched) => watch(registry, watched),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function requestSeries(registry: Registry): Metrics['request'] {
  const registers = [registry]
  const total = new Counter({
    name: `${prefix}requests_total`,
    help: 'Answered requests by operation, HTTP status and reason (empty where nothing was refused).',
    labelNames: ['operation', 'status', 'reason'],
    registers,
  })
  const duration = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'From the first byte of a request to the last of its answer, by operation; held requests count while they are held.',
    labelNames: ['operation'],
    buckets: requestSeconds,
    registers,
  })
  return (operation, status, reason, ms) => {
    total.inc({ operation, status, reason })
    duration.observe({ operation }, ms / 1000)
  }
}

function observerOn(registry: Registry): Observer {
  return { ...unitOfWorkSeries(registry), ...taskSeries(registry) }
}

function unitOfWorkSeries(registry: Registry): Pick<Observer, 'group' | 'answered'> {
  const registers = [registry]
  const groupSize = new Histogram({
    name: `${prefix}group_operations`,
    help: 'Operations that were decided and committed together.',
    buckets: groupSizes,
    registers,
  })
  const duration = new Histogram({
    name: `${prefix}unit_of_work_seconds`,
    help: 'Duration of a unit of work by phase: lock, load, decide, write, commit.',
    labelNames: ['phase'],
    buckets: phaseSeconds,
    registers,
  })
  const answered = new Counter({
    name: `${prefix}operations_total`,
    help: 'Operations by kind and outcome: accepted, rejected, refused; with the reason of a no.',
    labelNames: ['kind', 'outcome', 'reason'],
    registers,
  })
  return {
    group(operations) {
      groupSize.observe(operations)
      let last = performance.now()
      return (point) => {
        const now = performance.now()
        if (point !== 'gathered') duration.observe({ phase: phases[point] }, (now - last) / 1000)
        last = now
      }
    },
    answered: (kind, outcome, reason) => answered.inc({ kind, outcome, reason: reason ?? '' }),
  }
}

function taskSeries(registry: Registry): Pick<Observer, 'claimed' | 'acted'> {
  const registers = [registry]
  const claimed = new Counter({
    name: `${prefix}tasks_claimed_total`,
    help: 'Claimed tasks by kind and way: poll (found in the store), same_group (leased by the commit that made it ready), hand_over (in the answer to a report).',
    labelNames: ['task', 'how'],
    registers,
  })
  const lag = new Histogram({
    name: `${prefix}due_lag_seconds`,
    help: 'How late something was acted on, by kind: timer, workflowTask, activity, run, queryTask.',
    labelNames: ['kind'],
    buckets: lagSeconds,
    registers,
  })
  const recovered = new Counter({
    name: `${prefix}leases_recovered_total`,
    help: 'Leases that ran out, after which the task is delivered again.',
    labelNames: ['task'],
    registers,
  })
  return {
    claimed: (task, how) => claimed.inc({ task, how }),
    acted(kind, lateMs, reply) {
      lag.observe({ kind }, Math.max(0, lateMs) / 1000)
      if (kind === 'workflowTask') recovered.inc({ task: 'workflow' })
      if (kind === 'activity' && isRedelivery(reply)) recovered.inc({ task: 'activity' })
    },
  }
}

function watch(registry: Registry, watched: Watched): void {
  const registers = [registry]
  const held = new Gauge({
    name: `${prefix}held_requests`,
    help: 'Requests that are held now, by operation: polls, queries and waits for an outcome.',
    labelNames: ['operation'],
    registers,
    collect() {
      // An operation that holds nothing any more keeps its series, at zero.
      for (const [operation, count] of watched.heldCounts()) this.set({ operation }, count)
    },
  })
  held.reset()
  new Gauge({
    name: `${prefix}open_requests`,
    help: 'Requests that were read and have no answer yet; held ones, and the one that asks, included.',
    registers,
    collect() {
      this.set(watched.openCount())
    },
  })
  new Gauge({
    name: `${prefix}waiters`,
    help: 'Polls that wait in the engine for a task.',
    registers,
    collect() {
      this.set(watched.waiterCount())
    },
  })
}

function conditionOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailableError) return error.condition
  return error instanceof CommitUnknownError ? 'unknown_commit' : undefined
}

/** An activity whose lease ran out goes to the next worker; one whose timeout passed does not count here. */
function isRedelivery(reply: unknown): boolean {
  return isObject(reply) && 'happened' in reply && reply.happened === 'redelivered'
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
