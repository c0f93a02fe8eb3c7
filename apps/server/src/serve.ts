// The one production wiring of store, engine and server.
import { createEngine, type Engine } from '@durable-workflow/engine'
import type { Store } from '@durable-workflow/engine/ports'
import { createServer, type Server } from '@durable-workflow/server'
import { openStore } from '@durable-workflow/store-sql'
import { type Config, ConfigError } from './config.ts'
import { testBarrier } from './test-barrier.ts'

export { type Config, ConfigError, type ConfigSources, readConfig } from './config.ts'

/** A server that takes polls. */
export interface Serving {
  /** Like `http://127.0.0.1:7400`. */
  readonly url: string
  /** Like `sqlite:/var/lib/dw.db`; without credentials. */
  readonly database: string
  /** Stops claiming, answers polls, finishes commits, closes the store. Twice is once. */
  close(): Promise<void>
}

/**
 * Opens the store, starts the engine and listens; resolves when polls are taken.
 *
 * @param log where structured logs go; default: standard error
 */
export async function serve(config: Config, log: NodeJS.WritableStream = process.stderr): Promise<Serving> {
  const store = await openStore(config.databaseUrl, { notifications: config.notifications })
  try {
    return await serveStore(store, config, log)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function serveStore(store: Store, config: Config, log: NodeJS.WritableStream): Promise<Serving> {
  let logged: Server['log'] | undefined
  const engine = createEngine({
    store,
    settings: {
      workflowTaskLeaseMs: config.workflowTaskTimeoutSeconds * 1000,
      activityTaskLeaseMs: config.activityTaskTimeoutSeconds * 1000,
    },
    onError: (error) => logged?.error({ err: error }, 'a background look failed and is repeated'),
    ...(config.testBarrier === undefined ? {} : { probe: testBarrier(config.testBarrier) }),
  })
  const server = createServer({
    engine,
    store,
    settings: { workerProtocolVersion: config.workerProtocolVersion, tokens: config.tokens },
    log: { level: config.logLevel, stream: log },
  })
  logged = server.log
  const url = await startAndListen(engine, server, config)
  sayLoudly(server, config)
  let closing: Promise<void> | undefined
  return {
    url,
    database: store.description,
    close() {
      closing ??= server.close().then(() => store.close())
      return closing
    },
  }
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
