import type { Clock } from '../transport/clock.ts'

// A claim says until when it holds on the server's clock; a clock that is off must not make a busy loop or a silent worker.
const leaseMsMin = 600
const leaseMsMax = 600_000

/** How long a lease lasts from now, in milliseconds, kept within reason. */
export function leaseMs(clock: Clock, leaseExpiresAt: number | undefined, whenUnknownMs: number): number {
  const left = leaseExpiresAt === undefined ? whenUnknownMs : leaseExpiresAt - clock.now()
  return Math.min(Math.max(left, leaseMsMin), leaseMsMax)
}

// A reason of its own: without one every stop would make a DOMException with a stack, 5 % of a busy worker's time
// (bench W1, 2026-11-30).
const stopped = 'the renewal was stopped'

export interface Renewal {
  stop(): void
}

/**
 * Renews a lease every third of it until stopped.
 *
 * `renew` answers how long the renewed lease lasts, or undefined when there is nothing left to renew. A renewal that fails is
 * tried again at the next third: the report decides what became of the claim, not the renewal.
 */
export function renewEveryThird(
  clock: Clock,
  firstLeaseMs: number,
  renew: (signal: AbortSignal) => Promise<number | undefined>,
): Renewal {
  let isStopped = false
  let cancel = () => {}
  // Made for a renewal that is sent, which most tasks never need.
  let sending: AbortController | undefined

  const arm = (leaseMs: number) => {
    cancel = clock.at(clock.now() + thirdOf(leaseMs), () => void beat())
  }
  // `renew` never throws: see its implementations.
  const beat = async () => {
    sending = new AbortController()
    const renewed = await renew(sending.signal)
    sending = undefined
    if (renewed !== undefined && !isStopped) arm(renewed)
  }

  arm(firstLeaseMs)
  return {
    stop() {
      if (isStopped) return
      isStopped = true
      cancel()
      sending?.abort(stopped)
    },
  }
}

// Whole seconds: timers of one duration share a list, and a lease differs from the next by the milliseconds of its way.
function thirdOf(leaseMs: number): number {
  const third = leaseMs / 3
  return third < 1_000 ? third : Math.floor(third / 1_000) * 1_000
}
