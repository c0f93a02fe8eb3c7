// One GET of a registry, bounded in every way: bytes, seconds, redirects, media types.
//
// Owns:      what is taken of an answer, and under which code an answer is refused.
// Does not:  know what a packument or a tarball is.
import { type ClientRequestArgs, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { refuseUnless } from '../guard.ts'

/** What may come back. */
export interface Expectation {
  /** Media types, without parameters. */
  readonly types: readonly string[]
  readonly bytesMax: number
  /** For the whole answer, redirects included each anew. */
  readonly seconds: number
  /** Takes the body piece by piece; what it took counts only when the answer ends well. */
  sink(piece: Uint8Array): void
}

/** Only these hosts are asked while REL_TEST=1. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i
const redirectsMax = 3

// Agents of our own: the global ones take a proxy from the environment where Node is told so (NODE_USE_ENV_PROXY).
const agents = { 'http:': new HttpAgent(), 'https:': new HttpsAgent() } as const

/**
 * Fetches, past every cache that listens to `no-cache`.
 *
 * @returns `absent` for 404, `whole` when the sink has all of the body
 * @throws Refused registry_unreachable, registry_rate_limited, registry_server_error (each may be tried again);
 * readback_tarball_origin_mismatch for a redirect to another origin; readback_answer_unreadable for anything else
 */
export async function get(url: URL, expected: Expectation, redirects = 0): Promise<'whole' | 'absent'> {
  refuseUnless(process.env.REL_TEST !== '1' || loopback.test(url.hostname), 'registry_unreachable', {
    url: url.href,
    limit: 'loopback only while REL_TEST=1',
  })
  const answer = await exchanged(url, expected)
  refuseUnless(answer.trouble === null, 'registry_unreachable', { url: url.href, trouble: answer.trouble })
  refuseUnless(answer.status !== 429, 'registry_rate_limited', { url: url.href, retryAfter: answer.retryAfter })
  refuseUnless(answer.status < 500, 'registry_server_error', { url: url.href, status: answer.status })
  if (answer.location !== null) {
    const target = within(url, answer.location)
    refuseUnless(redirects < redirectsMax, 'readback_answer_unreadable', { url: url.href, redirectsMax })
    return get(target, expected, redirects + 1)
  }
  if (answer.status === 404) return 'absent'
  refuseUnless(answer.status === 200, 'readback_answer_unreadable', {
    url: url.href,
    expected: 200,
    actual: answer.status,
  })
  refuseUnless(expected.types.includes(answer.type), 'readback_answer_unreadable', {
    url: url.href,
    expected: expected.types,
    actual: answer.type,
  })
  refuseUnless(answer.encoding === 'identity', 'readback_answer_unreadable', {
    url: url.href,
    expected: 'no content-encoding',
    actual: answer.encoding,
  })
  refuseUnless(!answer.tooLarge, 'readback_answer_unreadable', { url: url.href, limit: expected.bytesMax })
  return 'whole'
}

/**
 * An address that a registry names, which must lie in its own origin.
 *
 * @throws Refused readback_tarball_origin_mismatch
 */
export function within(base: URL, named: string): URL {
  const target = URL.parse(named, base.href)
  refuseUnless(target?.origin === base.origin, 'readback_tarball_origin_mismatch', {
    url: base.href,
    expected: base.origin,
    actual: named,
  })
  return target
}

interface Exchange {
  readonly status: number
  readonly type: string
  readonly encoding: string
  readonly location: string | null
  readonly retryAfter: string | null
  readonly tooLarge: boolean
  /** Why there is no whole answer; null where there is one. */
  readonly trouble: string | null
}

const nothing: Exchange = {
  status: 0,
  type: '',
  encoding: 'identity',
  location: null,
  retryAfter: null,
  tooLarge: false,
  trouble: null,
}

/** Never throws: a broken exchange is one with trouble. */
function exchanged(url: URL, expected: Expectation): Promise<Exchange> {
  const signal = AbortSignal.timeout(expected.seconds * 1000)
  const options: ClientRequestArgs = {
    headers: {
      accept: expected.types.join(', '),
      'accept-encoding': 'identity',
      'cache-control': 'no-cache',
      pragma: 'no-cache',
    },
    signal,
  }
  return new Promise((resolve) => {
    const broken = (error: Error) =>
      resolve({
        ...nothing,
        trouble: signal.aborted ? `no whole answer within ${expected.seconds} s` : error.message,
      })
    const received = (response: IncomingMessage) => {
      response.once('error', broken)
      readBody(response, expected, (tooLarge) => resolve({ ...headOf(response), tooLarge }))
    }
    const sent =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: agents['https:'] }, received)
        : httpRequest(url, { ...options, agent: agents['http:'] }, received)
    sent.once('error', broken)
    sent.end()
  })
}

function readBody(response: IncomingMessage, expected: Expectation, done: (tooLarge: boolean) => void): void {
  let bytes = 0
  response.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > expected.bytesMax) {
      done(true)
      response.destroy()
    } else if (response.statusCode === 200) expected.sink(piece)
  })
  response.once('end', () => done(false))
}

function headOf({ statusCode = 0, headers }: IncomingMessage): Exchange {
  return {
    ...nothing,
    status: statusCode,
    type: (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    encoding: headers['content-encoding'] ?? 'identity',
    location: statusCode >= 300 && statusCode < 400 ? (headers.location ?? null) : null,
    retryAfter: headers['retry-after'] ?? null,
  }
}
