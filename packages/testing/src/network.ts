// The way between clients, workers and the server: no socket, but everything that a network may do to a request.
//
// Owns:      the exchanges that are open.
// Does not:  know what a request means, but for which ones a server holds.
import { TransportError } from '@durable-workflow/sdk'
import type { Answer, Exchange, Transport } from '@durable-workflow/sdk/client'
import { beginWait } from './callbacks.ts'
import type { LocalServer } from './local-server.ts'

/** Who speaks: a worker by its id, or the environment's client. */
export type Party = string

export interface OpenExchange {
  readonly party: Party
  readonly exchange: Exchange
  /** Whether the server answers when it pleases: a poll, a wait, a query that a worker must answer. */
  readonly isHeld: boolean
  /** Ends it for the caller with this error; the server sees its caller go. */
  readonly fail: (error: unknown) => void
}

/** The heartbeat of a worker: the one request that is sent late when time skips. */
const heartbeatPath = '/api/worker/heartbeat'

/** What may befall a request of a party; the default carries it to the server once. */
export type Carry = (party: Party, exchange: Exchange, send: () => Promise<Answer>) => Promise<Answer>

export interface NetworkOptions {
  readonly server: Promise<LocalServer>
  /** Told when an exchange opens or ends. */
  readonly onMove: () => void
  /** What befalls every request. */
  readonly carry: Carry
  /** Resolves in a later turn. */
  readonly hop: () => Promise<void>
}

export class Network {
  readonly #open = new Set<OpenExchange>()
  readonly #options: NetworkOptions
  #server: Promise<LocalServer>

  constructor(options: NetworkOptions) {
    this.#options = options
    this.#server = options.server
  }

  get open(): ReadonlySet<OpenExchange> {
    return this.#open
  }

  /** Whether an answer is under way that does not wait for anything but the server's work. */
  get isBusy(): boolean {
    for (const { isHeld } of this.#open) if (!isHeld) return true
    return false
  }

  /** Whether a worker's heartbeat is on its way. */
  get isBeating(): boolean {
    for (const { exchange } of this.#open) if (exchange.path.endsWith(heartbeatPath)) return true
    return false
  }

  /** Requests that come from now on wait for this server. */
  leadTo(server: Promise<LocalServer>): void {
    this.#server = server
  }

  /** Every open exchange loses its connection: it may have been carried out. */
  cutAll(): void {
    for (const { exchange, fail } of [...this.#open]) fail(lost(exchange))
  }

  transportFor(party: Party): LocalTransport {
    return new LocalTransport(party, (exchange) => this.#send(party, exchange))
  }

  #send(
    party: Party,
    exchange: Exchange,
  ): { readonly answer: Promise<Answer>; readonly fail: (error: unknown) => void } {
    const gone = new AbortController()
    const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>()
    // An activity that waits for a run, or asks it, waits for time like a sleeping one.
    const goOn = isHeld(exchange) ? beginWait() : () => true
    const end = () => {
      if (!this.#open.delete(one)) return
      goOn()
      exchange.signal?.removeEventListener('abort', onAbort)
      this.#options.onMove()
    }
    const fail = (error: unknown) => {
      if (!this.#open.has(one)) return
      end()
      reject(error)
      gone.abort(error)
    }
    const onAbort = () => fail(exchange.signal?.reason)
    const one: OpenExchange = { party, exchange, isHeld: isHeld(exchange), fail }
    this.#open.add(one)
    this.#options.onMove()
    exchange.signal?.addEventListener('abort', onAbort, { once: true })
    if (exchange.signal?.aborted === true) onAbort()
    const send = async () => {
      const server = await this.#server
      // A request without a body would never leave the current turn of the event loop, and a test that asks until it is content
      // would stop everything else.
      await this.#options.hop()
      return server.answer({ ...exchange, signal: gone.signal })
    }
    this.#options.carry(party, exchange, send).then(
      (came) => {
        end()
        resolve(came)
      },
      (error: unknown) => fail(error),
    )
    return { answer, fail }
  }
}

/** Sends an exchange; `fail` ends it for its caller. */
type Start = (exchange: Exchange) => { readonly answer: Promise<Answer>; readonly fail: (error: unknown) => void }

/** The SDK's way to the server of this process. After `cut` nothing is sent, and nothing that was asked is answered. */
export class LocalTransport implements Transport {
  readonly #party: Party
  readonly #start: Start
  readonly #fails = new Set<(error: unknown) => void>()
  #isClosed = false

  constructor(party: Party, start: Start) {
    this.#party = party
    this.#start = start
  }

  async send(exchange: Exchange): Promise<Answer> {
    if (this.#isClosed) throw this.#closed()
    const { answer, fail } = this.#start(exchange)
    this.#fails.add(fail)
    try {
      return await answer
    } finally {
      this.#fails.delete(fail)
    }
  }

  async close(): Promise<void> {
    this.cut()
  }

  cut(): void {
    this.#isClosed = true
    for (const fail of this.#fails) fail(this.#closed())
  }

  #closed(): Error {
    return new Error(`The connection of ${this.#party} is closed.`)
  }
}

function isHeld({ held, path }: Exchange): boolean {
  return held || /\/query\/[^/]+$/.test(path)
}

/** The error of a request whose answer never came. */
export function lost({ method, path }: Exchange): TransportError {
  return new TransportError(`The connection was lost before ${method} ${path} was answered.`, {
    reason: 'answer_lost',
    facts: { method, path },
    remedy: 'Ask what was recorded before repeating: the request may have been carried out.',
    cause: undefined,
  })
}
