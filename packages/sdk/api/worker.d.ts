// All that `@durable-workflow/sdk/worker` opens to its users. Written by `pnpm surface:accept`.

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
    readonly taskQueue?: string | undefined;
    readonly scheduleToStartTimeout?: Duration | undefined;
    readonly startToCloseTimeout?: Duration | undefined;
    readonly scheduleToCloseTimeout?: Duration | undefined;
    readonly heartbeatTimeout?: Duration | undefined;
    readonly retry?: RetryOptions | undefined;
}

/** Any validator of the Standard Schema family (zod, valibot, arktype …) with output `T`. */
type Schema<T = unknown> = StandardSchemaV1<unknown, T>;
/** A schema, or nothing declared. */
type MaybeSchema = Schema | undefined;
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

/** A leveled logger; `facts` become fields of the line. */
interface Logger {
    debug(message: string, facts?: Record<string, unknown>): void;
    info(message: string, facts?: Record<string, unknown>): void;
    warn(message: string, facts?: Record<string, unknown>): void;
    error(message: string, facts?: Record<string, unknown>): void;
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

/** What a worker runs: the contract with its function, its types checked where it was made. */
interface ActivityImplementation extends ActivityContract {
    fn(input: unknown, ctx: ActivityContext): unknown;
}

/** Name, shapes and messages of a workflow; what a client needs to know of it. */
interface WorkflowContract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema, H extends Message = Message> extends Contract<I, O> {
    readonly kind: 'workflow';
    /** What the workflow answers to. */
    readonly handles: readonly H[];
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

/** Time as the client and the worker see it; the same shape as the engine's, so that tests hand one object to all. */
interface Clock {
    /** Epoch milliseconds. */
    now(): number;
    /** Calls back at an instant, not earlier; returns what cancels it. */
    at(instant: number, wake: () => void): () => void;
}

interface RetryPolicy {
    /** Times a request is sent in all. */
    readonly attemptsMax: number;
    /** The first wait; doubled each time. */
    readonly firstMs: number;
    /** The longest wait of our own choice; a server's Retry-After may be longer. */
    readonly longestMs: number;
}

/** Where a client or worker connects. Arguments first, then the environment, then defaults. */
interface ConnectionSettings {
    /** URL of the server; else DURABLE_WORKFLOW_SERVER_URL; default `http://127.0.0.1:7400`. */
    readonly server?: string | undefined;
    /** Else DURABLE_WORKFLOW_NAMESPACE; default `default`. */
    readonly namespace?: string | undefined;
    /** Bearer token; else DURABLE_WORKFLOW_AUTH_TOKEN; default none. */
    readonly token?: string | undefined;
}

/** One HTTP exchange. */
interface Exchange {
    readonly method: string;
    /** Path with query, from the origin. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    /** The server may hold the answer on purpose (a poll, a wait). Held exchanges never make another one wait for a connection. */
    readonly held: boolean;
    /** How long the answer may take, in milliseconds. */
    readonly timeoutMs: number;
}
interface Answer {
    readonly status: number;
    /** Those that this package reads (`retry-after`), by lower-case name. */
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
}
/** The port: everything this package says to a server goes through `send`. */
interface Transport {
    /**
     * Sends once; never repeats.
     *
     * @throws TransportError `not_sent` when the request cannot have reached the server, `answer_lost` when it may have
     * @throws the reason of `signal` when that ends the exchange
     */
    send(exchange: Exchange): Promise<Answer>;
    /** Ends open exchanges and closes every connection. */
    close(): Promise<void>;
}

/** How many polls of each kind are open at once, as long as slots are free. */
interface Pollers {
    /** Default 30. */
    readonly workflow?: number | undefined;
    /** Default 30. */
    readonly activity?: number | undefined;
    /** Default 2. */
    readonly query?: number | undefined;
}
/** What a worker serves and how much of it at once. */
interface WorkerOptions extends ConnectionSettings {
    readonly taskQueue: string;
    readonly workflows?: readonly WorkflowImplementation[] | undefined;
    readonly activities?: readonly ActivityImplementation[] | undefined;
    /** Names the build of this code; pins runs that were started for a build. Default none. */
    readonly buildId?: string | undefined;
    /** Default: made anew for every process. */
    readonly workerId?: string | undefined;
    /** Default 100. */
    readonly maxConcurrentWorkflowTasks?: number | undefined;
    /** Default 100. */
    readonly maxConcurrentActivityTasks?: number | undefined;
    readonly pollers?: Pollers | undefined;
    /** How long one poll is held, in whole seconds, 1 to 60; default 30. */
    readonly pollTimeoutSeconds?: number | undefined;
    /**
     * Bytes of memory for the replays of runs that wait, default 64 MiB; 0 keeps none. A run takes about 20 KiB, 2 KiB for each open
     * call, and what it was given; what does not fit is replayed from its history when it goes on.
     */
    readonly stickyCacheBytes?: number | undefined;
    /** The worker line to speak; default 1.19. */
    readonly protocolVersion?: '1.19' | '1.20' | undefined;
    /**
     * How long a drain waits for running tasks before it gives them up; default 30 s. What is given up reports nothing:
     * deregistration hands it to other workers, and where the server is away its lease runs out.
     */
    readonly shutdownTimeout?: Duration | undefined;
    /** Drains and stops the worker when it aborts. */
    readonly signal?: AbortSignal | undefined;
    /** Default: one JSON object a line on standard error, from `info` up. */
    readonly log?: Logger | undefined;
    /** Handed in by tests. */
    readonly transport?: Transport | undefined;
    readonly clock?: Clock | undefined;
    readonly reportRetry?: RetryPolicy | undefined;
}

/** A worker of one task queue in this process. */
interface Worker {
    readonly workerId: string;
    /** Resolves when every kind of poller has had an answer; rejects when the worker ends before. */
    readonly ready: Promise<void>;
    /**
     * Works until `stop`, the option `signal`, SIGTERM or SIGINT, then drains.
     *
     * @throws the original error that made it impossible to go on
     */
    run(): Promise<void>;
    /** Drains and stops; resolves when `run` has ended, however it ended. */
    stop(): Promise<void>;
}
/**
 * Connects a worker to a server. It does nothing before `run`.
 *
 * @throws ContractError for options out of range, TransportError where the server cannot be reached, RefusedError
 *   `unsupported_protocol_version` where it speaks another line
 * @example
 * const worker = await createWorker({ taskQueue: 'orders', workflows: [checkoutImpl], activities: [chargeImpl] })
 * await worker.run()
 */
declare function createWorker(options: WorkerOptions): Promise<Worker>;

export { createWorker };
export type { Pollers, Worker, WorkerOptions };
