/**
 * How much depends on the time of a call back: `exact` (the default) everything; `late`: it may come late, as long as it comes before
 * somebody asks; `optional`: it need not come, as with a look that a wake makes needless. A clock that skips time stops only at the
 * exact ones.
 */
export type Punctuality = 'exact' | 'late' | 'optional'

/** Time as the client and the worker see it; the same shape as the engine's, so that tests hand one object to all. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back at an instant, not earlier; returns what cancels it. */
  at(instant: number, wake: () => void, punctuality?: Punctuality): () => void
}

// setTimeout fires at once above 2^31 - 1 ms.
const longestTimerMs = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  at: (instant, wake) => {
    const timer = setTimeout(wake, Math.min(Math.max(0, instant - Date.now()), longestTimerMs))
    return () => clearTimeout(timer)
  },
}

/** Waits; ends early, without an error, when `signal` aborts. */
export function wait(clock: Clock, durationMs: number, signal?: AbortSignal, punctuality?: Punctuality): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.at(clock.now() + durationMs, done, punctuality)
    signal?.addEventListener('abort', done, { once: true })
  })
}
