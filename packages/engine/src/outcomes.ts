// Answers that come later (a held query, a run's end, a new event) are one mechanism: a probe that reads the state,
// asked again at every wake and, because a wake is only a hint, at every interval.

import type { Clock } from './ports.ts'

/** What a caller waits on: anything that happens to a run, or the outcome of a query. */
export type OutcomeKey = `run:${string}` | `query:${string}`

export class Outcomes {
  readonly #clock: Clock
  readonly #pollIntervalMs: number
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(clock: Clock, pollIntervalMs: number) {
    this.#clock = clock
    this.#pollIntervalMs = pollIntervalMs
  }

  /** Whoever waits on the key looks again. */
  wake(key: OutcomeKey): void {
    for (const listener of this.#listeners.get(key) ?? []) listener()
  }

  /** Everybody looks again; for the end of a server. */
  wakeAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
  }

  /**
   * Resolves with what the probe finds, or undefined at the deadline (epoch ms) or when the signal aborts.
   * A probe that rejects ends the wait with its error.
   */
  async await<Found>(
    key: OutcomeKey,
    deadline: number,
    probe: () => Promise<Found | undefined>,
    signal?: AbortSignal,
  ): Promise<Found | undefined> {
    for (;;) {
      // Listening starts before the probe reads: a commit between the two is not missed.
      const woken = this.#next(key, Math.min(deadline, this.#clock.now() + this.#pollIntervalMs), signal)
      try {
        const found = await probe()
        if (found !== undefined) return found
        if (this.#clock.now() >= deadline || signal?.aborted === true) return undefined
        await woken.promise
      } finally {
        woken.cancel()
      }
    }
  }

  #next(key: OutcomeKey, at: number, signal: AbortSignal | undefined): { promise: Promise<void>; cancel: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>()
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners)
    listeners.add(resolve)
    const cancelTimer = this.#clock.at(at, resolve)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    return {
      promise,
      cancel: () => {
        cancelTimer()
        listeners.delete(resolve)
        if (listeners.size === 0) this.#listeners.delete(key)
      },
    }
  }
}
