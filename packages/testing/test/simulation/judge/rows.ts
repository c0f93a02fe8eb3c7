// All rows of a world as they stand, from what was committed; the judge's own memory, no code of the engine.

import type {
  Activity,
  Changes,
  HistoryEvent,
  Liveness,
  Namespace,
  QueryTask,
  Registration,
  RowChanges,
  Run,
  Signal,
  Timer,
  Wait,
  Workflow,
  WorkflowTask,
} from '@durable-workflow/engine/ports'

type Table<Row> = Map<string, Row>

/** How the tables are named in what a group writes, and what their rows are known by. */
interface Tables {
  readonly namespaces: Table<Namespace>
  readonly workflows: Table<Workflow>
  readonly runs: Table<Run>
  readonly workflowTasks: Table<WorkflowTask>
  readonly activities: Table<Activity>
  readonly timers: Table<Timer>
  readonly waits: Table<Wait>
  readonly signals: Table<Signal>
  readonly queryTasks: Table<QueryTask>
  readonly registrations: Table<Registration>
  readonly livenesses: Table<Liveness>
}

export class Rows implements Tables {
  readonly namespaces: Table<Namespace> = new Map()
  readonly workflows: Table<Workflow> = new Map()
  readonly runs: Table<Run> = new Map()
  readonly workflowTasks: Table<WorkflowTask> = new Map()
  readonly activities: Table<Activity> = new Map()
  readonly timers: Table<Timer> = new Map()
  readonly waits: Table<Wait> = new Map()
  readonly signals: Table<Signal> = new Map()
  readonly queryTasks: Table<QueryTask> = new Map()
  readonly registrations: Table<Registration> = new Map()
  readonly livenesses: Table<Liveness> = new Map()
  /** By run, in the order in which they were committed. */
  readonly #events = new Map<string, HistoryEvent[]>()

  history(runId: string): readonly HistoryEvent[] {
    return this.#events.get(runId) ?? []
  }

  /** Rows of one run; worlds are small. */
  of<Row extends { readonly runId: string }>(table: Table<Row>, runId: string): Row[] {
    const rows: Row[] = []
    for (const row of table.values()) if (row.runId === runId) rows.push(row)
    return rows
  }

  /** Takes over what a group wrote. @returns what cannot be: a row inserted twice, or changed where there is none */
  apply(changes: Changes): string[] {
    const problems: string[] = []
    const take = <Row>(name: string, table: Table<Row>, change: RowChanges<Row>, keyOf: (row: Row) => string) => {
      for (const row of change.inserted) {
        const key = keyOf(row)
        if (table.has(key)) problems.push(`${name} ${key} is inserted, but it is there`)
        table.set(key, row)
      }
      for (const row of change.updated) {
        const key = keyOf(row)
        if (!table.has(key)) problems.push(`${name} ${key} is changed, but it is not there`)
        table.set(key, row)
      }
      for (const row of change.removed) {
        const key = keyOf(row)
        if (!table.delete(key)) problems.push(`${name} ${key} is removed, but it is not there`)
      }
    }
    take('namespace', this.namespaces, changes.namespaces, (row) => row.name)
    take('workflow', this.workflows, changes.workflows, (row) => row.workflowId)
    take('run', this.runs, changes.runs, (row) => row.runId)
    take('workflow task', this.workflowTasks, changes.workflowTasks, (row) => row.taskId)
    take('activity', this.activities, changes.activities, (row) => row.activityId)
    take('timer', this.timers, changes.timers, (row) => row.timerId)
    take('wait', this.waits, changes.waits, (row) => row.waitId)
    take('signal', this.signals, changes.signals, (row) => row.signalId)
    take('query task', this.queryTasks, changes.queryTasks, (row) => row.queryTaskId)
    take('registration', this.registrations, changes.registrations, workerKey)
    take('liveness', this.livenesses, changes.livenesses, workerKey)
    for (const event of changes.events) {
      const events = this.#events.get(event.runId)
      if (events === undefined) this.#events.set(event.runId, [event])
      else events.push(event)
    }
    return problems
  }
}

export function workerKey(row: { readonly namespace: string; readonly workerId: string }): string {
  return `${row.namespace}\n${row.workerId}`
}

export function isOpenRun(run: Run | undefined): boolean {
  return run !== undefined && (run.status === 'pending' || run.status === 'running' || run.status === 'waiting')
}

/** Whether anything is written at all. */
export function isEmpty(changes: Changes): boolean {
  const { events, ...tables } = changes
  return (
    events.length === 0 &&
    Object.values(tables).every(
      ({ inserted, updated, removed }) => inserted.length + updated.length + removed.length === 0,
    )
  )
}
