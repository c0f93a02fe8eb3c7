// What a program needs that starts and watches runs.
export {
  type Client,
  type ClientOptions,
  createClient,
  type ListOptions,
  type StartedRun,
  type StartFacts,
  type StartOptions,
} from './client/client.ts'
export type { RecordedEvent, RunDescription, RunItem, RunStatus } from './client/description.ts'
export type { ExportedEvent, ExportedRun } from './client/exported-run.ts'
export type { CallOptions, WorkflowHandle } from './client/handle.ts'
export type { NamespaceDescription, Namespaces } from './client/namespaces.ts'
export type { ServerDescription } from './client/server-description.ts'
// What a program hands in that brings its own way to a server, or its own time: tests above all.
export type { Chance } from './transport/chance.ts'
export type { Clock, Punctuality } from './transport/clock.ts'
export type { RetryPolicy } from './transport/retry.ts'
export type { Answer, Exchange, Transport } from './transport/transport.ts'
