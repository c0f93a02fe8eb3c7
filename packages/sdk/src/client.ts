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
