// Whether commits come through: what the newest unit of work met. Nobody writes to find out.
import { CommitUnknownError, StoreUnavailableError } from '@durable-workflow/engine'

/** What of a server's own experience says about its database. */
export interface Writes {
  /** An error came out of the store. */
  failed(error: unknown): void
  /** Something was written and committed. */
  cameThrough(): void
  /** `ok`, or what the database said to the newest commit that failed and was not followed by one that came through. */
  readonly word: string
}

/**
 * How long a failed commit speaks for the database, in milliseconds. A server that gets no work does not learn that the
 * disk has room again; and every client repeats within a second or a few, so a trouble that lasts is met again.
 */
const speaksForMs = 10_000

/** @param now a clock in milliseconds that never goes back */
export function createWrites(now: () => number = () => performance.now()): Writes {
  let trouble: { readonly word: string; readonly at: number } | undefined
  return {
    failed(error) {
      if (error instanceof CommitUnknownError) trouble = { word: 'unknown', at: now() }
      else if (error instanceof StoreUnavailableError) trouble = { word: error.condition, at: now() }
    },
    cameThrough() {
      trouble = undefined
    },
    get word() {
      return trouble === undefined || now() - trouble.at > speaksForMs ? 'ok' : trouble.word
    },
  }
}
