// One scenario under many seeds: each is a world of its own, in which chance decides what comes first and what goes wrong.
//
// Invariants
//   SI1  A seed, with the same faults, is the same run: the same requests in the same order at the same instants, the same histories.
//   SI2  Faults befall only requests of workers, which repeat what was lost; what the scenario asks is carried straight.
//   SI3  A failure is told with the fewest of its faults that still make the scenario fail.
import type { Answer, Exchange } from '@durable-workflow/sdk/client'
import { Environment } from './environment.ts'
import { SimulationError } from './errors.ts'
import { type Fault, Faults, operationOf, wordsOf } from './faults.ts'
import type { LocalWorker } from './local-worker.ts'
import { lost } from './network.ts'
import { seededChance } from './seeded-chance.ts'
import type { EnvironmentOptions, TestEnvironment } from './test-environment.ts'
import { hasUnrepeatable } from './waits.ts'

/** What is simulated: it starts its workers in the environment, does what it likes, and throws where something is wrong. */
export type Scenario = (env: TestEnvironment) => Promise<void>

/** Which seeds run, and what they have in common. */
export interface SimulationOptions
  extends Pick<EnvironmentOptions, 'taskQueue' | 'startAt' | 'stopsMax' | 'verifyReplays' | 'log'> {
  /** How many seeds, from 1 on; default 100. */
  readonly seeds?: number | undefined
  /** Only this seed. */
  readonly seed?: number | undefined
  /** With `seed`: exactly these faults, in place of those that it draws. */
  readonly faults?: readonly Fault[] | undefined
  /** Default `auto`. */
  readonly time?: EnvironmentOptions['time']
}

/** What a simulation that found nothing has done. */
export interface SimulationReport {
  readonly seeds: number
  /** Requests of all worlds. */
  readonly requests: number
  readonly faults: Readonly<Record<Fault['kind'], number>>
  /** The requests of the last seed, one a line. */
  readonly trace: readonly string[]
}

const seedsDefault = 100

/**
 * Runs a scenario once for each seed, in an environment in which workers crash, servers restart, requests and replies are lost or come
 * twice, and the clock jumps; a worker that ended is replaced at once by one with the same code.
 *
 * The same seed is the same run as long as the scenario and its activities take time and chance from the environment
 * (`env.now`, `env.sleep`) and wait for nothing else.
 *
 * @throws SimulationError with the seed, the fewest faults that make it fail, and how to run it alone
 * @example
 * await simulate(async (env) => {
 *   const bank = createBank()
 *   await env.startWorker({ workflows: [checkoutImpl], activities: [bank.charge] })
 *   await env.client.execute(checkout, { input: order })
 *   expect(bank.charges).toBe(1)
 * }, { seeds: 1000 })
 */
export async function simulate(scenario: Scenario, options: SimulationOptions = {}): Promise<SimulationReport> {
  const { seed, faults, seeds = seedsDefault } = options
  if (faults !== undefined && seed === undefined) {
    throw new TypeError('The option faults belongs to one seed: name it with seed.')
  }
  if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new RangeError(`The seed ${seed} is no whole number from 0 on.`)
  }
  if (!(Number.isSafeInteger(seeds) && seeds >= 1)) {
    throw new RangeError(`The option seeds is ${seeds}; it must be a whole number from 1 on.`)
  }
  const chosen = seed === undefined ? Array.from({ length: seeds }, (_, index) => index + 1) : [seed]
  const counts = new Map<Fault['kind'], number>()
  let requests = 0
  let trace: readonly string[] = []
  for (const one of chosen) {
    const run = await runSeed(scenario, options, one, faults)
    if (run.failure !== undefined) throw failed(one, run, await shrunk(scenario, options, one, run))
    for (const { kind } of run.faults) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    requests += run.trace.length
    trace = run.trace
  }
  return { seeds: chosen.length, requests, faults: countsOf(counts), trace }
}

/** How one seed went. */
interface Run {
  readonly faults: readonly Fault[]
  readonly trace: readonly string[]
  readonly failure: { readonly error: unknown } | undefined
}

async function runSeed(
  scenario: Scenario,
  options: SimulationOptions,
  seed: number,
  given: readonly Fault[] | undefined,
): Promise<Run> {
  const faults = new Faults(seededChance(seed + faultsApart), given)
  const world = await World.open(options, seed, faults)
  const failure = await failureOf(async () => {
    await using _closed = world
    await scenario(world.environment)
    await world.calm()
  })
  return { faults: faults.done, trace: faults.trace, failure }
}

/** Faults are drawn apart from everything else: without one of them the rest of the draw is the same. */
const faultsApart = 2 ** 40

async function failureOf(act: () => Promise<void>): Promise<Run['failure']> {
  try {
    await act()
    return undefined
  } catch (error) {
    return { error }
  }
}

// SI3
async function shrunk(scenario: Scenario, options: SimulationOptions, seed: number, found: Run): Promise<Run> {
  const without = await runSeed(scenario, options, seed, [])
  if (without.failure !== undefined) return without
  let fewest = found
  for (let index = 0; index < fewest.faults.length; ) {
    const run = await runSeed(scenario, options, seed, fewest.faults.toSpliced(index, 1))
    // A fault whose request does not come any more was none of it.
    if (run.failure === undefined) index += 1
    else fewest = run
  }
  return fewest
}

function failed(seed: number, found: Run, fewest: Run): SimulationError {
  const { faults, trace } = fewest
  const cause = fewest.failure?.error
  const list = faults.map((fault) => `  ${wordsOf(fault)}, ${fault.at} #${fault.nth}`).join('\n')
  const needed =
    faults.length === 0
      ? 'It fails without any fault: the order in which things happen is enough.'
      : `Of ${found.faults.length} faults these are enough:\n${list}`
  const again = `simulate(scenario, { seed: ${seed}, faults: ${JSON.stringify(faults)} })`
  return new SimulationError(`Seed ${seed} fails: ${String(cause)}\n${needed}\nRun this one alone: ${again}`, {
    seed,
    faults,
    trace,
    cause,
  })
}

function countsOf(counts: ReadonlyMap<Fault['kind'], number>): SimulationReport['faults'] {
  const of = (kind: Fault['kind']) => counts.get(kind) ?? 0
  return {
    'lost request': of('lost request'),
    'lost reply': of('lost reply'),
    'repeated request': of('repeated request'),
    'worker crash before': of('worker crash before'),
    'worker crash after': of('worker crash after'),
    'server restart before': of('server restart before'),
    'server restart after': of('server restart after'),
    'clock jump': of('clock jump'),
  }
}

/** One environment under faults. */
class World implements AsyncDisposable {
  readonly environment: Environment
  readonly #faults: Faults
  /** Replacements that are on their way. */
  readonly #background = new Set<Promise<unknown>>()

  static async open(options: SimulationOptions, seed: number, faults: Faults): Promise<World> {
    const opened = Promise.withResolvers<World>()
    const { taskQueue, startAt, stopsMax, verifyReplays, log, time = 'auto' } = options
    const environment = await Environment.open(
      { taskQueue, startAt, stopsMax, verifyReplays, log, time, seed },
      {
        carry: async (...request) => (await opened.promise).#carry(...request),
        onWorkerFailed: async (...failed) => (await opened.promise).#takeOver(...failed),
      },
    )
    const world = new World(environment, faults)
    opened.resolve(world)
    return world
  }

  private constructor(environment: Environment, faults: Faults) {
    this.environment = environment
    this.#faults = faults
  }

  /** No more faults; resolves when every replacement is there. */
  async calm(): Promise<void> {
    this.#faults.end()
    while (this.#background.size > 0) await Promise.all(this.#background)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#faults.end()
    await this.environment.close()
  }

  async #carry(party: string, exchange: Exchange, send: () => Promise<Answer>): Promise<Answer> {
    const worker = this.environment.workers.find((one) => one.workerId === party && one.isReady)
    const at = operationOf(exchange)
    // SI2. A worker's own heartbeat is made up for while the scenario's request waits for it: a fault would wait for that request.
    const mayFail = worker !== undefined && at !== 'heartbeat'
    const fault = this.#faults.meet({ party, at, now: this.environment.now(), mayFail })
    if (worker !== undefined && fault !== undefined) return this.#befall(fault, worker, exchange, send)
    return this.#answered(send)
  }

  // The reply, too, takes its turn: chance decides which of several comes first.
  async #answered(send: () => Promise<Answer>): Promise<Answer> {
    const answer = await send()
    await this.environment.hop()
    return answer
  }

  async #befall(fault: Fault, worker: LocalWorker, exchange: Exchange, send: () => Promise<Answer>): Promise<Answer> {
    switch (fault.kind) {
      case 'lost request':
        throw lost(exchange)
      case 'lost reply':
        await send()
        throw lost(exchange)
      case 'repeated request': {
        const [first] = await Promise.all([this.#answered(send), send()])
        return first
      }
      case 'worker crash before':
        this.#replace(worker)
        throw lost(exchange)
      case 'worker crash after':
        await send()
        this.#replace(worker)
        throw lost(exchange)
      case 'server restart before':
        await this.#restart()
        throw lost(exchange)
      case 'server restart after':
        await send()
        await this.#restart()
        throw lost(exchange)
      case 'clock jump':
        this.environment.clock.jumpTo(this.environment.clock.now() + (fault.ms ?? 0))
        return this.#answered(send)
    }
  }

  // As a supervisor does: a worker whose lease ran out while the world stood still ends by design, and another one comes.
  #takeOver(worker: LocalWorker, error: unknown): void {
    this.#faults.note(this.environment.now(), `${worker.workerId} ended: ${String(error)}`)
    this.#inBackground(this.environment.startWorkerOf(worker.code))
  }

  #replace(worker: LocalWorker): void {
    if (!worker.isAlive) return
    this.#inBackground(worker.kill())
    this.#inBackground(this.environment.startWorkerOf(worker.code))
  }

  // SI2: a signal that was cut off could not be repeated by the scenario; the server dies when it has answered.
  async #restart(): Promise<void> {
    while (hasUnrepeatable(this.environment.network)) await this.environment.hop()
    this.#inBackground(this.environment.replaceServer())
  }

  #inBackground(work: Promise<unknown>): void {
    const done = work.finally(() => this.#background.delete(done))
    // Whoever awaits it in `calm` hears of an error; before that it is nobody's.
    done.catch(() => {})
    this.#background.add(done)
  }
}
