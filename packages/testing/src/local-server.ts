// Engine and server in this process, on a store that outlives them.
import { createEngine, type Engine } from '@durable-workflow/engine'
import type { Chance, Clock, Store } from '@durable-workflow/engine/ports'
import { createServer, type InjectedAnswer, type InjectedRequest, type Server } from '@durable-workflow/server'
import { CuttableStore } from './cuttable-store.ts'
import { CuttableClock, type VirtualClock } from './virtual-clock.ts'

export interface LocalServerOptions {
  readonly store: Store
  readonly clock: VirtualClock
  readonly chance: Chance
  /** Where its log goes; undefined: nowhere. */
  readonly log: NodeJS.WritableStream | undefined
  /** Hears of an error in a loop of the engine that goes on. */
  readonly onError: (error: unknown) => void
}

/** How long the engine trusts what it knows, in ms: a hundred years. Nobody else writes to its store, and no wake is lost in one process. */
const nobodyElseMs = 100 * 365 * 24 * 3_600_000

/** A server that takes requests of this process until it is closed, or cut like a killed one. */
export class LocalServer {
  readonly engine: Engine
  readonly #server: Server
  readonly #store: CuttableStore
  readonly #clock: CuttableClock
  readonly #gone = Promise.withResolvers<void>()

  constructor(options: LocalServerOptions) {
    const { chance, log, onError } = options
    this.#store = new CuttableStore(options.store)
    this.#clock = new CuttableClock(options.clock, 'never')
    const settings = { scanIntervalMs: nobodyElseMs }
    this.engine = createEngine({ store: this.#store, clock: this.#clock, settings, chance, onError })
    this.#server = createServer({
      engine: this.engine,
      store: this.#store,
      ...(log === undefined ? {} : { log: { level: 'info', stream: log } }),
    })
  }

  /** Resolves when it takes requests, or is cut. */
  async start(): Promise<void> {
    await Promise.race([this.engine.start(), this.#gone.promise])
  }

  answer(request: InjectedRequest): Promise<InjectedAnswer> {
    return this.#server.inject(request)
  }

  /** Its own clock: what it set alarms on. */
  get clock(): Clock {
    return this.#clock
  }

  /** Whether it waits for its store. */
  get isBusy(): boolean {
    return this.#store.isBusy
  }

  /** As SIGKILL: what is not committed is rolled back, and nothing of it moves any more. */
  cut(): void {
    this.#clock.cut()
    this.#store.cut()
    this.#gone.resolve()
  }

  /** Answers what is held, finishes what is under way, stops the engine. */
  close(): Promise<void> {
    return this.#server.close()
  }
}
