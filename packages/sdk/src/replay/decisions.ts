// The versions a run is pinned to: one decision a change, for the whole run.
import type { Call } from './calls.ts'
import type { Entry } from './history.ts'

/** The version of a run that was at this place before the code had the change. */
export const legacyVersion = -1

export interface Decisions {
  get(changeId: string): number | undefined
  set(changeId: string, version: number): void
  /** Keeps a version that was decided because history has no marker for it, with the call that asked. */
  assume(call: Call): void
  /** The call that got `legacyVersion` where history has this step. */
  assumedAt(step: number): Call | undefined
  /** Whether the row is one more marker of a decided change: SDKs that write one a call leave them; `next` is the call it would go to. */
  isRepeated(entry: Entry, next: Call | undefined): boolean
}

export function createDecisions(): Decisions {
  const versions = new Map<string, number>()
  const assumed = new Map<number, Call>()
  return {
    get: (changeId) => versions.get(changeId),
    set: (changeId, version) => void versions.set(changeId, version),
    assume: (call) => void assumed.set(call.step, call),
    assumedAt: (step) => assumed.get(step),
    isRepeated({ fact }, next) {
      if (fact.kind !== 'version marker' || fact.version === undefined) return false
      if (versions.get(fact.changeId) !== fact.version) return false
      return next?.command.type !== 'record_version_marker' || next.command.change_id !== fact.changeId
    },
  }
}
