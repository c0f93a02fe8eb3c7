// Stands for a payment provider: a ledger in a file. Like a real one it takes an idempotency key, and answers a key that it
// has seen with what it did then.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export interface Entry {
  readonly key: string
  readonly paymentId: string
  readonly kind: 'charge' | 'refund'
  readonly cents?: number
}

export class Ledger {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Takes the money once for a key, however often it is asked. */
  charge(key: string, cents: number): string {
    const known = this.entries().find((entry) => entry.key === key)
    if (known !== undefined) return known.paymentId
    const paymentId = `pay-${this.entries().length + 1}`
    this.#append({ key, paymentId, kind: 'charge', cents })
    return paymentId
  }

  /** Gives the money of a payment back, once. */
  refund(key: string, paymentId: string): void {
    if (this.entries().some((entry) => entry.key === key)) return
    this.#append({ key, paymentId, kind: 'refund' })
  }

  entries(): Entry[] {
    if (!existsSync(this.#file)) return []
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }

  #append(entry: Entry): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}
