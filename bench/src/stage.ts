import { randomUUID } from 'node:crypto'
import { createClient } from '@durable-workflow/sdk/client'
import { cleanEnvironment, type Program, startProgram } from '@durable-workflow/tests/support/process'
import { startServer } from '@durable-workflow/tests/support/server-process'
import { cpuMs } from './cpu.ts'

/** A server process, a worker process and a client in this one, as an application would have them. */
export interface Stage extends AsyncDisposable {
  readonly client: ReturnType<typeof createClient>
  readonly taskQueue: string
  /** CPU milliseconds used so far by the server and by the worker; `undefined` where the system does not tell. */
  cpu(): { readonly server: number | undefined; readonly worker: number | undefined }
}

const taskQueue = 'bench'

/** Starts all three on a new SQLite file below `parentFolder`, with the default settings and a token. */
export async function openStage(parentFolder: string): Promise<Stage> {
  const token = randomUUID()
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startServer({ token, parentFolder }))
  const worker = await startWorker(server.url, token)
  opened.defer(async () => {
    await worker.kill()
  })
  await worker.waitForJson('its ready line', (line) => line.ready, { timeoutMs: 30_000 })
  const client = createClient({ server: server.url, token })
  opened.defer(() => client.close())
  const kept = opened.move()
  return {
    client,
    taskQueue,
    cpu: () => ({ server: cpuMs(server.pid), worker: cpuMs(worker.pid) }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function startWorker(serverUrl: string, token: string): Promise<Program> {
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
    env: cleanEnvironment({ DURABLE_WORKFLOW_AUTH_TOKEN: token }),
  })
}
