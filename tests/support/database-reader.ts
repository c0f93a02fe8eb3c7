// Reads a server's database beside the running server: what the server says is checked against what is stored.
import { DatabaseSync } from 'node:sqlite'
import { Pool, types } from 'pg'

export type Row = Readonly<Record<string, unknown>>

type Parameters = readonly (string | number)[]

/** Never writes. Numbers are numbers, absent values null, on every database. */
export interface DatabaseReader extends AsyncDisposable {
  /** @param sql  with a question mark for each parameter */
  rows(sql: string, ...parameters: Parameters): Promise<Row[]>
  /** @throws when there is not exactly one row */
  row(sql: string, ...parameters: Parameters): Promise<Row>
  workflowTask(taskId: string): Promise<Row>
  activity(activityId: string): Promise<Row>
  run(runId: string): Promise<Row>
  /** The history of a run, oldest first, whole. */
  history(runId: string): Promise<Row[]>
  /** The types of a run's events, oldest first. */
  eventTypes(runId: string): Promise<string[]>
  close(): Promise<void>
}

/** @param databaseUrl  of a server that is ready: `sqlite:FILE` or `postgres://…` */
export function openReader(databaseUrl: string): DatabaseReader {
  const { rows, close } = databaseUrl.startsWith('sqlite:') ? sqlite(databaseUrl) : postgres(databaseUrl)
  const row: DatabaseReader['row'] = async (sql, ...parameters) => {
    const found = await rows(sql, parameters)
    const [first] = found
    if (first === undefined || found.length > 1) {
      throw new Error(`${found.length} rows instead of one: ${sql} ${JSON.stringify(parameters)}`)
    }
    return first
  }
  const history: DatabaseReader['history'] = (runId) =>
    rows('select * from history_events where run_id = ? order by sequence', [runId])
  return {
    rows: (sql, ...parameters) => rows(sql, parameters),
    row,
    workflowTask: (taskId) => row('select * from workflow_tasks where task_id = ?', taskId),
    activity: (activityId) => row('select * from activities where activity_id = ?', activityId),
    run: (runId) => row('select * from runs where run_id = ?', runId),
    history,
    eventTypes: async (runId) => (await history(runId)).map((event) => String(event.type)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Reading {
  rows(sql: string, parameters: Parameters): Promise<Row[]>
  close(): Promise<void>
}

function sqlite(databaseUrl: string): Reading {
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { readOnly: true })
  return {
    rows: async (sql, parameters) => database.prepare(sql).all(...parameters),
    close: async () => database.close(),
  }
}

function postgres(databaseUrl: string): Reading {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 2,
    application_name: 'durable-workflow-reader',
    types: {
      // 64-bit integers are instants and counters here: they are numbers, as SQLite gives them.
      getTypeParser: (oid, format) =>
        oid === types.builtins.INT8 ? (text: string) => Number(text) : types.getTypeParser(oid, format),
    },
  })
  // A test that stops its PostgreSQL breaks idle connections; the next read says so by itself.
  pool.on('error', () => {})
  return {
    async rows(sql, parameters) {
      let at = 0
      const text = sql.replaceAll('?', () => `$${++at}`)
      const answer = await pool.query<Record<string, unknown>>(text, [...parameters])
      return answer.rows
    },
    close: () => pool.end(),
  }
}

export function countOf(values: readonly string[], wanted: string): number {
  return values.filter((value) => value === wanted).length
}
