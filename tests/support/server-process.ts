import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DatabaseName, emptyDatabase } from './databases.ts'
import { cleanEnvironment, type Exit, type JsonObject, type Program, startProgram } from './process.ts'

export interface ServerOptions {
  /** Advertised worker protocol; default: the server's own default. */
  readonly workerProtocolVersion?: '1.19' | '1.20'
  /** One token for every role; default none, which the server allows on loopback. */
  readonly token?: string
  /** Seconds of a workflow-task lease; default: the server's own. */
  readonly workflowTaskTimeoutSeconds?: number
  /** Seconds of an activity-task lease; default: the server's own. */
  readonly activityTaskTimeoutSeconds?: number
  /** The product on which a fresh database is made, removed by `remove()`; default SQLite, a file in a temporary folder. */
  readonly on?: DatabaseName
  /** A database that is there already, another server's; it stays. */
  readonly databaseUrl?: string
  /** Where the temporary folder is made; default: the system's. */
  readonly parentFolder?: string
  /** The user that it runs as; only root may choose. Default: this process's. */
  readonly uid?: number
  /** Further settings, by name of their environment variable; they win. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds until the server must accept polls; default 30,000. */
  readonly readyTimeoutMs?: number
}

/** A server in a process of its own, on a free port of loopback and a database of its own. */
export interface ServerProcess extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; the same after every restart. */
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  /** The database file; `undefined` when the database is not SQLite. */
  readonly databaseFile: string | undefined
  readonly pid: number
  /** The ready line of the current process. */
  readonly ready: JsonObject
  readonly token: string | undefined
  /** Sends a signal and waits for nothing. */
  signal(signal: NodeJS.Signals): void
  /** Waits for the end of the current process; at most 40 s. */
  ended(): Promise<Exit>
  /** SIGTERM; the end is awaited. The database stays. */
  stop(): Promise<Exit>
  /** SIGKILL; the end is awaited. The database stays. */
  kill(): Promise<Exit>
  /** Starts the server again on the same database and port; one that still runs is stopped first. */
  restart(changes?: Pick<ServerOptions, 'env' | 'workerProtocolVersion'>): Promise<void>
  /** Freezes (SIGSTOP) and thaws (SIGCONT) the process. */
  pause(): void
  resume(): void
  /** The last lines it printed. */
  tail(lines?: number): string
  /** Kills what runs and removes the temporary folder and the database that was made for it. */
  remove(): Promise<void>
}

const rootFolder = resolve(import.meta.dirname, '../..')
const serverArguments = ['--conditions=source', '--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts']

/**
 * Starts the server from source and waits for its ready line.
 *
 * @throws ProgramFailed with the last output when it exits or is not ready in time; nothing is left behind then
 */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const folder = await mkdtemp(join(options.parentFolder ?? tmpdir(), 'durable-workflow-test-'))
  const own = options.databaseUrl === undefined ? await emptyDatabase(options.on ?? 'sqlite', folder) : undefined
  const databaseUrl = options.databaseUrl ?? own?.url ?? ''
  const removeAll = async (): Promise<void> => {
    await own?.remove()
    await rm(folder, { recursive: true, force: true })
  }
  let current: Started
  try {
    current = await launch(settingsOf(options, databaseUrl, 0), options)
  } catch (error) {
    await removeAll()
    throw error
  }
  const { url } = current
  const port = Number(new URL(url).port)

  const server: ServerProcess = {
    url,
    port,
    databaseUrl,
    databaseFile: databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined,
    token: options.token,
    get pid() {
      return current.program.pid
    },
    get ready() {
      return current.ready
    },
    signal: (signal) => current.program.signal(signal),
    ended: () => current.program.waitForExit({ timeoutMs: 40_000 }),
    stop: () => current.program.stop(),
    kill: () => current.program.kill(),
    restart: async (changes = {}) => {
      if (current.program.exit === undefined) await current.program.stop()
      const changed = { ...options, ...changes, env: { ...options.env, ...changes.env } }
      current = await launch(settingsOf(changed, databaseUrl, port), options)
    },
    pause: () => current.program.signal('SIGSTOP'),
    resume: () => current.program.signal('SIGCONT'),
    tail: (lines) => current.program.tail(lines),
    remove: async () => {
      await current.program.kill()
      await removeAll()
    },
    [Symbol.asyncDispose]: () => server.remove(),
  }
  return server
}

interface Started {
  readonly program: Program
  readonly ready: JsonObject
  readonly url: string
}

async function launch(env: Record<string, string>, options: ServerOptions): Promise<Started> {
  const program = await startProgram({
    name: 'server',
    command: process.execPath,
    args: serverArguments,
    cwd: rootFolder,
    env,
    ...(options.uid === undefined ? {} : { uid: options.uid }),
  })
  try {
    return await program.waitForJson(
      'its ready line',
      (line) =>
        line.ready === true && typeof line.url === 'string' ? { program, ready: line, url: line.url } : undefined,
      { timeoutMs: options.readyTimeoutMs ?? 30_000 },
    )
  } catch (error) {
    await program.kill()
    throw error
  }
}

function settingsOf(options: ServerOptions, databaseUrl: string, port: number): Record<string, string> {
  const settings: Record<string, string> = { DW_PORT: String(port), DW_DATABASE_URL: databaseUrl }
  if (options.workerProtocolVersion !== undefined) settings.DW_WORKER_PROTOCOL_VERSION = options.workerProtocolVersion
  if (options.token !== undefined) settings.DW_AUTH_TOKEN = options.token
  if (options.workflowTaskTimeoutSeconds !== undefined) {
    settings.DW_WORKFLOW_TASK_TIMEOUT = String(options.workflowTaskTimeoutSeconds)
  }
  if (options.activityTaskTimeoutSeconds !== undefined) {
    settings.DW_ACTIVITY_TASK_TIMEOUT = String(options.activityTaskTimeoutSeconds)
  }
  return cleanEnvironment({ ...settings, ...options.env })
}
