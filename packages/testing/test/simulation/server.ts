// One server, life after life on the same store: it dies at a named point, and another process takes its place.

import { createEngine, type Engine, type EngineSettings, type Operation } from '@durable-workflow/engine'
import type { Chance, Clock, NamedPoint, Observer, Probe, Store } from '@durable-workflow/engine/ports'
import { ServerClock, type WorldClock } from './clock.ts'
import type { Journal, ServerLife } from './journal.ts'
import { type Answer, type Request, send } from './request.ts'
import type { Trouble } from './scenario.ts'
import type { Sending } from './sending.ts'

/** Short leases, so that a few seconds see them end; small pages, so that histories have several. */
export const settings: EngineSettings = {
  workflowTaskLeaseMs: 4_000,
  activityTaskLeaseMs: 6_000,
  queryTimeoutMs: 5_000,
  queryLeaseMs: 3_000,
  scanIntervalMs: 1_000,
  historyPageSize: 12,
}

export interface ServerOptions {
  readonly world: WorldClock
  readonly journal: Journal
  readonly chance: Chance
  /** Numbers lives of all servers, from 1. */
  readonly nextLife: () => number
  /** Hears of every operation that is answered, the engine's own included. */
  readonly observer: Observer
  /** Hears where servers die. */
  readonly crashed: (at: NamedPoint | 'now') => void
  /** An error of a loop that goes on. */
  readonly onError: (error: unknown) => void
  /** Changes an operation or an answer on its way, to see whether the judge notices. */
  readonly operation?:
    | (<Reply, Reason extends string>(operation: Operation<Reply, Reason>) => Operation<Reply, Reason>)
    | undefined
  readonly answer?: ((answer: Answer, sending: Sending) => Answer | undefined) | undefined
}

export class Server {
  readonly #options: ServerOptions
  #current: Life | undefined
  /** What its next life's clock shows beyond the true time. */
  #offsetMs = 0
  /** Where it dies when it comes there. */
  crashAt: NamedPoint | undefined

  constructor(options: ServerOptions) {
    this.#options = options
  }

  get alive(): Life | undefined {
    return this.#current?.isDead === true ? undefined : this.#current
  }

  /** Another process starts on the store. */
  start(): void {
    const life: Life = new Life(this.#options, this.#offsetMs, (point) => this.#mayDie(life, point))
    this.#current = life
  }

  /** Sets its clock by so much. */
  skew(ms: number): void {
    this.#offsetMs += ms
    this.alive?.skew(ms)
  }

  crash(at: NamedPoint | 'now'): void {
    this.crashAt = undefined
    if (at !== 'now') this.crashAt = at
    else if (this.alive !== undefined) this.#die(this.alive, 'now')
  }

  trouble(how: Trouble | undefined): void {
    if (this.alive !== undefined) this.alive.trouble = how
  }

  async #mayDie(life: Life, point: NamedPoint): Promise<void> {
    if (life.isDead || this.crashAt !== point) return
    this.crashAt = undefined
    this.#die(life, point)
    // Within the transaction an error rolls it back; elsewhere nothing goes on.
    if (point === 'gathered' || point === 'committed') await new Promise<void>(() => {})
    throw new Error('The server is dead.')
  }

  #die(life: Life, at: NamedPoint | 'now'): void {
    life.die()
    this.#options.crashed(at)
  }
}

/** One process of a server. */
export class Life implements ServerLife {
  readonly life: number
  readonly engine: Engine
  readonly #clock: ServerClock
  readonly #options: ServerOptions
  isDead = false
  trouble: Trouble | undefined
  /** True time from which on nothing has kept it from its work. */
  undisturbedSince: number

  constructor(options: ServerOptions, offsetMs: number, reached: (point: NamedPoint) => Promise<void>) {
    this.#options = options
    this.life = options.nextLife()
    this.#clock = new ServerClock(options.world, offsetMs)
    this.undisturbedSince = options.world.now
    const { journal, chance, observer } = options
    const store: Store = journal.viewOf(this)
    const clock: Clock = this.#clock
    const probe: Probe = {
      reached: (point, kinds) => {
        if (journal.open?.life === this.life) journal.open.kinds = kinds
        return reached(point)
      },
    }
    const onError = (error: unknown) => {
      if (!this.isDead) options.onError(error)
    }
    this.engine = createEngine({ store, clock, chance, probe, observer, settings, onError })
    // A server that cannot start ends, and whoever runs it starts it again.
    this.engine.start().catch(() => this.die())
  }

  now(): number {
    return this.#clock.now()
  }

  skew(ms: number): void {
    this.#clock.offsetMs += ms
  }

  die(): void {
    this.isDead = true
    this.#clock.stop()
  }

  /** Sends a request; what comes of it is found in the sending. */
  send(id: number, request: Request, answered: (sending: Sending) => void): Sending {
    const { journal, operation: changed, answer: falsified } = this.#options
    const sending: Sending = {
      id,
      request,
      life: this.life,
      sentAt: this.#options.world.now,
      decisions: [],
      answer: undefined,
    }
    const watch = <Reply, Reason extends string>(operation: Operation<Reply, Reason>): Operation<Reply, Reason> => {
      const asked = changed === undefined ? operation : changed(operation)
      return {
        ...asked,
        decide: (draft, now) => {
          const decision = asked.decide(draft, now)
          const group = journal.open
          if (decision.kind !== 'widen' && group !== undefined) {
            sending.decisions.push({ group, decision })
            group.sendings.push(sending)
          }
          return decision
        },
      }
    }
    void send(this.engine, request, watch).then((answer) => {
      if (this.isDead) return
      sending.answer = falsified === undefined ? answer : falsified(answer, sending)
      if (sending.answer !== undefined) answered(sending)
    })
    return sending
  }
}
