// What a test is given, and what it may say about it.
import type { ActivityImplementation, Duration, WorkflowImplementation } from '@durable-workflow/sdk'
import type { Client, RecordedEvent, WorkflowHandle } from '@durable-workflow/sdk/client'
import type { WorkerTuning } from './local-worker.ts'

/** The code of a worker: what it runs, and where it polls. */
export interface WorkerParts extends WorkerTuning {
  /** Default: one for the whole process, since its code does not change. */
  readonly buildId?: string | undefined
  readonly workflows?: readonly WorkflowImplementation[] | undefined
  readonly activities?: readonly ActivityImplementation[] | undefined
  /** Default: the environment's. */
  readonly taskQueue?: string | undefined
}

/** How an environment is made; everything has a default. */
export interface EnvironmentOptions extends WorkerParts {
  /** `manual` (default): time stands still but for `advance`. `auto`: while somebody waits, it jumps whenever nothing can run. */
  readonly time?: 'manual' | 'auto' | undefined
  /** Where time begins; default 2026-01-01T00:00:00Z. */
  readonly startAt?: Date | undefined
  /** Ids, and the order of what is ready at the same instant, are drawn from it. Default: always the same ids, first come first served. */
  readonly seed?: number | undefined
  /** Instants at which `auto` stops for one wait before it gives up; default 10,000. */
  readonly stopsMax?: number | undefined
  /** Whether closing the environment replays every run that it recorded, see `verifyReplays`; default true. */
  readonly verifyReplays?: boolean | undefined
  /** Where server and workers write their logs; default `silent`. */
  readonly log?: 'silent' | 'stderr' | undefined
}

/** A worker of an environment. */
export interface EnvironmentWorker {
  readonly workerId: string
  /** False once it was stopped or crashed. */
  readonly isAlive: boolean
  /** Lets its tasks end, then stops it and tells the server. */
  stop(): Promise<void>
}

/** A run of the environment: a handle of its client, or both of its ids. */
export type RunOf = Pick<WorkflowHandle, 'workflowId' | 'runId'>

/** A server, workers and a client that share one virtual clock; made by `testEnvironment`. */
export interface TestEnvironment extends AsyncDisposable {
  /** A client of the environment's server; runs start on the environment's task queue unless they name another. */
  readonly client: Client
  /** Default `default`. */
  readonly taskQueue: string
  /** The workers that live, oldest first. */
  readonly workers: readonly EnvironmentWorker[]
  /** The virtual instant. */
  now(): Date
  /**
   * Lets time pass: everything that becomes due on the way runs, one instant after the other. Resolves at rest at the new instant;
   * `advance(0)` only waits for rest.
   *
   * @throws RangeError for an instant in the past; Error when an activity calls it, which time waits for
   */
  advance(by: Duration | Date): Promise<void>
  /**
   * Waits for virtual time: for activities of a test that take long. Time passes beside an activity only while it waits here.
   *
   * @throws the reason of `signal`
   */
  sleep(duration: Duration, signal?: AbortSignal): Promise<void>
  /** Starts a worker, of the environment's own code unless parts are given; resolves when it polls. */
  startWorker(parts?: WorkerParts): Promise<EnvironmentWorker>
  /**
   * Ends a worker as SIGKILL does: nothing that it does reaches the server any more, and its leases stay until they expire.
   *
   * @param worker default: the oldest that lives
   */
  crashWorker(worker?: EnvironmentWorker): Promise<void>
  /** Ends the server as SIGKILL does and starts another one on the same data; open requests lose their connection. */
  restartServer(): Promise<void>
  /** The recorded events of a run, oldest first. */
  history(run: RunOf): Promise<RecordedEvent[]>
  /** Why a run waits, in sentences. */
  explain(run: RunOf): Promise<string[]>
  /**
   * Replays the history of every run cold, with the code that workers of this environment had: what an open run meets when its
   * worker is restarted. Closing the environment does it too.
   *
   * @throws NonDeterminismError, GuardError … of the first run whose code does not fit; AggregateError for several
   */
  verifyReplays(): Promise<void>
}
