// One database, the installed server, a driver and a worker, as they stand while cells run.
//
// Owns:      which processes belong to it, and that all of them end.
// Does not:  judge; know what a driver does with a step.
import { type Driver, driverOf, type Identity, isAnswer, textOf } from './driver.ts'
import { leftProcesses, openPorts, portsOf } from './leftovers.ts'
import type { Place } from './place.ts'
import { killQuietly, lastLines, type Running, start, Trouble } from './running.ts'
import { type Cell, filled, type Program, type Step, type Suite } from './suite.ts'

/** How a cell went. */
export interface CellEnding {
  /** Null where it passed. */
  readonly trouble: string | null
  /** Milliseconds. */
  readonly duration: number
  readonly assertions: number
  /** The histories of its runs as the driver exports them; null where it has none. */
  readonly history: string | null
}

/** What was there when everything should have ended. */
export interface Left {
  readonly processes: readonly string[]
  readonly ports: readonly string[]
  readonly rows: readonly string[]
}

/** A database, as its program of the suite names it. */
export interface Database {
  readonly version: string
  /** Digest of the artifact that runs it; null where it is not known. */
  readonly sha256: string | null
}

export interface Stand {
  /** Starts everything and waits until the worker has done some work. @throws Trouble, after which it must be ended too */
  begin(): Promise<{ readonly database: Database; readonly worker: Identity }>
  /** The process that does the work now. @throws Trouble when none does */
  identify(): Promise<Identity>
  run(cell: Cell): Promise<CellEnding>
  /** Ends all processes, removes the database, kills what is left and names it. */
  end(): Promise<Left>
  /** Output of each program: `worker.log` → its lines. */
  logs(): ReadonlyMap<string, string>
}

export interface StandOptions {
  readonly place: Place
  readonly suite: Suite
  /** `sqlite`, `postgres`: what the database program of the suite is asked for. */
  readonly database: string
  /** Where it is; empty where the program makes one by itself. */
  readonly databaseUrl: string
}

const readyWithinMs = 30_000
const endWithinMs = 20_000
const mainQueue = 'acceptance'

export function makeStand({ place, suite, database, databaseUrl }: StandOptions): Stand {
  const started: Running[] = []
  const extra = new Map<string, Running>()
  const urls = new Set<string>()
  const values: Record<string, string> = {
    node: process.execPath,
    bin: `${place.consumer}/node_modules/.bin`,
    work: `${place.folder}/work`,
    kind: database,
    database: databaseUrl,
    port: '0',
    queue: mainQueue,
  }
  let server: Running | undefined
  let driver: Driver | undefined
  let worker: Running | undefined
  let workerDied: Promise<never> = new Promise(() => {})
  let isPrepared = false

  async function launch(name: string, program: Program, more: readonly string[] = []): Promise<Running> {
    const fill = (word: string) => filled(word, values)
    const running = await start({
      name,
      command: [...program.command.map(fill), ...more],
      cwd: place.consumer,
      env: {
        ...place.env,
        ...Object.fromEntries(Object.entries(program.env).map(([key, value]) => [key, fill(value)])),
      },
    })
    started.push(running)
    return running
  }

  /** Starts a program that says where it listens. */
  async function listening(name: string, program: Program): Promise<{ running: Running; url: string }> {
    const running = await launch(name, program)
    const url = await running.told(
      'ready line with a url',
      ({ ready, url }) => (ready === true ? textOf(url) : undefined),
      readyWithinMs,
    )
    urls.add(url)
    return { running, url }
  }

  async function startServer(): Promise<void> {
    const { running, url } = await listening('server', suite.server)
    server = running
    Object.assign(values, { server: url, port: new URL(url).port })
  }

  async function startDriver(): Promise<void> {
    const { running, url } = await listening('driver', suite.driver)
    driver = driverOf(running, () => workerDied)
    Object.assign(values, { driver: url })
  }

  async function startWorker(name: string, queue: string): Promise<Running> {
    Object.assign(values, { queue })
    const running = await launch(name, suite.worker)
    await running.told('ready line', ({ ready }) => (ready === true ? ready : undefined), readyWithinMs)
    return running
  }

  function asked(): Driver {
    if (driver === undefined) throw new Trouble('the driver was not started')
    return driver
  }

  async function take(step: Step, remainingMs: number): Promise<number> {
    switch (step.do) {
      case 'startWorker': {
        const name = textOf(step.as) ?? 'another'
        extra.set(name, await startWorker(name, textOf(step.queue) ?? mainQueue))
        return 0
      }
      case 'killWorker': {
        const name = textOf(step.as) ?? 'another'
        const doomed = extra.get(name)
        if (doomed === undefined) throw new Trouble(`killWorker: this cell started no worker ${name}`)
        extra.delete(name)
        await doomed.kill()
        return 0
      }
      case 'killServer':
        await server?.kill()
        return 0
      case 'startServer':
        await startServer()
        return 0
      default:
        return (await asked().take(step, remainingMs)).assertions
    }
  }

  /** Whatever a cell did, the next one finds the server and one worker. @returns what went wrong in that */
  async function settle(): Promise<string | null> {
    const troubles: string[] = []
    for (const [name, running] of extra) {
      extra.delete(name)
      const trouble = await running.stop(endWithinMs)
      if (trouble !== undefined) troubles.push(trouble)
    }
    if (server?.end !== undefined) await startServer()
    return troubles[0] ?? null
  }

  async function askDatabase(verb: 'prepare' | 'remove'): Promise<Readonly<Record<string, unknown>>> {
    const running = await launch(`database-${verb}`, suite.database, [verb])
    const said = await running.told('answer', (line) => line, readyWithinMs)
    const trouble = await running.finish(endWithinMs)
    if (trouble !== undefined) throw new Trouble(trouble)
    return said
  }

  /** What is left of the database; where its program fails, that it does. */
  async function removeDatabase(): Promise<readonly string[]> {
    try {
      return isPrepared ? listOf((await askDatabase('remove')).left) : []
    } catch (error) {
      return [troubleOf(error)]
    }
  }

  return {
    async begin() {
      const { url, version, sha256 } = await askDatabase('prepare')
      isPrepared = true
      Object.assign(values, { database: textOf(url) })
      await startServer()
      await startDriver()
      worker = await startWorker('worker', mainQueue)
      workerDied = worker.ended().then((how) => {
        throw new Trouble(`the worker ${how}: ${lastLines(worker?.lines ?? [])}`)
      })
      // It is heard of by whoever waits for a step; in the end it ends when nobody does.
      workerDied.catch(() => {})
      const known = { version: textOf(version) ?? 'unknown', sha256: textOf(sha256) ?? null }
      return { database: known, worker: await asked().identify(readyWithinMs) }
    },
    identify: async () => await asked().identify(readyWithinMs),
    async run(cell) {
      const began = performance.now()
      const remaining = () => Math.max(1, Math.round(began + cell.deadlineMs - performance.now()))
      let assertions = 0
      let trouble: string | null = null
      let history: string | null = null
      try {
        for (let round = 1; round <= cell.rounds; round += 1) {
          await asked().take({ do: 'begin', cell: cell.id, round }, remaining())
          for (const step of cell.steps) assertions += await take(step, remaining())
        }
        history = textOf((await asked().take({ do: 'histories' }, remaining())).value) ?? null
      } catch (error) {
        trouble = troubleOf(error)
      }
      const unsettled = await settle()
      return { trouble: trouble ?? unsettled, duration: Math.round(performance.now() - began), assertions, history }
    },
    async end() {
      const processes: string[] = []
      // Workers before the server; those that never became ready come last.
      for (const running of [...extra.values(), worker, driver?.running, server, ...started]) {
        if (running === undefined || running.end !== undefined) continue
        const trouble = await running.stop(endWithinMs)
        if (trouble !== undefined) processes.push(trouble)
      }
      const rows = await removeDatabase()
      const ports = await openPorts([...urls])
      const left = leftProcesses(place)
      processes.push(...left.map(({ pid, command }) => `${command} (pid ${pid})`))
      ports.push(...left.flatMap(portsOf))
      for (const { pid } of left) killQuietly(pid)
      return { processes, ports, rows }
    },
    logs() {
      const texts = new Map<string, string>()
      for (const running of started) {
        const kept = running.lines.filter((line) => !isAnswer(line))
        const file = `${running.name}.log`
        texts.set(file, `${texts.get(file) ?? ''}pid ${running.pid}, ${running.end}\n${kept.join('\n')}\n`)
      }
      return texts
    },
  }
}

/** What a failed wait says; anything but a trouble is our own fault and goes on. */
export function troubleOf(error: unknown): string {
  if (error instanceof Trouble) return error.message
  throw error
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [`no list: ${value}`])
