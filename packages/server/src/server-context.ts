import type { Engine } from '@durable-workflow/engine'
import type { HeldRequests } from './polls.ts'
import type { ServerSettings } from './settings.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { WireFacts } from './wire-facts.ts'

/** What the server asks of the store itself: only whether it answers. Everything else goes through the engine. */
export interface StoreHealth {
  /** One word for the operator, without credentials. */
  readonly description: string
  ping(): Promise<void>
}

/** What routes work with. */
export interface ServerContext {
  readonly engine: Engine
  readonly settings: ServerSettings
  readonly capabilities: WireFacts
  readonly held: HeldRequests
  readonly telemetry: Telemetry
  /** Resolves when the store answers; one question at a time. */
  ping(): Promise<void>
  /** True from the start of the engine until the server drains. */
  isAccepting(): boolean
}
