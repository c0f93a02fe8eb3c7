// When time may go on: the rule of rest, and who moves time.
//
// Invariants
//   TK1  Time moves only at rest: nothing due is left, no request is open that the server does not hold, and no worker that lives
//        works on something that does not wait for time. The lease of a dead worker, or a task that nobody serves, is no work.
//   TK2  Time stops at every instant at which something is due, in order, and comes to rest there.
//   TK3  Nothing here waits for the machine's clock, but for a moment before it says that nothing can come.
import type { VirtualClock } from './virtual-clock.ts'

export interface TimekeeperOptions {
  readonly clock: VirtualClock
  readonly isAutomatic: boolean
  /** At rest: the next instant at which something is due, epoch ms. */
  readonly nextAt: () => Promise<number | undefined>
  /** Stops that automatic time makes for the same waits before it gives up. */
  readonly stopsMax: number
  /** Whether anything is under way that time must wait for. */
  readonly isBusy: () => boolean
  /** Whether somebody waits for what only the passing of time, or other work, can bring. */
  readonly isAwaited: () => boolean
  /** Whoever waits is told that it cannot come. */
  readonly giveUp: (why: 'nothing is due' | 'too many stops', stops: number) => Promise<void>
}

/** Turns of the event loop without a move after which nothing moves: a body is read in three. */
const calmTurns = 4
/** Turns in which the busy may do without a move of ours, as a long replay does, before their next move is awaited. */
const busyTurnsMax = 2_000
/** A test that does something of its own between its calls is given this long, in ms, before a wait is called hopeless. */
const graceMs = 250

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

export class Timekeeper {
  readonly #options: TimekeeperOptions
  #moves = 0
  #moved = Promise.withResolvers<void>()
  #last: Promise<unknown> = Promise.resolve()
  #isDriving = false
  #isClosed = false

  constructor(options: TimekeeperOptions) {
    this.#options = options
  }

  /** Something began, went on or ended. */
  readonly noteMove = (): void => {
    this.#moves += 1
    this.#moved.resolve()
    this.#moved = Promise.withResolvers<void>()
    if (!this.#isDriving && !this.#isClosed && this.#options.isAwaited()) void this.#drive()
  }

  /** Time goes on to an instant (epoch ms), and rests there. */
  advanceTo(instant: number): Promise<void> {
    return this.#alone(async () => {
      const { clock } = this.#options
      for (let next = await this.#nextStop(); next !== undefined && next <= instant; next = await this.#nextStop()) {
        clock.jumpTo(next)
      }
      clock.jumpTo(instant)
      clock.catchUp()
      await this.rest()
      // Whoever waits may wait in vain from now on.
      this.noteMove()
    })
  }

  /** Resolves when nothing moves without time passing. */
  async rest(): Promise<void> {
    let seen = this.#count
    let busyTurns = 0
    for (let calm = 0; calm < calmTurns && !this.#isClosed; ) {
      const { promise } = this.#moved
      await turn()
      const isBusy = this.#options.clock.isReady || this.#options.isBusy()
      calm = isBusy || this.#count !== seen ? 0 : calm + 1
      busyTurns = this.#count === seen ? busyTurns + 1 : 0
      seen = this.#count
      // An activity waits for something real: so do we, without turning the loop meanwhile.
      if (isBusy && busyTurns > busyTurnsMax && !this.#options.clock.isReady) await promise
    }
  }

  /** What is late is made up for, before somebody asks. Resolves when no exchange of it is open. */
  async catchUp(isUnderWay: () => boolean): Promise<void> {
    const { clock } = this.#options
    if (!clock.catchUp()) return
    while (clock.isLate || isUnderWay()) await turn()
  }

  /** Nobody moves time any more; resolves when nobody is at it. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#moved.resolve()
    await this.#last
  }

  // What is due is looked up in the store; whoever began something meanwhile is waited for first.
  async #nextStop(): Promise<number | undefined> {
    for (;;) {
      await this.rest()
      if (this.#isClosed) return undefined
      const seen = this.#count
      const next = await this.#options.nextAt()
      if (this.#count === seen || this.#isClosed) return next
    }
  }

  get #count(): number {
    return this.#moves + this.#options.clock.moves
  }

  #alone<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#last
    const done = before.then(act)
    this.#last = done.catch(() => {})
    return done
  }

  async #drive(): Promise<void> {
    this.#isDriving = true
    let stops = 0
    while (this.#mayDrive) {
      const { promise } = this.#moved
      const step = await this.#alone(() => this.#step(stops))
      stops = step === 'stopped' ? stops + 1 : stops
      if (step === 'waits for a test') await promise
    }
    this.#isDriving = false
  }

  get #mayDrive(): boolean {
    return !this.#isClosed && this.#options.isAwaited()
  }

  async #step(stops: number): Promise<'stopped' | 'waits for a test' | 'over'> {
    const { clock, isAutomatic, stopsMax, giveUp } = this.#options
    const nextAt = await this.#nextStop()
    if (!this.#mayDrive) return 'over'
    if (nextAt !== undefined && !isAutomatic) return 'waits for a test'
    if (nextAt !== undefined && stops < stopsMax) {
      clock.jumpTo(nextAt)
      return 'stopped'
    }
    if (nextAt === undefined && !(await this.#isHopeless())) return 'over'
    await giveUp(nextAt === undefined ? 'nothing is due' : 'too many stops', stops)
    return 'over'
  }

  async #isHopeless(): Promise<boolean> {
    const seen = this.#count
    let timer: NodeJS.Timeout | undefined
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    await Promise.race([grace, this.#moved.promise])
    clearTimeout(timer)
    return this.#count === seen && this.#mayDrive
  }
}
