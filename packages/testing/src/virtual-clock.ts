// Time that stands still until it is told to go on. What is due runs by itself: time only decides when something becomes due.
//
// Owns:      the instant, the alarms, the order of what is due.
// Does not:  know when the system is at rest, or decide that time goes on.
import type { Clock, Punctuality } from '@durable-workflow/engine/ports'

interface Alarm {
  readonly instant: number
  readonly order: number
  readonly wake: () => void
  readonly punctuality: Punctuality
  readonly owner: Clock
  isOver: boolean
}

/** Picks one of several that may go next: an index from 0 up to but not including `count`. */
export type Pick = (count: number) => number

const firstCome: Pick = () => 0

/** The one clock of an environment: engine, server, workers and clients share it. */
export class VirtualClock implements Clock {
  #now: number
  #order = 0
  #moves = 0
  #isTurning = false
  readonly #pick: Pick
  readonly #alarms = new Set<Alarm>()
  readonly #ready: Alarm[] = []

  /** @param now epoch ms @param pick which of those that are due goes next; default: who became due first */
  constructor(now: number, pick: Pick = firstCome) {
    this.#now = now
    this.#pick = pick
  }

  now(): number {
    return this.#now
  }

  /** What is optional comes only if it is due already: nothing depends on it, and time does not stop there. */
  at(instant: number, wake: () => void, punctuality: Punctuality = 'exact', owner: Clock = this): () => void {
    const alarm: Alarm = { instant, order: this.#order++, wake, punctuality, owner, isOver: false }
    if (instant <= this.#now) this.#makeReady(alarm)
    else if (punctuality !== 'optional') this.#alarms.add(alarm)
    return () => {
      alarm.isOver = true
      this.#alarms.delete(alarm)
    }
  }

  soon(wake: () => void): void {
    this.at(this.#now, wake)
  }

  /** The next instant at which time must stand, epoch ms. @param without a party whose alarms do not count */
  nextAt(without?: Clock): number | undefined {
    let next: number | undefined
    for (const { instant, punctuality, owner } of this.#alarms) {
      if (punctuality === 'exact' && owner !== without && (next === undefined || instant < next)) next = instant
    }
    return next
  }

  /** Whether something is due that has not run. */
  get isReady(): boolean {
    return this.#ready.some((alarm) => !alarm.isOver)
  }

  /** Whether something that may be late is due and has not run. */
  get isLate(): boolean {
    return this.#ready.some((alarm) => !alarm.isOver && alarm.punctuality === 'late')
  }

  /** Alarms that are set and not due; what a closed environment leaves is none. */
  get pending(): number {
    return this.#alarms.size
  }

  /** How often something ran; it grows as long as the system moves. */
  get moves(): number {
    return this.#moves
  }

  /**
   * Time is `instant` now (epoch ms); what is due exactly then runs in the turns that follow, what may be late at the next `catchUp`.
   * Never backwards.
   */
  jumpTo(instant: number): void {
    this.#now = Math.max(this.#now, instant)
    this.#makeDueReady((alarm) => alarm.punctuality === 'exact')
  }

  /** What is late runs in the turns that follow. @returns whether there is any */
  catchUp(): boolean {
    return this.#makeDueReady(() => true)
  }

  #makeDueReady(isMeant: (alarm: Alarm) => boolean): boolean {
    const due = [...this.#alarms].filter((alarm) => alarm.instant <= this.#now && isMeant(alarm))
    due.sort((a, b) => a.instant - b.instant || a.order - b.order)
    for (const alarm of due) {
      this.#alarms.delete(alarm)
      this.#makeReady(alarm)
    }
    return due.length > 0
  }

  #makeReady(alarm: Alarm): void {
    this.#ready.push(alarm)
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(this.#turn)
  }

  // One a turn: what it sets off has its turn before the next, and the order is that of `pick`, not of the event loop.
  readonly #turn = (): void => {
    const [alarm] = this.#ready.splice(this.#pick(this.#ready.length), 1)
    if (this.#ready.length > 0) setImmediate(this.#turn)
    else this.#isTurning = false
    if (alarm === undefined || alarm.isOver) return
    alarm.isOver = true
    this.#moves += 1
    alarm.wake()
  }
}

/**
 * The clock as one party sees it that may die: a server, a worker. After `cut` time means nothing to it.
 *
 * @param afterCut what the dead wait for: `never` comes, or comes `at once` so that they come to their end
 */
export class CuttableClock implements Clock {
  readonly #clock: VirtualClock
  readonly #afterCut: 'never' | 'at once'
  /** What cancels an alarm, and what it wakes. */
  readonly #set = new Map<() => void, () => void>()
  #isCut = false

  constructor(clock: VirtualClock, afterCut: 'never' | 'at once') {
    this.#clock = clock
    this.#afterCut = afterCut
  }

  now(): number {
    return this.#clock.now()
  }

  at(instant: number, wake: () => void, punctuality?: Punctuality): () => void {
    if (this.#isCut) return this.#afterCut === 'at once' ? this.#clock.at(this.#clock.now(), wake) : () => {}
    const cancel = this.#clock.at(
      instant,
      () => {
        this.#set.delete(cancel)
        wake()
      },
      punctuality,
      this,
    )
    this.#set.set(cancel, wake)
    return () => {
      this.#set.delete(cancel)
      cancel()
    }
  }

  soon(wake: () => void): void {
    this.at(this.#clock.now(), wake)
  }

  /** The party is dead. */
  cut(): void {
    this.#isCut = true
    for (const [cancel, wake] of this.#set) {
      cancel()
      if (this.#afterCut === 'at once') this.soon(wake)
    }
    this.#set.clear()
  }
}
