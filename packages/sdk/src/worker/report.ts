// Bringing a report to the server. The server answers an exact repeat with what it recorded, so a report whose outcome is
// unknown is sent again, byte for byte, until there is an answer.
import type { BuiltOperationId } from '@durable-workflow/protocol'
import { type Clock, wait } from '../transport/clock.ts'
import { errorOfReply } from '../transport/reply-error.ts'
import { backoffMs, type RawReply, type RetryPolicy, verdictOfError, verdictOfReply } from '../transport/retry.ts'
import type { Settlement } from './settlement.ts'

export interface Report {
  readonly operationId: BuiltOperationId
  send(): Promise<RawReply>
  settles(reply: RawReply): Settlement | undefined
}

export type Delivery =
  | {
      readonly kind: 'recorded'
      readonly body: unknown
      /** Times the report was sent: above 1, replies may have been lost. */
      readonly sends: number
    }
  | { readonly kind: 'settled'; readonly reason: Settlement }

/** Waits between repeats; `attemptsMax` counts answers of 5xx and 429 only: a server that is away is awaited. */
export const reportRetry: RetryPolicy = { attemptsMax: 8, firstMs: 100, longestMs: 5_000 }

/**
 * Delivers a report once.
 *
 * @param signal  ends the waiting for a server that does not answer; the report is then given up unsettled
 * @throws the original error of every answer that neither records nor settles: it is fatal for the worker
 */
export async function deliver(
  report: Report,
  how: { readonly clock: Clock; readonly policy: RetryPolicy; readonly signal: AbortSignal },
): Promise<Delivery> {
  let answered = 0
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(report)
    if ('reply' in outcome) {
      const { reply } = outcome
      if (reply.status >= 200 && reply.status < 300) return { kind: 'recorded', body: reply.body, sends: attempt }
      const reason = report.settles(reply)
      if (reason !== undefined) return { kind: 'settled', reason }
      answered += 1
    }
    const verdict = 'reply' in outcome ? verdictOfReply(outcome.reply, true) : verdictOfError(outcome.error, true)
    if (verdict === undefined || answered >= how.policy.attemptsMax || how.signal.aborted) {
      throw 'reply' in outcome ? errorOfReply(report.operationId, outcome.reply) : outcome.error
    }
    await wait(how.clock, backoffMs(how.policy, attempt, verdict), how.signal)
  }
}

async function attemptOnce(report: Report): Promise<{ reply: RawReply } | { error: unknown }> {
  try {
    return { reply: await report.send() }
  } catch (error) {
    return { error }
  }
}
