import type { Changes, Run } from '@durable-workflow/engine/ports'
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
import { TableWriter } from './table.ts'

/**
 * Writes all changes of a group.
 *
 * @param readRuns the runs that this transaction has read, by id: every operation updates its run, and what stayed as
 *   it was read need not be written (measured 2026-11-30: an index less on the way, 20 pages of 153 a commit)
 */
export type Write = (connection: Connection, changes: Changes, readRuns: ReadonlyMap<string, Run>) => Promise<void>

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

  return async (connection, changes, readRuns) => {
    await namespaces.write(connection, changes.namespaces)
    await workflows.write(connection, changes.workflows)
    await runs.write(connection, changes.runs, (run) => readRuns.get(run.runId))
    await workflowTasks.write(connection, changes.workflowTasks)
    await activities.write(connection, changes.activities)
    await timers.write(connection, changes.timers)
    await waits.write(connection, changes.waits)
    await signals.write(connection, changes.signals)
    await queryTasks.write(connection, changes.queryTasks)
    await registrations.write(connection, changes.registrations)
    await livenesses.write(connection, changes.livenesses)
    await events.insert(connection, changes.events)
  }
}
