// Progress of one activity attempt: the newest details win, and no more than one heartbeat leaves per interval.
import type { Clock } from '../transport/clock.ts'

export interface Heartbeats {
  /** Remembers details and sends them now, or as soon as the interval allows. */
  record(details: unknown): void
  /** Sends the newest details again, for the sake of the lease. */
  renew(): Promise<void>
  stop(): void
}

export interface HeartbeatOptions {
  readonly clock: Clock
  /** The shortest time between two heartbeats. */
  readonly intervalMs: number
  /** Sends one heartbeat. Never throws. */
  send(details: unknown): Promise<void>
}

export function createHeartbeats({ clock, intervalMs, send }: HeartbeatOptions): Heartbeats {
  let isStopped = false
  let endPause: (() => void) | undefined
  let newest: unknown
  let isDirty = false
  let isSending = false
  let nextAt = Number.NEGATIVE_INFINITY

  const pause = (durationMs: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.at(clock.now() + durationMs, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
    })

  // One loop at a time: what is recorded while it sends or waits leaves with its next round, and only the newest of it.
  const flush = async () => {
    if (isSending) return
    isSending = true
    while (isDirty && !isStopped) {
      const tooSoonMs = nextAt - clock.now()
      if (tooSoonMs > 0) await pause(tooSoonMs)
      if (isStopped) break
      isDirty = false
      nextAt = clock.now() + intervalMs
      await send(newest)
    }
    isSending = false
  }

  return {
    record(details) {
      newest = details
      isDirty = true
      void flush()
    },
    async renew() {
      isDirty = true
      nextAt = Number.NEGATIVE_INFINITY
      await flush()
    },
    stop() {
      isStopped = true
      endPause?.()
    },
  }
}
