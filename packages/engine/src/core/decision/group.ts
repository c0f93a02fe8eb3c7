import type { Activity } from '../state/activity.ts'
import type { HistoryEvent } from '../state/history-event.ts'
import type { Namespace } from '../state/namespace.ts'
import type { QueryTask } from '../state/query-task.ts'
import { type Liveness, type Registration, workerKey } from '../state/registration.ts'
import type { Run } from '../state/run.ts'
import type { Signal } from '../state/signal.ts'
import type { Timer } from '../state/timer.ts'
import type { Wait } from '../state/wait.ts'
import type { Workflow } from '../state/workflow.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'
import type { Changes, Loaded } from './changes.ts'
import { GroupTable } from './draft-table.ts'
import { type SliceKey, sliceKeyText } from './slice.ts'

/** The key of each kind of row. */
export const keyOf = {
  namespace: (row: Namespace) => row.name,
  workflow: (row: Workflow) => row.workflowId,
  run: (row: Run) => row.runId,
  workflowTask: (row: WorkflowTask) => row.taskId,
  activity: (row: Activity) => row.activityId,
  timer: (row: Timer) => row.timerId,
  wait: (row: Wait) => row.waitId,
  signal: (row: Signal) => row.signalId,
  queryTask: (row: QueryTask) => row.queryTaskId,
  registration: (row: Registration) => workerKey(row.namespace, row.workerId),
  liveness: (row: Liveness) => workerKey(row.namespace, row.workerId),
}

/** The state that one group of operations shares: what was loaded, as the accepted drafts left it. */
export class Group {
  readonly namespaces = new GroupTable(keyOf.namespace)
  readonly workflows = new GroupTable(keyOf.workflow)
  readonly runs = new GroupTable(keyOf.run)
  readonly workflowTasks = new GroupTable(keyOf.workflowTask)
  readonly activities = new GroupTable(keyOf.activity)
  readonly timers = new GroupTable(keyOf.timer)
  readonly waits = new GroupTable(keyOf.wait)
  readonly signals = new GroupTable(keyOf.signal)
  readonly queryTasks = new GroupTable(keyOf.queryTask)
  readonly registrations = new GroupTable(keyOf.registration)
  readonly livenesses = new GroupTable(keyOf.liveness)
  readonly events: HistoryEvent[] = []
  /** What was asked for, and for bounded keys how much of it. */
  readonly #asked = new Map<string, number>()
  /** Runs that the store knew without any signal: it holds none for them. */
  readonly #unsignalled = new Set<string>()
  /** Runs that a draft of this group made: nothing about them is in the store. */
  readonly #born = new Set<string>()

  /** Which of the keys were not asked for yet. */
  unasked(keys: Iterable<SliceKey>): SliceKey[] {
    const fresh: SliceKey[] = []
    for (const key of keys) {
      const text = sliceKeyText(key)
      const wanted = key.of === 'unreadSignals' ? key.limit : 0
      const known = this.#asked.get(text)
      if (known !== undefined && known >= wanted) continue
      this.#asked.set(text, wanted)
      fresh.push(key)
    }
    return fresh
  }

  add(loaded: Loaded): void {
    this.namespaces.add(loaded.namespaces)
    this.workflows.add(loaded.workflows)
    this.runs.add(loaded.runs)
    for (const run of loaded.runs) if (run.signalCount === 0) this.#unsignalled.add(run.runId)
    this.workflowTasks.add(loaded.workflowTasks)
    this.activities.add(loaded.activities)
    this.timers.add(loaded.timers)
    this.waits.add(loaded.waits)
    this.signals.add(loaded.signals)
    this.queryTasks.add(loaded.queryTasks)
    this.registrations.add(loaded.registrations)
    this.livenesses.add(loaded.livenesses)
  }

  /** Whether a key was loaded, or cannot be in the store. */
  knows(key: SliceKey): boolean {
    if (this.#asked.has(sliceKeyText(key))) return true
    if (key.of === 'heldSignals' && this.#unsignalled.has(key.runId)) return true
    return 'runId' in key && this.#born.has(key.runId)
  }

  markBorn(runId: string): void {
    this.#born.add(runId)
  }

  changes(): Changes {
    return {
      namespaces: this.namespaces.changes(),
      workflows: this.workflows.changes(),
      runs: this.runs.changes(),
      workflowTasks: this.workflowTasks.changes(),
      activities: this.activities.changes(),
      timers: this.timers.changes(),
      waits: this.waits.changes(),
      signals: this.signals.changes(),
      queryTasks: this.queryTasks.changes(),
      registrations: this.registrations.changes(),
      livenesses: this.livenesses.changes(),
      events: this.events,
    }
  }
}
