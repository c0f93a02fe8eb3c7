// LISTEN and NOTIFY on a connection of their own. Never in a group's transaction: a commit that notifies waits for every
// other one that does, in all databases of the server.
//
// One notification is under way at a time; what is told meanwhile goes out together when it has arrived. Where no other
// server has been heard of there is nobody to tell, so a lonely server tells only that it is there.

import { randomUUID } from 'node:crypto'
import type { Hint, Wakes } from '@durable-workflow/engine/ports'
import { PgConnection, type PgConnectionOptions } from './pg-connection.ts'
import { heardIn, notificationsOf } from './pg-hints.ts'

const channel = 'durable_workflow'

/** A new connection is tried after this, in ms; each time that it fails, after twice as long. */
const retryMsMin = 50
const retryMsMax = 2_000

/** How often a server says that it is there, in ms. */
const presenceMs = 5_000
/** Not heard of for this long, the others are gone, in ms. */
const absenceMs = 3 * presenceMs

/** Hints that wait for their turn beyond this are not worth their time: the others look by themselves. */
const waitingMax = 10_000

export class PgWakes implements Wakes {
  readonly #options: PgConnectionOptions
  readonly #self = randomUUID()
  readonly #listeners = new Set<(hints: readonly Hint[]) => void>()
  #connection: PgConnection | undefined
  #waiting: Hint[] = []
  #isTelling = false
  #heardAt = Number.NEGATIVE_INFINITY
  #presence: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #connecting: Promise<void> | undefined
  #isClosed = false

  constructor(options: PgConnectionOptions) {
    this.#options = options
  }

  tell(hints: readonly Hint[]): void {
    if (performance.now() - this.#heardAt > absenceMs || this.#waiting.length >= waitingMax) return
    this.#waiting.push(...hints)
    void this.#tellWaiting()
  }

  listen(hear: (hints: readonly Hint[]) => void): () => void {
    this.#listeners.add(hear)
    this.#presence ??= setInterval(() => this.#sayPresent(), presenceMs).unref()
    this.#connect(retryMsMin)
    return () => this.#listeners.delete(hear)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#presence)
    clearTimeout(this.#retry)
    await this.#connecting
    await this.#connection?.end()
  }

  #connect(retryMs: number): void {
    if (this.#isClosed || this.#connection !== undefined || this.#connecting !== undefined) return
    this.#connecting = this.#open(retryMs).finally(() => {
      this.#connecting = undefined
    })
  }

  // Until it stands the others are not heard; every engine looks by itself meanwhile.
  async #open(retryMs: number): Promise<void> {
    try {
      const connection = await PgConnection.open(this.#options)
      connection.onNotification((text) => this.#heard(text))
      connection.onBroken(() => this.#reconnect(connection))
      await connection.once(`listen ${channel}`, [])
      this.#connection = connection
      this.#hear([{ kind: 'missed' }])
      this.#sayPresent()
    } catch {
      this.#retry = setTimeout(() => this.#connect(Math.min(retryMs * 2, retryMsMax)), retryMs).unref()
    }
  }

  #reconnect(broken: PgConnection): void {
    if (this.#connection !== broken) return
    broken.destroy()
    this.#connection = undefined
    this.#retry = setTimeout(() => this.#connect(retryMsMin), retryMsMin).unref()
  }

  #sayPresent(): void {
    void this.#notify([`["${this.#self}"]`])
  }

  async #tellWaiting(): Promise<void> {
    if (this.#isTelling) return
    this.#isTelling = true
    while (this.#waiting.length > 0) await this.#notify(notificationsOf(this.#self, this.#waiting.splice(0)))
    this.#isTelling = false
  }

  // A notification that does not arrive is a hint that is lost, and a broken connection is noticed where it breaks.
  async #notify(notifications: readonly string[]): Promise<void> {
    const connection = this.#connection
    if (connection === undefined) return
    await Promise.allSettled(notifications.map((text) => connection.all(notify, [channel, text])))
  }

  #heard(text: string): void {
    const { teller, hints } = heardIn(text)
    if (teller === this.#self || teller === undefined) return
    const isNew = performance.now() - this.#heardAt > absenceMs
    this.#heardAt = performance.now()
    // Whoever has just come is told that there is somebody to tell.
    if (isNew) this.#sayPresent()
    if (hints.length > 0) this.#hear(hints)
  }

  #hear(hints: readonly Hint[]): void {
    for (const listener of this.#listeners) listener(hints)
  }
}

const notify = 'select pg_notify($1, $2)'
