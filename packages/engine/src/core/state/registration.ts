import type { JsonObject } from './json.ts'

export type WorkerStatus = 'active' | 'draining'

/** Which process registered; equal parts mean the same process (L-14). */
export interface ProcessIdentity {
  readonly host: string | undefined
  readonly processId: string | undefined
  readonly startedAt: string | undefined
}

/** A worker as it registered itself: what it can do, where it polls. Liveness is kept apart from it. */
export interface Registration {
  readonly namespace: string
  readonly workerId: string
  /** New for every process that takes the worker id. */
  readonly registrationId: string
  readonly taskQueue: string
  readonly runtime: string
  readonly sdkVersion: string | undefined
  readonly buildId: string | undefined
  readonly protocolVersion: string
  readonly workflowTypes: readonly string[]
  readonly activityTypes: readonly string[]
  readonly capabilities: readonly string[]
  readonly capabilityManifest: JsonObject | undefined
  /** type → fingerprint of its definition. */
  readonly definitionFingerprints: Readonly<Record<string, string>>
  /** type → queries, signals, updates with their contracts, as registered. */
  readonly commandContracts: JsonObject | undefined
  readonly maxConcurrentWorkflowTasks: number
  readonly maxConcurrentActivityTasks: number
  readonly status: WorkerStatus
  readonly process: ProcessIdentity | undefined
  readonly heartbeatIntervalSeconds: number
  /** Epoch ms. */
  readonly registeredAt: number
}

/** Liveness of a registration, in a row of its own: a worker heartbeat rewrites nothing else. */
export interface Liveness {
  readonly namespace: string
  readonly workerId: string
  /** Epoch ms. */
  readonly lastHeartbeatAt: number
  /** Free slots and process metrics as reported, free JSON. */
  readonly report: JsonObject | undefined
}

/** The key of everything that belongs to one worker id of one namespace. */
export function workerKey(namespace: string, workerId: string): string {
  return `${namespace}\n${workerId}`
}
