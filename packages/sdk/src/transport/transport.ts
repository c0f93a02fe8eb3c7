/** One HTTP exchange. */
export interface Exchange {
  readonly method: string
  /** Path with query, from the origin. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The server may hold the answer on purpose (a poll, a wait). Held exchanges never make another one wait for a connection. */
  readonly held: boolean
  /** How long the answer may take, in milliseconds. */
  readonly timeoutMs: number
}

/** What an exchange brought, whatever its status. */
export interface Answer {
  readonly status: number
  /** Those that this package reads (`retry-after`), by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The port: everything this package says to a server goes through `send`. */
export interface Transport {
  /**
   * Sends once; never repeats.
   *
   * @throws TransportError `not_sent` when the request cannot have reached the server, `answer_lost` when it may have
   * @throws the reason of `signal` when that ends the exchange
   */
  send(exchange: Exchange): Promise<Answer>
  /** Ends open exchanges and closes every connection. */
  close(): Promise<void>
}
