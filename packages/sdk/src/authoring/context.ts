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
  /** Bytes of history when the current task was made; a replay sees those of its own task. */
  readonly historyBytes: number
  readonly continueAsNewSuggested: boolean
}

declare const groupMember: unique symbol

/**
 * A promise that may be a member of `ctx.all`: what `ctx.run`, `ctx.sleep` and `ctx.all` return.
 *
 * It is an ordinary promise; the mark exists for the compiler alone.
 */
export interface GroupMember<T> extends Promise<T> {
  readonly [groupMember]: true
}

/** A value as history gives it back: payloads know no `undefined`. */
export type Recorded<T> = undefined extends T ? Exclude<T, undefined> | null : T

/** The versions of a change that the code still runs; whole numbers. */
export interface VersionOptions {
  /** The newest version: what a run is pinned to that comes here for the first time. */
  readonly max: number
  /** The oldest version that the code still runs; default -1, the version of runs from before the change. */
  readonly min?: number | undefined
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
  ): GroupMember<Out<O>>

  /** A durable timer. */
  sleep(duration: Duration): GroupMember<void>

  /** A durable timer until an instant; at once when it has passed. */
  sleepUntil(instant: Date): GroupMember<void>

  /**
   * Waits for all members as one group, which costs the run a single wake-up.
   *
   * Members are calls of `ctx.run`, `ctx.sleep` and `ctx.all`, made in this turn one next to the other: write them between the
   * brackets. At most 1,000, those of inner groups counted; an empty group costs nothing. The group ends when all members have
   * ended. `Promise.all` takes any promise, wakes the run for each, and fails with the first failure at once.
   *
   * @returns the results in declaration order
   * @throws the failure that is declared first, once all members have ended; GuardError `not_a_group_member`,
   *   `parallel_group_too_large` for a call that cannot be a group
   * @example
   * const [payment, parcel] = await ctx.all([ctx.run(charge, order), ctx.run(pack, order)])
   */
  all<const M extends readonly GroupMember<unknown>[]>(
    members: M,
  ): GroupMember<{ -readonly [K in keyof M]: Awaited<M[K]> }>

  /**
   * Computes a value once and remembers it: a replay gets the recorded one. For chance, clocks and configuration outside of `ctx`.
   *
   * `fn` runs as ordinary code, outside of the determinism guard, and at once. It runs again while its value is not recorded, as
   * when its task is repeated: what must happen once belongs in an activity. What it throws fails the workflow task, not the run.
   *
   * @param name  for reports; changing it leaves open runs alone
   * @returns what history holds: plain data, `undefined` as null
   */
  sideEffect<T>(name: string, fn: () => T & (T extends PromiseLike<unknown> ? never : unknown)): Promise<Recorded<T>>

  /**
   * The version of a change that this run is pinned to: its first call of that id decides for the whole run.
   *
   * A run that comes here for the first time gets `max`; one that was past this place before the code had the change gets -1.
   * A version that the code has left behind (outside of `min` and `max`) fails the workflow task, not the run.
   *
   * @example
   * if (ctx.version('charge-after-packing', { max: 2 }) >= 2) await ctx.run(pack, order)
   */
  version(changeId: string, options: VersionOptions): number

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
