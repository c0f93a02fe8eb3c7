// A few connections, lent one at a time. (The driver's own pool takes the wait for a connection that is lent for a wait
// for the server, and gives up on both alike.)

import { StoreUnavailableError } from '@durable-workflow/engine/ports'
import { PgConnection, type PgConnectionOptions } from './pg-connection.ts'

export class PgPool {
  readonly #options: PgConnectionOptions
  readonly #size: number
  /** Those that nobody uses now; the one that came back last goes first, so that few are warm under little load. */
  readonly #idle: PgConnection[] = []
  readonly #waiting: (() => void)[] = []
  #lent = 0
  #allBack: (() => void) | undefined
  #closing: Promise<void> | undefined

  constructor(size: number, options: PgConnectionOptions) {
    this.#size = size
    this.#options = options
  }

  /** Lends a connection, in the order of the calls. @throws StoreUnavailableError when none can be made, or after `close` */
  async lend<T>(use: (lent: Lent) => Promise<T>): Promise<T> {
    this.#refuseClosed()
    if (this.#lent >= this.#size) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#lent += 1
    const lent = new Lent(this.#options, this.#takeIdle())
    try {
      return await use(lent)
    } finally {
      this.#takeBack(lent)
    }
  }

  /** Waits for what is lent and for what waits, then says goodbye. Twice is once. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    if (this.#lent > 0) {
      await new Promise<void>((resolve) => {
        this.#allBack = resolve
      })
    }
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()))
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined)
      throw new StoreUnavailableError('unreachable', { cause: new Error('The store is closed.') })
  }

  #takeIdle(): PgConnection | undefined {
    for (let one = this.#idle.pop(); one !== undefined; one = this.#idle.pop()) if (!one.isBroken) return one
    return undefined
  }

  #takeBack({ connection }: Lent): void {
    if (connection !== undefined) {
      if (connection.isBroken) connection.destroy()
      else this.#idle.push(connection)
    }
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    this.#lent -= 1
    if (this.#lent === 0) this.#allBack?.()
  }
}

/** A connection for one user; made when it is first needed. */
export class Lent {
  readonly #options: PgConnectionOptions
  connection: PgConnection | undefined
  /** Whether it has worked for somebody before: the server may have left it meanwhile. */
  isUsed: boolean

  constructor(options: PgConnectionOptions, idle: PgConnection | undefined) {
    this.#options = options
    this.connection = idle
    this.isUsed = idle !== undefined
  }

  async open(): Promise<PgConnection> {
    this.connection ??= await PgConnection.open(this.#options)
    return this.connection
  }

  /** A new connection in its place. */
  renew(): Promise<PgConnection> {
    this.connection?.destroy()
    this.connection = undefined
    this.isUsed = false
    return this.open()
  }
}
