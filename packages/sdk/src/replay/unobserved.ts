// Promises of durable calls that nobody has waited for yet; what is left of them at the end of the run is reported.
import type { Logger } from '../authoring/context.ts'
import type { Place } from '../authoring/place.ts'
import type { Deferred } from './deferred.ts'

export interface Unobserved {
  /** Keeps a promise in mind until somebody waits for it. */
  track(label: string, place: Place, deferred: Deferred<unknown>): void
  /** Warns of each, with its place, and forgets them. */
  report(log: Logger): void
  forget(): void
}

export function createUnobserved(): Unobserved {
  const waiting = new Map<Deferred<unknown>, { readonly label: string; readonly place: Place }>()
  return {
    track(label, place, deferred) {
      waiting.set(deferred, { label, place })
      deferred.promise.whenObserved(() => waiting.delete(deferred))
    },
    report(log) {
      for (const { label, place } of waiting.values()) {
        const where = place.location()
        const at = where === undefined ? '' : ` at ${where}`
        const facts = { call: label, place: where }
        log.warn(`${label}${at} was never awaited; its result and its failure are lost.`, facts)
      }
      waiting.clear()
    },
    forget: () => waiting.clear(),
  }
}
