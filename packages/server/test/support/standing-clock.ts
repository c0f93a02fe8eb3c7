import type { Clock } from '@durable-workflow/engine/ports'

interface Alarm {
  readonly instant: number
  readonly wake: () => void
}

/** The engine's time in a test's hand: while it stands still, nothing becomes due, so whatever is written was asked for. */
export class StandingClock implements Clock {
  #now = Date.now()
  readonly #alarms = new Set<Alarm>()

  now(): number {
    return this.#now
  }

  at(instant: number, wake: () => void): () => void {
    const alarm = { instant, wake }
    this.#alarms.add(alarm)
    if (instant <= this.#now) setImmediate(() => this.#ring(alarm))
    return () => this.#alarms.delete(alarm)
  }

  soon(wake: () => void): void {
    setImmediate(wake)
  }

  /** Time jumps; what was to be waked meanwhile is waked, earliest first. */
  advance(ms: number): void {
    this.#now += ms
    const due = [...this.#alarms].filter(({ instant }) => instant <= this.#now)
    for (const alarm of due.sort((a, b) => a.instant - b.instant)) this.#ring(alarm)
  }

  #ring(alarm: Alarm): void {
    if (this.#alarms.delete(alarm)) alarm.wake()
  }
}
