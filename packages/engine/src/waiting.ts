// An operation between its call and its answer, as the unit of work sees it.

import type { Draft } from './core/decision/draft.ts'
import type { Operation } from './core/decision/operation.ts'
import type { Decision, Outcome } from './core/decision/outcome.ts'
import type { SliceKey } from './core/decision/slice.ts'
import type { Observer } from './ports.ts'
import type { Waiter } from './waiter.ts'

/** One operation that waits, with its answer; its reply type stays inside. */
export interface Waiting {
  readonly kind: string
  readonly locks: readonly string[]
  /** Answers that somebody else holds a lock; undefined for what waits until it is free. */
  readonly skip: (() => void) | undefined
  readonly extraKeys: readonly SliceKey[]
  readonly offers: readonly Waiter[]
  slice(): readonly SliceKey[]
  follow(draft: Draft): readonly SliceKey[]
  /** Decides once; says whether the draft stands, or what comes again in its place with a wider slice. */
  decide(draft: Draft, now: number): 'keep' | 'drop' | Waiting
  answer(observer: Observer | undefined): void
  fail(error: unknown): void
}

/** What is asked for, and by whom. */
interface Entry<Reply, Reason extends string> {
  readonly operation: Operation<Reply, Reason>
  readonly offers: readonly Waiter[]
  readonly extraKeys: readonly SliceKey[]
  readonly skip: (() => void) | undefined
}

export function waiting<Reply, Reason extends string>(
  entry: Entry<Reply, Reason>,
  resolve: (outcome: Outcome<Reply, Reason>) => void,
  reject: (error: unknown) => void,
): Waiting {
  const { operation, offers, extraKeys, skip } = entry
  let decision: Decision<Reply, Reason> | undefined
  return {
    kind: operation.kind,
    locks: operation.locks,
    skip,
    extraKeys,
    offers,
    slice: () => operation.slice,
    follow: (draft) => operation.follow(draft),
    decide(draft, now) {
      decision = operation.decide(draft, now)
      if (decision.kind === 'widen') {
        return waiting({ ...entry, extraKeys: [...extraKeys, ...decision.keys] }, resolve, reject)
      }
      return decision.kind === 'refused' && !decision.keepsDraft ? 'drop' : 'keep'
    },
    answer(observer) {
      if (decision === undefined || decision.kind === 'widen') return
      observer?.answered(operation.kind, decision.kind, decision.kind === 'accepted' ? undefined : decision.reason)
      resolve(decision)
    },
    fail: reject,
  }
}

/** The locks of a group, each once, in ascending order. */
export interface WantedLocks {
  /** Those that it waits for. */
  readonly locks: readonly string[]
  /** Those that it takes only where nobody holds them. */
  readonly whereFree: readonly string[]
}

/** What one operation of a group waits for is not skipped for another. */
export function locksOf(waiters: readonly Waiting[]): WantedLocks {
  const locks = new Set<string>()
  const whereFree = new Set<string>()
  for (const { skip, locks: named } of waiters)
    for (const lock of named) (skip === undefined ? locks : whereFree).add(lock)
  return { locks: [...locks].sort(), whereFree: [...whereFree].filter((lock) => !locks.has(lock)).sort() }
}
