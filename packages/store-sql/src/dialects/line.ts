/** A line in which each waits until the one before is done. */
export class Line {
  #last: Promise<void> = Promise.resolve()
  #length = 0

  async enter<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#last
    const { promise: done, resolve: leave } = Promise.withResolvers<void>()
    this.#last = done
    this.#length += 1
    // An empty line is the common case, and it costs no turn of the microtask queue.
    if (this.#length > 1) await before
    try {
      return await act()
    } finally {
      this.#length -= 1
      leave()
    }
  }

  /** Resolves when everybody who stands in line now is done. */
  async end(): Promise<void> {
    await this.#last
  }
}
