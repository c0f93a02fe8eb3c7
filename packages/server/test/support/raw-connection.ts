// One connection over which anything can be sent: what an HTTP client would refuse to send, or would quietly repair.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** In lower case; of one that came several times, the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly ms: number
}

/** What came of a request: its answer, or that the server cut the connection without one. */
export type RawOutcome = RawAnswer | 'cut'

export class RawConnection {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #isCut = false
  #look: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#look()
    })
    // Being cut is an outcome here, with or without an error.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#isCut = true
      this.#look()
    })
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.once('connect', resolve).once('error', reject)
    await promise
    return new RawConnection(socket)
  }

  /** False once either side has ended it. */
  get isOpen(): boolean {
    return !this.#isCut && !this.#socket.destroyed
  }

  write(bytes: string | Uint8Array): void {
    if (this.isOpen) this.#socket.write(bytes)
  }

  /** Nothing more will be sent; answers still come. */
  endSending(): void {
    this.#socket.end()
  }

  /** The next answer. @throws when there is none and the connection stands after `withinMs` */
  async answer(withinMs: number): Promise<RawOutcome> {
    const since = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<RawOutcome>()
    const late = setTimeout(() => reject(new Error(`There was no answer within ${withinMs} ms.`)), withinMs)
    this.#look = () => {
      const taken = this.#take(performance.now() - since)
      if (taken !== undefined) resolve(taken)
      else if (this.#isCut) resolve('cut')
    }
    this.#look()
    try {
      return await promise
    } finally {
      clearTimeout(late)
      this.#look = () => {}
    }
  }

  /** Resolves when the server has cut it. @throws when it stands after `withinMs` */
  async cut(withinMs: number): Promise<void> {
    const outcome = await this.answer(withinMs)
    if (outcome !== 'cut') throw new Error(`There was an answer: ${outcome.status} ${outcome.text}`)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(ms: number): RawAnswer | undefined {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [first = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
    const rest = this.#received.subarray(end + 4)
    const body = status < 200 ? { bytes: Buffer.alloc(0), rest } : bodyOf(headers, rest)
    if (body === undefined) return undefined
    this.#received = body.rest
    return status < 200 ? this.#take(ms) : { status, headers, text: body.bytes.toString('utf8'), ms }
  }
}

interface TakenBody {
  readonly bytes: Buffer
  readonly rest: Buffer<ArrayBuffer>
}

/** The body at the beginning of what came, once it is whole. */
function bodyOf(headers: Readonly<Record<string, string>>, from: Buffer<ArrayBuffer>): TakenBody | undefined {
  const length = headers['content-length']
  if (length === undefined) return chunkedBodyOf(from)
  const bytes = Number(length)
  return from.length < bytes ? undefined : { bytes: from.subarray(0, bytes), rest: from.subarray(bytes) }
}

function chunkedBodyOf(from: Buffer<ArrayBuffer>): TakenBody | undefined {
  const pieces: Buffer[] = []
  for (let rest = from; ; ) {
    const line = rest.indexOf('\r\n')
    if (line < 0) return undefined
    const length = Number.parseInt(rest.subarray(0, line).toString('latin1'), 16)
    const next = line + 2 + length + 2
    if (rest.length < next) return undefined
    pieces.push(rest.subarray(line + 2, line + 2 + length))
    rest = rest.subarray(next)
    if (length === 0) return { bytes: Buffer.concat(pieces), rest }
  }
}

export interface RawRequest {
  readonly method: string
  /** Path and query, as they go out. */
  readonly target: string
  /** Names may repeat. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | undefined
  /** In pieces of their own length instead of with the length of all. */
  readonly isChunked?: boolean
}

/** The bytes of a request. */
export function bytesOf({ method, target, headers, body, isChunked }: RawRequest): Uint8Array {
  const framing: readonly (readonly [string, string])[] =
    body === undefined
      ? []
      : isChunked === true
        ? [['transfer-encoding', 'chunked']]
        : [['content-length', String(body.length)]]
  const head = [`${method} ${target} HTTP/1.1`, 'host: 127.0.0.1']
  for (const [name, value] of [...headers, ...framing]) head.push(`${name}: ${value}`)
  const start = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
  if (body === undefined) return start
  return Buffer.concat([start, isChunked === true ? chunked(body) : body])
}

function chunked(body: Uint8Array): Uint8Array {
  const half = Math.ceil(body.length / 2)
  const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  return Buffer.concat([
    ...pieces.map((piece) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    ),
    Buffer.from('0\r\n\r\n'),
  ])
}
