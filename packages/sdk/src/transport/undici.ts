// HTTP on undici pools: one for requests that answer at once, one for those the server holds, so that no report ever
// waits behind polls.
import { type Dispatcher, Pool } from 'undici'
import { TransportError } from '../authoring/failure.ts'
import type { Answer, Exchange, Transport } from './transport.ts'

export interface UndiciOptions {
  /** Scheme, host and port. */
  readonly origin: string
  /** Connections for requests that are not held; default 64. Held requests have as many as are open at once. */
  readonly connections?: number | undefined
}

// A server closes idle connections too; ours closes first, so that a request rarely meets a closing one.
const keepAliveTimeoutMs = 4_000
const connectTimeoutMs = 5_000
const connectionsDefault = 64

/** Codes of errors that happen before the first byte of a request is written. */
const notSentCodes: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

export function openTransport(options: UndiciOptions): Transport {
  const { origin } = options
  const common = {
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: keepAliveTimeoutMs,
    pipelining: 1,
  }
  const short = new Pool(origin, { ...common, connections: options.connections ?? connectionsDefault })
  const held = new Pool(origin, { ...common, connections: null })
  return {
    send: (exchange) => send(exchange.held ? held : short, origin, exchange),
    close: async () => {
      await Promise.all([short.destroy(), held.destroy()])
    },
  }
}

async function send(pool: Pool, origin: string, exchange: Exchange): Promise<Answer> {
  exchange.signal?.throwIfAborted()
  try {
    return await dispatch(pool, exchange)
  } catch (error) {
    exchange.signal?.throwIfAborted()
    throw lost(error, origin, exchange)
  }
}

// Straight on the dispatcher: an answer is read whole, so a stream for each would only cost (a tenth of a busy worker's time,
// bench W1, 2026-11-30).
function dispatch(pool: Pool, exchange: Exchange): Promise<Answer> {
  const { signal } = exchange
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let headers: Answer['headers'] = noHeaders
    let controller: Dispatcher.DispatchController | undefined
    const abort = () => {
      controller?.abort(errorOf(signal?.reason))
      reject(signal?.reason)
    }
    const settled = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort, { once: true })
    const options = {
      method: exchange.method,
      path: exchange.path,
      headers: exchange.headers,
      body: exchange.body ?? null,
      headersTimeout: exchange.timeoutMs,
      bodyTimeout: exchange.timeoutMs,
    }
    pool.dispatch(options, {
      onRequestStart(started) {
        controller = started
        // It waited for a connection while its caller left.
        if (signal?.aborted) started.abort(errorOf(signal.reason))
      },
      onResponseStart(_controller, statusCode, received) {
        if (statusCode < 200) return
        status = statusCode
        headers = readHeaders(received)
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        settled()
        resolve({ status, headers, text: textOf(chunks) })
      },
      onResponseError(_controller, error) {
        settled()
        reject(error)
      },
    })
  })
}

const noHeaders: Answer['headers'] = {}

// Of all headers this package reads only one, and rarely gets it.
function readHeaders(received: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  const retryAfter = received['retry-after']
  if (retryAfter === undefined) return noHeaders
  return { 'retry-after': Array.isArray(retryAfter) ? retryAfter.join(', ') : retryAfter }
}

const byteOrderMark = 0xfeff

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  const text = (chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)).toString()
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

function lost(error: unknown, origin: string, exchange: Exchange): TransportError {
  const code = codeOf(error)
  const path = exchange.path.split('?')[0] ?? exchange.path
  const notSent = notSentCodes.includes(code)
  const what = notSent ? `cannot be reached (${code})` : `gave no answer (${code})`
  const remedy = notSent
    ? 'Start the server, or set DURABLE_WORKFLOW_SERVER_URL (or the option server) to where it listens.'
    : 'Ask what was recorded before repeating: the request may have been carried out.'
  return new TransportError(`The server ${origin} ${what}: ${exchange.method} ${path}. ${remedy}`, {
    reason: notSent ? 'not_sent' : 'answer_lost',
    facts: { origin, method: exchange.method, path, code, timeoutMs: exchange.timeoutMs },
    remedy,
    cause: error,
  })
}

function codeOf(error: unknown): string {
  // Connecting to a name with several addresses fails with one error an address.
  const first = error instanceof AggregateError ? error.errors[0] : error
  if (first instanceof Error && 'code' in first && typeof first.code === 'string') return first.code
  return error instanceof Error ? error.name : 'unknown'
}
