// Replays of runs that were worked on lately, bounded in bytes. Losing an entry costs a cold replay, never correctness.
//
// An entry is taken out while it is used, so that a workflow task and a query never share one.
import type { Replay } from '../replay/replay.ts'

export interface StickyCache {
  /** Takes the replay of a run out of the cache. */
  take(runId: string): Replay | undefined
  /** Puts it back as the newest; what does not fit any more is disposed, oldest first. */
  put(runId: string, replay: Replay): void
  clear(): void
  readonly bytes: number
  readonly count: number
}

export function createStickyCache(bytesMax: number): StickyCache {
  // A Map keeps the order of insertion: the first key is the one that was not used for longest.
  const entries = new Map<string, { readonly replay: Replay; readonly bytes: number }>()
  let bytes = 0

  const remove = (runId: string) => {
    const entry = entries.get(runId)
    if (entry === undefined) return undefined
    entries.delete(runId)
    bytes -= entry.bytes
    return entry.replay
  }

  const evict = () => {
    for (const runId of entries.keys()) {
      if (bytes <= bytesMax) return
      remove(runId)?.dispose()
    }
  }

  return {
    take: remove,
    put(runId, replay) {
      remove(runId)?.dispose()
      const entry = { replay, bytes: replay.size }
      entries.set(runId, entry)
      bytes += entry.bytes
      evict()
    },
    clear() {
      for (const { replay } of entries.values()) replay.dispose()
      entries.clear()
      bytes = 0
    },
    get bytes() {
      return bytes
    },
    get count() {
      return entries.size
    },
  }
}
