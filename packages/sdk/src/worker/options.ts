import type { ActivityImplementation } from '../authoring/activity.ts'
import type { Logger } from '../authoring/context.ts'
import { ContractError } from '../authoring/failure.ts'
import { type Duration, parseDuration } from '../authoring/options.ts'
import type { WorkflowImplementation } from '../authoring/workflow.ts'
import type { Chance } from '../transport/chance.ts'
import type { Clock } from '../transport/clock.ts'
import type { RetryPolicy } from '../transport/retry.ts'
import type { ConnectionSettings } from '../transport/settings.ts'
import type { Transport } from '../transport/transport.ts'
import { defaultLog } from './log.ts'

// A step that becomes ready while a poll waits is leased in the commit that makes it; with all polls busy it costs a look
// into the queue and a commit of its own. At 50 concurrent runs 30 polls a kind took a fifth off the server's work a step
// (bench W1, 2026-11-30).
const pollersDefault = 30

/** How many polls of each kind are open at once, as long as slots are free. */
export interface Pollers {
  /** 1 to 1,000; default 30. */
  readonly workflow?: number | undefined
  /** 1 to 1,000; default 30. */
  readonly activity?: number | undefined
  /** 1 to 1,000; default 2. */
  readonly query?: number | undefined
}

/** What a worker serves and how much of it at once. */
export interface WorkerOptions extends ConnectionSettings {
  /** The queue whose tasks it takes. */
  readonly taskQueue: string
  /** What it replays; of workflows and activities at least one must be there. */
  readonly workflows?: readonly WorkflowImplementation[] | undefined
  /** What it executes. */
  readonly activities?: readonly ActivityImplementation[] | undefined
  /** Names the build of this code; pins runs that were started for a build. Default none. */
  readonly buildId?: string | undefined
  /** Default: made anew for every process. */
  readonly workerId?: string | undefined
  /** Workflow tasks at once, 1 to 10,000; default 100. */
  readonly maxConcurrentWorkflowTasks?: number | undefined
  /** Activity tasks at once, 1 to 10,000; default 100. */
  readonly maxConcurrentActivityTasks?: number | undefined
  /** How many polls are open at once, see below. */
  readonly pollers?: Pollers | undefined
  /** How long one poll is held, in whole seconds, 1 to 60; default 30. */
  readonly pollTimeoutSeconds?: number | undefined
  /**
   * Bytes of memory for the replays of runs that wait, default 64 MiB; 0 keeps none. A run takes about 20 KiB, 2 KiB for each open
   * call, and what it was given; what does not fit is replayed from its history when it goes on.
   */
  readonly stickyCacheBytes?: number | undefined
  /** The worker line to speak; default 1.19. */
  readonly protocolVersion?: '1.19' | '1.20' | undefined
  /**
   * How long a drain waits for running tasks before it gives them up; default 30 s. What is given up reports nothing:
   * deregistration hands it to other workers, and where the server is away its lease runs out.
   */
  readonly shutdownTimeout?: Duration | undefined
  /** Whether SIGTERM and SIGINT drain the worker; default true. A program that handles them itself turns it off. */
  readonly handleSignals?: boolean | undefined
  /** Drains and stops the worker when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Default: one JSON object a line on standard error, from `info` up. */
  readonly log?: Logger | undefined
  /** Handed in by tests. */
  readonly transport?: Transport | undefined
  readonly clock?: Clock | undefined
  readonly chance?: Chance | undefined
  readonly retry?: RetryPolicy | undefined
  readonly reportRetry?: RetryPolicy | undefined
  readonly pollRetry?: RetryPolicy | undefined
}

export interface WorkerSettings {
  readonly taskQueue: string
  readonly workflows: ReadonlyMap<string, WorkflowImplementation>
  readonly activities: ReadonlyMap<string, ActivityImplementation>
  readonly maxConcurrentWorkflowTasks: number
  readonly maxConcurrentActivityTasks: number
  readonly pollers: { readonly workflow: number; readonly activity: number; readonly query: number }
  readonly pollTimeoutSeconds: number
  readonly stickyCacheBytes: number
  readonly protocolVersion: '1.19' | '1.20'
  readonly shutdownTimeoutMs: number
  readonly log: Logger
}

const mebibyte = 1_048_576

/** @throws ContractError for an option out of its range, a name used twice, or nothing to work on */
export function resolveOptions(options: WorkerOptions): WorkerSettings {
  const workflows = byName('workflow', options.workflows ?? [])
  const activities = byName('activity', options.activities ?? [])
  if (workflows.size + activities.size === 0) {
    throw new ContractError(
      'A worker needs at least one workflow or activity; it was given none. Pass workflows: [...] or activities: [...] to createWorker.',
      {
        reason: 'nothing_to_work_on',
        remedy: 'Pass workflows: [...] or activities: [...] to createWorker.',
      },
    )
  }
  if (options.taskQueue === '') {
    throw new ContractError('The task queue of a worker must have a name.', { reason: 'invalid_task_queue' })
  }
  return {
    taskQueue: options.taskQueue,
    workflows,
    activities,
    maxConcurrentWorkflowTasks: count('maxConcurrentWorkflowTasks', options.maxConcurrentWorkflowTasks ?? 100, 10_000),
    maxConcurrentActivityTasks: count('maxConcurrentActivityTasks', options.maxConcurrentActivityTasks ?? 100, 10_000),
    pollers: {
      workflow: count('pollers.workflow', options.pollers?.workflow ?? pollersDefault, 1_000),
      activity: count('pollers.activity', options.pollers?.activity ?? pollersDefault, 1_000),
      query: count('pollers.query', options.pollers?.query ?? 2, 1_000),
    },
    pollTimeoutSeconds: count('pollTimeoutSeconds', options.pollTimeoutSeconds ?? 30, 60),
    stickyCacheBytes: bytes('stickyCacheBytes', options.stickyCacheBytes ?? 64 * mebibyte),
    protocolVersion: options.protocolVersion ?? '1.19',
    shutdownTimeoutMs: parseDuration(options.shutdownTimeout ?? '30s'),
    log: options.log ?? defaultLog,
  }
}

function byName<T extends { readonly kind: string; readonly name: string }>(
  kind: string,
  list: readonly T[],
): Map<string, T> {
  const named = new Map<string, T>()
  for (const item of list) {
    if (named.has(item.name)) {
      throw new ContractError(`Two ${kind} implementations are named "${item.name}"; a worker needs one a name.`, {
        reason: 'duplicate_name',
        facts: { kind, name: item.name },
      })
    }
    named.set(item.name, item)
  }
  return named
}

function bytes(option: string, value: number): number {
  if (value >= 0) return value
  throw new ContractError(`Option ${option} is ${value}; it must be a number of bytes, 0 or more.`, {
    reason: 'invalid_option',
    facts: { option, value },
  })
}

function count(option: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new ContractError(`Option ${option} is ${value}; it must be a whole number from 1 to ${max}.`, {
    reason: 'invalid_option',
    facts: { option, value, max },
  })
}
