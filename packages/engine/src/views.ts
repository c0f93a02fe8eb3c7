// Slices into documents: what is read and never written. Every method reads one snapshot of the store.

import { Draft } from './core/decision/draft.ts'
import { Group } from './core/decision/group.ts'
import { type Refused, refuse } from './core/decision/outcome.ts'
import type { SliceKey } from './core/decision/slice.ts'
import type { RunAddress } from './core/rules/addressed-run.ts'
import { type FenceReason, fence, type Reporter } from './core/rules/fence.ts'
import { type OpenWork, progressProblems } from './core/rules/progress.ts'
import { runIdOf } from './core/state/ids.ts'
import { isOpen, type Run } from './core/state/run.ts'
import type { Workflow } from './core/state/workflow.ts'
import type { WorkflowTask } from './core/state/workflow-task.ts'
import { type Explanation, explain } from './core/views/explain.ts'
import type { Clock, HistoryEvent, Namespace, Registration, Signal, Store, WorkflowListQuery } from './ports.ts'

/** A part of a run's history. */
export interface HistoryPage {
  readonly events: readonly HistoryEvent[]
  /** Position of the newest event of the run. */
  readonly total: number
  /** Events before the first of this page that the worker keeps in its cache; 0 for a page from the start. */
  readonly offset: number
  /** The position after which the next page begins; undefined at the end. */
  readonly nextAfter: number | undefined
}

/** A run and its workflow. */
export interface FoundRun {
  readonly kind: 'found'
  readonly run: Run
  readonly workflow: Workflow
}

/** There is no such workflow in the namespace, or no such run of it. */
export type NotFound = Refused<'instance_not_found' | 'run_not_found'>

/** All that an operator asks of one run. */
export interface DebugDocument extends FoundRun {
  readonly work: OpenWork
  readonly heldSignals: readonly Signal[]
  readonly explanation: Explanation
  /** Registered workers of its queue that serve its type. */
  readonly pollers: number
  readonly lastEvent: HistoryEvent | undefined
  readonly generatedAt: number
}

/** What the checker found: runs whose reason to move has no rows behind it. */
export interface ProgressReport {
  readonly checked: number
  readonly problems: readonly { readonly runId: string; readonly workflowId: string; readonly problem: string }[]
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined
}

/** Everything that can be read. */
export class Views {
  readonly #store: Store
  readonly #clock: Clock

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async describe(address: RunAddress): Promise<FoundRun | NotFound> {
    const keys: SliceKey[] = [{ of: 'workflow', workflowId: address.workflowId }]
    if (address.runId !== undefined) keys.push({ of: 'run', runId: address.runId })
    const { workflows, runs } = await this.#store.load(keys)
    const workflow = workflows.find(
      (one) => one.workflowId === address.workflowId && one.namespace === address.namespace,
    )
    if (workflow === undefined) return refuse('instance_not_found', { workflowId: address.workflowId })
    const runId = address.runId ?? workflow.currentRunId
    const run = runs.find((one) => one.runId === runId && one.workflowId === address.workflowId)
    if (run === undefined) return refuse('run_not_found', { workflowId: address.workflowId, runId })
    return { kind: 'found', run, workflow }
  }

  listWorkflows(query: WorkflowListQuery): Promise<readonly Run[]> {
    return this.#store.list.workflows(query)
  }

  async listRuns(address: { namespace: string; workflowId: string }): Promise<readonly Run[] | NotFound> {
    const found = await this.describe({ ...address, runId: undefined })
    return found.kind === 'found' ? this.#store.list.runs({ workflowId: address.workflowId }) : found
  }

  /** A page of a run's history after a position. @param query.limit events; the server bounds it */
  async history(
    query: RunAddress & { readonly after: number; readonly limit: number },
  ): Promise<(FoundRun & { readonly page: HistoryPage }) | NotFound> {
    const found = await this.describe(query)
    return found.kind === 'found' ? { ...found, page: await this.page(found.run, query.after, query.limit) } : found
  }

  /** A page for the worker that holds the run's task; the fence is the heartbeat's. */
  async taskHistory(
    query: Reporter & { readonly after: number; readonly limit: number },
  ): Promise<
    | { readonly kind: 'found'; readonly run: Run; readonly task: WorkflowTask; readonly page: HistoryPage }
    | Refused<FenceReason>
  > {
    const group = new Group()
    const keys = group.unasked([
      { of: 'workflowTask', taskId: query.taskId },
      { of: 'run', runId: runIdOf(query.taskId) },
    ])
    group.add(await this.#store.load(keys))
    const held = fence(new Draft(group), query, this.#clock.now())
    if (held.kind === 'refused') return held
    // Only what the claim saw: a page must not show what a later row would (python-recordings §5.3).
    const seen = { ...held.run, lastSequence: held.task.claimedSequence }
    return { kind: 'found', run: held.run, task: held.task, page: await this.page(seen, query.after, query.limit) }
  }

  /** Events of a run after a position, at most `limit`, up to the run's last. */
  async page(run: Run, after: number, limit: number, offset = 0): Promise<HistoryPage> {
    const wanted = Math.min(limit, Math.max(run.lastSequence - after, 0))
    const events = wanted === 0 ? [] : await this.#store.list.history({ runId: run.runId, after, limit: wanted })
    const last = events.at(-1)?.sequence ?? after
    return { events, total: run.lastSequence, offset, nextAfter: last < run.lastSequence ? last : undefined }
  }

  async debug(address: RunAddress): Promise<DebugDocument | NotFound> {
    const found = await this.describe(address)
    if (found.kind === 'refused') return found
    const { run } = found
    const [loaded, pollers, lastEvents] = await Promise.all([
      this.#store.load([...openWorkKeys(run.runId), { of: 'heldSignals', runId: run.runId }]),
      this.#workersFor(run),
      this.#store.list.history({ runId: run.runId, after: run.lastSequence - 1, limit: 1 }),
    ])
    const now = this.#clock.now()
    const work: OpenWork = {
      workflowTask: loaded.workflowTasks[0],
      activities: loaded.activities,
      timers: loaded.timers,
      waits: loaded.waits,
    }
    return {
      ...found,
      work,
      heldSignals: loaded.signals,
      explanation: explain(run, work, pollers.length, now),
      pollers: pollers.length,
      lastEvent: lastEvents[0],
      generatedAt: now,
    }
  }

  namespaces(): Promise<readonly Namespace[]> {
    return this.#store.list.namespaces()
  }

  async namespace(name: string): Promise<Namespace | undefined> {
    const { namespaces } = await this.#store.load([{ of: 'namespace', name }])
    return namespaces[0]
  }

  async registration(namespace: string, workerId: string): Promise<Registration | undefined> {
    const { registrations } = await this.#store.load([{ of: 'registration', namespace, workerId }])
    return registrations[0]
  }

  /** Checks a page of open runs, in order of their run id, for a reason to move without rows behind it. */
  async checkProgress(page: { readonly after: string | undefined; readonly limit: number }): Promise<ProgressReport> {
    const runs = await this.#store.list.openRuns(page)
    const problems: { runId: string; workflowId: string; problem: string }[] = []
    for (const listed of runs) {
      // Run and rows come from one snapshot: the list may be older than the rows.
      const loaded = await this.#store.load([{ of: 'run', runId: listed.runId }, ...openWorkKeys(listed.runId)])
      const run = loaded.runs[0]
      if (run === undefined || !isOpen(run)) continue
      const work = {
        workflowTask: loaded.workflowTasks[0],
        activities: loaded.activities,
        timers: loaded.timers,
        waits: loaded.waits,
      }
      for (const problem of progressProblems(run, work))
        problems.push({ runId: run.runId, workflowId: run.workflowId, problem })
    }
    return { checked: runs.length, problems, next: runs.length < page.limit ? undefined : runs.at(-1)?.runId }
  }

  async #workersFor(run: Run): Promise<readonly Registration[]> {
    const found = await this.#store.list.registrations({ namespace: run.namespace, taskQueue: run.taskQueue })
    return found
      .map((one) => one.registration)
      .filter((registration) => registration.workflowTypes.includes(run.workflowType))
  }
}

function openWorkKeys(runId: string): SliceKey[] {
  return [
    { of: 'openWorkflowTask', runId },
    { of: 'openActivities', runId },
    { of: 'openTimers', runId },
    { of: 'liveWaits', runId },
  ]
}
