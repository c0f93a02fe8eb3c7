import type { Logger } from '../authoring/context.ts'
import type { Clock } from '../transport/clock.ts'
import type { Connection } from '../transport/connection.ts'
import type { Discovery } from '../transport/discovery.ts'
import type { RetryPolicy } from '../transport/retry.ts'
import type { NewPollRequestId } from './poll-request-id.ts'

/** What every part of a running worker shares. */
export interface Session {
  readonly connection: Connection
  readonly discovery: Discovery
  readonly clock: Clock
  readonly log: Logger
  readonly namespace: string
  readonly taskQueue: string
  readonly workerId: string
  readonly buildId: string | undefined
  readonly reportRetry: RetryPolicy
  readonly pollRetry: RetryPolicy
  readonly newPollRequestId: NewPollRequestId
  /** Aborted when what still runs must be given up: the end of a drain, or a fatal error. */
  readonly giveUp: AbortSignal
}
