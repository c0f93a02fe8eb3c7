/** A line for each key: whoever names several stands in all of them, and goes when nobody is before him in any. */
export class LockLine {
  readonly #last = new Map<string, Promise<void>>()

  async enter<T>(keys: readonly string[], act: () => Promise<T>): Promise<T> {
    const before = keys.map((key) => this.#last.get(key)).filter((one) => one !== undefined)
    const { promise: done, resolve: leave } = Promise.withResolvers<void>()
    for (const key of keys) this.#last.set(key, done)
    if (before.length > 0) await Promise.all(before)
    try {
      return await act()
    } finally {
      for (const key of keys) if (this.#last.get(key) === done) this.#last.delete(key)
      leave()
    }
  }
}
