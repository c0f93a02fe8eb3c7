// Reads the database file beside the running server: what the server says is checked against what is on disk.
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

export type Row = Readonly<Record<string, SQLOutputValue>>

export interface DatabaseFile extends Disposable {
  rows(sql: string, ...parameters: readonly (string | number)[]): Row[]
  /** @throws when there is not exactly one row */
  row(sql: string, ...parameters: readonly (string | number)[]): Row
  workflowTask(taskId: string): Row
  activity(activityId: string): Row
  run(runId: string): Row
  /** The history of a run, oldest first, whole. */
  history(runId: string): Row[]
  /** The types of a run's events, oldest first. */
  eventTypes(runId: string): string[]
  close(): void
}

/** Opens a database file for reading only. */
export function openDatabaseFile(file: string | undefined): DatabaseFile {
  if (file === undefined) throw new Error('the server has no database file')
  const database = new DatabaseSync(file, { readOnly: true })
  const rows: DatabaseFile['rows'] = (sql, ...parameters) => database.prepare(sql).all(...parameters)
  const row: DatabaseFile['row'] = (sql, ...parameters) => {
    const found = rows(sql, ...parameters)
    const [first] = found
    if (first === undefined || found.length > 1) {
      throw new Error(`${found.length} rows instead of one: ${sql} ${JSON.stringify(parameters)}`)
    }
    return first
  }
  const history: DatabaseFile['history'] = (runId) =>
    rows('select * from history_events where run_id = ? order by sequence', runId)
  const close = (): void => database.close()
  return {
    rows,
    row,
    workflowTask: (taskId) => row('select * from workflow_tasks where task_id = ?', taskId),
    activity: (activityId) => row('select * from activities where activity_id = ?', activityId),
    run: (runId) => row('select * from runs where run_id = ?', runId),
    history,
    eventTypes: (runId) => history(runId).map((event) => String(event.type)),
    close,
    [Symbol.dispose]: close,
  }
}

export function countOf(values: readonly string[], wanted: string): number {
  return values.filter((value) => value === wanted).length
}
