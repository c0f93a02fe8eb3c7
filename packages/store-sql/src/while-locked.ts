import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import type { Answer } from './dialects/dialect.ts'

/** Another server's commit takes 1–20 ms: a longer pause wastes the lock, a shorter one only burns time. */
const pauseMs = 5

/** Tries again while the answer is `locked`, for as long as `lockWaitMs`; then `locked` it stays. */
export async function whileLocked<T>(lockWaitMs: number, attempt: () => Answer<T>): Promise<T> {
  const giveUpAt = performance.now() + lockWaitMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || error.condition !== 'locked') throw error
      if (performance.now() >= giveUpAt) throw error
    }
    await delay(pauseMs)
  }
}
