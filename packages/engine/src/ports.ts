// All that the engine asks of the world. A store, a clock and a probe are handed in; tests hold them in their hand.

import type { Changes, Loaded } from './core/decision/changes.ts'
import type { SliceKey } from './core/decision/slice.ts'
import type { HistoryEvent } from './core/state/history-event.ts'
import type { ListFilter } from './core/state/list-filter.ts'
import type { Namespace } from './core/state/namespace.ts'
import type { Liveness, Registration } from './core/state/registration.ts'
import type { Run } from './core/state/run.ts'

export type { Changes, Loaded, RowChanges } from './core/decision/changes.ts'
export type { SliceKey, SliceOf } from './core/decision/slice.ts'
export { sliceKeyText } from './core/decision/slice.ts'
export type * from './core/state/activity.ts'
export type * from './core/state/claim.ts'
export type * from './core/state/history-event.ts'
export type * from './core/state/json.ts'
export type * from './core/state/list-filter.ts'
export type * from './core/state/namespace.ts'
export { defaultNamespace } from './core/state/namespace.ts'
export type * from './core/state/parallel-group.ts'
export type * from './core/state/payload.ts'
export type * from './core/state/query-task.ts'
export type * from './core/state/registration.ts'
export type * from './core/state/run.ts'
export type * from './core/state/signal.ts'
export type * from './core/state/timer.ts'
export type * from './core/state/wait.ts'
export type * from './core/state/workflow.ts'
export type * from './core/state/workflow-task.ts'

/**
 * Durable state. The only writer is `transact`.
 *
 * Errors of every method: StoreUnavailableError (nothing was written; may be repeated).
 * `transact` besides: CommitUnknownError (the commit was sent, its fate is not known).
 */
export interface Store {
  /** One word for the operator, like `sqlite:/var/lib/dw.db`; without credentials. */
  readonly description: string
  /** How many transactions of this process may be under way at once; 1 where they wait in line anyway. */
  readonly concurrency: number
  /**
   * Takes the locks in ascending order, runs `work` in one transaction, commits, resolves.
   * A lock serialises all transactions that name it, across servers. If `work` rejects, everything is rolled back.
   *
   * @param whereFree locks that are taken besides, but only where nobody holds them now: `transaction.skipped` has the
   *   others. Where all transactions wait in line, none is skipped.
   */
  transact<T>(
    locks: readonly string[],
    work: (transaction: Transaction) => Promise<T>,
    whereFree?: readonly string[],
  ): Promise<T>
  /** Reads slices outside of any transaction, from one snapshot. */
  load(keys: readonly SliceKey[]): Promise<Loaded>
  readonly find: Find
  readonly list: List
  /** Undefined where no other server can be told. */
  readonly wakes: Wakes | undefined
  /** Proves that the store answers; resolves or rejects with StoreUnavailableError. */
  ping(): Promise<void>
  /** Waits for what is under way and closes all connections. */
  close(): Promise<void>
}

export interface Transaction {
  /** Locks that were asked for where they are free and that somebody else holds. */
  readonly skipped: ReadonlySet<string>
  /** One set-based statement for each kind of key that occurs, however many keys there are. */
  load(keys: readonly SliceKey[]): Promise<Loaded>
  /** One set-based statement for each list that is not empty (bounded pieces where a driver limits parameters). */
  write(changes: Changes): Promise<void>
}

/**
 * Hints between the servers on one database: what a commit of one makes worth a look to the others. Best effort: a hint may
 * be lost, come twice or come late, and nothing is correct because of it.
 */
export interface Wakes {
  /** Returns at once; what comes in quick succession goes out together. */
  tell(hints: readonly Hint[]): void
  /** Hears the other servers, never itself. @returns what ends it */
  listen(hear: (hints: readonly Hint[]) => void): () => void
}

export type Hint =
  /** A task of this place becomes available (epoch ms). */
  | {
      readonly kind: 'ready'
      readonly task: TaskKind
      readonly namespace: string
      readonly taskQueue: string
      readonly availableAt: number
    }
  /** Something is due at this instant (epoch ms). */
  | { readonly kind: 'due'; readonly at: number }
  /** Whoever waits for this outcome looks again. */
  | { readonly kind: 'outcome'; readonly key: OutcomeKey }
  /** A worker is registered under this id; undefined when it is gone. */
  | {
      readonly kind: 'registration'
      readonly namespace: string
      readonly workerId: string
      readonly registrationId: string | undefined
    }
  /** Hints were lost: everything is worth a look. */
  | { readonly kind: 'missed' }

/** What a caller waits on: anything that happens to a run, its end, or the outcome of a query. */
export type OutcomeKey = `run:${string}` | `closed:${string}` | `query:${string}`

/** Candidates only: what is found here is re-checked under the lock. */
export interface Find {
  /** Ready tasks of one queue, oldest `availableAt` first, of the given types only. */
  readyTasks(query: ReadyTaskQuery): Promise<ReadyTasks>
  /** Everything whose `dueAt` ≤ now, earliest first, and the next instant at which something will be due. */
  due(query: { readonly now: number; readonly limit: number }): Promise<DueThings>
  /** The leases that a worker holds; with a poll request id, only the one that this poll was given. */
  leasedBy(query: {
    readonly namespace: string
    readonly owner: string
    readonly pollRequestId?: string
    /** Leases on tasks of this kind only. */
    readonly kind?: TaskKind
  }): Promise<readonly HeldLease[]>
  /** Runs whose replay is blocked, in order of type and run id; a keyset page after `after`. */
  blockedRuns(query: BlockedRunQuery): Promise<readonly BlockedRun[]>
}

/** A suspended run as a repair looks at it. */
export interface BlockedRun {
  readonly runId: string
  readonly workflowType: string
  readonly taskQueue: string
  /** Of the definition that refused the history; undefined when its worker had registered none. */
  readonly fingerprint: string | undefined
  /** Epoch ms. */
  readonly startedAt: number
}

export interface BlockedRunQuery {
  readonly namespace: string
  /** Only runs of these types; undefined: all. */
  readonly types: readonly string[] | undefined
  readonly after: { readonly workflowType: string; readonly runId: string } | undefined
  readonly limit: number
}

export type TaskKind = 'workflow' | 'activity' | 'query'

export interface ReadyTaskQuery {
  readonly kind: TaskKind
  readonly namespace: string
  readonly taskQueue: string
  /** Workflow types for workflow and query tasks, activity types for activity tasks. */
  readonly types: readonly string[]
  readonly now: number
  readonly limit: number
}

export interface ReadyTask {
  readonly kind: TaskKind
  /** Workflow task id, activity id or query task id. */
  readonly id: string
  readonly runId: string
  readonly type: string
  /** Epoch ms. */
  readonly availableAt: number
}

export interface ReadyTasks {
  readonly tasks: readonly ReadyTask[]
  /** When the next task of this queue and these types becomes available, if one waits for its time. */
  readonly nextAvailableAt: number | undefined
}

export type DueKind = 'workflowTask' | 'activity' | 'timer' | 'run' | 'queryTask'

export interface DueThing {
  readonly kind: DueKind
  readonly id: string
  /** Epoch ms. */
  readonly dueAt: number
}

export interface DueThings {
  readonly things: readonly DueThing[]
  readonly nextDueAt: number | undefined
}

export interface HeldLease {
  readonly kind: TaskKind
  readonly id: string
  readonly attempt: number
  readonly pollRequestId: string | undefined
  readonly leaseExpiresAt: number
}

/** Pages for people and workers. */
export interface List {
  /** History of a run after a position, in order; at most `limit` events. */
  history(query: {
    readonly runId: string
    readonly after: number
    readonly limit: number
  }): Promise<readonly HistoryEvent[]>
  /** Runs of a namespace, newest start first, then run id descending; a keyset page after `after`. */
  workflows(query: WorkflowListQuery): Promise<readonly Run[]>
  /** All runs of a workflow, oldest first. */
  runs(query: { readonly workflowId: string }): Promise<readonly Run[]>
  /** Open runs in order of their run id, for the checker. */
  openRuns(query: { readonly after: string | undefined; readonly limit: number }): Promise<readonly Run[]>
  namespaces(): Promise<readonly Namespace[]>
  /** Registrations of a namespace, of one task queue if given, with their liveness. */
  registrations(query: {
    readonly namespace: string
    readonly taskQueue?: string
  }): Promise<readonly { readonly registration: Registration; readonly liveness: Liveness | undefined }[]>
  /** Query tasks of a queue that are ready or leased. */
  openQueryTaskCount(query: { readonly namespace: string; readonly taskQueue: string }): Promise<number>
}

export interface WorkflowListQuery {
  readonly namespace: string
  readonly filter: ListFilter
  readonly limit: number
  readonly after: { readonly startedAt: number; readonly runId: string } | undefined
}

/**
 * How much depends on the time of a call back: `exact` (the default) everything; `late`: it may come late, as long as it comes before
 * somebody asks; `optional`: it need not come, as with a look that a wake makes needless. A clock that skips time stops only at the
 * exact ones.
 */
export type Punctuality = 'exact' | 'late' | 'optional'

/** The engine's time; virtual in tests. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back at an instant, not earlier; returns what cancels it. */
  at(instant: number, wake: () => void, punctuality?: Punctuality): () => void
  /** Calls back in a later turn, after what is already waiting; the moment in which a group gathers. */
  soon(wake: () => void): void
}

/** Chance for ids; the core never makes any. */
export interface Chance {
  /** Lowercase hex digits. */
  hex(digits: number): string
}

/** The five instants of a unit of work at which crash and race tests meet it (design.md §7). */
export type NamedPoint = 'gathered' | 'locked' | 'decided' | 'written' | 'committed'

export interface Probe {
  /** Awaited at each named point; `kinds` are the operations of the group. Absent in production. */
  reached(point: NamedPoint, kinds: readonly string[]): Promise<void>
}

/** Hears what happens, for metrics. Each method is called in the middle of the work: it must be cheap and never throw. */
export interface Observer {
  /** A group was gathered; what is returned hears of the points that it comes to. Without `committed` it failed. */
  group(operations: number): (point: NamedPoint | 'loaded') => void
  /** An operation is answered after its commit. @param reason of a refusal or rejection */
  answered(kind: string, outcome: 'accepted' | 'rejected' | 'refused', reason: string | undefined): void
  claimed(task: TaskKind, how: 'poll' | 'same_group' | 'hand_over'): void
  /** Something that was due has been acted on. @param reply of its operation */
  acted(kind: DueKind, lateMs: number, reply: unknown): void
}

/** Nothing was written; the same operation may be tried again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** What the database said: `full`, `read_only`, `locked`, `unreachable` or `other`. */
  readonly condition: StoreCondition
  constructor(condition: StoreCondition, options: { cause: unknown }) {
    super(
      `The store is ${condition === 'other' ? 'not available' : condition}; nothing was written, try again.`,
      options,
    )
    this.condition = condition
  }
}

export type StoreCondition = 'full' | 'read_only' | 'locked' | 'unreachable' | 'other'

/** The commit was sent and its fate is unknown (UW7): the answer says `unknown`, never `recorded: false`. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError'
  constructor(options: { cause: unknown }) {
    super(
      'The commit was sent to the store and its outcome is not known; read the state before you repeat it.',
      options,
    )
  }
}
