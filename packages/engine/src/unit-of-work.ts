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
//   UW6  A group is bounded in operations; per run, arrival order is kept across groups: those under way share no lock.
//   UW7  If the outcome of a commit is unknown the answer says "unknown", never recorded: false.

import type { Changes } from './core/decision/changes.ts'
import { Draft } from './core/decision/draft.ts'
import { Group } from './core/decision/group.ts'
import type { Operation } from './core/decision/operation.ts'
import type { Outcome } from './core/decision/outcome.ts'
import type { SliceKey } from './core/decision/slice.ts'
import { engineLimits } from './core/state/limits.ts'
import {
  type Clock,
  CommitUnknownError,
  type NamedPoint,
  type Observer,
  type Probe,
  type Store,
  type Transaction,
} from './ports.ts'
import type { Waiter } from './waiter.ts'
import { locksOf, type Waiting, type WantedLocks, waiting } from './waiting.ts'

/** Decides one operation and answers after its commit. */
export type Execute = <Reply, Reason extends string>(
  operation: Operation<Reply, Reason>,
) => Promise<Outcome<Reply, Reason>>

/** The same for what is only worth doing where nobody else is at it: undefined when another server holds the lock. */
export type ExecuteWhereFree = <Reply, Reason extends string>(
  operation: Operation<Reply, Reason>,
) => Promise<Outcome<Reply, Reason> | undefined>

/** A claim that a decision makes possible in its own group: a ready task and the poller that waits for it. */
export interface Claim {
  /** Decides the claim on a draft of the group; true when it stands. */
  decide(draft: Draft, now: number): boolean
  /** The group is committed: answers the poller. */
  settle(): void
  /** The claim does not stand or the commit failed: the poller waits on. */
  putBack(): void
  /** The fate of the commit is not known: the poller hears of it, for he may hold the task (UW7). */
  fail(error: CommitUnknownError): void
}

export interface UnitOfWorkOptions {
  readonly store: Store
  readonly clock: Clock
  readonly probe: Probe | undefined
  readonly observer?: Observer | undefined
  /** Claims that follow from a decided draft (same-group match, design.md §7). */
  readonly afterDecide: (draft: Draft, now: number, offers: readonly Waiter[]) => readonly Claim[]
  /** Told after each commit what it changed. */
  readonly afterCommit: (changes: Changes) => void
  /** Told of a claim that threw: its poller waits on, nobody else is concerned. */
  readonly onError: (error: unknown) => void
}

/**
 * A group that has not got its locks by then waits for another server; the next one begins beside it. A lock is held for a
 * commit, a few ms.
 */
const heldUpMs = 20

/** What became of a group's operations. */
interface Decided {
  readonly skipped: Waiting[]
  readonly claims: Claim[]
  readonly answered: Waiting[]
  readonly failed: { readonly waiter: Waiting; readonly error: unknown }[]
  /** Comes first in the next group, in this order. */
  readonly again: Waiting[]
}

export class UnitOfWork {
  readonly #options: UnitOfWorkOptions
  #queue: Waiting[] = []
  #isWoken = false
  /** Groups between their beginning and their answers. */
  #underWay = 0
  /** Those of them that have not come to their commit: the next group gathers until there is none. */
  #atWork = 0
  /** Locks of the groups under way. */
  readonly #held = new Set<string>()
  #idle: (() => void)[] = []

  constructor(options: UnitOfWorkOptions) {
    this.#options = options
  }

  /**
   * Puts an operation into the next group; resolves after its commit.
   *
   * @param offers free slots of the reporter, for the tasks that this very decision makes ready
   */
  execute<Reply, Reason extends string>(
    operation: Operation<Reply, Reason>,
    offers: readonly Waiter[] = [],
  ): Promise<Outcome<Reply, Reason>> {
    return new Promise((resolve, reject) => {
      this.#queue.push(waiting({ operation, offers, extraKeys: [], skip: undefined }, resolve, reject))
      this.#wake()
    })
  }

  /** The same, unless another server holds the operation's lock: then undefined, and nothing was decided. */
  executeWhereFree<Reply, Reason extends string>(
    operation: Operation<Reply, Reason>,
  ): Promise<Outcome<Reply, Reason> | undefined> {
    return new Promise((resolve, reject) => {
      const skip = () => resolve(undefined)
      this.#queue.push(waiting({ operation, offers: [], extraKeys: [], skip }, resolve, reject))
      this.#wake()
    })
  }

  /** Resolves when nothing waits and no group is under way. */
  async idle(): Promise<void> {
    if (this.#isIdle) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  get #isIdle(): boolean {
    return this.#queue.length === 0 && this.#underWay === 0
  }

  // While one group reads, decides and writes, the next one gathers; it begins when that one commits. So groups stay large
  // under load, and no flush of the disk is waited for that does not concern them.
  get #mayBegin(): boolean {
    return this.#queue.length > 0 && this.#atWork === 0 && this.#underWay < this.#options.store.concurrency
  }

  #wake(): void {
    if (this.#isWoken || !this.#mayBegin) return
    this.#isWoken = true
    this.#options.clock.soon(() => {
      this.#isWoken = false
      const group = this.#mayBegin ? this.#gather() : []
      if (group.length > 0) void this.#begin(group)
    })
  }

  // UW6: what shares a lock with a group under way, or with what stays behind, stays behind.
  #gather(): readonly Waiting[] {
    const { groupOperationsMax } = engineLimits
    if (this.#held.size === 0) return this.#queue.splice(0, groupOperationsMax)
    const group: Waiting[] = []
    const behind: Waiting[] = []
    const taken = new Set(this.#held)
    for (const waiter of this.#queue) {
      if (group.length < groupOperationsMax && !waiter.locks.some((lock) => taken.has(lock))) {
        group.push(waiter)
        continue
      }
      behind.push(waiter)
      for (const lock of waiter.locks) taken.add(lock)
    }
    this.#queue = behind
    return group
  }

  async #begin(group: readonly Waiting[]): Promise<void> {
    const wanted = locksOf(group)
    const locks = [...wanted.locks, ...wanted.whereFree]
    for (const lock of locks) this.#held.add(lock)
    this.#underWay += 1
    const work = this.#workOn()
    await this.#run(group, wanted, work)
    work.end()
    this.#underWay -= 1
    for (const lock of locks) this.#held.delete(lock)
    this.#wake()
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #workOn(): Work {
    this.#atWork += 1
    let isAtWork = true
    const end = () => {
      if (!isAtWork) return
      isAtWork = false
      cancel()
      this.#atWork -= 1
      this.#wake()
    }
    const { clock, store } = this.#options
    const cancel = store.concurrency > 1 ? clock.at(clock.now() + heldUpMs, end) : () => {}
    return { locked: cancel, end }
  }

  async #run(waiters: readonly Waiting[], { locks, whereFree }: WantedLocks, work: Work): Promise<void> {
    const kinds = waiters.map((waiter) => waiter.kind)
    const result: Decided = { skipped: [], claims: [], answered: [], failed: [], again: [] }
    const { observer } = this.#options
    const passed = observer?.group(waiters.length)
    try {
      await this.#reached('gathered', kinds)
      const changes = await this.#options.store.transact(
        locks,
        async (transaction) => {
          work.locked()
          passed?.('locked')
          await this.#reached('locked', kinds)
          const made = await this.#decide(transaction, waiters, result, passed)
          await this.#reached('decided', kinds)
          await transaction.write(made)
          passed?.('written')
          await this.#reached('written', kinds)
          work.end()
          return made
        },
        whereFree,
      )
      passed?.('committed')
      await this.#reached('committed', kinds)
      this.#queue.unshift(...result.again)
      for (const waiter of result.answered) waiter.answer(observer)
      for (const { waiter, error } of result.failed) waiter.fail(error)
      for (const waiter of result.skipped) waiter.skip?.()
      for (const claim of result.claims) claim.settle()
      this.#options.afterCommit(changes)
    } catch (error) {
      // Nothing was committed, or its fate is unknown (UW7): every caller hears which. A poller waits on, unless he may
      // hold a task: one poll is never given two.
      for (const claim of result.claims) {
        if (error instanceof CommitUnknownError) claim.fail(error)
        else claim.putBack()
      }
      for (const waiter of waiters) waiter.fail(error)
    }
  }

  async #decide(
    transaction: Transaction,
    waiters: readonly Waiting[],
    result: Decided,
    passed: ReturnType<Observer['group']> | undefined,
  ): Promise<Changes> {
    const present = waiters.filter((waiter) => !isSkipped(waiter, transaction.skipped, result))
    const group = await load(transaction, present)
    passed?.('loaded')
    this.#decideAll(group, present, result)
    passed?.('decided')
    return group.changes()
  }

  // UW2: no await from here to the end of the group's decisions.
  #decideAll(group: Group, waiters: readonly Waiting[], result: Decided): void {
    const now = this.#options.clock.now()
    const postponed = new Set<string>()
    for (const waiter of waiters) {
      // What came after an operation that comes again waits behind it, as far as they share a lock (UW6).
      if (waiter.locks.some((lock) => postponed.has(lock))) {
        postpone(waiter, waiter, postponed, result)
        continue
      }
      const draft = new Draft(group)
      try {
        const verdict = waiter.decide(draft, now)
        if (typeof verdict === 'object') {
          postpone(waiter, verdict, postponed, result)
          continue
        }
        result.answered.push(waiter)
        if (verdict === 'drop') continue
        draft.commit()
      } catch (error) {
        result.failed.push({ waiter, error })
        continue
      }
      for (const claim of this.#options.afterDecide(draft, now, waiter.offers))
        this.#decideClaim(group, claim, now, result)
    }
  }

  #decideClaim(group: Group, claim: Claim, now: number, result: Decided): void {
    const draft = new Draft(group)
    try {
      if (claim.decide(draft, now)) {
        draft.commit()
        result.claims.push(claim)
        return
      }
    } catch (error) {
      this.#options.onError(error)
    }
    claim.putBack()
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
    keys = group.unasked(waiters.flatMap((waiter) => followed(waiter, seen)))
  }
  return group
}

// A row that is missing behind another concerns one operation: its decision meets the same hole and loses its own draft
// only (UW4), so nothing is hidden here.
function followed(waiter: Waiting, seen: Draft): readonly SliceKey[] {
  try {
    return waiter.follow(seen)
  } catch {
    return []
  }
}

function postpone(waiter: Waiting, again: Waiting, postponed: Set<string>, result: Decided): void {
  for (const lock of waiter.locks) postponed.add(lock)
  result.again.push(again)
}

function isSkipped(waiter: Waiting, skipped: ReadonlySet<string>, result: Decided): boolean {
  const isHeld = waiter.skip !== undefined && waiter.locks.some((lock) => skipped.has(lock))
  if (isHeld) result.skipped.push(waiter)
  return isHeld
}

/** The part of a group's way that its successor waits for. */
interface Work {
  /** It has its locks: it waits for nobody any more. */
  locked(): void
  /** It comes to its commit, or is held up; twice is once. */
  end(): void
}
