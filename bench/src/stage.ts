import { randomUUID } from 'node:crypto'
import { createClient } from '@durable-workflow/sdk/client'
import { cleanEnvironment, type Program, startProgram } from '@durable-workflow/tests/support/process'
import { startServer } from '@durable-workflow/tests/support/server-process'
import { cpuMs } from './cpu.ts'
import { type DatabaseName, openDatabase } from './databases.ts'

/** CPU milliseconds used so far; `undefined` where the system does not tell, or where there is no such process. */
export interface CpuUsed {
  readonly server: number | undefined
  /** All workers together. */
  readonly worker: number | undefined
  /** The database's own processes: PostgreSQL's whole cluster, nothing for SQLite. */
  readonly database: number | undefined
}

/** A server process, a worker process and a client in this one, as an application would have them. */
export interface Stage extends AsyncDisposable {
  readonly client: ReturnType<typeof createClient>
  readonly taskQueue: string
  cpu(): CpuUsed
  /** One more worker process; resolves when it polls. */
  addWorker(): Promise<void>
  /** Stops workers and server as an operator would; programs that were profiled write their profile then. */
  stop(): Promise<void>
}

/** What stands behind the client: the product's server, or one that counts. */
export interface StageServer {
  readonly url: string
  readonly pid: number
  stop(): Promise<unknown>
  kill(): Promise<unknown>
}

export interface StageOptions {
  readonly database: DatabaseName
  /** Where files go; on a real disk. */
  readonly parentFolder: string
  /** Folder for `server.cpuprofile` and `worker.cpuprofile`; default: nothing is profiled. */
  readonly profileFolder?: string | undefined
  /** Default: the product's own server program with its default settings. */
  readonly startServer?: (databaseUrl: string, token: string) => Promise<StageServer>
}

const taskQueue = 'bench'

/** Starts all three on a new database, with the default settings and a token. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { database: databaseName, parentFolder, profileFolder } = options
  const token = randomUUID()
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openDatabase(databaseName, parentFolder))
  const env = profiled(profileFolder, 'server')
  const server: StageServer =
    options.startServer === undefined
      ? opened.use(await startServer({ token, parentFolder, databaseUrl: database.url, env }))
      : opened.adopt(await options.startServer(database.url, token), async (program) => {
          await program.kill()
        })
  const client = createClient({ server: server.url, token })
  opened.defer(() => client.close())

  const workers: Program[] = []
  opened.defer(async () => {
    for (const worker of workers) await worker.kill()
  })
  const addWorker = async (): Promise<void> => {
    const profile = workers.length === 0 ? profiled(profileFolder, 'worker') : {}
    const worker = await startWorker(server.url, token, profile)
    workers.push(worker)
    await worker.waitForJson('its ready line', (line) => line.ready, { timeoutMs: 30_000 })
  }
  await addWorker()

  const kept = opened.move()
  return {
    client,
    taskQueue,
    addWorker,
    cpu: () => ({
      server: cpuMs(server.pid),
      worker: sum(workers.map((worker) => cpuMs(worker.pid))),
      database: database.cpuMs(),
    }),
    stop: async () => {
      for (const worker of workers) await worker.stop()
      await server.stop()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function startWorker(serverUrl: string, token: string, env: Readonly<Record<string, string>>): Promise<Program> {
  return startProgram({
    name: 'worker',
    command: process.execPath,
    args: [
      '--conditions=source',
      '--disable-warning=ExperimentalWarning',
      `${import.meta.dirname}/worker.ts`,
      serverUrl,
      taskQueue,
    ],
    env: cleanEnvironment({ DURABLE_WORKFLOW_AUTH_TOKEN: token, ...env }),
  })
}

const profiled = (folder: string | undefined, name: string): Record<string, string> =>
  folder === undefined
    ? {}
    : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(folder)} --cpu-prof-name=${name}.cpuprofile` }

const sum = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce<number | undefined>(
    (total, value) => (total === undefined || value === undefined ? undefined : total + value),
    0,
  )
