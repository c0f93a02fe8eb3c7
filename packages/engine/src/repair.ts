// Repair: finds what an operator may want to see moved, hands each of it to the door, and says what became of it.
//
// Owns:      the turn of the replay-blocked runs of each namespace, and when the last pass was.
// Does not:  decide whether a thing moves: each operation re-checks under the lock.
//
// Invariants
//   PA1  A pass is bounded, and the next one begins where it stopped: nothing is passed over for ever.
//   PA2  What one candidate throws is reported; the others are still tried.

import type { Operation } from './core/decision/operation.ts'
import { closeExpiredRun, releaseWorkflowTask, resumeBlockedRun, timeOutActivity } from './core/operations/index.ts'
import { isExpired } from './core/rules/close-expired.ts'
import { selectFairly } from './core/rules/fair-selection.ts'
import { type Activity, isOpenActivity } from './core/state/activity.ts'
import { engineLimits } from './core/state/limits.ts'
import { isOpen, type Run } from './core/state/run.ts'
import type { WorkflowTask } from './core/state/workflow-task.ts'
import type { BlockedRun, BlockedRunQuery, Clock, Loaded, Registration, SliceKey, Store } from './ports.ts'
import type { Execute } from './unit-of-work.ts'

/** Which runs a pass looks at: those that are named, or whatever waits in the namespace. */
export interface RepairPass {
  readonly namespace: string
  readonly runIds: readonly string[]
  readonly workflowId: string | undefined
}

/** A candidate that threw. */
export interface RepairFailure {
  readonly id: string
  readonly message: string
}

/** What a pass found, did and could not do. */
export interface RepairReport {
  /** Too soon after the last one: nothing was looked at. */
  readonly throttled: boolean
  /** Whether the throttle counts: not for a pass that names its runs. */
  readonly respectsThrottle: boolean
  /** Workflow tasks whose lease has expired. */
  readonly tasks: Handed
  /** Runs without a workflow task that nothing will give one: replay is blocked. */
  readonly blockedRuns: Handed
  /** Runs whose own deadline has passed. */
  readonly expiredRuns: Handed
  /** Activities for which time has come. */
  readonly activities: Handed
}

/** Candidates of one kind and what became of them; what another server was first with is neither repaired nor failed. */
export interface Handed {
  readonly selected: number
  readonly repaired: number
  readonly failures: readonly RepairFailure[]
}

/** What waits for a repair in one namespace, by task queue. */
export interface RepairStatus {
  readonly scopes: readonly RepairScope[]
  /** More candidates than one pass acts on. */
  readonly scanPressure: boolean
  /** Epoch ms. */
  readonly oldestTaskCreatedAt: number | undefined
  readonly oldestRunStartedAt: number | undefined
}

/** What waits in one task queue. */
export interface RepairScope {
  readonly taskQueue: string
  readonly tasks: number
  readonly blockedRuns: number
  /** How many of them the next pass would act on. */
  readonly selected: number
}

export interface RepairOptions {
  readonly store: Store
  readonly clock: Clock
  readonly execute: Execute
}

interface Candidates {
  readonly tasks: readonly WorkflowTask[]
  readonly blockedRuns: readonly BlockedRun[]
  readonly expiredRuns: readonly Run[]
  readonly activities: readonly Activity[]
}

/** Repair of whole namespaces; made by the engine. */
export class Repair {
  readonly #options: RepairOptions
  /** By namespace: the blocked run that the last pass ended with. */
  readonly #turn = new Map<string, BlockedRunQuery['after']>()
  /** By namespace: when the last pass without a filter was (epoch ms). */
  readonly #lastPassAt = new Map<string, number>()

  constructor(options: RepairOptions) {
    this.#options = options
  }

  /** Counts what waits for a repair, at most `engineLimits.repairCountMax` of a kind. */
  async status(namespace: string): Promise<RepairStatus> {
    const limit = engineLimits.repairCountMax
    const { tasks, blockedRuns } = await this.#waiting(namespace, { after: undefined, limit })
    const selected = [
      ...selectFairly(tasks, queueOf, engineLimits.repairScanRows),
      ...selectFairly(blockedRuns, queueOf, engineLimits.repairScanRows),
    ].map(queueOf)
    const count = (queues: readonly string[], queue: string) => queues.filter((one) => one === queue).length
    const queues = [tasks.map(queueOf), blockedRuns.map(queueOf)] as const
    return {
      scopes: [...new Set(queues.flat())].sort().map((taskQueue) => ({
        taskQueue,
        tasks: count(queues[0], taskQueue),
        blockedRuns: count(queues[1], taskQueue),
        selected: count(selected, taskQueue),
      })),
      scanPressure: selected.length < tasks.length + blockedRuns.length,
      oldestTaskCreatedAt: earliest(tasks.map((task) => task.createdAt)),
      oldestRunStartedAt: earliest(blockedRuns.map((run) => run.startedAt)),
    }
  }

  /** Acts on what waits, `engineLimits.repairScanRows` of a kind. Errors of single candidates are in the report (PA2). */
  async pass(input: RepairPass): Promise<RepairReport> {
    const respectsThrottle = input.runIds.length === 0 && input.workflowId === undefined
    if (respectsThrottle && this.#isThrottled(input.namespace)) return { ...nothingDone, throttled: true }
    const found = respectsThrottle ? await this.#nextInTurn(input.namespace) : await this.#named(input)
    const tasks = selectFairly(found.tasks, queueOf, engineLimits.repairScanRows)
    const blocked = selectFairly(found.blockedRuns, queueOf, engineLimits.repairScanRows)
    const expired = found.expiredRuns.slice(0, engineLimits.repairScanRows)
    const activities = selectFairly(found.activities, queueOf, engineLimits.repairScanRows)
    const [ofTasks, ofRuns, ofExpired, ofActivities] = await Promise.all([
      this.#hand(tasks, ({ taskId }) => [taskId, releaseWorkflowTask({ taskId, surrender: undefined })]),
      this.#hand(blocked, ({ runId }) => [runId, resumeBlockedRun({ runId, fingerprint: undefined })]),
      this.#hand(expired, ({ runId }) => [runId, closeExpiredRun({ runId })]),
      this.#hand(activities, ({ activityId }) => [activityId, timeOutActivity({ activityId })]),
    ])
    return {
      throttled: false,
      respectsThrottle,
      tasks: ofTasks,
      blockedRuns: ofRuns,
      expiredRuns: ofExpired,
      activities: ofActivities,
    }
  }

  /**
   * Resumes the blocked runs of the types that a worker has just registered with another definition than the one that was
   * blocked. All are awaited: a worker that is registered finds them ready.
   */
  async resumeFor(registration: Registration): Promise<void> {
    const { namespace, definitionFingerprints } = registration
    const types = registration.workflowTypes.filter((type) => definitionFingerprints[type] !== undefined)
    if (types.length === 0) return
    const limit = engineLimits.blockedRunsPageMax
    let after: BlockedRunQuery['after']
    for (;;) {
      const page = await this.#options.store.find.blockedRuns({ namespace, types, after, limit })
      const others = page.filter((run) => run.fingerprint !== definitionFingerprints[run.workflowType])
      await Promise.all(
        others.map(({ runId, workflowType }) =>
          this.#options.execute(resumeBlockedRun({ runId, fingerprint: definitionFingerprints[workflowType] })),
        ),
      )
      after = page.at(-1)
      if (page.length < limit) return
    }
  }

  #isThrottled(namespace: string): boolean {
    const now = this.#options.clock.now()
    const last = this.#lastPassAt.get(namespace)
    if (last !== undefined && now - last < engineLimits.repairThrottleMs) return true
    this.#lastPassAt.set(namespace, now)
    return false
  }

  // PA1: from where the last pass stopped; at the end from the beginning again.
  async #nextInTurn(namespace: string): Promise<Candidates> {
    const limit = engineLimits.blockedRunsPageMax
    const after = this.#turn.get(namespace)
    const found = await this.#waiting(namespace, { after, limit })
    const page =
      found.blockedRuns.length === 0 && after !== undefined
        ? await this.#waiting(namespace, { after: undefined, limit })
        : found
    const acted = selectFairly(page.blockedRuns, queueOf, engineLimits.repairScanRows)
    const skipped = page.blockedRuns.findIndex((run) => !acted.includes(run))
    this.#turn.set(namespace, skipped < 0 ? page.blockedRuns.at(-1) : page.blockedRuns[skipped - 1])
    return page
  }

  async #waiting(namespace: string, page: Pick<BlockedRunQuery, 'after' | 'limit'>): Promise<Candidates> {
    const { store, clock } = this.#options
    const now = clock.now()
    const blockedRuns = await store.find.blockedRuns({ namespace, types: undefined, ...page })
    const { things } = await store.find.due({ now, limit: engineLimits.sweepBatchMax })
    const keys: SliceKey[] = []
    for (const { kind, id } of things) {
      if (kind === 'workflowTask') keys.push({ of: 'workflowTask', taskId: id })
      if (kind === 'activity') keys.push({ of: 'activity', activityId: id })
      if (kind === 'run') keys.push({ of: 'run', runId: id })
    }
    return { ...dueOf(await store.load(keys), namespace, now), blockedRuns }
  }

  async #named({ namespace, runIds, workflowId }: RepairPass): Promise<Candidates> {
    const { store, clock } = this.#options
    const ofWorkflow = workflowId === undefined ? [] : await store.list.runs({ workflowId })
    const named = new Set([...runIds, ...ofWorkflow.map((run) => run.runId)])
    const wanted = workflowId === undefined || runIds.length === 0 ? named : new Set(runIds)
    const keys = [...wanted].flatMap((runId): SliceKey[] => [
      { of: 'run', runId },
      { of: 'openWorkflowTask', runId },
      { of: 'openActivities', runId },
    ])
    const loaded = await store.load(keys)
    const isNamed = (runId: string) => workflowId === undefined || ofWorkflow.some((run) => run.runId === runId)
    const rows: Loaded = {
      ...loaded,
      runs: loaded.runs.filter((run) => isNamed(run.runId)),
      workflowTasks: loaded.workflowTasks.filter((task) => isNamed(task.runId)),
      activities: loaded.activities.filter((activity) => isNamed(activity.runId)),
    }
    const blockedRuns = rows.runs
      .filter((run) => run.namespace === namespace && isBlocked(run))
      .map(({ runId, workflowType, taskQueue, startedAt, replayBlockedFingerprint: fingerprint }) => ({
        runId,
        workflowType,
        taskQueue,
        startedAt,
        fingerprint,
      }))
    return { ...dueOf(rows, namespace, clock.now()), blockedRuns }
  }

  async #hand<Candidate>(
    candidates: readonly Candidate[],
    operationOf: (candidate: Candidate) => readonly [id: string, operation: Operation],
  ): Promise<Handed> {
    const failures: RepairFailure[] = []
    const repaired = await Promise.all(
      candidates.map(async (candidate) => {
        const [id, operation] = operationOf(candidate)
        try {
          return (await this.#options.execute(operation)).kind === 'accepted'
        } catch (error) {
          failures.push({ id, message: error instanceof Error ? error.message : String(error) })
          return false
        }
      }),
    )
    return { selected: candidates.length, repaired: repaired.filter((did) => did).length, failures }
  }
}

const none: Handed = { selected: 0, repaired: 0, failures: [] }
const nothingDone: RepairReport = {
  throttled: false,
  respectsThrottle: true,
  tasks: none,
  blockedRuns: none,
  expiredRuns: none,
  activities: none,
}

function queueOf(candidate: { readonly taskQueue: string }): string {
  return candidate.taskQueue
}

function isBlocked(run: Run): boolean {
  return isOpen(run) && run.openTask === undefined && run.replayBlockedReason !== undefined
}

/** What of the rows time should have acted on already. */
function dueOf(rows: Loaded, namespace: string, now: number): Omit<Candidates, 'blockedRuns'> {
  const isDue = (row: { readonly namespace: string; readonly dueAt: number | undefined }) =>
    row.namespace === namespace && row.dueAt !== undefined && row.dueAt <= now
  return {
    tasks: rows.workflowTasks.filter(isDue),
    activities: rows.activities.filter((activity) => isOpenActivity(activity) && isDue(activity)),
    expiredRuns: rows.runs.filter((run) => run.namespace === namespace && isOpen(run) && isExpired(run, now)),
  }
}

function earliest(instants: readonly number[]): number | undefined {
  return instants.length === 0 ? undefined : Math.min(...instants)
}
