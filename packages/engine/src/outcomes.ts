// Answers that come later (a held query, a run's end, a new event) are one mechanism: a probe that reads the state,
// asked again at every wake and, because a wake is only a hint, at every interval.

import type { Clock, OutcomeKey } from './ports.ts'

/**
 * Looks a second without a wake, of all who wait: many more would take the store from those who work. Beyond an interval's worth
 * of waiting, each looks less often.
 */
const looksPerSecondMax = 500

export class Outcomes {
  readonly #clock: Clock
  readonly #pollIntervalMs: number
  readonly #listeners = new Map<string, Set<() => void>>()
  #waiting = 0
  #isClosed = false

  constructor(clock: Clock, pollIntervalMs: number) {
    this.#clock = clock
    this.#pollIntervalMs = pollIntervalMs
  }

  /** Whoever waits on the key looks again. */
  wake(key: OutcomeKey): void {
    for (const listener of this.#listeners.get(key) ?? []) listener()
  }

  /** Everybody looks again: wakes were lost. */
  wakeAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
  }

  /** Everybody looks a last time; for the end of a server. */
  close(): void {
    this.#isClosed = true
    this.wakeAll()
  }

  /**
   * Resolves with what the probe finds, or undefined at the deadline (epoch ms) or when the signal aborts.
   * A probe that rejects ends the wait with its error. A clock that skips time may pass the deadline: whoever must hear of it then
   * wakes the key.
   */
  async await<Found>(
    key: OutcomeKey,
    deadline: number,
    probe: () => Promise<Found | undefined>,
    signal?: AbortSignal,
  ): Promise<Found | undefined> {
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners)
    const listener = new Listener()
    listeners.add(listener.wake)
    this.#waiting += 1
    signal?.addEventListener('abort', listener.wake)
    try {
      for (;;) {
        // Listening starts before the probe reads: a commit between the two is not missed.
        const woken = listener.next()
        const found = await probe()
        if (found !== undefined) return found
        const now = this.#clock.now()
        if (now >= deadline || signal?.aborted === true || this.#isClosed) return undefined
        const cancelTimer = this.#clock.at(Math.min(deadline, now + this.#intervalMs), listener.wake, 'optional')
        await woken
        cancelTimer()
      }
    } finally {
      signal?.removeEventListener('abort', listener.wake)
      listeners.delete(listener.wake)
      this.#waiting -= 1
      if (listeners.size === 0) this.#listeners.delete(key)
    }
  }

  get #intervalMs(): number {
    return Math.max(this.#pollIntervalMs, (this.#waiting * 1000) / looksPerSecondMax)
  }
}

/** One caller's ear: each `next` resolves at the first wake after it. */
class Listener {
  #resolve: () => void = () => {}
  readonly wake = () => this.#resolve()

  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#resolve = resolve
    return promise
  }
}
