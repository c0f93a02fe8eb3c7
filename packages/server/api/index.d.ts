// All that `@durable-workflow/server` opens to its users. Written by `pnpm surface:accept`.

import { Observer, Engine } from '@durable-workflow/engine';
import { FastifyBaseLogger } from 'fastify';
import { OperationId, ProtocolVersion } from '@durable-workflow/protocol';

/** What the documents say about an operation, in one shape for all of them. */
interface OperationFacts {
    readonly id: OperationId;
    readonly method: string;
    readonly path: string;
    readonly route: string;
    readonly plane: 'worker' | 'control' | 'system';
    /** None: the operation is public. */
    readonly roles: readonly string[];
    readonly stage: 'built' | 'planned';
    readonly controlPlane: ControlPlaneFacts | undefined;
}
/** What an answer under /api/workflows says about itself. */
interface ControlPlaneFacts {
    readonly operation: string;
    readonly required_fields: readonly string[];
    readonly success_fields: readonly string[];
    readonly operation_name_field?: string;
}

/** What a token allows (control plane 2, §2.2). */
type Role = 'worker' | 'operator' | 'admin';
/** A bearer token and what it allows. */
interface RoleToken {
    /** Where it was configured, like `DW_WORKER_TOKEN`; logged, while the token never is. */
    readonly name: string;
    readonly token: string;
    readonly roles: readonly Role[];
}
/** Our own additions to the wire, each behind an advertised capability; a capability that is off is neither said nor taken. */
interface Additions {
    readonly startId: boolean;
    readonly waitClosed: boolean;
    readonly specDigests: boolean;
    readonly historyCache: boolean;
    readonly resolvedWaits: boolean;
    /** A report may bring free slots, and its answer tasks that it made ready. */
    readonly taskHandOver: boolean;
    readonly millisecondDurations: boolean;
    /** The details of the newest heartbeat go to the next attempt. */
    readonly heartbeatDetails: boolean;
    /** The debug document says in words why a run waits. */
    readonly explanation: boolean;
}
/** All of them: the default of a server. */
declare const allAdditions: Additions;
/** How a server answers; sizes in bytes. */
interface ServerSettings {
    /** The one worker line that this server advertises. */
    readonly workerProtocolVersion: ProtocolVersion;
    /** Without any, every request has every role: for loopback only. */
    readonly tokens: readonly RoleToken[];
    readonly additions: Additions;
    /** Largest request body in bytes. */
    readonly bodyBytesMax: number;
    /** Largest payload in bytes of its base64 text. */
    readonly payloadBytesMax: number;
    /** How long health and readiness wait for the database, in milliseconds; then it counts as unavailable. */
    readonly healthWaitMs: number;
    /** The product's version; informational. */
    readonly version: string;
    readonly serverId: string;
}

/** Who asks, and what he may. */
interface Principal {
    readonly subject: string;
    readonly roles: readonly Role[];
}
/** What the gates learn about a request; routes read it. */
interface Passed {
    readonly operation: OperationFacts;
    principal: Principal | undefined;
    /** The worker line that the request speaks; only on the worker plane. */
    version: string | undefined;
    namespace: string | undefined;
    /** The parsed body; an empty object where none came. */
    body: unknown;
}

/** What is read from a server at the moment in which metrics are asked for. */
interface Watched {
    /** Requests that were read and have no answer yet; held ones too. */
    openCount(): number;
    /** Requests that are held now, by operation. */
    heldCounts(): ReadonlyMap<string, number>;
    /** Polls that wait in the engine for a task. */
    waiterCount(): number;
}
/** The metrics of one server and its engine. */
interface Metrics {
    /** Hand it to the engine. */
    readonly observer: Observer;
    /** A request has been answered. @param reason of a refusal; empty where there is none @param ms how long it took */
    request(operation: string, status: number, reason: string, ms: number): void;
    /** An error came out of the store; one error is counted once, however many requests it failed. */
    storeError(error: unknown): void;
    /** A loop of the engine met an error and goes on. */
    backgroundError(): void;
    watch(watched: Watched): void;
    readonly contentType: string;
    /** Everything in Prometheus' text format. */
    text(): Promise<string>;
}
interface MetricsOptions {
    /** Also CPU, memory, event loop and garbage collection of the process; one server in it may. Default: no. */
    readonly process?: boolean;
}

/** What of a server's own experience says about its database. */
interface Writes {
    /** An error came out of the store. */
    failed(error: unknown): void;
    /** Something was written and committed. */
    cameThrough(): void;
    /** `ok`, or what the database said to the newest commit that failed and was not followed by one that came through. */
    readonly word: string;
}

/** What a server knows of itself: its metrics, and whether commits come through. */
interface Telemetry {
    readonly metrics: Metrics;
    readonly writes: Writes;
    /** Hand it to the engine. */
    readonly observer: Observer;
    /** Any error that a request met, or a loop of the engine: those of the store are counted and remembered. */
    failed(error: unknown): void;
}
/** Makes the telemetry of one server; hand its observer to the engine and all of it to the server. */
declare function createTelemetry(options?: MetricsOptions): Telemetry;

/** What the server asks of the store itself: only whether it answers. Everything else goes through the engine. */
interface StoreHealth {
    /** One word for the operator, without credentials. */
    readonly description: string;
    ping(): Promise<void>;
}

declare module 'fastify' {
    interface FastifyContextConfig {
        operation?: OperationFacts;
    }
    interface FastifyRequest {
        passed: Passed | undefined;
    }
}
/** What a server is made of: an engine, the store's health, and how it answers. */
interface ServerOptions {
    readonly engine: Engine;
    readonly store: StoreHealth;
    readonly settings?: Partial<ServerSettings>;
    /** Where logs go and how much of them; without it the server is silent. */
    readonly log?: {
        readonly level: string;
        readonly stream: NodeJS.WritableStream;
    };
    /** The one whose observer the engine was given; default: one that hears of requests only. */
    readonly telemetry?: Telemetry;
}
/** A server around one engine. It neither starts the engine nor closes the store. */
interface Server {
    /** Listens and resolves with the address, like `http://127.0.0.1:7400`. @param port 0 takes any free one */
    listen(at: {
        readonly host: string;
        readonly port: number;
    }): Promise<string>;
    readonly log: FastifyBaseLogger;
    /** Requests that are held now. */
    readonly heldCount: number;
    /** Requests that were read and whose answer is not out yet; held ones too. */
    readonly openCount: number;
    /**
     * Takes nothing more, ends held requests, finishes what is under way, stops the engine. Twice is once.
     *
     * It waits for whatever the store does not answer; who calls it bounds it.
     */
    close(): Promise<void>;
}
/**
 * Makes a server around an engine; it takes requests as soon as it listens and the engine has started.
 *
 * @source house §3.6
 */
declare function createServer(options: ServerOptions): Server;

export { allAdditions, createServer, createTelemetry };
export type { Additions, Role, RoleToken, Server, ServerOptions, ServerSettings, StoreHealth, Telemetry };
