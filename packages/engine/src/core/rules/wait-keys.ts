import type { Draft } from '../decision/draft.ts'
import type { SliceKey } from '../decision/slice.ts'

/** The live waits of a run and, once those are loaded, the timers behind them: what ends a wait takes its timer away. */
export function waitKeys(draft: Draft, runId: string): SliceKey[] {
  const waits: SliceKey = { of: 'liveWaits', runId }
  if (!draft.knows(waits)) return [waits]
  const keys: SliceKey[] = [waits]
  for (const wait of draft.liveWaits(runId))
    if (wait.timerId !== undefined) keys.push({ of: 'timer', timerId: wait.timerId })
  return keys
}
