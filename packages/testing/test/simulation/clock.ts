// One time for a world, and for each server a clock that may be wrong. Time moves only when a step says so.

import type { Clock } from '@durable-workflow/engine/ports'

interface Alarm {
  readonly clock: ServerClock
  /** True time: a timer that is set does not move with the clock on the wall. */
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

export class WorldClock {
  /** Epoch ms; true time. */
  now: number
  readonly #alarms = new Set<Alarm>()
  #soon: { readonly clock: ServerClock; readonly wake: () => void }[] = []
  #order = 0

  constructor(now: number) {
    this.now = now
  }

  set(clock: ServerClock, afterMs: number, wake: () => void): () => void {
    const alarm = { clock, at: this.now + afterMs, order: this.#order++, wake }
    this.#alarms.add(alarm)
    return () => this.#alarms.delete(alarm)
  }

  soon(clock: ServerClock, wake: () => void): void {
    this.#soon.push({ clock, wake })
  }

  /** A server is gone: nothing of it wakes any more. */
  forget(clock: ServerClock): void {
    for (const alarm of this.#alarms) if (alarm.clock === clock) this.#alarms.delete(alarm)
    this.#soon = this.#soon.filter((one) => one.clock !== clock)
  }

  /** Runs everything that may run without time passing; a store in memory needs no turn of its own. */
  async settle(): Promise<void> {
    await turn()
    for (;;) {
      const due = this.#earliest()
      const isDue = due !== undefined && due.at <= this.now
      if (!isDue && this.#soon.length === 0) return
      if (isDue) {
        this.#alarms.delete(due)
        due.wake()
      }
      for (const { wake } of this.#soon.splice(0)) wake()
      await turn()
    }
  }

  /** Time goes on: every alarm at its own instant. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    await this.settle()
    for (let next = this.#earliest(); next !== undefined; next = this.#earliest()) {
      if (next.at > end) break
      this.now = Math.max(this.now, next.at)
      await this.settle()
    }
    this.now = end
    await this.settle()
  }

  #earliest(): Alarm | undefined {
    let earliest: Alarm | undefined
    for (const alarm of this.#alarms) {
      const isEarlier =
        earliest === undefined || alarm.at < earliest.at || (alarm.at === earliest.at && alarm.order < earliest.order)
      if (isEarlier) earliest = alarm
    }
    return earliest
  }
}

/** A server's own clock: the world's time and an error. */
export class ServerClock implements Clock {
  readonly #world: WorldClock
  #isGone = false
  /** What it shows beyond the world's time, in ms. */
  offsetMs: number

  constructor(world: WorldClock, offsetMs: number) {
    this.#world = world
    this.offsetMs = offsetMs
  }

  now(): number {
    return this.#world.now + this.offsetMs
  }

  at(instant: number, wake: () => void): () => void {
    return this.#isGone ? () => {} : this.#world.set(this, instant - this.now(), wake)
  }

  soon(wake: () => void): void {
    if (!this.#isGone) this.#world.soon(this, wake)
  }

  /** The process is dead. */
  stop(): void {
    this.#isGone = true
    this.#world.forget(this)
  }
}

// Promises settle within one turn of the event loop, however long their chain.
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
