// Held requests: polls, and answers that come later. Nothing waits in a thread; a held request is a promise and a
// signal that fires when the one who asked is gone, or when the server drains.
import type { ServerResponse } from 'node:http'

export interface HeldRequests {
  /** A signal for one request; it costs nothing until it is asked for. */
  signalFor(response: ServerResponse): AbortSignal
  /** How many requests are held now. */
  readonly count: number
  /** Ends every held request, those to come included. */
  drain(): void
}

export function createHeldRequests(): HeldRequests {
  const held = new Set<AbortController>()
  let draining = false
  return {
    signalFor(response) {
      const controller = new AbortController()
      if (draining || response.destroyed) controller.abort()
      held.add(controller)
      response.once('close', () => {
        held.delete(controller)
        // `close` comes after an ordinary answer too; then nobody listens any more.
        if (!response.writableFinished) controller.abort()
      })
      return controller.signal
    },
    get count() {
      return held.size
    },
    drain() {
      draining = true
      for (const controller of held) controller.abort()
    },
  }
}
