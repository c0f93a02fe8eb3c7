// Authored activities while they run: which of them wait for virtual time, and what becomes of them when their worker dies.
//
// Invariants
//   CB1  Time passes beside a callback only while it waits in `sleep`.
//   CB2  A callback of a dead worker that waits in `sleep` never goes on, and its signal tells it nothing: SIGKILL gives no notice.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ActivityContext, ActivityImplementation } from '@durable-workflow/sdk'
import type { Clock } from '@durable-workflow/sdk/client'

interface Callback {
  readonly owner: Callbacks
  /** Made when it first asks for its signal. */
  stop: AbortController | undefined
  /** Waits for time that it is in now. */
  waits: number
}

const current = new AsyncLocalStorage<Callback>()

/** The callbacks of one worker. */
export class Callbacks {
  readonly #running = new Set<Callback>()
  readonly #onMove: () => void
  isDead = false

  /** @param onMove told when a callback ends */
  constructor(onMove: () => void) {
    this.#onMove = onMove
  }

  /** Callbacks that wait for time. */
  get sleeping(): number {
    let count = 0
    for (const callback of this.#running) if (callback.waits > 0) count += 1
    return count
  }

  /** The same activity, watched while it runs. */
  watch(activity: ActivityImplementation): ActivityImplementation {
    return { ...activity, fn: (input, ctx) => this.#run((callback) => activity.fn(input, contextOf(ctx, callback))) }
  }

  /** The worker is dead (CB2). */
  kill(): void {
    this.isDead = true
  }

  /** For the end of the environment: what still listens is told to stop. */
  abandon(): void {
    for (const { stop } of this.#running) stop?.abort(new Error('The test environment was closed.'))
  }

  async #run(fn: (callback: Callback) => unknown): Promise<unknown> {
    const callback: Callback = { owner: this, stop: undefined, waits: 0 }
    this.#running.add(callback)
    try {
      return await current.run(callback, () => fn(callback))
    } finally {
      this.#running.delete(callback)
      this.#onMove()
    }
  }
}

// The context of the SDK, but for a signal that keeps silent when the worker is dead (CB2).
function contextOf(ctx: ActivityContext, callback: Callback): ActivityContext {
  const { heartbeat, lastHeartbeat, idempotencyKey, info, log } = ctx
  return {
    get signal() {
      callback.stop ??= forwarded(ctx.signal, callback.owner)
      return callback.stop.signal
    },
    heartbeat,
    lastHeartbeat,
    idempotencyKey,
    info,
    log,
  }
}

function forwarded(signal: AbortSignal, owner: Callbacks): AbortController {
  const controller = new AbortController()
  const abort = () => {
    if (!owner.isDead) controller.abort(signal.reason)
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return controller
}

/** The callback that calls this waits for time from now on. @returns what says that it goes on; undefined when it is dead by then */
export function beginWait(): () => boolean {
  const callback = current.getStore()
  if (callback === undefined) return () => true
  callback.waits += 1
  let isOver = false
  return () => {
    if (callback.owner.isDead) return false
    if (!isOver) callback.waits -= 1
    isOver = true
    return true
  }
}

/** Waits for virtual time. Called by a callback, it lets time pass meanwhile (CB1). @throws the reason of `signal` */
export function sleep(clock: Clock, durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const goOn = beginWait()
    const end = (go: () => void) => {
      cancel()
      signal?.removeEventListener('abort', onAbort)
      // CB2
      if (goOn()) go()
    }
    const onAbort = () => end(() => reject(signal?.reason))
    const cancel = clock.at(clock.now() + durationMs, () => end(resolve))
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
