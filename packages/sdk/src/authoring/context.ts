import type { ActivityContract, InputParameters, MaybeSchema, Out } from './contract.ts'
import type { HandlerOf, Message, PayloadOf, Query, Signal } from './message.ts'
import type { ActivityOptions, Duration } from './options.ts'

/** A leveled logger; `facts` become fields of the line. */
export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

/** Facts of the run that a workflow may read. */
export interface WorkflowInfo {
  readonly workflowId: string
  readonly runId: string
  readonly workflowType: string
  readonly namespace: string
  readonly taskQueue: string
  /** Which delivery of the current workflow task this is; differs between replays, so only for logs. */
  readonly attempt: number
  /** Epoch ms. */
  readonly startedAt: number
  /** Events of history that this code has seen so far. */
  readonly historyLength: number
  readonly historyBytes: number
  readonly continueAsNewSuggested: boolean
}

/** How a wait ends when nothing comes. */
export interface WaitOptions {
  /** How long to wait; whole seconds on the wire, rounded up. Left out: for ever. */
  readonly timeout?: Duration | undefined
}

/**
 * Everything durable a workflow can do. `H` is the union of the messages in the contract's `handles`.
 *
 * Every method must be called from the workflow's own function; after its end, from a query or from another run it throws.
 */
export interface WorkflowContext<H extends Message = Message> {
  /**
   * Schedules an activity and waits for its output.
   *
   * @param args the input where the contract declares one, then options that override the contract's
   * @throws ActivityFailure, TimeoutFailure, CancellationFailure from the returned promise
   */
  run<I extends MaybeSchema, O extends MaybeSchema>(
    activity: ActivityContract<I, O>,
    ...args: [...InputParameters<I>, options?: ActivityOptions]
  ): Promise<Out<O>>

  /** A durable timer. */
  sleep(duration: Duration): Promise<void>

  /** A durable timer until an instant; at once when it has passed. */
  sleepUntil(instant: Date): Promise<void>

  /**
   * The next unread payload of a signal; `undefined` when the timeout passes first.
   *
   * A signal is either waited for or has a handler, never both.
   */
  waitFor<M extends Extract<H, Signal>>(
    signal: M,
    options: { readonly timeout: Duration },
  ): Promise<PayloadOf<M> | undefined>
  waitFor<M extends Extract<H, Signal>>(signal: M): Promise<PayloadOf<M>>

  /** The payloads of a signal as they come, without end. */
  messages<M extends Extract<H, Signal>>(signal: M): AsyncIterableIterator<PayloadOf<M>>

  /** Waits until `predicate` holds: true, or false when the timeout passes first. It is asked again whenever something happened. */
  condition(predicate: () => boolean, options?: WaitOptions): Promise<boolean>

  /**
   * Answers a query, or takes every payload of a signal.
   *
   * Queries of `handles` need their handler before the first durable call.
   */
  handle<M extends Extract<H, Signal | Query>>(message: M, handler: HandlerOf<M>): void

  /** Deterministic time, epoch ms: when the event that woke this code was recorded. */
  now(): number
  /** Deterministic, from 0 up to but not including 1; seeded by the run id. */
  random(): number
  /** A deterministic UUID (version 4). */
  uuid(): string
  /** Silent while known history is replayed. */
  readonly log: Logger
  readonly info: WorkflowInfo
}

/** Facts of one attempt of an activity. */
export interface ActivityInfo {
  readonly activityType: string
  readonly activityExecutionId: string
  readonly activityAttemptId: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Attempts in all; `undefined` when unlimited or not stated by the server. */
  readonly maximumAttempts: number | undefined
  /** When this attempt must have ended, epoch ms; `undefined` without a limit. */
  readonly deadline: number | undefined
  readonly workflowId: string
  readonly runId: string
  readonly workflowType: string | undefined
  readonly namespace: string
  readonly taskQueue: string
}

/** What an activity is told and may tell. */
export interface ActivityContext {
  /** Aborted when the attempt must stop: cancellation, a lost lease, a closed run, or the worker's shutdown. */
  readonly signal: AbortSignal
  /** Reports progress; `details` reach the next attempt. Returns at once, sent at most once per interval. */
  heartbeat(details?: unknown): void
  /** Details of the last heartbeat of an earlier attempt; the type is taken at its word. */
  lastHeartbeat<T>(): T | undefined
  /** The same for every attempt of one execution: give it to the payment provider. */
  readonly idempotencyKey: string
  readonly info: ActivityInfo
  readonly log: Logger
}
