// Held requests: polls, and answers that come later. Nothing waits in a thread; a held request is a promise and a
// signal that fires when the one who asked is gone, or when the server drains.
import type { ServerResponse } from 'node:http'

export interface HeldRequests {
  /** A signal for one request; it costs nothing until it is asked for. */
  signalFor(response: ServerResponse, operation: string): AbortSignal
  /** How many requests are held now. */
  readonly count: number
  /** The same by operation; one that held a request before stays, at zero. */
  readonly counts: ReadonlyMap<string, number>
  /** Ends every held request, those to come included. */
  drain(): void
}

export function createHeldRequests(): HeldRequests {
  const held = new Set<AbortController>()
  const counts = new Map<string, number>()
  const add = (operation: string, one: 1 | -1) => counts.set(operation, (counts.get(operation) ?? 0) + one)
  let draining = false
  return {
    signalFor(response, operation) {
      const controller = new AbortController()
      if (draining || response.destroyed) controller.abort()
      held.add(controller)
      add(operation, 1)
      response.once('close', () => {
        held.delete(controller)
        add(operation, -1)
        // `close` comes after an ordinary answer too; then nobody listens any more.
        if (!response.writableEnded) controller.abort()
      })
      return controller.signal
    },
    get count() {
      return held.size
    },
    counts,
    drain() {
      draining = true
      for (const controller of held) controller.abort()
    },
  }
}
