import type { Activity } from '../state/activity.ts'
import type { HistoryEvent } from '../state/history-event.ts'
import type { Namespace } from '../state/namespace.ts'
import type { QueryTask } from '../state/query-task.ts'
import type { Liveness, Registration } from '../state/registration.ts'
import type { Run } from '../state/run.ts'
import type { Signal } from '../state/signal.ts'
import type { Timer } from '../state/timer.ts'
import type { Wait } from '../state/wait.ts'
import type { Workflow } from '../state/workflow.ts'
import type { WorkflowTask } from '../state/workflow-task.ts'

/** The rows of one kind that a group changed: whole rows, each once, as they are to be. */
export interface RowChanges<Row> {
  readonly inserted: readonly Row[]
  readonly updated: readonly Row[]
  readonly removed: readonly Row[]
}

/** Everything that a group writes, as data; the store turns each list into one statement. */
export interface Changes {
  readonly namespaces: RowChanges<Namespace>
  readonly workflows: RowChanges<Workflow>
  readonly runs: RowChanges<Run>
  readonly workflowTasks: RowChanges<WorkflowTask>
  readonly activities: RowChanges<Activity>
  readonly timers: RowChanges<Timer>
  readonly waits: RowChanges<Wait>
  readonly signals: RowChanges<Signal>
  readonly queryTasks: RowChanges<QueryTask>
  readonly registrations: RowChanges<Registration>
  readonly livenesses: RowChanges<Liveness>
  /** Append-only, in order. */
  readonly events: readonly HistoryEvent[]
}

/** What a store found for a list of slice keys; rows of one kind in any order, each once. */
export interface Loaded {
  readonly namespaces: readonly Namespace[]
  readonly workflows: readonly Workflow[]
  readonly runs: readonly Run[]
  readonly workflowTasks: readonly WorkflowTask[]
  readonly activities: readonly Activity[]
  readonly timers: readonly Timer[]
  readonly waits: readonly Wait[]
  readonly signals: readonly Signal[]
  readonly queryTasks: readonly QueryTask[]
  readonly registrations: readonly Registration[]
  readonly livenesses: readonly Liveness[]
}
