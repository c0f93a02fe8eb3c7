// One unit of work: everything that waits is decided and committed together.
//
// Owns:      the queue of waiting operations, the transaction, the order of answers.
// Does not:  know any operation, any table, any status code.
//
// Invariants
//   UW1  An operation sees its slice plus the drafts decided before it in its group; nothing else.
//   UW2  Between the first decision and the last, nothing is awaited.
//   UW3  No answer leaves before the commit; after it every operation of the group is answered exactly once.
//   UW4  A decision that throws loses its own draft only; its neighbours commit.
//   UW5  Locks are taken once per group, in ascending key order, before any load.
//   UW6  A group is bounded in operations; per run, arrival order is kept across groups.
//   UW7  If the outcome of a commit is unknown the answer says "unknown", never recorded: false.

import type { Changes } from './core/decision/changes.ts'
import { Draft } from './core/decision/draft.ts'
import { Group } from './core/decision/group.ts'
import type { Operation } from './core/decision/operation.ts'
import type { Decision, Outcome } from './core/decision/outcome.ts'
import type { SliceKey } from './core/decision/slice.ts'
import { engineLimits } from './core/state/limits.ts'
import type { Clock, NamedPoint, Probe, Store, Transaction } from './ports.ts'

/** A claim that a decision makes possible in its own group: a ready task and the poller that waits for it. */
export interface Claim {
  /** Decides the claim on a draft of the group; true when it stands. */
  decide(draft: Draft, now: number): boolean
  /** The group is committed: answers the poller. */
  settle(): void
  /** The claim does not stand or the commit failed: the poller waits on. */
  putBack(): void
}

export interface UnitOfWorkOptions {
  readonly store: Store
  readonly clock: Clock
  readonly probe: Probe | undefined
  /** Claims that follow from a decided draft (same-group match, design.md §7). */
  readonly afterDecide: (draft: Draft, now: number) => readonly Claim[]
  /** Told after each commit what it changed. */
  readonly afterCommit: (changes: Changes) => void
}

/** One operation that waits, with its answer; its reply type stays inside. */
interface Waiting {
  readonly kind: string
  readonly locks: readonly string[]
  readonly extraKeys: readonly SliceKey[]
  slice(): readonly SliceKey[]
  follow(draft: Draft): readonly SliceKey[]
  /** Decides once; says whether the draft stands. */
  decide(draft: Draft, now: number): 'keep' | 'drop' | { readonly widen: readonly SliceKey[] }
  answer(): void
  fail(error: unknown): void
}

export class UnitOfWork {
  readonly #options: UnitOfWorkOptions
  #queue: Waiting[] = []
  #pumping = false
  #idle: (() => void)[] = []

  constructor(options: UnitOfWorkOptions) {
    this.#options = options
  }

  /** Puts an operation into the next group; resolves after its commit. */
  execute<Reply, Reason extends string>(operation: Operation<Reply, Reason>): Promise<Outcome<Reply, Reason>> {
    return new Promise((resolve, reject) => {
      this.#queue.push(waiting(operation, [], resolve, reject, (wider) => this.#queue.unshift(wider)))
      this.#wake()
    })
  }

  /** Resolves when nothing waits and no group is under way. */
  async idle(): Promise<void> {
    if (!this.#pumping) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #wake(): void {
    if (this.#pumping) return
    this.#pumping = true
    this.#options.clock.soon(() => void this.#pump())
  }

  async #pump(): Promise<void> {
    const group = this.#queue.splice(0, engineLimits.groupOperationsMax)
    await this.#run(group)
    if (this.#queue.length > 0) {
      this.#options.clock.soon(() => void this.#pump())
      return
    }
    this.#pumping = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #run(waiters: readonly Waiting[]): Promise<void> {
    const kinds = waiters.map((waiter) => waiter.kind)
    const claims: Claim[] = []
    const decided: Waiting[] = []
    const failed: { waiter: Waiting; error: unknown }[] = []
    try {
      await this.#reached('gathered', kinds)
      const changes = await this.#options.store.transact(locksOf(waiters), async (transaction) => {
        await this.#reached('locked', kinds)
        const group = await load(transaction, waiters)
        this.#decideAll(group, waiters, { claims, decided, failed })
        await this.#reached('decided', kinds)
        const made = group.changes()
        await transaction.write(made)
        await this.#reached('written', kinds)
        return made
      })
      await this.#reached('committed', kinds)
      for (const waiter of decided) waiter.answer()
      for (const { waiter, error } of failed) waiter.fail(error)
      for (const claim of claims) claim.settle()
      this.#options.afterCommit(changes)
    } catch (error) {
      // Nothing was committed, or its fate is unknown (UW7): every caller hears which, each poller waits on.
      for (const claim of claims) claim.putBack()
      for (const waiter of waiters) waiter.fail(error)
    }
  }

  // UW2: no await from here to the end of the group's decisions.
  #decideAll(
    group: Group,
    waiters: readonly Waiting[],
    out: { claims: Claim[]; decided: Waiting[]; failed: { waiter: Waiting; error: unknown }[] },
  ): void {
    const now = this.#options.clock.now()
    for (const waiter of waiters) {
      const draft = new Draft(group)
      try {
        const verdict = waiter.decide(draft, now)
        if (typeof verdict === 'object') continue
        if (verdict === 'keep') {
          draft.commit()
          for (const claim of this.#options.afterDecide(draft, now)) decideClaim(group, claim, now, out.claims)
        }
        out.decided.push(waiter)
      } catch (error) {
        out.failed.push({ waiter, error })
      }
    }
  }

  async #reached(point: NamedPoint, kinds: readonly string[]): Promise<void> {
    if (this.#options.probe !== undefined) await this.#options.probe.reached(point, kinds)
  }
}

// Loads all slices in a few set-based queries, then what follows from the rows, until nothing new is named.
async function load(transaction: Transaction, waiters: readonly Waiting[]): Promise<Group> {
  const group = new Group()
  let keys = group.unasked(waiters.flatMap((waiter) => [...waiter.slice(), ...waiter.extraKeys]))
  while (keys.length > 0) {
    group.add(await transaction.load(keys))
    const seen = new Draft(group)
    keys = group.unasked(waiters.flatMap((waiter) => waiter.follow(seen)))
  }
  return group
}

function decideClaim(group: Group, claim: Claim, now: number, standing: Claim[]): void {
  const draft = new Draft(group)
  if (claim.decide(draft, now)) {
    draft.commit()
    standing.push(claim)
  } else {
    claim.putBack()
  }
}

function locksOf(waiters: readonly Waiting[]): string[] {
  return [...new Set(waiters.flatMap((waiter) => waiter.locks))].sort()
}

function waiting<Reply, Reason extends string>(
  operation: Operation<Reply, Reason>,
  extraKeys: readonly SliceKey[],
  resolve: (outcome: Outcome<Reply, Reason>) => void,
  reject: (error: unknown) => void,
  requeue: (wider: Waiting) => void,
): Waiting {
  let decision: Decision<Reply, Reason> | undefined
  return {
    kind: operation.kind,
    locks: operation.locks,
    extraKeys,
    slice: () => operation.slice,
    follow: (draft) => operation.follow(draft),
    decide(draft, now) {
      decision = operation.decide(draft, now)
      if (decision.kind === 'widen') {
        requeue(waiting(operation, [...extraKeys, ...decision.keys], resolve, reject, requeue))
        return { widen: decision.keys }
      }
      return decision.kind === 'refused' && !decision.keepsDraft ? 'drop' : 'keep'
    },
    answer() {
      if (decision !== undefined && decision.kind !== 'widen') resolve(decision)
    },
    fail: reject,
  }
}
