// The stage of an example: a server on SQLite, a worker that is replaced when it dies, and a clean end on Ctrl-C.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Client, createClient } from '@durable-workflow/sdk/client'
import { type Program, root, startProgram, startServer } from './programs.ts'

const leaseSeconds = 5

/** What a play finds on the stage. */
export interface Stage {
  readonly client: Client
  /** URL of the server. */
  readonly server: string
  readonly say: (line: string) => void
}

export interface Play {
  /** Names the folder of its data below `.data/`; EXAMPLE_DATA names another one. */
  readonly name: string
  /** The file of the worker; it finds the folder in EXAMPLE_DATA and the server where every worker looks for it. */
  readonly workerFile: string
  /** Starts and watches runs. @returns what to type next, line by line */
  readonly play: (stage: Stage) => Promise<readonly string[]>
}

/**
 * Performs a play, then waits for Ctrl-C. What is open at the end goes on at the next performance.
 *
 * What goes wrong is said in a sentence, and the process ends with 1.
 */
export async function perform(play: Play): Promise<void> {
  try {
    await performed(play)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

async function performed({ name, workerFile, play }: Play): Promise<void> {
  const startedAt = Date.now()
  const say = (line: string): void => console.log(`[${((Date.now() - startedAt) / 1_000).toFixed(1)} s] ${line}`)
  const stopping = Promise.withResolvers<'stopped'>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.resolve('stopped'))

  const folder = resolve(process.env.EXAMPLE_DATA ?? join(root, '.data', name))
  await mkdir(folder, { recursive: true })
  const databaseFile = join(folder, 'workflows.db')
  const server = await startServer({ databaseFile, port: Number(process.env.DW_PORT ?? 7400), leaseSeconds })
  say(`server at ${server.url}, data in ${folder}, leases of ${leaseSeconds} s`)
  const worker = await keepWorker(workerFile, { DURABLE_WORKFLOW_SERVER_URL: server.url, EXAMPLE_DATA: folder }, say)
  const client = createClient({ server: server.url })
  try {
    const died = server.ended.then((code) => Promise.reject(new Error(`The server ended by itself (${code}).`)))
    const next = await Promise.race([play({ client, server: server.url, say }), stopping.promise, died])
    if (next !== 'stopped') {
      for (const line of ['', ...next, 'Ctrl-C stops it; what is open goes on at the next start.', ''])
        console.log(line)
      await Promise.race([stopping.promise, died])
    }
  } finally {
    say('stopping: the worker drains, then the server closes')
    await client.close()
    await worker.stop()
    await server.stop()
  }
  say('stopped')
}

interface Kept {
  stop(): Promise<void>
}

/** A worker process, and another one whenever it dies: in production the supervisor of the machine does this. */
async function keepWorker(file: string, env: Record<string, string>, say: (line: string) => void): Promise<Kept> {
  let stopped = false
  const start = async (): Promise<Program> => {
    const program = await startProgram(file, { env, ownGroup: true })
    say(`worker process ${program.pid} is ready`)
    return program
  }
  let current = await start()
  const keep = async (): Promise<void> => {
    while (!stopped) {
      await current.ended
      if (stopped) return
      say(`worker process ${current.pid} died; what it held is taken over when its lease ends`)
      current = await start()
    }
  }
  const kept = keep()
  return {
    async stop() {
      stopped = true
      await current.stop()
      await kept
    },
  }
}

/** The folder in which the activities of an example keep what stands for the world. */
export function dataFolder(): string {
  const folder = process.env.EXAMPLE_DATA
  if (folder === undefined) throw new Error('EXAMPLE_DATA is not set: start the example by its own command.')
  return folder
}
