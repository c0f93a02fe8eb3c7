import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'

type Present<T> = Exclude<T, undefined | null | false>

export interface WaitOptions {
  /** Milliseconds until the wait fails; default 10,000. */
  readonly timeoutMs?: number
  /** Milliseconds between two looks; default 25. */
  readonly intervalMs?: number
}

/**
 * Looks at a state again and again until it is the awaited one, and returns it.
 *
 * Without `until` the awaited state is any value but `undefined`, `null` and `false`. A probe that throws counts as
 * "not yet": its error is the last state seen.
 *
 * @param name what is awaited, as it should read in the failure: "the run is completed"
 * @throws WaitFailed at the deadline, with the last state seen
 */
export function waitFor<T>(
  name: string,
  probe: () => T | Promise<T>,
  options: WaitOptions & { readonly until: (state: T) => boolean },
): Promise<T>
export function waitFor<T>(name: string, probe: () => T | Promise<T>, options?: WaitOptions): Promise<Present<T>>
export async function waitFor<T>(
  name: string,
  probe: () => T | Promise<T>,
  options: WaitOptions & { readonly until?: (state: T) => boolean } = {},
): Promise<T> {
  const { timeoutMs = 10_000, intervalMs = 25, until = isPresent } = options
  const endsAt = performance.now() + timeoutMs
  for (;;) {
    const seen = await look(probe)
    if (seen.kind === 'state' && until(seen.state)) return seen.state
    if (performance.now() >= endsAt) throw new WaitFailed(name, timeoutMs, seen)
    await pause(intervalMs)
  }
}

type Seen<T> = { readonly kind: 'state'; readonly state: T } | { readonly kind: 'error'; readonly error: unknown }

/** The awaited state did not come in time; the message names it and the last state seen. */
export class WaitFailed extends Error {
  constructor(name: string, timeoutMs: number, seen: Seen<unknown>) {
    const last = seen.kind === 'state' ? inspect(seen.state, { depth: 6 }) : `error: ${String(seen.error)}`
    super(`waited ${timeoutMs} ms for "${name}"; last state seen: ${last}`, {
      cause: seen.kind === 'error' ? seen.error : undefined,
    })
    this.name = 'WaitFailed'
  }
}

const isPresent = (state: unknown): boolean => state !== undefined && state !== null && state !== false

async function look<T>(probe: () => T | Promise<T>): Promise<Seen<T>> {
  try {
    return { kind: 'state', state: await probe() }
  } catch (error) {
    return { kind: 'error', error }
  }
}
