import { Agent, request } from 'undici'
import { isJsonObject } from './process.ts'

export interface JsonClientOptions {
  /** `http://127.0.0.1:PORT`, without `/api`. */
  readonly url: string
  readonly token?: string | undefined
  /** Sent as `X-Namespace`; default `default`. */
  readonly namespace?: string
  /** Sent on the worker plane; default `1.19`. */
  readonly workerProtocolVersion?: string
  /** Sent on the control plane; default `2`. */
  readonly controlPlaneVersion?: string
}

export interface RequestOptions {
  /** Added to the plane's own headers; a value of `undefined` leaves that header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
  /** Milliseconds until the headers of the reply must have come; default 90,000, above every long poll. */
  readonly timeoutMs?: number
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed body; `undefined` when it is empty or no JSON. */
  readonly body: unknown
  /** The value at a dotted path of the body (`task.history_events.0.event_type`); `undefined` when there is none. */
  at(path: string): unknown
  /** The string at a path. @throws when there is none; the message has status and body */
  stringAt(path: string): string
  /** The number at a path. @throws as `stringAt` */
  numberAt(path: string): number
  /** The array at a path. @throws as `stringAt` */
  listAt(path: string): readonly unknown[]
}

/** Raw requests as an SDK sends them, one call a request, nothing repeated and nothing checked. */
export interface JsonClient extends AsyncDisposable {
  /** A request of the worker plane; `path` is below `/api/worker` (`/workflow-tasks/poll`). */
  worker(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Reply>
  /** A request of the control plane; `path` is below `/api` (`/workflows`). */
  control(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Reply>
  /** Any bytes to any path, with only the headers given. */
  raw(method: string, path: string, body: string | Buffer | undefined, options?: RequestOptions): Promise<Reply>
  close(): Promise<void>
}

export function jsonClient(options: JsonClientOptions): JsonClient {
  const agent = new Agent({ connections: 64 })
  const shared: Record<string, string | undefined> = {
    accept: 'application/json',
    'x-namespace': options.namespace ?? 'default',
    authorization: options.token === undefined ? undefined : `Bearer ${options.token}`,
  }
  const workerHeaders = {
    ...shared,
    'x-durable-workflow-protocol-version': options.workerProtocolVersion ?? '1.19',
  }
  const controlHeaders = {
    ...shared,
    'x-durable-workflow-control-plane-version': options.controlPlaneVersion ?? '2',
  }

  const raw: JsonClient['raw'] = async (method, path, body, { headers = {}, signal, timeoutMs = 90_000 } = {}) => {
    const answer = await request(`${options.url}${path}`, {
      method,
      dispatcher: agent,
      headers: present(headers),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    return replyOf(answer.statusCode, answer.headers, await answer.body.text())
  }
  const json = (
    plane: Readonly<Record<string, string | undefined>>,
    method: string,
    path: string,
    body: unknown,
    more: RequestOptions = {},
  ): Promise<Reply> => {
    const contentType = body === undefined ? {} : { 'content-type': 'application/json' }
    const text = body === undefined ? undefined : JSON.stringify(body)
    return raw(method, path, text, { ...more, headers: { ...plane, ...contentType, ...more.headers } })
  }

  const client: JsonClient = {
    worker: (method, path, body, more) => json(workerHeaders, method, `/api/worker${path}`, body, more),
    control: (method, path, body, more) => json(controlHeaders, method, `/api${path}`, body, more),
    raw,
    close: () => agent.close(),
    [Symbol.asyncDispose]: () => agent.close(),
  }
  return client
}

function replyOf(status: number, headers: Reply['headers'], text: string): Reply {
  const body = parsed(text)
  const at = (path: string): unknown => {
    let value = body
    for (const key of path.split('.')) {
      if (Array.isArray(value)) value = value[Number(key)]
      else if (isJsonObject(value)) value = value[key]
      else return undefined
    }
    return value
  }
  const wrong = (path: string, kind: string): Error =>
    new Error(`the reply has no ${kind} at "${path}": status ${status}, body ${text.slice(0, 2_000)}`)
  return {
    status,
    headers,
    text,
    body,
    at,
    stringAt: (path) => {
      const value = at(path)
      if (typeof value !== 'string') throw wrong(path, 'string')
      return value
    },
    numberAt: (path) => {
      const value = at(path)
      if (typeof value !== 'number') throw wrong(path, 'number')
      return value
    },
    listAt: (path) => {
      const value = at(path)
      if (!Array.isArray(value)) throw wrong(path, 'array')
      return value
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some replies are no JSON (a broken connection's page, an empty body): the caller has `text`.
    return undefined
  }
}

function present(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) kept[name] = value
  return kept
}
