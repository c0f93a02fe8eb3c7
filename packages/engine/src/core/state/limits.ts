// Bounds of the engine that the wire does not name; those that it names come from the spec (`limits` and `defaults` of
// the protocol package), each with its source.

import { defaults, limits } from '@durable-workflow/protocol'

/** Bounds that the wire does not name; durations in ms, the rest in pieces. */
export const engineLimits = {
  /** Ended attempts that an activity's row remembers for exact answers to late reports; history has all. */
  closedAttemptsMax: 10,
  /** Operations in one group (UW6): at 200 a group's statements stay well under the 1 ms that a flush costs anyway. */
  groupOperationsMax: 200,
  /** How long the dispatcher and the sweep trust their memory before they look into the store again, in ms. */
  scanIntervalMs: 1_000,
  /** Due things that one sweep hands to the door. */
  sweepBatchMax: 200,
  /** What explanations quote of a failure that another attempt follows; in characters. History has all of an activity's. */
  toldProblemCharactersMax: 500,
  /** What is kept of a worker's words on why it could not replay; in characters. */
  replayBlockedReasonCharactersMax: 2_000,
  /** Replay-blocked runs that one look brings. */
  blockedRunsPageMax: 200,
  /** Candidates that the repair status counts; from there on it says that there are more. */
  repairCountMax: 1_000,
  /** Candidates of one kind that a repair pass acts on. */
  repairScanRows: defaults.repairScanRows,
  /** A repair pass without a filter that follows another one within this time does nothing; in ms. */
  repairThrottleMs: defaults.repairThrottleSeconds * 1000,
  /** Candidates that one look into a queue brings. */
  candidatesMax: 100,
  /** How long a query's row stays. */
  queryTaskTtlMs: defaults.queryTaskTtlSeconds * 1000,
  /** Open queries of one task queue. */
  queryTasksPerQueueMax: limits.queryTasksPerQueueMax,
  /** Without a heartbeat for this long, and for three of its own intervals, a worker counts as gone for queries. */
  workerStaleAfterMs: defaults.workerStaleAfterSeconds * 1000,
  /** Retention of the default namespace. */
  retentionDays: defaults.retentionDays,
} as const

/** The lengths with which an engine leases and waits; milliseconds. */
export interface EngineSettings {
  /** Default 60,000 (DW_WORKFLOW_TASK_TIMEOUT). */
  readonly workflowTaskLeaseMs: number
  /** Default 300,000 (DW_ACTIVITY_TASK_TIMEOUT). */
  readonly activityTaskLeaseMs: number
  /** How long a query's caller waits; default 30,000. */
  readonly queryTimeoutMs: number
  /** Default 60,000. */
  readonly queryLeaseMs: number
  /** Default 1,000: with every wake lost, each task is found within this (DI3). */
  readonly scanIntervalMs: number
  /** Events of a first history page; default 500. */
  readonly historyPageSize: number
}

export const defaultSettings: EngineSettings = {
  workflowTaskLeaseMs: defaults.workflowTaskLeaseSeconds * 1000,
  activityTaskLeaseMs: defaults.activityLeaseSeconds * 1000,
  queryTimeoutMs: defaults.queryTimeoutSeconds * 1000,
  queryLeaseMs: defaults.queryLeaseSeconds * 1000,
  scanIntervalMs: engineLimits.scanIntervalMs,
  historyPageSize: defaults.workerHistoryPageSize,
}

/** A limit that a report would exceed; the claim is kept (worker plane 1.19, structural_limit_exceeded). */
export interface LimitExceeded {
  readonly limitKind: string
  readonly currentValue: number
  readonly configuredLimit: number
}
