// All that `@durable-workflow/sdk` opens to its users. Written by `pnpm surface:accept`.

import { StandardSchemaV1 } from '@standard-schema/spec';

type Unit = 'ms' | 'msec' | 'msecs' | 'millisecond' | 'milliseconds' | 's' | 'sec' | 'secs' | 'second' | 'seconds' | 'm' | 'min' | 'mins' | 'minute' | 'minutes' | 'h' | 'hr' | 'hrs' | 'hour' | 'hours' | 'd' | 'day' | 'days' | 'w' | 'week' | 'weeks' | 'y' | 'yr' | 'yrs' | 'year' | 'years';
/** A length of time: milliseconds, or text in the grammar of the `ms` package (`'30s'`, `'2 days'`), checked by the compiler. */
type Duration = number | `${number}${Unit}` | `${number} ${Unit}`;
/** How failed attempts are repeated. What is left out has the value of `defaultRetry`. */
interface RetryOptions {
    /** Attempts in all, the first included; left out: unlimited. */
    readonly maximumAttempts?: number | undefined;
    /** Wait before the second attempt; default 1 s. */
    readonly initialInterval?: Duration | undefined;
    /** Factor from one wait to the next, at least 1; default 2. */
    readonly backoffCoefficient?: number | undefined;
    /** The longest wait; default one hundred times `initialInterval`. */
    readonly maximumInterval?: Duration | undefined;
    /** Types of failure after which there is no further attempt. */
    readonly nonRetryableErrorTypes?: readonly string[] | undefined;
}
/** Options of an activity: given in its contract, overridden option by option in `ctx.run`. */
interface ActivityOptions {
    /** Where it runs; default: the workflow's own queue. */
    readonly taskQueue?: string | undefined;
    /** How long an attempt may wait for a worker; default none. Passing is final: nothing is retried. */
    readonly scheduleToStartTimeout?: Duration | undefined;
    /** How long one attempt may run; default none. */
    readonly startToCloseTimeout?: Duration | undefined;
    /** How long all attempts and the pauses between them may take together; default none. */
    readonly scheduleToCloseTimeout?: Duration | undefined;
    /** How long an attempt may go without a heartbeat of the application; default: the worker renews its lease by itself. */
    readonly heartbeatTimeout?: Duration | undefined;
    /** How failed attempts are repeated; default: without end, after 1 s, 2 s, 4 s … 100 s. */
    readonly retry?: RetryOptions | undefined;
}
/**
 * Milliseconds of a duration.
 *
 * @param what  the option that has it, as the sentence of a refusal names it
 * @throws ContractError `invalid_duration` for text outside the grammar, a negative or a non-finite number
 */
declare function parseDuration(duration: Duration, what?: string): number;

/** Any validator of the Standard Schema family (zod, valibot, arktype …) with output `T`. */
type Schema<T = unknown> = StandardSchemaV1<unknown, T>;
/** A schema, or nothing declared. */
type MaybeSchema = Schema | undefined;
/** What a caller gives. */
type In<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : undefined;
/** What the other side receives: the schema's output. */
type Out<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : undefined;
/** What an implementation may return: anything where no output is declared. */
type Returned<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : unknown;
/** The input as parameters of a call: none, one, or one that may be left out. */
type InputParameters<S> = S extends StandardSchemaV1 ? undefined extends StandardSchemaV1.InferInput<S> ? [input?: StandardSchemaV1.InferInput<S>] : [input: StandardSchemaV1.InferInput<S>] : [];
/** The schema of the tuple that a list of schemas describes: the `args` form, for code with several positional arguments. */
type ArgsSchema<A extends readonly Schema[]> = StandardSchemaV1<{
    -readonly [K in keyof A]: In<A[K]>;
}, {
    -readonly [K in keyof A]: Out<A[K]>;
}>;
/** Name and shapes; what every contract is made of. */
interface Contract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema> {
    readonly kind: string;
    readonly name: string;
    readonly input: I;
    readonly output: O;
    /** True for the `args` form: the input is a tuple and travels as that many arguments. */
    readonly spread: boolean;
}
/** Name, shapes and default options of an activity; what `ctx.run` needs to know of it. */
interface ActivityContract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema> extends Contract<I, O> {
    readonly kind: 'activity';
    readonly options: ActivityOptions;
}
/**
 * Declares a type without validating it.
 *
 * @example
 * activity('email', { input: type<{ to: string; text: string }>() })
 */
declare function type<T>(): StandardSchemaV1<T, T>;

/** A message that changes a run and waits for no answer. */
interface Signal<N extends string = string, I extends MaybeSchema = MaybeSchema> extends Contract<I, undefined> {
    readonly kind: 'signal';
    readonly name: N;
}
/** A question about a run's state; it changes nothing. */
interface Query<N extends string = string, I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema> extends Contract<I, O> {
    readonly kind: 'query';
    readonly name: N;
}
/** What a workflow's `handles` lists. */
type Message = Signal | Query;
/** What a signal carries, after its schema. */
type PayloadOf<M> = M extends Contract<infer I, MaybeSchema> ? Out<I> : never;
/**
 * What `ctx.handle` takes: a signal's handler may await durable calls, a query's must answer at once and change nothing.
 */
type HandlerOf<M> = M extends Signal<string, infer I> ? (payload: Out<I>) => void | Promise<void> : M extends Query<string, infer I, infer O> ? (input: Out<I>) => Returned<O> : never;
/** What a question of this query takes. */
type QueryInput<M> = M extends Query<string, infer I, MaybeSchema> ? In<I> : never;
/**
 * Declares a signal.
 *
 * @example
 * export const approved = signal('approved', z.object({ by: z.string() }))
 */
declare function signal<const N extends string, I extends MaybeSchema = undefined>(name: N, input?: I): Signal<N, I>;
/**
 * Declares a query.
 *
 * @example
 * export const status = query('status', { output: z.string() })
 */
declare function query<const N extends string, I extends MaybeSchema = undefined, O extends MaybeSchema = undefined>(name: N, contract?: {
    readonly input?: I;
    readonly output?: O;
}): Query<N, I, O>;

/** A leveled logger; `facts` become fields of the line. */
interface Logger {
    debug(message: string, facts?: Record<string, unknown>): void;
    info(message: string, facts?: Record<string, unknown>): void;
    warn(message: string, facts?: Record<string, unknown>): void;
    error(message: string, facts?: Record<string, unknown>): void;
}
/** Facts of the run that a workflow may read. */
interface WorkflowInfo {
    readonly workflowId: string;
    readonly runId: string;
    readonly workflowType: string;
    readonly namespace: string;
    readonly taskQueue: string;
    /** Which delivery of the current workflow task this is; differs between replays, so only for logs. */
    readonly attempt: number;
    /** Epoch ms. */
    readonly startedAt: number;
    /** Events of history that this code has seen so far. */
    readonly historyLength: number;
    /** Bytes of history when the current task was made; a replay sees those of its own task. */
    readonly historyBytes: number;
    readonly continueAsNewSuggested: boolean;
}
declare const groupMember: unique symbol;
/**
 * A promise that may be a member of `ctx.all`: what `ctx.run`, `ctx.sleep` and `ctx.all` return.
 *
 * It is an ordinary promise; the mark exists for the compiler alone.
 */
interface GroupMember<T> extends Promise<T> {
    readonly [groupMember]: true;
}
/** A value as history gives it back: payloads know no `undefined`. */
type Recorded<T> = undefined extends T ? Exclude<T, undefined> | null : T;
/** The versions of a change that the code still runs; whole numbers. */
interface VersionOptions {
    /** The newest version: what a run is pinned to that comes here for the first time. */
    readonly max: number;
    /** The oldest version that the code still runs; default -1, the version of runs from before the change. */
    readonly min?: number | undefined;
}
/** How a wait ends when nothing comes. */
interface WaitOptions {
    /** How long to wait; whole seconds on the wire, rounded up. Left out: for ever. */
    readonly timeout?: Duration | undefined;
}
/**
 * Everything durable a workflow can do. `H` is the union of the messages in the contract's `handles`.
 *
 * Every method must be called from the workflow's own function; after its end, from a query or from another run it throws.
 */
interface WorkflowContext<H extends Message = Message> {
    /**
     * Schedules an activity and waits for its output.
     *
     * @param args the input where the contract declares one, then options that override the contract's
     * @throws ActivityFailure, TimeoutFailure, CancellationFailure from the returned promise
     */
    run<I extends MaybeSchema, O extends MaybeSchema>(activity: ActivityContract<I, O>, ...args: [...InputParameters<I>, options?: ActivityOptions]): GroupMember<Out<O>>;
    /** A durable timer. */
    sleep(duration: Duration): GroupMember<void>;
    /** A durable timer until an instant; at once when it has passed. */
    sleepUntil(instant: Date): GroupMember<void>;
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
    all<const M extends readonly GroupMember<unknown>[]>(members: M): GroupMember<{
        -readonly [K in keyof M]: Awaited<M[K]>;
    }>;
    /**
     * Computes a value once and remembers it: a replay gets the recorded one. For chance, clocks and configuration outside of `ctx`.
     *
     * `fn` runs as ordinary code, outside of the determinism guard, and at once. It runs again while its value is not recorded, as
     * when its task is repeated: what must happen once belongs in an activity. What it throws fails the workflow task, not the run.
     *
     * @param name  for reports; changing it leaves open runs alone
     * @returns what history holds: plain data, `undefined` as null
     */
    sideEffect<T>(name: string, fn: () => T & (T extends PromiseLike<unknown> ? never : unknown)): Promise<Recorded<T>>;
    /**
     * The version of a change that this run is pinned to: its first call of that id decides for the whole run.
     *
     * A run that comes here for the first time gets `max`; one that was past this place before the code had the change gets -1.
     * A version that the code has left behind (outside of `min` and `max`) fails the workflow task, not the run.
     *
     * @example
     * if (ctx.version('charge-after-packing', { max: 2 }) >= 2) await ctx.run(pack, order)
     */
    version(changeId: string, options: VersionOptions): number;
    /**
     * The next unread payload of a signal; `undefined` when the timeout passes first.
     *
     * A signal is either waited for or has a handler, never both.
     */
    waitFor<M extends Extract<H, Signal>>(signal: M, options: {
        readonly timeout: Duration;
    }): Promise<PayloadOf<M> | undefined>;
    waitFor<M extends Extract<H, Signal>>(signal: M): Promise<PayloadOf<M>>;
    /** The payloads of a signal as they come, without end. */
    messages<M extends Extract<H, Signal>>(signal: M): AsyncIterableIterator<PayloadOf<M>>;
    /** Waits until `predicate` holds: true, or false when the timeout passes first. It is asked again whenever something happened. */
    condition(predicate: () => boolean, options?: WaitOptions): Promise<boolean>;
    /**
     * Answers a query, or takes every payload of a signal.
     *
     * Queries of `handles` need their handler before the first durable call.
     */
    handle<M extends Extract<H, Signal | Query>>(message: M, handler: HandlerOf<M>): void;
    /** Deterministic time, epoch ms: when the event that woke this code was recorded. */
    now(): number;
    /** Deterministic, from 0 up to but not including 1; seeded by the run id. */
    random(): number;
    /** A deterministic UUID (version 4). */
    uuid(): string;
    /** Silent while known history is replayed. */
    readonly log: Logger;
    readonly info: WorkflowInfo;
}
/** Facts of one attempt of an activity. */
interface ActivityInfo {
    readonly activityType: string;
    readonly activityExecutionId: string;
    readonly activityAttemptId: string;
    /** 1 for the first attempt. */
    readonly attempt: number;
    /** Attempts in all; `undefined` when unlimited or not stated by the server. */
    readonly maximumAttempts: number | undefined;
    /** When this attempt must have ended, epoch ms; `undefined` without a limit. */
    readonly deadline: number | undefined;
    readonly workflowId: string;
    readonly runId: string;
    readonly workflowType: string | undefined;
    readonly namespace: string;
    readonly taskQueue: string;
}
/** What an activity is told and may tell. */
interface ActivityContext {
    /** Aborted when the attempt must stop: cancellation, a lost lease, a closed run, or the worker's shutdown. */
    readonly signal: AbortSignal;
    /** Reports progress; `details` reach the next attempt. Returns at once, sent at most once per interval. */
    heartbeat(details?: unknown): void;
    /** Details of the last heartbeat of an earlier attempt; the type is taken at its word. */
    lastHeartbeat<T>(): T | undefined;
    /** The same for every attempt of one execution: give it to the payment provider. */
    readonly idempotencyKey: string;
    readonly info: ActivityInfo;
    readonly log: Logger;
}

/** The authored function of an activity. It may run more than once: see `ctx.idempotencyKey`. */
type ActivityFunction<I extends MaybeSchema, O extends MaybeSchema> = (input: Out<I>, ctx: ActivityContext) => Promise<Returned<O>> | Returned<O>;
/** An activity that may be called, and implemented. */
interface Activity<N extends string, I extends MaybeSchema, O extends MaybeSchema> extends ActivityContract<I, O> {
    readonly name: N;
    implement(fn: ActivityFunction<I, O>): Activity<N, I, O> & ActivityImplementation;
}
/** What a worker runs: the contract with its function, its types checked where it was made. */
interface ActivityImplementation extends ActivityContract {
    fn(input: unknown, ctx: ActivityContext): unknown;
}
interface Shape$1<I, O> {
    readonly input?: I;
    readonly output?: O;
}
interface ArgsShape<A, O> {
    readonly args: A;
    readonly output?: O;
}
interface NoArgs {
    readonly args?: undefined;
}
type Options = ActivityOptions;
/**
 * Declares an activity, or, with a function, declares and implements it in one go.
 *
 * One input value travels as one argument. `args: [a, b]` is for code in other languages with several positional arguments:
 * the input is then their tuple. Without a declared output the short form takes the function's own return type.
 *
 * @example
 * export const charge = activity('charge', { input: Order, output: Receipt, startToCloseTimeout: '30s' })
 * export const resize = activity('resize', { args: [z.string(), z.int()] })
 */
declare function activity<const N extends string, I extends MaybeSchema = undefined, O extends MaybeSchema = undefined>(name: N, contract?: Shape$1<I, O> & Options): Activity<N, I, O>;
declare function activity<const N extends string, const A extends readonly Schema[], O extends MaybeSchema = undefined>(name: N, contract: ArgsShape<A, O> & Options): Activity<N, ArgsSchema<A>, O>;
declare function activity<const N extends string, O extends Schema, I extends MaybeSchema = undefined>(name: N, contract: NoArgs & {
    readonly input?: I;
    readonly output: O;
} & Options, fn: ActivityFunction<I, O>): Activity<N, I, O> & ActivityImplementation;
declare function activity<const N extends string, R, I extends MaybeSchema = undefined>(name: N, contract: NoArgs & {
    readonly input?: I;
    readonly output?: undefined;
} & Options, fn: (input: Out<I>, ctx: ActivityContext) => Promise<R> | R): Activity<N, I, Schema<R>> & ActivityImplementation;
declare function activity<const N extends string, const A extends readonly Schema[], O extends Schema>(name: N, contract: {
    readonly args: A;
    readonly output: O;
} & Options, fn: ActivityFunction<ArgsSchema<A>, O>): Activity<N, ArgsSchema<A>, O> & ActivityImplementation;
declare function activity<const N extends string, const A extends readonly Schema[], R>(name: N, contract: {
    readonly args: A;
    readonly output?: undefined;
} & Options, fn: (input: Out<ArgsSchema<A>>, ctx: ActivityContext) => Promise<R> | R): Activity<N, ArgsSchema<A>, Schema<R>> & ActivityImplementation;
/** What a call of the activity takes. */
type ActivityInput<A> = A extends Contract<infer I, MaybeSchema> ? In<I> : never;
/** What a call of the activity gives. */
type ActivityOutput<A> = A extends Contract<MaybeSchema, infer O> ? Out<O> : never;

declare const brand: unique symbol;
/** What the text of an error is made from. */
type ErrorFacts = Readonly<Record<string, unknown>>;
interface ErrorOptions {
    /** Stable, snake_case; what programs compare. */
    readonly reason: string;
    readonly facts?: ErrorFacts | undefined;
    /** The next step to take, as a sentence. */
    readonly remedy?: string | undefined;
    readonly cause?: unknown;
}
/** Base of all errors of the SDK. `X.is(error)` narrows and works across module copies. */
declare class DurableWorkflowError extends Error {
    static readonly brandName: string;
    readonly [brand]: readonly string[];
    readonly reason: string;
    readonly facts: ErrorFacts;
    readonly remedy: string | undefined;
    constructor(message: string, options: ErrorOptions);
    /** True for an error of this class or of a class derived from it, whichever copy of the package made it. */
    static is<T extends DurableWorkflowError>(this: (abstract new (...args: never[]) => T) & {
        readonly brandName: string;
    }, error: unknown): error is T;
}
/** What history or a reply knows about a failure of authored code. */
interface FailureDetail {
    /** Name of the error where it was thrown, possibly in another language. */
    readonly type?: string | undefined;
    readonly details?: unknown;
    readonly nonRetryable?: boolean | undefined;
    readonly cause?: unknown;
    readonly facts?: ErrorFacts | undefined;
}
/**
 * An activity ended in failure: its retries are used up, or the failure was not retryable.
 *
 * `message` and `type` are those of the error that the activity threw; `facts` name activity, step, attempt and execution.
 */
declare class ActivityFailure extends DurableWorkflowError {
    static readonly brandName: string;
    readonly activityType: string;
    readonly type: string;
    readonly details: unknown;
    readonly nonRetryable: boolean;
    constructor(message: string, detail: FailureDetail & {
        readonly activityType: string;
    });
}
/** Which time limit of an activity or a run passed. */
type TimeoutKind = 'schedule_to_start' | 'start_to_close' | 'schedule_to_close' | 'heartbeat' | 'execution_timeout' | 'run_timeout';
/** A time limit passed; `kind` says which. Kinds this version does not know are kept as they came. */
declare class TimeoutFailure extends DurableWorkflowError {
    static readonly brandName: string;
    readonly kind: TimeoutKind | (string & {});
    readonly type: string;
    constructor(message: string, detail: FailureDetail & {
        readonly kind: string;
    });
}
/** An activity or a run ended because it was cancelled or terminated. */
declare class CancellationFailure extends DurableWorkflowError {
    static readonly brandName: string;
    readonly type: string;
    constructor(message: string, detail?: FailureDetail);
}
/**
 * What authored code throws to fail its run, and what `result()` throws for a run that failed.
 *
 * @example
 * throw new WorkflowFailure('nobody approved', { type: 'ApprovalTimeout' })
 */
declare class WorkflowFailure extends DurableWorkflowError {
    static readonly brandName: string;
    readonly type: string;
    readonly details: unknown;
    readonly nonRetryable: boolean;
    constructor(message: string, detail?: FailureDetail);
}
/** Replayed code made another call than the one in history. Fails the workflow task, never the run. */
declare class NonDeterminismError extends DurableWorkflowError {
    static readonly brandName: string;
}
/** A call that workflow code must not make, with the place and what to use instead. Fails the workflow task, never the run. */
declare class GuardError extends DurableWorkflowError {
    static readonly brandName: string;
}
/** A query that the contract lists in `handles` has no handler yet at the first durable call. Fails the workflow task. */
declare class MissingHandlerError extends DurableWorkflowError {
    static readonly brandName: string;
}
/** An encoded payload is above the limit; nothing was sent. Fails the workflow task, never the run. */
declare class PayloadTooLargeError extends DurableWorkflowError {
    static readonly brandName: string;
}
/** A completion would be above a limit that the server states; nothing was sent. Fails the workflow task, never the run. */
declare class StructuralLimitError extends DurableWorkflowError {
    static readonly brandName: string;
}
/** A value does not fit its contract, or an option is out of its range. `facts.issues` lists what the schema said. */
declare class ContractError extends DurableWorkflowError {
    static readonly brandName: string;
}
/** The server said no and recorded nothing (`recorded: false`). */
declare class RefusedError extends DurableWorkflowError {
    static readonly brandName: string;
    readonly recorded = false;
}
/** The server could not be reached, or its answer could not be read: what happened there is not known. */
declare class TransportError extends DurableWorkflowError {
    static readonly brandName: string;
}

/** The authored function of a workflow: deterministic, everything durable through `ctx`. */
type WorkflowFunction<I extends MaybeSchema, O extends MaybeSchema, H extends Message> = (ctx: WorkflowContext<H>, input: Out<I>) => Promise<Returned<O>>;
/** Name, shapes and messages of a workflow; what a client needs to know of it. */
interface WorkflowContract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema, H extends Message = Message> extends Contract<I, O> {
    readonly kind: 'workflow';
    /** What the workflow answers to. */
    readonly handles: readonly H[];
}
/** A workflow that may be started, and implemented. */
interface Workflow<N extends string, I extends MaybeSchema, O extends MaybeSchema, H extends Message> extends WorkflowContract<I, O, H> {
    readonly name: N;
    implement(fn: WorkflowFunction<I, O, H>): Workflow<N, I, O, H> & WorkflowImplementation;
}
/** What a worker replays: the contract with its function, its types checked where it was made. */
interface WorkflowImplementation extends WorkflowContract {
    fn(ctx: unknown, input: unknown): unknown;
    /** The function's text and, where the runtime tells, the file that implements it: what the definition fingerprint is made of. */
    readonly source: {
        readonly file: string | undefined;
        readonly text: string;
    };
}
interface Shape<I, O, H> {
    readonly input?: I;
    readonly output?: O;
    readonly handles?: H;
}
/**
 * Declares a workflow, or, with a function, declares and implements it in one go.
 *
 * A contract imports no implementation, so that a web front end may import it.
 *
 * @example
 * export const checkout = workflow('checkout', { input: Order, output: Receipt, handles: [approved, status] })
 * export const checkoutImpl = checkout.implement(async (ctx, order) => ({ paymentId: (await ctx.run(charge, order)).paymentId }))
 */
declare function workflow<const N extends string, I extends MaybeSchema = undefined, O extends MaybeSchema = undefined, const H extends readonly Message[] = readonly []>(name: N, contract?: Shape<I, O, H>): Workflow<N, I, O, H[number]>;
declare function workflow<const N extends string, const A extends readonly Schema[], O extends MaybeSchema = undefined, const H extends readonly Message[] = readonly []>(name: N, contract: {
    readonly args: A;
    readonly output?: O;
    readonly handles?: H;
}): Workflow<N, ArgsSchema<A>, O, H[number]>;
declare function workflow<const N extends string, O extends Schema, I extends MaybeSchema = undefined, const H extends readonly Message[] = readonly []>(name: N, contract: {
    readonly input?: I;
    readonly output: O;
    readonly handles?: H;
}, fn: WorkflowFunction<I, O, H[number]>): Workflow<N, I, O, H[number]> & WorkflowImplementation;
declare function workflow<const N extends string, R, I extends MaybeSchema = undefined, const H extends readonly Message[] = readonly []>(name: N, contract: {
    readonly input?: I;
    readonly output?: undefined;
    readonly handles?: H;
}, fn: (ctx: WorkflowContext<H[number]>, input: Out<I>) => Promise<R>): Workflow<N, I, Schema<R>, H[number]> & WorkflowImplementation;

export { ActivityFailure, CancellationFailure, ContractError, DurableWorkflowError, GuardError, MissingHandlerError, NonDeterminismError, PayloadTooLargeError, RefusedError, StructuralLimitError, TimeoutFailure, TransportError, WorkflowFailure, activity, parseDuration, query, signal, type, workflow };
export type { Activity, ActivityContext, ActivityContract, ActivityFunction, ActivityImplementation, ActivityInfo, ActivityInput, ActivityOptions, ActivityOutput, Contract, Duration, ErrorFacts, FailureDetail, GroupMember, HandlerOf, In, InputParameters, Logger, MaybeSchema, Message, Out, PayloadOf, Query, QueryInput, Recorded, RetryOptions, Schema, Signal, TimeoutKind, VersionOptions, WaitOptions, Workflow, WorkflowContext, WorkflowContract, WorkflowFunction, WorkflowImplementation, WorkflowInfo };
