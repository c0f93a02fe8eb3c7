// All that `@durable-workflow/sdk/client` opens to its users. Written by `pnpm surface:accept`.

import { StandardSchemaV1 } from '@standard-schema/spec';

type Unit = 'ms' | 'msec' | 'msecs' | 'millisecond' | 'milliseconds' | 's' | 'sec' | 'secs' | 'second' | 'seconds' | 'm' | 'min' | 'mins' | 'minute' | 'minutes' | 'h' | 'hr' | 'hrs' | 'hour' | 'hours' | 'd' | 'day' | 'days' | 'w' | 'week' | 'weeks' | 'y' | 'yr' | 'yrs' | 'year' | 'years';
/** A length of time: milliseconds, or text in the grammar of the `ms` package (`'30s'`, `'2 days'`), checked by the compiler. */
type Duration = number | `${number}${Unit}` | `${number} ${Unit}`;

/** Any validator of the Standard Schema family (zod, valibot, arktype …) with output `T`. */
type Schema<T = unknown> = StandardSchemaV1<unknown, T>;
/** A schema, or nothing declared. */
type MaybeSchema = Schema | undefined;
/** What a caller gives. */
type In<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : undefined;
/** What the other side receives: the schema's output. */
type Out<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : undefined;
/** The input as parameters of a call: none, one, or one that may be left out. */
type InputParameters<S> = S extends StandardSchemaV1 ? undefined extends StandardSchemaV1.InferInput<S> ? [input?: StandardSchemaV1.InferInput<S>] : [input: StandardSchemaV1.InferInput<S>] : [];
/** Name and shapes; what every contract is made of. */
interface Contract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema> {
    readonly kind: string;
    readonly name: string;
    readonly input: I;
    readonly output: O;
    /** True for the `args` form: the input is a tuple and travels as that many arguments. */
    readonly spread: boolean;
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

/** Name, shapes and messages of a workflow; what a client needs to know of it. */
interface WorkflowContract<I extends MaybeSchema = MaybeSchema, O extends MaybeSchema = MaybeSchema, H extends Message = Message> extends Contract<I, O> {
    readonly kind: 'workflow';
    /** What the workflow answers to. */
    readonly handles: readonly H[];
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

/** Where a run stands; the last four are its ends. */
type RunStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated';
/** What a server knows about a run. Instants are Dates. */
interface RunDescription {
    readonly workflowId: string;
    readonly runId: string;
    readonly workflowType: string;
    readonly namespace: string;
    readonly taskQueue: string;
    /** A status that this version does not know is kept as it came. */
    readonly status: RunStatus | (string & {});
    /** `completed`, `failed`, `cancelled`, `terminated`, `timed_out`, `continued`; undefined while the run is open. */
    readonly closedReason: string | undefined;
    readonly startedAt: Date | undefined;
    readonly closedAt: Date | undefined;
    readonly lastProgressAt: Date | undefined;
    readonly runNumber: number | undefined;
    readonly waitKind: string | undefined;
    readonly waitReason: string | undefined;
    /** The arguments as they were sent. */
    readonly input: unknown;
    /** Null unless the run completed with one. */
    readonly output: unknown;
}
/** One row of a list: what does not need the payloads. */
type RunItem = Omit<RunDescription, 'input' | 'output' | 'waitKind' | 'waitReason' | 'lastProgressAt'>;
/** One event of history as it is recorded; payload keys are the wire's. */
interface RecordedEvent {
    readonly sequence: number;
    readonly type: string;
    readonly recordedAt: Date | undefined;
    readonly payload: Readonly<Record<string, unknown>>;
}

/** Everything takes an AbortSignal; it ends the waiting, never the run. */
interface CallOptions {
    readonly signal?: AbortSignal | undefined;
}
/** A run, or the newest run of a workflow id, from outside. */
interface WorkflowHandle<O extends MaybeSchema = MaybeSchema, H extends Message = Message> {
    readonly workflowId: string;
    /** The run that was started or asked for; undefined for "the current one". */
    readonly runId: string | undefined;
    /**
     * Waits until the run is closed, however long that takes.
     *
     * @returns its output, validated by the contract
     * @throws WorkflowFailure with the foreign type name, TimeoutFailure, or CancellationFailure (cancelled, terminated)
     */
    result(options?: CallOptions): Promise<Out<O>>;
    /** Sends a signal; it is recorded when this resolves. Sent once: after a TransportError it may have arrived. */
    signal<M extends Extract<H, Signal>>(signal: M, ...args: InputParameters<M['input']>): Promise<void>;
    /** Asks a worker for an answer from the run's state; changes nothing. */
    query<M extends Extract<H, Query>>(query: M, ...args: InputParameters<M['input']>): Promise<Out<M['output']>>;
    describe(options?: CallOptions): Promise<RunDescription>;
    /** The recorded events, oldest first. */
    history(options?: CallOptions): AsyncIterableIterator<RecordedEvent>;
    /** Why the run waits, in sentences. */
    explain(options?: CallOptions): Promise<string[]>;
    /** Closes the run at once as cancelled. */
    cancel(reason?: string): Promise<void>;
    /** Closes the run at once as terminated. */
    terminate(reason?: string): Promise<void>;
    /**
     * Gives a run that does not move its next workflow task: above all one that is blocked in replay, once its code is corrected. A
     * worker whose code differs from the one that was blocked resumes it by itself; this is for code that looks the same.
     *
     * @returns whether a task was made; false for a run that moves by itself
     * @throws RefusedError for a run that is closed, or a role that may not repair
     */
    repair(): Promise<boolean>;
}

/** A namespace as the server describes it. */
interface NamespaceDescription {
    readonly name: string;
    readonly description: string | undefined;
    /** Days that closed runs are kept. */
    readonly retentionDays: number | undefined;
    readonly createdAt: Date | undefined;
}
/** The namespaces of a server. */
interface Namespaces {
    list(): Promise<NamespaceDescription[]>;
    /** @throws RefusedError `namespace_already_exists` */
    create(namespace: {
        readonly name: string;
        readonly description?: string | undefined;
        /** 1 to 365; default 30. */
        readonly retentionDays?: number | undefined;
    }): Promise<NamespaceDescription>;
    /** @throws RefusedError `namespace_not_found` */
    describe(name: string): Promise<NamespaceDescription>;
}

/** Where a client connects, and what ends it. */
interface ClientOptions extends ConnectionSettings {
    /** Closes the client when it aborts. */
    readonly signal?: AbortSignal | undefined;
    /** Handed in by tests. */
    readonly transport?: Transport | undefined;
    readonly clock?: Clock | undefined;
    readonly retry?: RetryPolicy | undefined;
}
/** What a start may say besides its input. */
interface StartFacts extends CallOptions {
    /** Durable identity, 1 to 128 of `a-z A-Z 0-9 . _ : -`; left out: made and returned. */
    readonly id?: string | undefined;
    /** Default `default`. */
    readonly taskQueue?: string | undefined;
    /** `fail` (default): an id that ever had a run is refused; `use`: an open run of the id is returned, a closed one refused. */
    readonly ifExists?: 'fail' | 'use' | undefined;
    /** For all runs of the workflow together; whole seconds on the wire, rounded up. */
    readonly executionTimeout?: Duration | undefined;
    /** For one run. */
    readonly runTimeout?: Duration | undefined;
}
type InputFact<I extends MaybeSchema> = I extends Schema ? undefined extends In<I> ? {
    readonly input?: In<I>;
} : {
    readonly input: In<I>;
} : {
    readonly input?: undefined;
};
/** What a start needs: the input where the contract declares one. */
type StartOptions<I extends MaybeSchema> = StartFacts & InputFact<I>;
/** A handle of a run that this client started: its id is known. */
interface StartedRun<O extends MaybeSchema, H extends Message> extends WorkflowHandle<O, H> {
    readonly runId: string;
}
/** Which runs a list names; left out: all of the namespace. */
interface ListOptions extends CallOptions {
    readonly type?: Contract | string | undefined;
    readonly status?: 'running' | 'completed' | 'failed' | 'cancelled' | 'terminated' | undefined;
    /** The server's query grammar, for example `TaskQueue = 'orders' AND StartTime > '2026-01-01T00:00:00Z'`. */
    readonly where?: string | undefined;
    /** Runs fetched at a time, 1 to 200; default 100. */
    readonly pageSize?: number | undefined;
}
/** Starts and finds runs of one namespace of one server. */
interface Client {
    /**
     * Starts a run; it is recorded when this resolves. Repeated after a lost reply only where the server knows start ids.
     *
     * @throws ContractError when the input does not fit (nothing is sent), RefusedError `duplicate_not_allowed`,
     *   TransportError when it is unknown whether the run was started
     */
    start<I extends MaybeSchema, O extends MaybeSchema, H extends Message>(workflow: WorkflowContract<I, O, H>, options: StartOptions<I>): Promise<StartedRun<O, H>>;
    /** Starts a run and waits for its result. */
    execute<I extends MaybeSchema, O extends MaybeSchema, H extends Message>(workflow: WorkflowContract<I, O, H>, options: StartOptions<I>): Promise<Out<O>>;
    /** A handle of a run that exists; asks nothing. With `runId` every call is for that run alone. */
    get<I extends MaybeSchema, O extends MaybeSchema, H extends Message>(workflow: WorkflowContract<I, O, H>, id: string, options?: {
        readonly runId?: string | undefined;
    }): WorkflowHandle<O, H>;
    /** Runs, newest first. */
    list(options?: ListOptions): AsyncIterableIterator<RunItem>;
    readonly namespaces: Namespaces;
    /** Ends open requests and closes the connections. */
    close(): Promise<void>;
}
/**
 * A client of a server. Connects with the first call.
 *
 * @throws ContractError `invalid_server_url`
 * @example
 * const client = createClient()
 * const run = await client.start(checkout, { id: 'order-42', input: order, taskQueue: 'orders' })
 * const receipt = await run.result()
 */
declare function createClient(options?: ClientOptions): Client;

export { createClient };
export type { CallOptions, Client, ClientOptions, ListOptions, NamespaceDescription, Namespaces, RecordedEvent, RunDescription, RunItem, RunStatus, StartFacts, StartOptions, StartedRun, WorkflowHandle };
