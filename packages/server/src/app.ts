// What a request meets: the gates in their order, then its route, then the reply. The file to read first.
//
// Owns:      the HTTP server, the order of the gates, the shutdown.
// Does not:  decide anything about workflows, know a table or a status code.
//
// Invariants
//   AP1  A request meets body, authentication, role, version, admission and namespace in this order; the first no is the answer.
//   AP2  What no gate let through has recorded nothing.
//   AP3  Held requests end when their client goes and when the server drains; none keeps a thread.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Engine } from '@durable-workflow/engine'
import { defaultWorkerProtocolVersion, limits } from '@durable-workflow/protocol'
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { serverCapabilities, workerEnvelope } from './capabilities.ts'
import { answerOfError, answerOfHttpError, unexpected } from './error-answer.ts'
import { admissionGate, type Closed, pathOf } from './gates/admission.ts'
import { authenticateGate } from './gates/authenticate.ts'
import { authorizeGate } from './gates/authorize.ts'
import { bodyGate, readBodies } from './gates/body.ts'
import type { Gate, Passed } from './gates/gate.ts'
import { namespaceGate } from './gates/namespace.ts'
import { protocolVersionGate } from './gates/protocol-version.ts'
import { type OperationFacts, operationsAt } from './operation-facts.ts'
import { createHeldRequests } from './polls.ts'
import { type About, type Answer, no, render } from './reply.ts'
import type { Route } from './route.ts'
import { activityTaskRoutes } from './routes/activity-tasks.ts'
import { clusterRoutes } from './routes/cluster.ts'
import { controlCommandRoutes } from './routes/control-commands.ts'
import { healthRoutes } from './routes/health.ts'
import { namespaceRoutes } from './routes/namespaces.ts'
import { plannedRoutes } from './routes/planned.ts'
import { queryRoutes } from './routes/queries.ts'
import { queryTaskRoutes } from './routes/query-tasks.ts'
import { repairRoutes } from './routes/repair.ts'
import { runRoutes } from './routes/runs.ts'
import { workerRoutes } from './routes/workers.ts'
import { workflowTaskRoutes } from './routes/workflow-tasks.ts'
import { workflowRoutes } from './routes/workflows.ts'
import type { ServerContext, StoreHealth } from './server-context.ts'
import { allAdditions, type ServerSettings } from './settings.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationFacts
  }
  interface FastifyRequest {
    passed: Passed | undefined
  }
}

/** What a server is made of: an engine, the store's health, and how it answers. */
export interface ServerOptions {
  readonly engine: Engine
  readonly store: StoreHealth
  readonly settings?: Partial<ServerSettings>
  /** Where logs go and how much of them; without it the server is silent. */
  readonly log?: { readonly level: string; readonly stream: NodeJS.WritableStream }
}

/** A server around one engine. It neither starts the engine nor closes the store. */
export interface Server {
  /** Listens and resolves with the address, like `http://127.0.0.1:7400`. @param port 0 takes any free one */
  listen(at: { readonly host: string; readonly port: number }): Promise<string>
  readonly log: FastifyBaseLogger
  /** Requests that are held now. */
  readonly heldCount: number
  /** Takes nothing more, ends held requests, finishes what is under way, stops the engine. Twice is once. */
  close(): Promise<void>
}

const routes: readonly Route[] = [
  ...workflowRoutes,
  ...controlCommandRoutes,
  ...queryRoutes,
  ...repairRoutes,
  ...runRoutes,
  ...workerRoutes,
  ...workflowTaskRoutes,
  ...activityTaskRoutes,
  ...queryTaskRoutes,
  ...namespaceRoutes,
  ...clusterRoutes,
  ...healthRoutes,
  ...plannedRoutes,
]

/** Ids are opaque and may be long when a client escapes them. */
const pathParameterLengthMax = 1024

/**
 * Makes a server around an engine; it takes requests as soon as it listens and the engine has started.
 *
 * @source house §3.6
 */
export function createServer(options: ServerOptions): Server {
  const { engine, store } = options
  const settings = settingsOf(options.settings ?? {})
  const capabilities = serverCapabilities(settings, engine.settings)
  const envelope = workerEnvelope(settings.workerProtocolVersion, capabilities)
  const held = createHeldRequests()
  let draining = false
  const closed = (): Closed => {
    if (draining) return 'draining'
    return engine.status.accepting ? undefined : 'starting'
  }
  const context: ServerContext = {
    engine,
    store,
    settings,
    capabilities,
    held,
    isAccepting: () => closed() === undefined,
  }
  const gates: readonly Gate[] = [
    bodyGate,
    authenticateGate(settings.tokens),
    authorizeGate,
    protocolVersionGate({ advertised: settings.workerProtocolVersion }),
    beforeBuilt,
    admissionGate(closed),
    namespaceGate((name) => engine.views.namespace(name)),
  ]

  const app = Fastify({
    logger: options.log === undefined ? false : { level: options.log.level, stream: options.log.stream },
    bodyLimit: settings.bodyBytesMax,
    routerOptions: { maxParamLength: pathParameterLengthMax },
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      void send(reply, aboutOf(request), no('not_found', { method: request.method, path: request.url }))
    },
  })
  readBodies(app)
  app.decorateRequest('passed', undefined)
  app.addHook('preValidation', async (request, reply) => {
    const { operation } = request.routeOptions.config
    if (operation === undefined) return undefined
    const passed: Passed = {
      operation,
      principal: undefined,
      version: undefined,
      namespace: undefined,
      body: undefined,
    }
    request.passed = passed
    for (const gate of gates) {
      const judged = gate(request, passed)
      const refusal = judged instanceof Promise ? await judged : judged
      if (refusal !== undefined) return send(reply, aboutOf(request), refusal)
    }
    return undefined
  })
  for (const route of routes) mount(route)
  app.setNotFoundHandler((request, reply) => send(reply, aboutOf(request), nothingThere(request)))
  app.setErrorHandler((error, request, reply) => send(reply, aboutOf(request), answerTo(error, request)))
  app.addHook('onResponse', async () => {
    // A kept-alive connection that had its answer while the server drains would keep it from closing.
    if (draining) app.server.closeIdleConnections()
  })

  function mount(route: Route): void {
    const { operation } = route
    app.route({
      method: operation.method,
      url: operation.route,
      config: { operation },
      handler: async (request, reply) => {
        const { passed } = request
        if (passed === undefined) throw new Error(`The route of ${operation.id} was reached past the gates.`)
        return send(reply, aboutOf(request), await route.answer(request, reply, passed, context))
      },
    })
  }

  function send(reply: FastifyReply, about: About, answer: Answer): FastifyReply {
    const { status, headers, text } = render(answer, about, envelope)
    if (draining) reply.header('connection', 'close')
    return reply.code(status).headers(headers).send(text)
  }

  function answerTo(error: unknown, request: FastifyRequest): Answer {
    const about = aboutOf(request)
    const known = answerOfHttpError(error, settings.bodyBytesMax) ?? answerOfError(error, about, request.passed?.body)
    if (known !== undefined) {
      if (known.reason === 'backend_unavailable')
        request.log.warn({ err: error, operation: about.operation?.id }, 'store unavailable')
      return known
    }
    const errorId = randomUUID()
    request.log.error({ err: error, errorId, operation: about.operation?.id, path: about.path }, 'unexpected error')
    return unexpected(about, errorId)
  }

  let closing: Promise<void> | undefined
  return {
    listen: ({ host, port }) => app.listen({ host, port }),
    log: app.log,
    get heldCount() {
      return held.count
    },
    close() {
      closing ??= shutDown()
      return closing
    },
  }

  async function shutDown(): Promise<void> {
    draining = true
    held.drain()
    await engine.drain()
    await app.close()
    await engine.close()
  }
}

/** What is planned answers so before anybody looks at admission or namespace. */
const beforeBuilt: Gate = (_request, { operation }) =>
  operation.stage === 'planned' ? no('not_implemented', { operation: operation.id }) : undefined

function settingsOf(given: Partial<ServerSettings>): ServerSettings {
  return {
    workerProtocolVersion: defaultWorkerProtocolVersion,
    tokens: [],
    additions: allAdditions,
    bodyBytesMax: limits.bodyBytesMax,
    payloadBytesMax: limits.payloadBytesMax,
    version: '0.1.0',
    serverId: hostname(),
    ...given,
  }
}

function aboutOf(request: FastifyRequest): About {
  const { operation } = request.routeOptions.config
  return { plane: operation?.plane ?? planeAt(request.url), operation, path: pathOf(request.params) }
}

function planeAt(url: string): About['plane'] {
  return url.startsWith('/api/worker/') ? 'worker' : 'control'
}

function nothingThere(request: FastifyRequest): Answer {
  const path = request.url.split('?', 1)[0] ?? ''
  const others = operationsAt(path)
  const facts = { method: request.method, path }
  if (others.length === 0) return no('not_found', facts)
  return no('method_not_allowed', { ...facts, allowed_methods: [...new Set(others.map(({ method }) => method))] })
}
