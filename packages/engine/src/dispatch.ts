// Pairs ready tasks with waiting pollers; claims go through the door like everything else.
//
// Owns:      the held polls of this server and what it remembers of its queues.
// Does not:  decide whether a claim stands: the claim operation re-checks under the lock.
//
// Invariants
//   DI1  A waiter is answered at most once.
//   DI2  Pairing is a pure function of (ready tasks, waiters).
//   DI3  With every wake lost, each task is still found within one scan interval.
//   DI4  A lost race costs a retry, never a task.
//   DI5  A claim whose poller vanished is kept: the same poll_request_id collects it, or the lease runs out.

import type { Draft, Ready } from './core/decision/draft.ts'
import type { Operation } from './core/decision/operation.ts'
import { claimActivityTask, claimQueryTask, claimWorkflowTask } from './core/operations/index.ts'
import { firstTaker, queueKey } from './core/rules/match.ts'
import { engineLimits } from './core/state/limits.ts'
import { type Clock, CommitUnknownError, type Observer, type Store } from './ports.ts'
import type { Claim, ExecuteWhereFree } from './unit-of-work.ts'
import type { Claimed, Waiter } from './waiter.ts'

export interface DispatchOptions {
  readonly store: Store
  readonly clock: Clock
  readonly scanIntervalMs: number
  readonly observer?: Observer | undefined
  /** Executes a claim, unless another server is at it. */
  readonly execute: ExecuteWhereFree
  /** Where an error of a background look goes; the next scan looks again. */
  readonly onError: (error: unknown) => void
}

/**
 * After a look of which nothing could be claimed the next one waits this long, in ms: what another server held is taken by
 * then, or free. Its commit takes a few ms; a whole scan interval would let pollers wait beside ready tasks.
 */
const lostLookMs = 25

/** One meeting place: who waits there, and whether a look into the store is worth it. */
interface Queue {
  readonly waiters: Set<Waiter>
  /** False after a look that found nothing, until a commit or the next scan says otherwise. */
  mayHold: boolean
  looking: boolean
  /** Settles when the look that is under way, or was last, has ended. */
  look: Promise<void>
  /** The types that the last look asked for: a newcomer with others makes another look worth it. */
  lookedFor: ReadonlySet<string>
  /** When the next task of the queue becomes available (epoch ms), and what cancels the look at it. */
  nextLookAt: number
  cancelNextLook: () => void
}

export class Dispatch {
  readonly #options: DispatchOptions
  readonly #queues = new Map<string, Queue>()
  /** Looks that are under way, also at places that were forgotten meanwhile. */
  readonly #looks = new Set<Promise<void>>()
  #isDraining = false

  constructor(options: DispatchOptions) {
    this.#options = options
  }

  get waiterCount(): number {
    let count = 0
    for (const queue of this.#queues.values()) count += queue.waiters.size
    return count
  }

  /** Lets a poller wait; it is answered by `settle`. @returns what takes it away again, and tells whether it still waited */
  wait(waiter: Waiter): () => boolean {
    if (this.#isDraining) {
      waiter.settle(undefined)
      return () => false
    }
    const key = queueKey(waiter)
    const queue = this.#queue(key)
    queue.waiters.add(waiter)
    queue.mayHold ||= asksForMore(waiter, queue)
    if (queue.mayHold) this.#look(key, queue)
    return () => this.#queues.get(key)?.waiters.delete(waiter) ?? false
  }

  /**
   * Resolves when no look that is under way at a waiter's place can bring it a task any more: a probe ends with the look
   * that it began, not before the store has answered.
   */
  async looked(waiter: {
    readonly kind: string
    readonly namespace: string
    readonly taskQueue: string
  }): Promise<void> {
    // The look may have begun before the waiter came; the next one asks for what it takes as well.
    for (let look = 0; look < 2; look += 1) await this.#queues.get(queueKey(waiter))?.look
  }

  /** Resolves when no look is under way; for the end, after `drain`. */
  async idle(): Promise<void> {
    await Promise.all([...this.#looks])
  }

  /**
   * Same-group match: claims for the tasks that a draft made ready, for the slots that its reporter offered (each taken
   * once) and for pollers that wait here.
   */
  claimsFor(draft: Draft, now: number, offers: readonly Waiter[] = []): Claim[] {
    const claims: Claim[] = []
    const free = new Set(offers)
    for (const ready of draft.madeReady(now)) {
      const offered = firstTaker(ready, free)
      if (offered !== undefined) {
        free.delete(offered)
        claims.push(this.#sameGroupClaim(offered, ready, 'hand_over', () => {}))
        continue
      }
      const queue = this.#queues.get(queueKey(ready))
      const waiter = queue === undefined ? undefined : firstTaker(ready, queue.waiters)
      if (queue === undefined || waiter === undefined) continue
      queue.waiters.delete(waiter)
      claims.push(this.#sameGroupClaim(waiter, ready, 'same_group', () => this.#putBack(waiter)))
    }
    return claims
  }

  /**
   * Ends the held polls of a worker that is gone or was replaced: nothing is claimed for it any more (L-14).
   *
   * @param registrationId the registration whose polls are held on
   */
  dismiss(namespace: string, workerId: string, registrationId?: string): void {
    for (const queue of this.#queues.values()) {
      for (const waiter of queue.waiters) {
        if (waiter.namespace !== namespace || waiter.proof.workerId !== workerId) continue
        if (waiter.proof.registrationId === registrationId) continue
        queue.waiters.delete(waiter)
        waiter.settle(undefined)
      }
    }
  }

  /** A commit left a task ready at a place: look there as soon as somebody waits. @param availableAt epoch ms */
  noteReady(place: { kind: string; namespace: string; taskQueue: string }, availableAt: number): void {
    const key = queueKey(place)
    const queue = this.#queue(key)
    if (availableAt > this.#options.clock.now()) {
      this.#lookAt(key, queue, availableAt)
      return
    }
    queue.mayHold = true
    if (queue.waiters.size > 0) this.#look(key, queue)
  }

  /** Every place is looked at again (DI3). */
  scan(): void {
    for (const [key, queue] of this.#queues) {
      queue.mayHold = true
      if (queue.waiters.size > 0) this.#look(key, queue)
      else if (!queue.looking) this.#forget(key, queue)
    }
  }

  /** Answers all held polls as empty, and those that arrive from now on. */
  drain(): void {
    this.#isDraining = true
    for (const [key, queue] of this.#queues) {
      for (const waiter of queue.waiters) waiter.settle(undefined)
      queue.waiters.clear()
      this.#forget(key, queue)
    }
  }

  #queue(key: string): Queue {
    const known = this.#queues.get(key)
    if (known !== undefined) return known
    const made: Queue = {
      waiters: new Set(),
      mayHold: true,
      looking: false,
      look: Promise.resolve(),
      lookedFor: new Set(),
      nextLookAt: Number.POSITIVE_INFINITY,
      cancelNextLook: () => {},
    }
    this.#queues.set(key, made)
    return made
  }

  #forget(key: string, queue: Queue): void {
    queue.cancelNextLook()
    this.#queues.delete(key)
  }

  #lookAt(key: string, queue: Queue, instant: number): void {
    if (instant >= queue.nextLookAt) return
    queue.cancelNextLook()
    queue.nextLookAt = instant
    queue.cancelNextLook = this.#options.clock.at(instant, () => {
      queue.nextLookAt = Number.POSITIVE_INFINITY
      queue.mayHold = true
      if (queue.waiters.size > 0) this.#look(key, queue)
    })
  }

  // By its place, not by the queue it came from: a scan may have forgotten that one meanwhile.
  #putBack(waiter: Waiter): void {
    if (waiter.isOver() || this.#isDraining) waiter.settle(undefined)
    else this.#queue(queueKey(waiter)).waiters.add(waiter)
  }

  #look(key: string, queue: Queue): void {
    if (queue.looking) return
    queue.looking = true
    const look = this.#pair(key, queue)
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => this.#looks.delete(look))
    this.#looks.add(look)
    queue.look = look
  }

  async #pair(key: string, queue: Queue): Promise<void> {
    try {
      await this.#pairAll(key, queue)
    } finally {
      // In the turn in which the loop ended: a wake after it starts a look of its own.
      queue.looking = false
    }
  }

  async #pairAll(key: string, queue: Queue): Promise<void> {
    while (queue.mayHold) {
      const first = queue.waiters.values().next().value
      if (first === undefined) return
      queue.mayHold = false
      const types = new Set<string>()
      for (const waiter of queue.waiters) for (const type of waiter.types) types.add(type)
      queue.lookedFor = types
      const { tasks, nextAvailableAt } = await this.#options.store.find.readyTasks({
        kind: first.kind,
        namespace: first.namespace,
        taskQueue: first.taskQueue,
        types: [...types],
        now: this.#options.clock.now(),
        limit: engineLimits.candidatesMax,
      })
      if (nextAvailableAt !== undefined) this.#lookAt(key, queue, nextAvailableAt)
      if (tasks.length === 0) continue
      const claims: Promise<boolean>[] = []
      for (const task of tasks) {
        const ready: Ready = { ...task, namespace: first.namespace, taskQueue: first.taskQueue }
        const waiter = firstTaker(ready, queue.waiters)
        if (waiter === undefined) break
        queue.waiters.delete(waiter)
        claims.push(this.#claim(waiter, ready))
      }
      const stood = (await Promise.all(claims)).some((stands) => stands)
      queue.mayHold ||= tasks.length > claims.length || tasks.length === engineLimits.candidatesMax
      if (stood) continue
      // Not a busy loop: what was found is another server's by now, or not claimable after all.
      if (claims.length > 0) this.#lookAt(key, queue, this.#options.clock.now() + lostLookMs)
      return
    }
  }

  async #claim(waiter: Waiter, ready: Ready): Promise<boolean> {
    try {
      const outcome = await this.#options.execute(claimOperation(waiter, ready))
      if (outcome?.kind !== 'accepted') {
        this.#putBack(waiter)
        return false
      }
      this.#options.observer?.claimed(ready.kind, 'poll')
      waiter.settle(outcome.reply)
      return true
    } catch (error) {
      if (error instanceof CommitUnknownError) waiter.fail(error)
      else this.#putBack(waiter)
      throw error
    }
  }

  #sameGroupClaim(waiter: Waiter, ready: Ready, how: 'same_group' | 'hand_over', onPutBack: () => void): Claim {
    const operation = claimOperation(waiter, ready)
    let claimed: Claimed | undefined
    return {
      decide(draft, now) {
        const decision = operation.decide(draft, now)
        if (decision.kind === 'accepted') claimed = decision.reply
        return claimed !== undefined
      },
      settle: () => {
        this.#options.observer?.claimed(ready.kind, how)
        waiter.settle(claimed)
      },
      putBack: onPutBack,
      fail: (error) => waiter.fail(error),
    }
  }
}

function asksForMore(waiter: Waiter, queue: Queue): boolean {
  for (const type of waiter.types) if (!queue.lookedFor.has(type)) return true
  return false
}

function claimOperation(waiter: Waiter, ready: Ready): Operation<Claimed> {
  const { proof, leaseMs } = waiter
  switch (ready.kind) {
    case 'workflow':
      return claimWorkflowTask({ taskId: ready.id, proof, leaseMs })
    case 'activity':
      return claimActivityTask({ activityId: ready.id, proof, leaseMs })
    case 'query':
      return claimQueryTask({ queryTaskId: ready.id, proof, leaseMs })
  }
}
