/** A promise that knows whether anybody waits for it: the report of forgotten promises is made from this. */
export class TrackedPromise<T> extends Promise<T> {
  // Derived promises are plain ones: only what `ctx` returned is reported.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  #onObserved: (() => void) | undefined

  // biome-ignore lint/suspicious/noThenProperty: `await` calls `then` of a promise subclass; that is the observation.
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#onObserved?.()
    this.#onObserved = undefined
    return super.then(onFulfilled, onRejected)
  }

  whenObserved(callback: () => void): void {
    this.#onObserved = callback
  }
}

export interface Deferred<T> {
  readonly promise: TrackedPromise<T>
  resolve(value: T | PromiseLike<T>): void
  reject(error: unknown): void
}

/** A promise with its two ends. A rejection that nobody waits for yet is kept, not reported to the process. */
export function createDeferred<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = ignore
  let reject: Deferred<T>['reject'] = ignore
  const promise = new TrackedPromise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Nothing is lost: authored code that waits later gets the rejection, and a promise nobody ever waits for is reported at the end.
  Promise.prototype.then.call(promise, undefined, ignore)
  return { promise, resolve, reject }
}

function ignore(): void {}
