// A loopback HTTP proxy in front of a server, that loses or holds chosen requests and replies.
//
// Owns:      its listening socket, its upstream connections, a record of every exchange.
// Does not:  change a byte of what it lets through; start or stop the server (which may restart behind it).
//
// A fault meets the n-th request after its injection that fits method and path, once. A lost reply is lost only after
// the server's whole answer was read: what the server committed is committed.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Agent, request as send } from 'undici'
import { type WaitOptions, waitFor } from './wait-for.ts'

export type Fault =
  /** The server answers; the client's connection is reset instead. */
  | { readonly kind: 'drop-reply' }
  /** The server never sees the request; the client's connection is reset. */
  | { readonly kind: 'cut-request' }
  /** Head and half of the body arrive, then the connection is closed. */
  | { readonly kind: 'cut-reply' }
  /** The request reaches the server only after this time. */
  | { readonly kind: 'delay-request'; readonly delayMs: number }
  /** The reply, already made by the server, reaches the client only after this time. */
  | { readonly kind: 'delay-reply'; readonly delayMs: number }
  /** The request is held back from the server until `release()`. */
  | { readonly kind: 'hold-request' }
  /** The reply is held back from the client until `release()`. */
  | { readonly kind: 'hold-reply' }

export interface RequestMatch {
  /** Any method when absent. */
  readonly method?: string
  /** A string must equal the path without its query; a pattern is searched in it. */
  readonly path: string | RegExp
}

export interface FaultRule extends RequestMatch {
  readonly fault: Fault
  /** Which matching request meets the fault, counted from the injection; default 1. */
  readonly nth?: number
}

export interface Exchange {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly requestText: string
  /** Of the server's answer, also when the client never saw it; `undefined` before, and when there was none. */
  readonly status: number | undefined
  readonly replyText: string | undefined
  readonly fault: Fault['kind'] | undefined
}

export interface Injection {
  /** Resolves when a request has met the fault: for lost and held replies, after the server answered. */
  readonly met: Promise<Exchange>
  /** Lets a held request or reply go on. */
  release(): void
}

export interface FaultProxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` of the proxy. */
  readonly url: string
  /** Every request since the start, in order of arrival. */
  readonly exchanges: readonly Exchange[]
  inject(rule: FaultRule): Injection
  /** Waits for an exchange that fits and was answered (with `status`, when given). */
  waitForExchange(
    name: string,
    match: RequestMatch & { readonly status?: number },
    options?: WaitOptions,
  ): Promise<Exchange>
  /** Resets every connection and stops listening. */
  close(): Promise<void>
}

/** Starts a proxy on a free port of loopback in front of `targetUrl`. */
export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const agent = new Agent({ connections: 256, pipelining: 1, headersTimeout: 120_000, bodyTimeout: 120_000 })
  const exchanges: Recorded[] = []
  const armed = new Set<Armed>()

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const body = await readAll(incoming)
    const exchange = recordOf(incoming, body)
    exchanges.push(exchange)
    const rule = take(armed, exchange)
    exchange.fault = rule?.fault.kind
    if (rule?.fault.kind === 'cut-request') {
      rule.meet(exchange)
      reset(outgoing)
      return
    }
    if (rule?.fault.kind === 'delay-request') await pause(rule.fault.delayMs, undefined, { signal: gone.signal })
    if (rule?.fault.kind === 'hold-request') {
      rule.meet(exchange)
      await rule.released
    }
    const answer = await send(`${targetUrl}${incoming.url ?? '/'}`, {
      method: exchange.method,
      headers: forwardedHeaders(incoming.rawHeaders),
      dispatcher: agent,
      signal: gone.signal,
      ...(body.length === 0 ? {} : { body }),
    })
    const reply = Buffer.from(await answer.body.arrayBuffer())
    exchange.status = answer.statusCode
    exchange.replyText = readable(reply, answer.headers['content-encoding'])
    rule?.meet(exchange)
    if (rule?.fault.kind === 'drop-reply') {
      reset(outgoing)
      return
    }
    if (rule?.fault.kind === 'delay-reply') await pause(rule.fault.delayMs, undefined, { signal: gone.signal })
    if (rule?.fault.kind === 'hold-reply') await rule.released
    outgoing.writeHead(answer.statusCode, forwardedReplyHeaders(answer.headers, reply.length))
    if (rule?.fault.kind === 'cut-reply') {
      outgoing.write(reply.subarray(0, Math.floor(reply.length / 2)), () => outgoing.destroy())
      return
    }
    outgoing.end(reply)
  }

  const server = createServer({ keepAlive: true }, (incoming, outgoing) => {
    // The server behind is gone or the client went first: the client sees a reset connection, as without a proxy.
    serve(incoming, outgoing).catch(() => reset(outgoing))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')

  const close = async (): Promise<void> => {
    for (const rule of armed) rule.release()
    server.closeAllConnections()
    await new Promise<void>((resolve, reject) =>
      server.close((error) => (error === undefined ? resolve() : reject(error))),
    )
    await agent.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    inject: (rule) => {
      const made = arm(rule)
      armed.add(made)
      return { met: made.met, release: made.release }
    },
    waitForExchange: async (name, match, options) => {
      const fits = (seen: Exchange): boolean =>
        matches(match, seen) && (match.status === undefined ? seen.status !== undefined : seen.status === match.status)
      const all = await waitFor(name, () => exchanges.map(summaryOf), {
        ...options,
        until: () => exchanges.some(fits),
      }).then(() => exchanges)
      const found = all.find(fits)
      if (found === undefined) throw new Error(`"${name}" was seen and is gone`)
      return found
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Recorded extends Exchange {
  status: number | undefined
  replyText: string | undefined
  fault: Fault['kind'] | undefined
}

interface Armed extends FaultRule {
  left: number
  readonly met: Promise<Exchange>
  readonly released: Promise<void>
  meet(exchange: Exchange): void
  release(): void
}

function arm(rule: FaultRule): Armed {
  const met = Promise.withResolvers<Exchange>()
  const released = Promise.withResolvers<void>()
  return {
    ...rule,
    left: rule.nth ?? 1,
    met: met.promise,
    released: released.promise,
    meet: met.resolve,
    release: released.resolve,
  }
}

function take(armed: Set<Armed>, exchange: Exchange): Armed | undefined {
  let met: Armed | undefined
  for (const rule of armed) {
    if (!matches(rule, exchange)) continue
    rule.left -= 1
    if (rule.left > 0 || met !== undefined) continue
    armed.delete(rule)
    met = rule
  }
  return met
}

function matches(match: RequestMatch, exchange: Exchange): boolean {
  if (match.method !== undefined && match.method !== exchange.method) return false
  return typeof match.path === 'string' ? match.path === exchange.path : match.path.test(exchange.path)
}

function recordOf(incoming: IncomingMessage, body: Buffer): Recorded {
  return {
    method: incoming.method ?? 'GET',
    path: (incoming.url ?? '/').split('?')[0] ?? '/',
    requestText: readable(body, incoming.headers['content-encoding']),
    status: undefined,
    replyText: undefined,
    fault: undefined,
  }
}

function reset(outgoing: ServerResponse): void {
  outgoing.socket?.resetAndDestroy()
}

const summaryOf = (exchange: Exchange): string => `${exchange.method} ${exchange.path} ${exchange.status ?? 'open'}`

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

// These belong to one connection, not to the message (RFC 9110 §7.6.1); the length is set anew from the same bytes.
const ofOneConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'host',
  'content-length',
])

function forwardedHeaders(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!ofOneConnection.has(name.toLowerCase())) kept.push(name, rawHeaders[index + 1] ?? '')
  }
  return kept
}

function forwardedReplyHeaders(headers: Readonly<Record<string, string | string[] | undefined>>, length: number) {
  const kept: Record<string, string | string[]> = { 'content-length': String(length) }
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !ofOneConnection.has(name)) kept[name] = value
  }
  return kept
}

function readable(bytes: Buffer, encoding: string | string[] | undefined): string {
  switch (encoding) {
    case 'gzip':
      return gunzipSync(bytes).toString('utf8')
    case 'deflate':
      return inflateSync(bytes).toString('utf8')
    case 'br':
      return brotliDecompressSync(bytes).toString('utf8')
    default:
      return bytes.toString('utf8')
  }
}
