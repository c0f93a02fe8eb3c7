// One poller: a free slot, then a poll, then the task in the background, then the next poll.
import { RefusedError, TransportError } from '../authoring/failure.ts'
import { type Clock, wait } from '../transport/clock.ts'
import { numberOf } from '../transport/json.ts'
import { backoffMs, type RetryPolicy } from '../transport/retry.ts'
import type { OutageLog } from './outage-log.ts'
import type { NewPollRequestId } from './poll-request-id.ts'
import type { Slots } from './slots.ts'

/** What a worker works on. */
export type TaskKind = 'workflow' | 'activity' | 'query'

export interface PollOptions {
  readonly pollRequestId: string
  readonly timeoutSeconds: number
  readonly signal: AbortSignal
}

export interface PollerOptions<Task> {
  readonly kind: TaskKind
  readonly slots: Slots
  readonly clock: Clock
  readonly outage: OutageLog
  /** Waits between polls of a server that does not answer; `attemptsMax` does not count. */
  readonly retry: RetryPolicy
  readonly newPollRequestId: NewPollRequestId
  readonly pollTimeoutSeconds: number
  /** Ends polling; tasks that run go on. */
  readonly signal: AbortSignal
  poll(options: PollOptions): Promise<Task | undefined>
  /** Works on a task in the background and releases its slot in the end. */
  work(task: Task, release: () => void): void
  /** The server does not know this worker (any more). */
  registerAgain(): Promise<void>
  /** The first poll that came back: the worker is ready. */
  polled(): void
  fatal(error: unknown): void
}

/** A server that is away or busy is polled again for ever, ever less often. */
export const pollRetry: RetryPolicy = { attemptsMax: Number.POSITIVE_INFINITY, firstMs: 100, longestMs: 5_000 }

const idPrefix = { workflow: 'wf-poll', activity: 'activity-poll', query: 'query-poll' } as const

export async function runPoller<Task>(options: PollerOptions<Task>): Promise<void> {
  const { slots, signal } = options
  // The first poll is not held, so that readiness does not wait for a task.
  let timeoutSeconds = 0
  while (!signal.aborted) {
    const release = await slots.acquire(signal)
    if (release === undefined) return
    try {
      const task = await pollUntilAnswered(options, timeoutSeconds)
      timeoutSeconds = options.pollTimeoutSeconds
      if (task === undefined) release()
      else options.work(task, release)
    } catch (error) {
      release()
      if (!signal.aborted) options.fatal(error)
      return
    }
  }
}

// One poll_request_id until there is an answer: a claim whose answer was lost is collected, not stranded (DI5).
async function pollUntilAnswered<Task>(
  options: PollerOptions<Task>,
  timeoutSeconds: number,
): Promise<Task | undefined> {
  const pollRequestId = options.newPollRequestId(idPrefix[options.kind])
  for (let attempt = 1; !options.signal.aborted; attempt += 1) {
    try {
      const task = await options.poll({ pollRequestId, timeoutSeconds, signal: options.signal })
      options.outage.answered()
      options.polled()
      return task
    } catch (error) {
      if (options.signal.aborted) return undefined
      if (!isPassing(error)) throw error
      await recover(options, error, attempt)
    }
  }
  return undefined
}

/** What heals by itself or by registering again; anything else (a wrong token, another protocol) never does. */
function isPassing(error: unknown): boolean {
  if (TransportError.is(error)) return true
  if (!RefusedError.is(error)) return false
  return error.facts.status === 429 || error.facts.status === 503 || passingReasons.includes(error.reason)
}

const passingReasons: readonly string[] = ['worker_not_registered', 'worker_draining', 'stale_worker_registration']

async function recover<Task>(options: PollerOptions<Task>, error: unknown, attempt: number): Promise<void> {
  const isUnknownHere = RefusedError.is(error) && error.reason === 'worker_not_registered'
  const reason = RefusedError.is(error) || TransportError.is(error) ? error.reason : 'unknown'
  const retryAfter =
    TransportError.is(error) || RefusedError.is(error) ? numberOf(error.facts.body, 'retry_after_seconds') : undefined
  options.outage.failed({ kind: options.kind, reason })
  if (isUnknownHere) await options.registerAgain()
  const verdict = { retryAfterMs: retryAfter === undefined ? undefined : retryAfter * 1_000 }
  await wait(options.clock, backoffMs(options.retry, attempt, verdict), options.signal)
}
