import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { cleanEnvironment, type Program, startProgram } from '../support/process.ts'

export interface SdkWorkerOptions {
  readonly url: string
  readonly taskQueue: string
  readonly folder: string
  /** Default: both. */
  readonly serves?: 'workflows' | 'activities'
  readonly workerId?: string
  /** Open polls of each kind; default 4. */
  readonly pollers?: number
}

/** What still runs at the end of its scope is killed. */
export interface SdkWorker extends AsyncDisposable {
  readonly program: Program
  readonly workerId: string
  readonly pid: number
  readonly startedAt: number
}

const root = resolve(import.meta.dirname, '../..')

const Ready = z.object({ ready: z.literal(true), workerId: z.string(), pid: z.number(), startedAt: z.number() })

/** Starts a worker of our SDK in a process of its own; it polls when this returns. */
export async function startSdkWorker(options: SdkWorkerOptions): Promise<SdkWorker> {
  const program = await startProgram({
    name: `worker (${options.serves ?? 'all'})`,
    command: process.execPath,
    args: ['--conditions=source', '--disable-warning=ExperimentalWarning', 'tests/drills/programs/worker.ts'],
    cwd: root,
    env: cleanEnvironment({
      DURABLE_WORKFLOW_SERVER_URL: options.url,
      WORKER_QUEUE: options.taskQueue,
      WORKER_FOLDER: options.folder,
      WORKER_SERVES: options.serves ?? 'workflows,activities',
      WORKER_POLLERS: String(options.pollers ?? 4),
      ...(options.workerId === undefined ? {} : { WORKER_ID: options.workerId }),
    }),
  })
  const ready = await program.waitForJson('its ready line', (line) => Ready.safeParse(line).data, {
    timeoutMs: 60_000,
  })
  return {
    program,
    ...ready,
    async [Symbol.asyncDispose]() {
      await program.kill()
    },
  }
}

const Effect = z.object({ run: z.string(), step: z.string(), attempt: z.number(), pid: z.number() })
/** One execution of an activity, as its worker wrote it down outside the database. */
export type Effect = z.infer<typeof Effect>

/** A folder in which workers leave their effects and look for open gates. */
export interface WorkFolder extends AsyncDisposable {
  readonly path: string
  effects(): Effect[]
  openGate(name: string): Promise<void>
}

export async function createWorkFolder(): Promise<WorkFolder> {
  const path = await mkdtemp(join(tmpdir(), 'durable-workflow-work-'))
  const file = join(path, 'effects.jsonl')
  return {
    path,
    effects: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => Effect.parse(JSON.parse(line)))
        : [],
    openGate: (name) => writeFile(join(path, name), ''),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
