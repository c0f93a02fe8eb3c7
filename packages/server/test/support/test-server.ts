import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine, type EngineSettings } from '@durable-workflow/engine'
import type { Clock, Probe, Store } from '@durable-workflow/engine/ports'
import {
  createServer,
  createTelemetry,
  type Server,
  type ServerSettings,
  type Telemetry,
} from '@durable-workflow/server'
import { openStore } from '@durable-workflow/store-sql'
import { tablesOf } from './row-counts.ts'
import { createTestClient, type TestClient } from './test-client.ts'

export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly engine: Engine
  readonly server: Server
  readonly client: TestClient
  readonly telemetry: Telemetry
  /** All tables as text; of an SQLite file only. */
  tables(): Record<string, string>
  close(): Promise<void>
}

export interface TestServerOptions {
  readonly settings?: Partial<ServerSettings>
  readonly engineSettings?: Partial<EngineSettings>
  /** Wraps the store between engine and database. */
  readonly wrap?: (store: Store) => Store
  readonly log?: { readonly level: string; readonly stream: NodeJS.WritableStream }
  /** An empty database that the caller removes; default: an SQLite file of its own. */
  readonly databaseUrl?: string
  /** Hears every statement before the database does. */
  readonly onStatement?: (statement: string) => void
  readonly probe?: Probe
  /** The engine's time; default: the machine's. */
  readonly clock?: Clock
  /** False: the engine is not started yet. */
  readonly started?: boolean
}

/** A real server on a real socket over a database of its own. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'dw-server-test-'))
  const file = join(directory, 'test.db')
  const opened = await openStore(
    options.databaseUrl ?? `sqlite:${file}`,
    options.onStatement === undefined ? {} : { onStatement: options.onStatement },
  )
  const store = options.wrap?.(opened) ?? opened
  const telemetry = createTelemetry()
  const engine = createEngine({
    store,
    settings: options.engineSettings ?? {},
    observer: telemetry.observer,
    onError: telemetry.failed,
    ...(options.probe === undefined ? {} : { probe: options.probe }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  })
  if (options.started !== false) await engine.start()
  const server = createServer({
    engine,
    store,
    settings: options.settings ?? {},
    telemetry,
    ...(options.log === undefined ? {} : { log: options.log }),
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const made: TestServer = {
    url,
    engine,
    server,
    telemetry,
    client: createTestClient(url, options.settings?.workerProtocolVersion ?? '1.19'),
    tables: () => tablesOf(file),
    async close() {
      await server.close()
      await opened.close()
      await rm(directory, { recursive: true })
    },
    [Symbol.asyncDispose]: () => made.close(),
  }
  return made
}
