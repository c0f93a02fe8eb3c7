// The open rows that this server read or committed last: what the next operation of a run asks for is nearly always here.
//
// Only a database that can tell whether anybody else has committed meanwhile makes it true (SQLite: data_version), and only
// inside a transaction, where nobody else can.
//
// Invariants
//   RR1  What is here is what a select would give now: committed, and changed by nobody since.
//   RR2  Whatever is not certain is forgotten: another's commit, a commit of unknown fate, a session that was opened anew.
//   RR3  Memory is bounded in rows and in the size of each; closed rows leave at once.

import type { Activity, Changes, Loaded, RowChanges, Run, SliceKey, WorkflowTask } from '@durable-workflow/engine/ports'
import { eachOnce } from './load/loader.ts'

/** Rows kept of each kind; an open run has one task and a few activities. */
const rowsMax = 5000
/** Characters of a payload with which a row is kept; a larger one is read again instead of filling memory. */
const payloadMax = 16_384

type Kept = Pick<Loaded, 'runs' | 'workflowTasks' | 'activities'>

export class RecentRows {
  readonly #runs = new Recent<Run>(
    (run) => run.runId,
    (run) => run.closedAt === undefined && run.arguments.blob.length <= payloadMax,
  )
  readonly #workflowTasks = new Recent<WorkflowTask>(
    (task) => task.taskId,
    (task) => task.closedAt === undefined,
  )
  readonly #activities = new Recent<Activity>(
    (activity) => activity.activityId,
    (activity) =>
      activity.closedAt === undefined &&
      activity.lastHeartbeatDetails === undefined &&
      activity.arguments.blob.length <= payloadMax,
  )

  /** What is here of the rows that are asked for by their own id, and the keys that the database must answer. */
  answer(keys: readonly SliceKey[]): { readonly found: Kept; readonly missing: readonly SliceKey[] } {
    const runs: Run[] = []
    const workflowTasks: WorkflowTask[] = []
    const activities: Activity[] = []
    const missing = keys.filter((key) => {
      switch (key.of) {
        case 'run':
          return !this.#runs.give(key.runId, runs)
        case 'workflowTask':
          return !this.#workflowTasks.give(key.taskId, workflowTasks)
        case 'activity':
          return !this.#activities.give(key.activityId, activities)
        default:
          return true
      }
    })
    return { found: { runs, workflowTasks, activities }, missing }
  }

  /** What the transaction under way has read. */
  noteLoaded(loaded: Loaded): void {
    this.#runs.keep(loaded.runs)
    this.#workflowTasks.keep(loaded.workflowTasks)
    this.#activities.keep(loaded.activities)
  }

  /** What was committed. */
  noteCommitted(changes: Changes): void {
    this.#runs.follow(changes.runs)
    this.#workflowTasks.follow(changes.workflowTasks)
    this.#activities.follow(changes.activities)
  }

  forget(): void {
    this.#runs.forget()
    this.#workflowTasks.forget()
    this.#activities.forget()
  }
}

/** Both answers of one load: what a set of rows and a single one both named stands once. */
export function merged(found: Kept, loaded: Loaded): Loaded {
  return {
    ...loaded,
    runs: eachOnce(found.runs, loaded.runs, (run) => run.runId),
    workflowTasks: eachOnce(found.workflowTasks, loaded.workflowTasks, (task) => task.taskId),
    activities: eachOnce(found.activities, loaded.activities, (activity) => activity.activityId),
  }
}

/** Rows of one kind by id; what was kept longest ago goes first. */
class Recent<Row> {
  readonly #rows = new Map<string, Row>()
  readonly #idOf: (row: Row) => string
  readonly #isWorthKeeping: (row: Row) => boolean

  constructor(idOf: (row: Row) => string, isWorthKeeping: (row: Row) => boolean) {
    this.#idOf = idOf
    this.#isWorthKeeping = isWorthKeeping
  }

  /** @returns whether the row is here */
  give(id: string, to: Row[]): boolean {
    const row = this.#rows.get(id)
    if (row === undefined) return false
    to.push(row)
    return true
  }

  keep(rows: readonly Row[]): void {
    for (const row of rows) {
      const id = this.#idOf(row)
      this.#rows.delete(id)
      if (this.#isWorthKeeping(row)) this.#rows.set(id, row)
    }
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= rowsMax) return
      this.#rows.delete(oldest)
    }
  }

  follow({ inserted, updated, removed }: RowChanges<Row>): void {
    for (const row of removed) this.#rows.delete(this.#idOf(row))
    this.keep(updated)
    this.keep(inserted)
  }

  forget(): void {
    this.#rows.clear()
  }
}
