// What a request meets: the gates in their order, then its route, then the reply. The file to read first.
//
// Owns:      the HTTP server, the order of the gates, the shutdown.
// Does not:  decide anything about workflows, know a table or a status code.
//
// Invariants
//   AP1  A request meets body, authentication, role, version, admission and namespace in this order; the first no is the answer.
//   AP2  What no gate let through has recorded nothing.
//   AP3  Held requests end when their client goes and when the server drains; none keeps a thread.
import { hash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Engine } from '@durable-workflow/engine'
import { defaultWorkerProtocolVersion, limits } from '@durable-workflow/protocol'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { type Answering, createAnswering } from './answering.ts'
import { serverCapabilities, workerEnvelope } from './capabilities.ts'
import { clientErrorHandler } from './client-error.ts'
import { admissionGate, type Closed } from './gates/admission.ts'
import { authenticateGate } from './gates/authenticate.ts'
import { authorizeGate } from './gates/authorize.ts'
import { bodyGate, readBodies } from './gates/body.ts'
import type { Gate, Passed } from './gates/gate.ts'
import { namespaceGate } from './gates/namespace.ts'
import { protocolVersionGate } from './gates/protocol-version.ts'
import { type InjectedAnswer, type InjectedRequest, inject } from './inject.ts'
import { createOpenRequests, type OpenRequests } from './open-requests.ts'
import type { OperationFacts } from './operation-facts.ts'
import { createHeldRequests } from './polls.ts'
import { no } from './reply.ts'
import type { Route } from './route.ts'
import { activityTaskRoutes } from './routes/activity-tasks.ts'
import { clusterRoutes } from './routes/cluster.ts'
import { controlCommandRoutes } from './routes/control-commands.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoutes } from './routes/metrics.ts'
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
import { sharedQuestion } from './shared-question.ts'
import { errorFields } from './telemetry/request-log.ts'
import { createTelemetry, type Telemetry } from './telemetry/telemetry.ts'

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
  /** The one whose observer the engine was given; default: one that hears of requests only. */
  readonly telemetry?: Telemetry
}

/** A server around one engine. It neither starts the engine nor closes the store. */
export interface Server {
  /** Listens and resolves with the address, like `http://127.0.0.1:7400`. @param port 0 takes any free one */
  listen(at: { readonly host: string; readonly port: number }): Promise<string>
  /**
   * Answers a request without a socket; it meets the same gates, routes and validators, and is held like any other. For tests, and
   * for programs that carry a server in them.
   *
   * @throws the reason of `signal` when that ends the request
   */
  inject(request: InjectedRequest): Promise<InjectedAnswer>
  readonly log: FastifyBaseLogger
  /** Requests that are held now. */
  readonly heldCount: number
  /** Requests that were read and whose answer is not out yet; held ones too. */
  readonly openCount: number
  /**
   * Takes nothing more, ends held requests, finishes what is under way, stops the engine. Twice is once.
   *
   * It waits for whatever the store does not answer; who calls it bounds it.
   */
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
  ...metricsRoutes,
  ...plannedRoutes,
]

/** Ids are opaque and may be long when a client escapes them. */
const pathParameterLengthMax = 1024
/**
 * How long a client may take to finish a request that it began to send, or to begin one, once the server drains; then its
 * connection is cut. Without it one silent connection keeps a server from ending for minutes. In milliseconds.
 */
const stragglersMs = 1000

/** How often connections are looked at for requests that take too long; in milliseconds. */
const lateRequestsMs = 5000

/**
 * Makes a server around an engine; it takes requests as soon as it listens and the engine has started.
 *
 * @source house §3.6
 */
export function createServer(options: ServerOptions): Server {
  const { engine } = options
  const life: Life = { isDraining: false }
  const context = contextOf(options, life)
  const { settings, telemetry, held } = context
  const envelope = workerEnvelope(settings.workerProtocolVersion, context.capabilities)
  const answering = createAnswering({
    envelope,
    telemetry,
    bodyBytesMax: settings.bodyBytesMax,
    isDraining: () => life.isDraining,
  })
  const open = createOpenRequests()
  const { requestTimeoutMs } = settings
  const onClientError = clientErrorHandler({ envelope, telemetry, requestTimeoutMs })
  const app = createApp(options.log, settings, answering, onClientError)
  passGates(app, gatesOf(context, life), answering, open)
  for (const route of routes) mount(app, route, answering, context)
  app.setNotFoundHandler(answering.sendNothingThere)
  app.setErrorHandler((error, request, reply) => answering.sendError(request, reply, error))
  app.addHook('onResponse', (request, reply, done) => {
    answering.note(request, reply)
    // A kept-alive connection that had its answer while the server drains would keep it from closing.
    if (life.isDraining) app.server.closeIdleConnections()
    done()
  })
  telemetry.metrics.watch({
    openCount: () => open.count,
    heldCounts: () => held.counts,
    waiterCount: () => engine.status.waiters,
  })

  let closing: Promise<void> | undefined
  return {
    listen: ({ host, port }) => app.listen({ host, port }),
    inject: (request) => inject(app, request),
    log: app.log,
    get heldCount() {
      return held.count
    },
    get openCount() {
      return open.count
    },
    close() {
      closing ??= shutDown()
      return closing
    },
  }

  async function shutDown(): Promise<void> {
    life.isDraining = true
    held.drain()
    await engine.drain()
    await closeConnections(app, open)
    await engine.close()
  }
}

interface Life {
  isDraining: boolean
}

function contextOf(options: ServerOptions, life: Life): ServerContext {
  const { engine, store } = options
  const settings = settingsOf(options.settings ?? {})
  return {
    engine,
    settings,
    capabilities: serverCapabilities(settings, engine.settings),
    held: createHeldRequests(),
    telemetry: options.telemetry ?? createTelemetry(),
    ping: sharedQuestion(() => store.ping()),
    isAccepting: () => closedBecause(engine, life) === undefined,
  }
}

function closedBecause(engine: Engine, life: Life): Closed {
  if (life.isDraining) return 'draining'
  return engine.status.accepting ? undefined : 'starting'
}

function gatesOf({ engine, settings }: ServerContext, life: Life): readonly Gate[] {
  return [
    bodyGate,
    authenticateGate(settings.tokens),
    authorizeGate,
    protocolVersionGate({ advertised: settings.workerProtocolVersion }),
    beforeBuilt,
    admissionGate(() => closedBecause(engine, life)),
    namespaceGate((name) => engine.views.namespace(name)),
  ]
}

function createApp(
  log: ServerOptions['log'],
  settings: ServerSettings,
  answering: Answering,
  onClientError: ReturnType<typeof clientErrorHandler>,
): FastifyInstance {
  const app = Fastify({
    logger: log === undefined ? false : { level: log.level, stream: log.stream, serializers: { err: errorFields } },
    genReqId: requestIds(),
    bodyLimit: settings.bodyBytesMax,
    requestTimeout: settings.requestTimeoutMs,
    http: {
      // Node takes the longer of the two for bodies, so neither may keep its default.
      headersTimeout: settings.requestTimeoutMs,
      requestTimeout: settings.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(settings.requestTimeoutMs / 4, lateRequestsMs),
    },
    clientErrorHandler: onClientError,
    routerOptions: { maxParamLength: pathParameterLengthMax },
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      void answering.send(request, reply, no('not_found', { method: request.method, path: request.url }))
    },
  })
  readBodies(app)
  app.decorateRequest('passed', undefined)
  app.decorateRequest('answered', undefined)
  return app
}

/** Ids that no other process makes, and that sort by their order in this one. */
function requestIds(): () => string {
  const process = hash('sha256', randomUUID()).slice(0, 8)
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

function passGates(app: FastifyInstance, gates: readonly Gate[], answering: Answering, open: OpenRequests): void {
  app.addHook('preValidation', async (request, reply) => {
    open.track(reply.raw)
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
      if (refusal !== undefined) return answering.send(request, reply, refusal)
    }
    return undefined
  })
}

function mount(app: FastifyInstance, route: Route, answering: Answering, context: ServerContext): void {
  const { operation } = route
  app.route({
    method: operation.method,
    url: operation.route,
    config: { operation },
    handler: async (request, reply) => {
      const { passed } = request
      if (passed === undefined) throw new Error(`The route of ${operation.id} was reached past the gates.`)
      return answering.send(request, reply, await route.answer(request, reply, passed, context))
    },
  })
}

// Whoever has asked gets his answer; whoever holds a connection and does not finish to ask is cut after a moment.
async function closeConnections(app: FastifyInstance, open: OpenRequests): Promise<void> {
  if (!app.server.listening) return app.close()
  const cut = setTimeout(() => void open.none().then(() => app.server.closeAllConnections()), stragglersMs)
  await app.close()
  clearTimeout(cut)
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
    requestTimeoutMs: 60_000,
    healthWaitMs: 2000,
    version: '0.1.0',
    serverId: hostname(),
    ...given,
  }
}
