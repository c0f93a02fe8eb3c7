// All that `@durable-workflow/server-app` opens to its users. Written by `pnpm surface:accept`.

import { RoleToken, Server } from '@durable-workflow/server';

/** Everything that a server can be told. */
interface Config {
    readonly host: string;
    /** 0 takes any free one. */
    readonly port: number;
    /** `sqlite:FILE`, `sqlite::memory:` or `postgres://user:password@host:port/database`. */
    readonly databaseUrl: string;
    readonly workerProtocolVersion: '1.19' | '1.20';
    /** Without any, everybody may do everything; only a loopback host may be served so. */
    readonly tokens: readonly RoleToken[];
    /** How long a claimed workflow task is its worker's, in seconds. */
    readonly workflowTaskTimeoutSeconds: number;
    /** How long a claimed activity task is its worker's between heartbeats, in seconds. */
    readonly activityTaskTimeoutSeconds: number;
    /** How long a transaction waits for another process that holds the database, in seconds. */
    readonly databaseLockTimeoutSeconds: number;
    /** How long a stop may take before the process ends all the same, in seconds. */
    readonly shutdownTimeoutSeconds: number;
    /** Whether servers on one PostgreSQL tell each other what became ready; without, each finds it at its next scan. */
    readonly notifications: boolean;
    readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
    /** For race tests only: a named point at which the server waits; see test-barrier.ts. */
    readonly testBarrier: string | undefined;
}
/** A setting is unknown or invalid. The message is a sentence for the operator. */
declare class ConfigError extends Error {
    readonly name = "ConfigError";
}
interface ConfigSources {
    /** Arguments of the command, without program and script. */
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string | undefined>>;
    /** The `server` object of durable-workflow.config.ts. */
    readonly file?: Readonly<Record<string, unknown>>;
}
/**
 * Reads and checks all settings.
 *
 * @throws ConfigError with a sentence that names the first setting that is wrong
 */
declare function readConfig(sources?: ConfigSources): Config;

/** A server that takes polls. */
interface Serving {
    /** Like `http://127.0.0.1:7400`. */
    readonly url: string;
    /** Like `sqlite:/var/lib/dw.db`; without credentials. */
    readonly database: string;
    readonly log: Server['log'];
    /**
     * Stops claiming, answers polls, finishes commits, closes the store. Twice is once.
     *
     * @throws StopTimeoutError when that is not done within `shutdownTimeoutSeconds`; what is not committed then is lost to
     *   nobody: its client has no answer and repeats it
     */
    close(): Promise<void>;
}
/** The server did not stop in time: the database does not answer, or a client does not read. */
declare class StopTimeoutError extends Error {
    readonly name = "StopTimeoutError";
}
/**
 * Opens the store, starts the engine and listens; resolves when polls are taken.
 *
 * @param log where structured logs go; default: standard error
 */
declare function serve(config: Config, log?: NodeJS.WritableStream): Promise<Serving>;
/** The database cannot be used now. The message is a sentence for the operator, without credentials. */
declare class DatabaseError extends Error {
    readonly name = "DatabaseError";
}

export { ConfigError, DatabaseError, StopTimeoutError, readConfig, serve };
export type { Config, ConfigSources, Serving };
