// The one production wiring of store, engine and server.
import { createEngine, type Engine, StoreUnavailableError } from '@durable-workflow/engine'
import type { Store } from '@durable-workflow/engine/ports'
import { createServer, createTelemetry, type Server } from '@durable-workflow/server'
import { openStore } from '@durable-workflow/store-sql'
import { type Config, ConfigError } from './config.ts'
import { packageVersion } from './package-version.ts'
import { testBarrier } from './test-barrier.ts'

export {
  type Config,
  ConfigError,
  type ConfigSources,
  describeSettings,
  readConfig,
  type SettingDescription,
} from './config.ts'

/** A server that takes polls. */
export interface Serving {
  /** Like `http://127.0.0.1:7400`. */
  readonly url: string
  /** Like `sqlite:/var/lib/dw.db`; without credentials. */
  readonly database: string
  readonly log: Server['log']
  /**
   * Stops claiming, answers polls, finishes commits, closes the store. Twice is once.
   *
   * @throws StopTimeoutError when that is not done within `shutdownTimeoutSeconds`; what is not committed then is lost to
   *   nobody: its client has no answer and repeats it
   */
  close(): Promise<void>
}

/** The server did not stop in time: the database does not answer, or a client does not read. */
export class StopTimeoutError extends Error {
  override readonly name = 'StopTimeoutError'
}

/**
 * Opens the store, starts the engine and listens; resolves when polls are taken.
 *
 * @param log where structured logs go; default: standard error
 */
export async function serve(config: Config, log: NodeJS.WritableStream = process.stderr): Promise<Serving> {
  const store = await open(config)
  try {
    return await serveStore(store, config, log)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The database cannot be used now. The message is a sentence for the operator, without credentials. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

async function open(config: Config): Promise<Store> {
  try {
    return await openStore(config.databaseUrl, {
      lockWaitMs: config.databaseLockTimeoutSeconds * 1000,
      notifications: config.notifications,
    })
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    const said = error.cause instanceof Error ? `: ${error.cause.message}` : ''
    throw new DatabaseError(
      `DW_DATABASE_URL ${withoutCredentials(config.databaseUrl)} cannot be used now (${error.condition}${said}). ` +
        'Check that it is there and may be written, and start again.',
      { cause: error },
    )
  }
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '')
}

async function serveStore(store: Store, config: Config, log: NodeJS.WritableStream): Promise<Serving> {
  let logged: Server['log'] | undefined
  const telemetry = createTelemetry({ process: true })
  const engine = createEngine({
    store,
    settings: {
      workflowTaskLeaseMs: config.workflowTaskTimeoutSeconds * 1000,
      activityTaskLeaseMs: config.activityTaskTimeoutSeconds * 1000,
    },
    observer: telemetry.observer,
    onError: (error) => {
      telemetry.failed(error)
      telemetry.metrics.backgroundError()
      logged?.error({ err: error }, 'a background look failed and is repeated')
    },
    ...(config.testBarrier === undefined ? {} : { probe: testBarrier(config.testBarrier) }),
  })
  const server = createServer({
    engine,
    store,
    settings: { workerProtocolVersion: config.workerProtocolVersion, tokens: config.tokens, version: packageVersion() },
    log: { level: config.logLevel, stream: log },
    telemetry,
  })
  logged = server.log
  const url = await startAndListen(engine, server, config)
  sayLoudly(server, config)
  let closing: Promise<void> | undefined
  return {
    url,
    database: store.description,
    log: server.log,
    close() {
      closing ??= stopWithin(config.shutdownTimeoutSeconds, server, store)
      return closing
    },
  }
}

async function stopWithin(seconds: number, server: Server, store: Store): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(stopTimeout(seconds, server)), seconds * 1000)
  try {
    await Promise.race([server.close().then(() => store.close()), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function stopTimeout(seconds: number, server: Server): StopTimeoutError {
  return new StopTimeoutError(
    `The server did not stop within ${seconds} s (DW_SHUTDOWN_TIMEOUT) and ends now; ${server.openCount} requests have no ` +
      'answer. What they did not commit is not recorded, and their clients repeat it.',
  )
}

async function startAndListen(engine: Engine, server: Server, config: Config): Promise<string> {
  try {
    await engine.start()
    return await server.listen({ host: config.host, port: config.port })
  } catch (error) {
    await server.close()
    throw isAddressInUse(error) ? addressInUse(config) : error
  }
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

function addressInUse({ host, port }: Config): ConfigError {
  return new ConfigError(
    `DW_PORT ${port} of ${host} is in use: stop what listens there, or set another port (0 takes any free one).`,
  )
}

function sayLoudly(server: Server, config: Config): void {
  if (config.tokens.length === 0) {
    server.log.warn(
      `No token is set: everybody who reaches ${config.host} may do everything. Set DW_AUTH_TOKEN to change that.`,
    )
  }
  if (config.testBarrier !== undefined) {
    server.log.warn(`DW_TEST_BARRIER is set: this server stops at ${config.testBarrier}. It is for tests only.`)
  }
}
