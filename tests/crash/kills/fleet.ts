// Servers and workers that are killed and always come back.
//
// Owns:      the processes, their restarts, what they said and how they ended.
// Does not:  choose whom to kill or when, look at the database.
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseName } from '../../support/databases.ts'
import { cleanEnvironment, type Program, startProgram } from '../../support/process.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'

export type MemberKind = 'server' | 'worker'

export interface Member {
  readonly kind: MemberKind
  /** It serves or polls; only such a one is worth a kill. */
  readonly isUp: boolean
  /** SIGKILL; it comes back by itself after `downMs`. Resolves when it is dead. */
  kill(downMs: number): Promise<void>
}

export interface Fleet extends AsyncDisposable {
  readonly urls: readonly string[]
  readonly databaseUrl: string
  readonly members: readonly Member[]
  /** Lines that workers wrote to standard error, of all their lives. */
  workerLines(): string[]
  /** Ends of workers that nobody killed. */
  readonly ownEnds: readonly string[]
  /** Resolves when so many members are up, by default all. @throws the first failure of a restart */
  settled(count?: number): Promise<void>
  /** SIGTERM to the workers, in order. */
  stopWorkers(): Promise<void>
}

export interface FleetOptions {
  readonly on: DatabaseName
  readonly servers: number
  readonly workers: number
  /** Seconds of both kinds of lease. */
  readonly leaseSeconds: number
  readonly taskQueue: string
  /** Where workers leave their effects. */
  readonly folder: string
}

const lookAgainMs = 20
const lifeMsMax = 900_000

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const stack = new AsyncDisposableStack()
  const settings = {
    workflowTaskTimeoutSeconds: options.leaseSeconds,
    activityTaskTimeoutSeconds: options.leaseSeconds,
    env: { DW_LOG_LEVEL: 'warn' },
  }
  const first = stack.use(await startServer({ ...settings, on: options.on }))
  const servers = [first]
  for (let more = 1; more < options.servers; more += 1)
    servers.push(stack.use(await startServer({ ...settings, databaseUrl: first.databaseUrl })))
  const serverMembers = servers.map(serverMember)
  const urls = servers.map(({ url }) => url)
  const workerMembers: WorkerMember[] = []
  const ownEnds: string[] = []
  for (let at = 0; at < options.workers; at += 1) {
    const url = urls[at % urls.length] ?? first.url
    workerMembers.push(workerMember({ ...options, url, name: `worker ${at + 1}` }, ownEnds))
  }
  stack.defer(() => Promise.all(workerMembers.map((worker) => worker.end())).then(() => {}))
  const fleet: Fleet = {
    urls,
    databaseUrl: first.databaseUrl,
    members: [...serverMembers, ...workerMembers],
    workerLines: () => workerMembers.flatMap((worker) => worker.lines()),
    ownEnds,
    async settled(count = fleet.members.length) {
      while (fleet.members.filter(({ isUp }) => isUp).length < count) {
        for (const { failure } of [...serverMembers, ...workerMembers]) if (failure !== undefined) throw failure.error
        await pause(lookAgainMs)
      }
    },
    async stopWorkers() {
      for (const worker of workerMembers) await worker.end('SIGTERM')
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
  await fleet.settled()
  return fleet
}

interface Failable {
  readonly failure: { readonly error: unknown } | undefined
}

function serverMember(server: ServerProcess): Member & Failable {
  let isUp = true
  let failure: { error: unknown } | undefined
  const comeBack = async (downMs: number): Promise<void> => {
    await pause(downMs)
    await server.restart()
    isUp = true
  }
  return {
    kind: 'server',
    get isUp() {
      return isUp
    },
    get failure() {
      return failure
    },
    async kill(downMs) {
      isUp = false
      await server.kill()
      comeBack(downMs).catch((error: unknown) => {
        failure ??= { error }
      })
    },
  }
}

interface WorkerMember extends Member, Failable {
  lines(): string[]
  /** For good. */
  end(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

interface WorkerOptions extends FleetOptions {
  readonly url: string
  readonly name: string
}

const root = resolve(import.meta.dirname, '../../..')

function workerMember(options: WorkerOptions, ownEnds: string[]): WorkerMember {
  const said: string[] = []
  let program: Program | undefined
  let isUp = false
  let isEnding = false
  let downMs = 0
  let failure: { error: unknown } | undefined

  const live = async (): Promise<void> => {
    while (!isEnding) {
      const life = await startProgram({
        name: options.name,
        command: process.execPath,
        args: ['--conditions=source', '--disable-warning=ExperimentalWarning', 'tests/crash/kills/worker.ts'],
        cwd: root,
        env: cleanEnvironment({
          DURABLE_WORKFLOW_SERVER_URL: options.url,
          WORKER_QUEUE: options.taskQueue,
          WORKER_FOLDER: options.folder,
        }),
      })
      program = life
      life
        .waitForJson('its ready line', ({ ready }) => ready === true || undefined, { timeoutMs: lifeMsMax })
        .then(
          () => {
            isUp = life.exit === undefined
          },
          // It ended before it was ready: how, is seen below.
          () => {},
        )
      const exit = await life.waitForExit({ timeoutMs: lifeMsMax })
      isUp = false
      said.push(...life.stderr)
      program = undefined
      if (exit.signal !== 'SIGKILL' && !isEnding)
        ownEnds.push(`${options.name} exited with code ${exit.code}: ${life.stderr.at(-1) ?? 'it said nothing'}`)
      await pause(downMs)
    }
  }
  const living = live().catch((error: unknown) => {
    failure = { error }
  })
  return {
    kind: 'worker',
    get isUp() {
      return isUp
    },
    get failure() {
      return failure
    },
    async kill(ms) {
      isUp = false
      downMs = ms
      await program?.kill()
    },
    lines: () => [...said, ...(program?.stderr ?? [])],
    async end(signal = 'SIGKILL') {
      isEnding = true
      program?.signal(signal)
      await living
    },
  }
}
