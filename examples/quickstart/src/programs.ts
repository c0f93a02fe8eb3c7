// Processes of an example: started from source, awaited by their ready line, stopped in order.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

export const root = resolve(import.meta.dirname, '../../..')
const nodeArguments = ['--conditions=source', '--disable-warning=ExperimentalWarning']

export interface Program {
  readonly pid: number
  /** The ready line, as it was printed. */
  readonly ready: Readonly<Record<string, unknown>>
  /** Resolves when the process has ended, with its exit code (undefined when a signal ended it). */
  readonly ended: Promise<number | undefined>
  /** SIGTERM, then waits for the end. */
  stop(): Promise<void>
  /** SIGKILL, then waits for the end. */
  kill(): Promise<void>
}

/** Starts a program that prints one JSON line with `ready` when it may be used; its errors go to ours. */
export async function startProgram(
  file: string,
  options: { env?: Record<string, string>; ownGroup?: boolean } = {},
): Promise<Program> {
  const child = spawn(process.execPath, [...nodeArguments, file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // In a group of its own Ctrl-C does not reach it: whoever started it stops it when it is its turn.
    detached: options.ownGroup ?? false,
    env: { ...process.env, ...options.env },
  })
  const killWithUs = () => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = once(child, 'exit').then(([code]) => {
    process.off('exit', killWithUs)
    return typeof code === 'number' ? code : undefined
  })
  const ready = await Promise.race([readyLine(child), ended.then((code) => endedEarly(file, code))])
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await ended
  }
  return { pid: child.pid ?? 0, ready, ended, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

export interface ServerOptions {
  readonly databaseFile: string
  /** 0 takes any free one. */
  readonly port: number
  /** Seconds that a claimed task is its worker's. */
  readonly leaseSeconds: number
}

/** Starts the server from source. */
export async function startServer(options: ServerOptions): Promise<Program & { readonly url: string }> {
  await mkdir(dirname(options.databaseFile), { recursive: true })
  const seconds = String(options.leaseSeconds)
  const program = await startProgram(join(root, 'apps/server/src/main.ts'), {
    ownGroup: true,
    env: {
      DW_DATABASE_URL: `sqlite:${options.databaseFile}`,
      DW_PORT: String(options.port),
      DW_WORKFLOW_TASK_TIMEOUT: seconds,
      DW_ACTIVITY_TASK_TIMEOUT: seconds,
      DW_LOG_LEVEL: process.env.DW_LOG_LEVEL ?? 'error',
    },
  })
  return { ...program, url: String(program.ready.url) }
}

async function readyLine(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  if (child.stdout === null) throw new Error('The program has no standard output.')
  const lines = createInterface({ input: child.stdout })
  return new Promise((found) => {
    lines.on('line', (line) => {
      const parsed = parse(line)
      if (parsed?.ready === true) found(parsed)
      else process.stdout.write(`${line}\n`)
    })
  })
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    // A line of another kind: it is shown as it is.
    return undefined
  }
}

function endedEarly(file: string, code: number | undefined): never {
  throw new Error(`${file} ended (${code ?? 'by a signal'}) before it was ready; its own words stand above.`)
}
