// A server that says what a test tells it to: HTTP on the loopback, operations by name, every request kept.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type BuiltOperationId, builtOperationIds, operations } from '@durable-workflow/protocol'

export interface StubRequest {
  readonly operation: BuiltOperationId
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

/** `cut` closes the connection without an answer; `hold` never answers. */
export type StubReply =
  | {
      readonly status: number
      readonly body?: unknown
      readonly text?: string
      readonly headers?: Record<string, string>
    }
  | 'cut'
  | 'hold'

export type StubHandler = (request: StubRequest, index: number) => StubReply | Promise<StubReply>
export type PolledKind = 'workflow' | 'activity' | 'query'

export interface Stub extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly StubRequest[]
  of(operation: BuiltOperationId): readonly StubRequest[]
  /** Answers an operation from now on; `index` counts its requests from 0. */
  on(operation: BuiltOperationId, handler: StubHandler): void
  /** Hands a task to the next poll of its kind. */
  offer(kind: PolledKind, task: unknown): void
  /** The `count`-th request of an operation, as soon as there is one. */
  arrived(operation: BuiltOperationId, count?: number): Promise<StubRequest>
}

export interface StubOptions {
  readonly capabilities?: Readonly<Record<string, unknown>>
  readonly serverCapabilities?: Readonly<Record<string, unknown>>
  readonly workerProtocol?: string
  readonly structuralLimits?: Readonly<Record<string, number>>
}

const patterns = builtOperationIds.map((operation) => ({
  operation,
  method: operations[operation].method,
  path: new RegExp(`^${operations[operation].path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}))

export async function startStub(options: StubOptions = {}): Promise<Stub> {
  const requests: StubRequest[] = []
  const handlers = new Map<BuiltOperationId, StubHandler>()
  const offered: Record<PolledKind, unknown[]> = { workflow: [], activity: [], query: [] }
  const held: Record<PolledKind, ((task: unknown) => void)[]> = { workflow: [], activity: [], query: [] }
  let changed = Promise.withResolvers<void>()

  const poll =
    (kind: PolledKind): StubHandler =>
    async ({ body }) => {
      const task = offered[kind].shift()
      if (task !== undefined || body.timeout_seconds === 0) return polled(task)
      return polled(await new Promise((resolve) => held[kind].push(resolve)))
    }
  for (const [operation, handler] of Object.entries(defaultHandlers(options))) {
    const id = builtOperationIds.find((built) => built === operation)
    if (id !== undefined) handlers.set(id, handler)
  }
  handlers.set('pollWorkflowTask', poll('workflow'))
  handlers.set('pollActivityTask', poll('activity'))
  handlers.set('pollQueryTask', poll('query'))

  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stub')
    const found = patterns.find(({ method, path }) => method === request.method && path.test(url.pathname))
    if (found === undefined) {
      response.writeHead(404).end('{"reason":"not_found"}')
      return
    }
    const text = await read(request)
    const seen: StubRequest = {
      operation: found.operation,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === '' ? {} : JSON.parse(text),
    }
    const index = requests.filter(({ operation }) => operation === found.operation).length
    requests.push(seen)
    changed.resolve()
    changed = Promise.withResolvers<void>()
    const reply = await (handlers.get(found.operation)?.(seen, index) ?? { status: 200, body: {} })
    if (reply === 'hold') return
    if (reply === 'cut') {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.text ?? JSON.stringify(reply.body ?? {}))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const of = (operation: BuiltOperationId) => requests.filter((request) => request.operation === operation)

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    of,
    on: (operation, handler) => void handlers.set(operation, handler),
    offer(kind, task) {
      const waiting = held[kind].shift()
      if (waiting === undefined) offered[kind].push(task)
      else waiting(task)
    },
    async arrived(operation, count = 1) {
      while (true) {
        const request = of(operation)[count - 1]
        if (request !== undefined) return request
        await changed.promise
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function polled(task: unknown): StubReply {
  return { status: 200, body: { task: task ?? null, poll_status: task === undefined ? 'empty' : 'leased' } }
}

function defaultHandlers(options: StubOptions): Partial<Record<BuiltOperationId, StubHandler>> {
  return {
    getClusterInfo: () => ({
      status: 200,
      body: {
        version: '0.0.0',
        capabilities: options.capabilities ?? {},
        control_plane: { version: '2' },
        worker_protocol: {
          version: options.workerProtocol ?? '1.19',
          server_capabilities: { query_tasks: true, ...options.serverCapabilities },
        },
        limits: { max_payload_bytes: 2_097_152 },
        ...(options.structuralLimits === undefined ? {} : { structural_limits: options.structuralLimits }),
      },
    }),
    registerWorker: ({ body }) => ({ status: 201, body: { worker_id: body.worker_id, registered: true } }),
    heartbeatWorker: ({ body }) => ({ status: 200, body: { worker_id: body.worker_id, acknowledged: true } }),
    deregisterWorker: () => ({ status: 200, body: { outcome: 'deregistered', recovered_workflow_task_count: 0 } }),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
