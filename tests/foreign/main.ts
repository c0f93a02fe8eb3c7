// Runs the published SDKs, unmodified, against our server: one row a cell.
//
//   node main.ts [--json] [--only PATTERN] [--trace FOLDER]
//
// --json    one JSON line a cell on standard output, everything else on standard error
// --only    only cells whose name (sdk/scenario/database/protocol) matches this regular expression
// --trace   records all requests and replies of a cell in FOLDER/<cell>.jsonl
//
// Exit code 0 when no cell failed. A cell that was not run counts as failed, but for a tool that this machine lacks,
// or for want of DW_TEST_POSTGRES_URL: those cells are skipped aloud, and count as failed under DW_TEST_REQUIRE (`all`, or a
// list with `postgres`, `python`, `cargo`).
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresUrl } from '../support/postgres.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { type Cell, matrix, nameOf, type Sdk } from './matrix.ts'
import { prepare, programsFolder, type Readiness } from './programs.ts'
import { jsonLine, laterLines, type Row, summaryLine, tableHeader, tableLine } from './report.ts'
import { runCell } from './run-cell.ts'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string' }, trace: { type: 'string' } },
})
const cellsAtATime = 2

/** For people: in --json mode standard output belongs to the cells. */
const say = (line: string): void => {
  if (options.json) console.error(line)
  else console.log(line)
}

process.exitCode = await main()

async function main(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const pattern = new RegExp(options.only ?? '')
  const cells = matrix().filter((cell) => pattern.test(nameOf(cell)))
  if (!existsSync(programsFolder)) {
    say(`${cells.length} cells not run: ../shared is missing`)
    return 0
  }
  if (options.trace !== undefined) await mkdir(options.trace, { recursive: true })
  const readiness = new Map<Sdk, Readiness>()
  for (const sdk of new Set(cells.map((cell) => cell.sdk))) readiness.set(sdk, await prepare(sdk, say))

  if (!options.json) say(tableHeader())
  const rows: Row[] = []
  for (const group of Map.groupBy(cells, ({ database, protocol }) => `${database} ${protocol}`).values()) {
    rows.push(...(await runGroup(group, readiness)))
  }
  if (!options.json) for (const line of laterLines()) say(line)
  for (const line of skipLines(rows)) say(line)
  say(summaryLine(rows))
  return rows.some((row) => row.result === 'failed') ? 1 : 0
}

/** The cells of one server, at most two at a time; the server is started when there is a program to run. */
async function runGroup(cells: readonly Cell[], readiness: ReadonlyMap<Sdk, Readiness>): Promise<Row[]> {
  const rows: Row[] = []
  const settle = (row: Row): void => {
    rows.push(row)
    if (options.json) console.log(jsonLine(row))
    else say(tableLine(row))
  }
  const runnable: Runnable[] = []
  for (const cell of cells) {
    const program = readiness.get(cell.sdk)
    if (cell.database === 'postgres' && postgresUrl() === undefined) settle(withoutPostgres(cell))
    else if (program?.kind === 'ready') runnable.push({ cell, program })
    else settle(notRun(cell, program))
  }
  const [first] = runnable
  if (first === undefined) return rows
  let server: ServerProcess
  try {
    // The default server needs no setting: 1.19 is what it advertises.
    server = await startServer({
      on: first.cell.database,
      ...(first.cell.protocol === '1.20' ? { workerProtocolVersion: '1.20' } : {}),
    })
  } catch (error) {
    const note = `not run: ${error instanceof Error ? error.message : String(error)}`
    for (const { cell } of runnable) settle({ ...cell, result: 'failed', seconds: 0, note })
    return rows
  }
  await using started = server
  const lane = async (): Promise<void> => {
    for (let next = runnable.shift(); next !== undefined; next = runnable.shift())
      settle(await runOne(next, started.url))
  }
  await Promise.all(Array.from({ length: cellsAtATime }, lane))
  return rows
}

interface Runnable {
  readonly cell: Cell
  readonly program: Extract<Readiness, { kind: 'ready' }>
}

async function runOne({ cell, program }: Runnable, serverUrl: string): Promise<Row> {
  const began = performance.now()
  const traceFolder = options.trace
  const { command, args } = program
  const outcome = await runCell({ cell, serverUrl, command, args, trace: traceFolder !== undefined })
  const seconds = Math.round((performance.now() - began) / 10) / 100
  if (traceFolder !== undefined) {
    const lines = outcome.exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`)
    await writeFile(join(traceFolder, `${nameOf(cell).replaceAll('/', '-')}.jsonl`), lines.join(''))
  }
  return { ...cell, result: outcome.passed ? 'passed' : 'failed', seconds, note: outcome.note }
}

function notRun(cell: Cell, program: Exclude<Readiness, { kind: 'ready' }> | undefined): Row {
  switch (program?.kind) {
    case undefined:
      return { ...cell, result: 'failed', seconds: 0, note: 'not run: its program was not prepared' }
    case 'broken':
      return { ...cell, result: 'failed', seconds: 0, note: `not run: ${program.error}` }
    case 'missing': {
      const result = isRequired(cell.sdk === 'python' ? 'python' : 'cargo') ? 'failed' : 'skipped'
      return { ...cell, result, seconds: 0, note: `not run: ${program.tool} is not installed` }
    }
  }
}

function withoutPostgres(cell: Cell): Row {
  const result = isRequired('postgres') ? 'failed' : 'skipped'
  return { ...cell, result, seconds: 0, note: 'not run: needs postgres, and DW_TEST_POSTGRES_URL is not set' }
}

/** Whether this run must not skip for want of a tool: `DW_TEST_REQUIRE=all`, or a list such as `python,cargo`. */
function isRequired(tool: 'postgres' | 'python' | 'cargo'): boolean {
  const required = (process.env.DW_TEST_REQUIRE ?? '').split(',').map((word) => word.trim())
  return required.includes('all') || required.includes(tool)
}

function skipLines(rows: readonly Row[]): string[] {
  const skipped = Map.groupBy(
    rows.filter((row) => row.result === 'skipped'),
    (row) => row.note,
  )
  return [...skipped].map(([note, of]) => `${of.length} cells skipped: ${note}`)
}
