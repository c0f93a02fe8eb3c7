// A server that is away is met by every poller at once: said when it begins, now and then while it lasts, and when it ends.
import type { Logger } from '../authoring/context.ts'
import type { Clock } from '../transport/clock.ts'

export interface OutageLog {
  failed(facts: { readonly kind: string; readonly reason: string }): void
  answered(): void
}

const repeatEveryMs = 30_000

export function createOutageLog(log: Logger, clock: Clock): OutageLog {
  let since: number | undefined
  let saidAt = 0
  let failures = 0
  return {
    failed(facts) {
      const now = clock.now()
      since ??= now
      failures += 1
      if (failures > 1 && now - saidAt < repeatEveryMs) return
      saidAt = now
      log.warn('Polls are not answered; they are repeated until they are.', {
        ...facts,
        failures,
        sinceMs: now - since,
      })
    },
    answered() {
      if (since === undefined) return
      log.info('Polls are answered again.', { failures, lastedMs: clock.now() - since })
      since = undefined
      failures = 0
    },
  }
}
