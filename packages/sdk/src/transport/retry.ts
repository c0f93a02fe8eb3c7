// What may be repeated, and what never.
//
// A request that cannot have reached the server, or that the server says it did not admit, may always be sent again. When the
// outcome is unknown, only requests whose repetition changes nothing are: reads, polls with the same poll_request_id,
// heartbeats, reports (the server answers an exact repeat), and a start that carries a start_id.
import { type OperationId, operations } from '@durable-workflow/protocol'
import { TransportError } from '../authoring/failure.ts'
import { type Clock, wait } from './clock.ts'
import { memberOf, numberOf, textOf } from './json.ts'

export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** How often, and after which waits, a request is sent again. */
export interface RetryPolicy {
  /** Times a request is sent in all. */
  readonly attemptsMax: number
  /** The first wait; doubled each time. */
  readonly firstMs: number
  /** The longest wait of our own choice; a server's Retry-After may be longer. */
  readonly longestMs: number
}

/**
 * About 11 s in all: a restart of the server on a busy machine is survived (more than 3 s were seen), an absent one is reported while
 * somebody still looks.
 */
export const clientRetry: RetryPolicy = { attemptsMax: 8, firstMs: 100, longestMs: 5_000 }

const retryAfterMaxMs = 60_000

const repeatable: Partial<Record<OperationId, true>> = {
  registerWorker: true,
  heartbeatWorker: true,
  pollWorkflowTask: true,
  getWorkflowTaskHistory: true,
  heartbeatWorkflowTask: true,
  completeWorkflowTask: true,
  failWorkflowTask: true,
  pollActivityTask: true,
  heartbeatActivityTask: true,
  completeActivityTask: true,
  failActivityTask: true,
  pollQueryTask: true,
  completeQueryTask: true,
  failQueryTask: true,
  // Answers are computed from history and change nothing.
  queryWorkflow: true,
  queryRun: true,
}

/** True when sending the request again changes nothing that the first sending did not. */
export function isRepeatable(operationId: OperationId, body: unknown): boolean {
  if (operations[operationId].method === 'GET') return true
  if (operationId === 'startWorkflow') return textOf(body, 'start_id') !== undefined
  return repeatable[operationId] === true
}

/** What a failed attempt says about a further one: `undefined` when there must be none, else the wait that the server asks for. */
export interface Verdict {
  readonly retryAfterMs: number | undefined
}

/** Judges an answer. 504 ends a query: the server has waited already. */
export function verdictOfReply(reply: RawReply, isSafe: boolean): Verdict | undefined {
  const { status, body } = reply
  const untouched =
    status === 429 ||
    (status === 503 && (memberOf(body, 'recorded') === false || memberOf(body, 'request_admitted') === false))
  const unknown = status >= 500 && status !== 501 && status !== 504
  if (!untouched && !(unknown && isSafe)) return undefined
  return { retryAfterMs: retryAfterMs(reply) }
}

/** Judges an exchange that had no answer. */
export function verdictOfError(error: unknown, isSafe: boolean): Verdict | undefined {
  if (!TransportError.is(error)) return undefined
  return error.reason === 'not_sent' || (error.reason === 'answer_lost' && isSafe)
    ? { retryAfterMs: undefined }
    : undefined
}

function retryAfterMs(reply: RawReply): number | undefined {
  const seconds = numberOf(reply.body, 'retry_after_seconds') ?? Number(reply.headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, retryAfterMaxMs) : undefined
}

/** The wait before attempt `attempt + 1`: doubled, bounded, spread by a quarter either way; never shorter than the server asked. */
export function backoffMs(policy: RetryPolicy, attempt: number, verdict: Verdict): number {
  const plain = Math.min(policy.firstMs * 2 ** (attempt - 1), policy.longestMs)
  const spread = plain * (0.75 + Math.random() / 2)
  return verdict.retryAfterMs === undefined ? spread : Math.max(spread, verdict.retryAfterMs)
}

/**
 * Sends until there is an answer that ends it.
 *
 * @returns the last answer, whatever its status
 * @throws the last TransportError when no attempt was answered
 */
export async function sendRepeatedly(
  send: () => Promise<RawReply>,
  options: {
    readonly isSafe: boolean
    readonly policy: RetryPolicy
    readonly clock: Clock
    readonly signal?: AbortSignal | undefined
  },
): Promise<RawReply> {
  const { isSafe, policy, clock, signal } = options
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(send)
    const verdict = 'reply' in outcome ? verdictOfReply(outcome.reply, isSafe) : verdictOfError(outcome.error, isSafe)
    if (verdict === undefined || attempt >= policy.attemptsMax) {
      if ('reply' in outcome) return outcome.reply
      throw outcome.error
    }
    await wait(clock, backoffMs(policy, attempt, verdict), signal)
    signal?.throwIfAborted()
  }
}

async function attemptOnce(send: () => Promise<RawReply>): Promise<{ reply: RawReply } | { error: unknown }> {
  try {
    return { reply: await send() }
  } catch (error) {
    return { error }
  }
}
