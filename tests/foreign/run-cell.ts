// One scenario of one SDK against a server: the program's own processes, its own verdict.
import { randomUUID } from 'node:crypto'
import { type Exchange, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { cleanEnvironment, type Exit, type Program, parseJsonObject, startProgram } from '../support/process.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Cell, nameOf } from './matrix.ts'

export interface Outcome {
  readonly passed: boolean
  /** Why it failed; empty when it passed. */
  readonly note: string
  /** What went through the recording proxy: of the Rust worker, or of everything when traced. */
  readonly exchanges: readonly Exchange[]
}

export interface CellRun {
  readonly cell: Cell
  readonly serverUrl: string
  /** The acceptance program. */
  readonly command: string
  readonly args: readonly string[]
  /** Lets all requests of the cell pass through a recording proxy. */
  readonly trace: boolean
}

/** Runs one cell with workflow ids and a task queue of its own; ends everything it started. */
export async function runCell(run: CellRun): Promise<Outcome> {
  await using proxy = await startFaultProxy(run.serverUrl)
  const problem = await (run.cell.sdk === 'python' ? playPython(run, proxy) : playRust(run, proxy)).catch(
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const exchanges = [...proxy.exchanges]
  if (problem === undefined) return { passed: true, note: '', exchanges }
  return { passed: false, note: [problem, ...refusalsIn(exchanges)].join('; '), exchanges }
}

const pythonTimeoutSeconds = 60

/** Worker and client are one process; it says itself what went wrong. */
async function playPython(run: CellRun, proxy: FaultProxy): Promise<string | undefined> {
  const url = run.trace ? proxy.url : run.serverUrl
  const env: Record<string, string> = { PYTHONDONTWRITEBYTECODE: '1' }
  if (run.cell.protocol === '1.19') env.DURABLE_WORKFLOW_WORKER_PROTOCOL_VERSION = '1.19'
  const program = await startProgram({
    name: nameOf(run.cell),
    command: run.command,
    args: [...run.args, url, run.cell.scenario, '--timeout', String(pythonTimeoutSeconds)],
    env: cleanEnvironment(env),
  })
  return problemOf(program, await endOf(program, pythonTimeoutSeconds + 30))
}

const rustTimeoutSeconds = 40

/**
 * The worker, then the client, then SIGTERM to the worker: both must exit 0. The client starts when the worker has
 * registered, because its first query needs a registered worker.
 */
async function playRust(run: CellRun, proxy: FaultProxy): Promise<string | undefined> {
  const { scenario } = run.cell
  const env = cleanEnvironment({
    DW_QUEUE: `rust-${scenario}-${randomUUID()}`,
    DW_PROTOCOL: run.cell.protocol,
    DW_TIMEOUT: String(rustTimeoutSeconds),
    DW_POLL_SECONDS: '2',
    DW_WORKER_SECONDS: '180',
  })
  const start = (mode: 'worker' | 'client', url: string): Promise<Program> =>
    startProgram({
      name: `${nameOf(run.cell)} ${mode}`,
      command: run.command,
      args: [...run.args, url, mode, scenario],
      env,
    })
  const worker = await start('worker', proxy.url)
  try {
    await waitFor('the worker has registered', () => worker.exit !== undefined || hasRegistered(proxy), {
      timeoutMs: 30_000,
    })
    if (worker.exit !== undefined) return problemOf(worker, worker.exit) ?? 'the worker ended before the client started'
    const client = await start('client', run.trace ? proxy.url : run.serverUrl)
    const clientEnd = endOf(client, 2 * rustTimeoutSeconds + 20)
    await Promise.race([clientEnd, worker.waitForExit({ timeoutMs: 3 * rustTimeoutSeconds * 1_000 })])
    if (worker.exit !== undefined && client.exit === undefined) {
      await client.kill()
      return problemOf(worker, worker.exit) ?? 'the worker ended before the client did'
    }
    const seen = problemOf(client, await clientEnd)
    return joined([seen, problemOf(worker, await worker.stop({ timeoutMs: 30_000 }))])
  } finally {
    await worker.kill()
  }
}

const hasRegistered = (proxy: FaultProxy): boolean =>
  proxy.exchanges.some(({ path, status }) => path === '/api/worker/register' && status === 201)

async function endOf(program: Program, timeoutSeconds: number): Promise<Exit> {
  try {
    return await program.waitForExit({ timeoutMs: timeoutSeconds * 1_000 })
  } finally {
    await program.kill()
  }
}

/** What a program that has ended says is wrong; `undefined` when it exited 0 and its verdict is `ok`. */
function problemOf(program: Program, exit: Exit): string | undefined {
  const verdict = program.stdout.map(parseJsonObject).findLast((line) => line !== undefined)
  if (exit.code === 0 && verdict?.ok === true) return undefined
  const { error, outcome, expected } = verdict ?? {}
  const seen =
    typeof error === 'string'
      ? error
      : outcome === undefined
        ? (program.stderr.at(-1) ?? 'printed nothing')
        : `outcome ${JSON.stringify(outcome)}, expected ${JSON.stringify(expected)}`
  return `${program.name.split(' ')[1] ?? 'program'} ended with ${exit.code ?? exit.signal}: ${seen}`
}

const joined = (problems: readonly (string | undefined)[]): string | undefined =>
  problems.some((problem) => problem !== undefined)
    ? problems.filter((problem) => problem !== undefined).join('; ')
    : undefined

/** The last answers that were no success, as a hint in a failing cell's note. */
function refusalsIn(exchanges: readonly Exchange[]): string[] {
  return exchanges
    .filter((exchange) => exchange.status === undefined || exchange.status >= 400)
    .slice(-3)
    .map(({ method, path, status, replyText }) =>
      `${method} ${path} → ${status ?? 'no answer'} ${(replyText ?? '').slice(0, 300)}`.trim(),
    )
}
