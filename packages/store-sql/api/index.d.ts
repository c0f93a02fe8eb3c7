// All that `@durable-workflow/store-sql` opens to its users. Written by `pnpm surface:accept`.

import { Store } from '@durable-workflow/engine/ports';

/** How a store is opened; all of it has a default. */
interface StoreOptions {
    /** How long a transaction waits for another server's, in milliseconds; default 10,000. Then: `locked`. */
    readonly lockWaitMs?: number;
    /** Upper bound of the database file in bytes; beyond it writes fail as `full`. Default: the disk. SQLite only. */
    readonly fileBytesMax?: number;
    /**
     * How long the database may take to answer, in milliseconds; default 15,000, and always longer than `lockWaitMs`. Then:
     * `unreachable`. PostgreSQL only.
     */
    readonly answerMs?: number;
    /**
     * Whether servers on one database tell each other what is worth a look; default true. Without, each finds it at its next
     * scan. PostgreSQL only.
     */
    readonly notifications?: boolean;
    /** Hears of the text of every statement before it is executed; for counting and tracing. Default: nobody. */
    readonly onStatement?: (statement: string) => void;
}
/**
 * Opens the database that a URL names, brings its schema up to date and hands it out as the engine's store.
 *
 * Several servers may open the same database at once: one of them migrates, the others wait for it.
 *
 * @param url `sqlite:FILE` (made when missing; its directory must exist), `sqlite::memory:`, or
 *   `postgres://user:password@host:port/database` (which exists, and whose user may create tables)
 * @throws StoreUnavailableError when the database cannot be reached, read or migrated now
 * @throws Error when the URL names no database that this version knows
 */
declare function openStore(url: string, options?: StoreOptions): Promise<Store>;

export { openStore };
export type { StoreOptions };
