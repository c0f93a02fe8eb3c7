import type { ActivityTaskClaimed, QueryTaskClaimed, WorkflowTaskClaimed } from './core/operations/index.ts'
import type { ClaimProof } from './core/state/claim.ts'
import type { CommitUnknownError, TaskKind } from './ports.ts'

/** What a poller gets: the rows as its claim left them. */
export type Claimed = WorkflowTaskClaimed | ActivityTaskClaimed | QueryTaskClaimed

/** A held poll: where it waits, what it can take, whom to answer. */
export interface Waiter {
  readonly kind: TaskKind
  readonly namespace: string
  readonly taskQueue: string
  readonly types: ReadonlySet<string>
  readonly proof: ClaimProof
  readonly leaseMs: number
  /** Whether its time is up or its client gone: a claim that failed puts it back no more. */
  isOver(): boolean
  /** Answers the poll, at most once (DI1); undefined when its time is up. */
  settle(claimed: Claimed | undefined): void
  /** Whether its claim is committed is not known: the poll ends with the error, and the same poll id collects the claim (UW7). */
  fail(error: CommitUnknownError): void
}
