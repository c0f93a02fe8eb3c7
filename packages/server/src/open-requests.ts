// Requests that were read whole and whose answer is not out yet: what a shutdown must not cut.
import type { ServerResponse } from 'node:http'

export interface OpenRequests {
  /** Counts a request until its answer is out or its client is gone. */
  track(response: ServerResponse): void
  readonly count: number
  /** Resolves as soon as there is none. */
  none(): Promise<void>
}

export function createOpenRequests(): OpenRequests {
  let count = 0
  let waiting: (() => void)[] = []
  const ended = () => {
    count -= 1
    if (count > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  return {
    track(response) {
      if (response.destroyed) return
      count += 1
      response.once('close', ended)
    },
    get count() {
      return count
    },
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
