import type { Activity, Changes, Run, WorkflowTask } from '@durable-workflow/engine/ports'
import {
  activityColumns,
  historyEventColumns,
  livenessColumns,
  namespaceColumns,
  queryTaskColumns,
  registrationColumns,
  runColumns,
  signalColumns,
  timerColumns,
  waitColumns,
  workflowColumns,
  workflowTaskColumns,
} from '../columns.ts'
import type { Connection, Dialect } from '../dialects/dialect.ts'
import { type Statement, TableWriter } from './table.ts'

/**
 * Writes all changes of a group.
 *
 * @param before what this transaction has read: every operation updates its run, and what stayed as it was read need not be
 *   written (measured 2026-11-30: an index less on the way, 20 pages of 153 a commit)
 */
export type Write = (connection: Connection, changes: Changes, before: ReadRows) => Promise<void>

/** Rows that a transaction has read, by their id. */
export interface ReadRows {
  readonly runs: ReadonlyMap<string, Run>
  readonly workflowTasks: ReadonlyMap<string, WorkflowTask>
  readonly activities: ReadonlyMap<string, Activity>
}

export function createWrite(dialect: Dialect): Write {
  const namespaces = new TableWriter(dialect, namespaceColumns, 'overwrite')
  const workflows = new TableWriter(dialect, workflowColumns)
  const runs = new TableWriter(dialect, runColumns)
  const workflowTasks = new TableWriter(dialect, workflowTaskColumns)
  const activities = new TableWriter(dialect, activityColumns)
  const timers = new TableWriter(dialect, timerColumns)
  const waits = new TableWriter(dialect, waitColumns)
  const signals = new TableWriter(dialect, signalColumns)
  const queryTasks = new TableWriter(dialect, queryTaskColumns)
  const registrations = new TableWriter(dialect, registrationColumns, 'overwrite')
  const livenesses = new TableWriter(dialect, livenessColumns, 'overwrite')
  const events = new TableWriter(dialect, historyEventColumns)

  function* statementsOf(changes: Changes, before: ReadRows): Generator<Statement> {
    yield* namespaces.write(changes.namespaces)
    yield* workflows.write(changes.workflows)
    yield* runs.write(changes.runs, (run) => before.runs.get(run.runId))
    yield* workflowTasks.write(changes.workflowTasks, (task) => before.workflowTasks.get(task.taskId))
    yield* activities.write(changes.activities, (activity) => before.activities.get(activity.activityId))
    yield* timers.write(changes.timers)
    yield* waits.write(changes.waits)
    yield* signals.write(changes.signals)
    yield* queryTasks.write(changes.queryTasks)
    yield* registrations.write(changes.registrations)
    yield* livenesses.write(changes.livenesses)
    yield* events.insert(changes.events)
  }

  return (connection, changes, before) => execute(connection, statementsOf(changes, before))
}

// In order, without waiting for one answer before the next is asked; an answer that is there at once is looked at before
// anything else is written.
async function execute(connection: Connection, statements: Iterable<Statement>): Promise<void> {
  const underWay: Promise<void>[] = []
  for (const { text, parameters, check } of statements) {
    const changed = connection.run(text, parameters)
    if (typeof changed === 'number') check(changed)
    else underWay.push(changed.then(check))
  }
  await Promise.all(underWay)
}
