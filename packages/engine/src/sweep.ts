// What is due becomes operations.
//
// Invariants
//   SW1  A due thing is handed to the door, never acted on here.
//   SW2  Two sweeps may find the same thing: the lock decides.
//   SW3  A scan is bounded and resumes where it stopped: what is handed over is no longer due.

import type { Operation } from './core/decision/operation.ts'
import {
  closeExpiredRun,
  expireQueryTask,
  fireTimer,
  releaseWorkflowTask,
  timeOutActivity,
} from './core/operations/index.ts'
import { engineLimits } from './core/state/limits.ts'
import type { Clock, DueThing, Observer, Store } from './ports.ts'
import type { Execute } from './unit-of-work.ts'

export interface SweepOptions {
  readonly store: Store
  readonly clock: Clock
  readonly scanIntervalMs: number
  readonly observer?: Observer | undefined
  readonly execute: Execute
  /** Where an error of a scan goes; the next scan looks again. */
  readonly onError: (error: unknown) => void
  /** Called at each scan that the interval brought, for whoever else must look again. */
  readonly onInterval: () => void
}

export class Sweep {
  readonly #options: SweepOptions
  #cancel: () => void = () => {}
  #cancelInterval: () => void = () => {}
  #nextAt = Number.POSITIVE_INFINITY
  #lastIntervalAt = 0
  #scanning: Promise<void> | undefined
  #stopped = true

  constructor(options: SweepOptions) {
    this.#options = options
  }

  start(): void {
    this.#stopped = false
    this.#schedule(this.#options.clock.now())
  }

  /** Stops; resolves when a scan under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    this.#cancelInterval()
    await this.#scanning
  }

  /** A commit made something due at this instant (epoch ms). */
  noteDue(instant: number): void {
    if (!this.#stopped && instant < this.#nextAt) this.#schedule(instant)
  }

  #schedule(instant: number): void {
    this.#cancel()
    this.#nextAt = instant
    this.#cancel = this.#options.clock.at(instant, () => this.#scan())
  }

  // Every due thing is noted or found; the interval only makes up for what was missed all the same.
  #lookAfterInterval(): void {
    const { clock, scanIntervalMs } = this.#options
    this.#cancelInterval()
    this.#cancelInterval = clock.at(clock.now() + scanIntervalMs, () => this.#scan(), 'optional')
  }

  #scan(): void {
    if (this.#stopped || this.#scanning !== undefined) return
    this.#cancel()
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#scanning = this.#handOver()
      .catch((error: unknown) => {
        this.#options.onError(error)
        return undefined
      })
      .then((next) => {
        this.#scanning = undefined
        if (this.#stopped) return
        const instant = Math.min(this.#nextAt, next ?? Number.POSITIVE_INFINITY)
        if (instant < Number.POSITIVE_INFINITY) this.#schedule(instant)
        this.#lookAfterInterval()
      })
  }

  // One thing that throws does not keep the others waiting.
  async #handOne(thing: DueThing): Promise<boolean> {
    const { execute, observer, clock } = this.#options
    try {
      const outcome = await execute(operationFor(thing))
      if (outcome.kind === 'refused') return false
      observer?.acted(thing.kind, clock.now() - thing.dueAt, outcome.reply)
      return true
    } catch (error) {
      this.#options.onError(error)
      return false
    }
  }

  // One bounded batch at a time until nothing is due. @returns when something will be, if the store knows
  async #handOver(): Promise<number | undefined> {
    const { store, clock, scanIntervalMs } = this.#options
    if (clock.now() - this.#lastIntervalAt >= scanIntervalMs) {
      this.#lastIntervalAt = clock.now()
      this.#options.onInterval()
    }
    for (;;) {
      const { things, nextDueAt } = await store.find.due({ now: clock.now(), limit: engineLimits.sweepBatchMax })
      const moved = await Promise.all(things.map((thing) => this.#handOne(thing)))
      // A batch of which nothing was due after all would be found again at once; the next interval looks again (SW3).
      if (moved.length > 0 && !moved.includes(true)) return nextDueAt
      if (things.length < engineLimits.sweepBatchMax || this.#stopped) return nextDueAt
    }
  }
}

function operationFor(thing: DueThing): Operation {
  switch (thing.kind) {
    case 'workflowTask':
      return releaseWorkflowTask({ taskId: thing.id, surrender: undefined })
    case 'activity':
      return timeOutActivity({ activityId: thing.id })
    case 'timer':
      return fireTimer({ timerId: thing.id })
    case 'run':
      return closeExpiredRun({ runId: thing.id })
    case 'queryTask':
      return expireQueryTask({ queryTaskId: thing.id })
  }
}
