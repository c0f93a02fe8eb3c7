// Requests of the same process: the whole way of a request, but for the socket.
import type { FastifyInstance } from 'fastify'
import lightMyRequest from 'light-my-request'

/** A request of a program that is in the same process. */
export interface InjectedRequest {
  readonly method: string
  /** Path with query, from the origin. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** The caller is gone when it aborts, as if a connection had ended. */
  readonly signal?: AbortSignal | undefined
}

/** What an injected request is answered. */
export interface InjectedAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** @throws the reason of `signal` when that ends the request */
export async function inject(app: FastifyInstance, request: InjectedRequest): Promise<InjectedAnswer> {
  const { method, path, headers, body, signal } = request
  await app.ready()
  signal?.throwIfAborted()
  let leave = () => {}
  const onGone = () => leave()
  signal?.addEventListener('abort', onGone, { once: true })
  try {
    const answer = await lightMyRequest(
      (req, res) => {
        // Not through the library's own signal: that ends with the body, and a caller may go while its answer is held (AP3).
        leave = () => res.destroy()
        app.routing(req, res)
      },
      { method, url: path, headers: { ...headers }, ...(body === undefined ? {} : { payload: body }), validate: false },
    )
    return { status: answer.statusCode, headers: textsOf(answer.headers), text: answer.payload }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', onGone)
  }
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
