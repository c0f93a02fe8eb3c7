// All that `@durable-workflow/sdk/replay` opens to its users. Written by `pnpm surface:accept`.

import { StandardSchemaV1 } from '@standard-schema/spec';

/** One event, as `handle.history()` yields it or as the wire writes it. */
interface HistoryRow {
    readonly sequence?: unknown;
    /** The event type; `event_type` on the wire. */
    readonly type?: unknown;
    readonly event_type?: unknown;
    readonly payload?: unknown;
    /** A Date; `recorded_at`, text with an offset, on the wire. */
    readonly recordedAt?: unknown;
    readonly recorded_at?: unknown;
}
/** An exported history: the rows under one of three names, and, where the exporter wrote them, what the run was started with. */
interface HistoryDocument {
    readonly events?: unknown;
    readonly history_events?: unknown;
    readonly history?: unknown;
    /** The envelope of the start's arguments. */
    readonly arguments?: unknown;
    readonly namespace?: unknown;
    readonly task_queue?: unknown;
}
/** What `handle.export()` resolves to, as it is or parsed from a file; else `handle.history()`, its events in a list, or rows of the wire. */
type HistoryInput = Iterable<HistoryRow> | AsyncIterable<HistoryRow> | HistoryDocument;

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
/** What a worker replays: the contract with its function, its types checked where it was made. */
interface WorkflowImplementation extends WorkflowContract {
    fn(ctx: unknown, input: unknown): unknown;
    /** The function's text and, where the runtime tells, the file that implements it: what the definition fingerprint is made of. */
    readonly source: {
        readonly file: string | undefined;
        readonly text: string;
    };
}

/** What a replay must know that events do not say. */
interface ReplayHistoryOptions {
    /** What the run was started with; events do not say it. Needed where the contract declares an input. */
    readonly input?: unknown;
    /** What `ctx.info` says; default: what an export says, else `default`. */
    readonly taskQueue?: string | undefined;
    /** What `ctx.info` says; default: what an export says, else `default`. */
    readonly namespace?: string | undefined;
    /** Places to start over from, spread evenly; default 1,000: all of them, but in very long histories. */
    readonly cuts?: number | undefined;
}
/** Why code does not fit a history: each of these would fail the workflow task and leave the run open, with its facts and remedy. */
type ReplayMismatch = NonDeterminismError | GuardError | MissingHandlerError | PayloadTooLargeError;
/** What a replay of a history found. */
type ReplayReport = {
    readonly ok: true;
    /** Events of the history. */
    readonly events: number;
    /** Durable calls that the history has recorded. */
    readonly steps: number;
    /** Replays that were made: one of the whole, one for every place to start over from. */
    readonly replays: number;
    /** `open`: the history goes on; `closed`: it was ended from outside, wherever the code was. */
    readonly ending: 'completed' | 'failed' | 'closed' | 'open';
} | {
    readonly ok: false;
    readonly events: number;
    readonly mismatch: ReplayMismatch;
};
/**
 * Replays a recorded history with today's code.
 *
 * Every durable call is compared with what is recorded, by the rules by which a worker compares; besides, code must make no call
 * and come to no end that a closed run's history does not have, down to the bytes of the result.
 *
 * @returns what was found; a mismatch is an answer, not an error
 * @throws ContractError `invalid_history` for what is no history; `history_of_another_workflow`; `history_without_input`;
 *   `invalid_input` for an input that the contract refuses
 * @example
 * const report = await replayHistory(checkoutImpl, await client.get(checkout, 'order-42').export())
 * if (!report.ok) throw report.mismatch
 */
declare function replayHistory(workflow: WorkflowImplementation, history: HistoryInput, options?: ReplayHistoryOptions): Promise<ReplayReport>;

export { replayHistory };
export type { HistoryDocument, HistoryInput, HistoryRow, ReplayHistoryOptions, ReplayMismatch, ReplayReport };
