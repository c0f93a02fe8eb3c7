// The engine's time in a test's hand: it stands still until a test advances it.

import type { Clock } from '../../src/ports.ts'

interface Alarm {
  readonly instant: number
  readonly order: number
  readonly wake: () => void
}

/** Asked until nothing is under way; a store that counts its calls is one. */
export interface Busy {
  readonly busy: number
}

export class VirtualClock implements Clock {
  #now: number
  #order = 0
  readonly #alarms = new Set<Alarm>()
  #soon: (() => void)[] = []
  #isHolding = false
  readonly #others: Busy[] = []

  /** @param now epoch ms at which it stands */
  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  at(instant: number, wake: () => void): () => void {
    const alarm = { instant, order: this.#order++, wake }
    this.#alarms.add(alarm)
    return () => this.#alarms.delete(alarm)
  }

  soon(wake: () => void): void {
    this.#soon.push(wake)
  }

  /** Alarms that are set; what a closed engine leaves is zero. */
  get pending(): number {
    return this.#alarms.size + this.#soon.length
  }

  /** The instant of the earliest alarm. */
  get nextAt(): number | undefined {
    return this.#earliest()?.instant
  }

  /** While it settles, this too must come to rest. */
  watch(other: Busy): void {
    this.#others.push(other)
  }

  /** Groups do not begin until `release`: everything that arrives meanwhile is in one group. */
  hold(): void {
    this.#isHolding = true
  }

  release(): void {
    this.#isHolding = false
  }

  /** Runs everything that may run without time passing. */
  async settle(): Promise<void> {
    for (let calm = 0; calm < 3; ) {
      const due = this.#earliest()
      if (due !== undefined && due.instant <= this.#now) {
        this.#alarms.delete(due)
        due.wake()
        calm = 0
      }
      if (!this.#isHolding && this.#soon.length > 0) {
        for (const wake of this.#soon.splice(0)) wake()
        calm = 0
      }
      await new Promise<void>((resolve) => setImmediate(resolve))
      const isBusy = this.#others.some((other) => other.busy > 0)
      const isReady = !this.#isHolding && this.#soon.length > 0
      calm = isBusy || isReady ? 0 : calm + 1
    }
  }

  /** Time passes; every alarm goes off at its own instant, and everything settles at each. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await this.settle()
    for (let next = this.#earliest(); next !== undefined && next.instant <= end; next = this.#earliest()) {
      this.#now = Math.max(this.#now, next.instant)
      await this.settle()
    }
    this.#now = end
    await this.settle()
  }

  #earliest(): Alarm | undefined {
    let earliest: Alarm | undefined
    for (const alarm of this.#alarms) {
      const isEarlier =
        earliest === undefined ||
        alarm.instant < earliest.instant ||
        (alarm.instant === earliest.instant && alarm.order < earliest.order)
      if (isEarlier) earliest = alarm
    }
    return earliest
  }
}
