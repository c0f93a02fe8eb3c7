// What a simulation did, counted: plain data, so that threads can hand it over and a report can be made of it.

export type Counts = Record<string, number>

export interface Tally {
  seeds: number
  steps: number
  commits: number
  /** `kind accepted`, `kind refused reason`, for every operation that was answered, the engine's own included. */
  readonly operations: Counts
  /** Answers of polls and queries. */
  readonly answers: Counts
  readonly faults: Counts
  /** Events in history, by type. */
  readonly events: Counts
  /** How often each invariant was looked at. */
  readonly checks: Counts
}

export function emptyTally(): Tally {
  return { seeds: 0, steps: 0, commits: 0, operations: {}, answers: {}, faults: {}, events: {}, checks: {} }
}

export function count(counts: Counts, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more
}

/** Adds one tally to another. */
export function addTally(sum: Tally, more: Tally): void {
  sum.seeds += more.seeds
  sum.steps += more.steps
  sum.commits += more.commits
  for (const part of ['operations', 'answers', 'faults', 'events', 'checks'] as const)
    for (const [name, times] of Object.entries(more[part])) count(sum[part], name, times)
}
