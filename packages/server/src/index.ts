export { createServer, type Server, type ServerOptions } from './app.ts'
export type { StoreHealth } from './server-context.ts'
export { type Additions, allAdditions, type Role, type RoleToken, type ServerSettings } from './settings.ts'
export { createTelemetry, type Telemetry } from './telemetry/telemetry.ts'
