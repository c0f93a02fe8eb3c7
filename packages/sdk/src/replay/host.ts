import type { PayloadValue } from '@durable-workflow/codec'
import type { Logger, WorkflowInfo } from '../authoring/context.ts'
import type { Message } from '../authoring/message.ts'
import type { Place } from '../authoring/place.ts'
import type { Ahead } from './ahead.ts'
import type { Calls } from './calls.ts'
import type { Decisions } from './decisions.ts'
import type { Deferred } from './deferred.ts'
import type { EmitSettings } from './emit.ts'
import type { Mismatches } from './mismatch.ts'
import type { Queries } from './queries.ts'
import type { Conditions, Inbox } from './waits.ts'

/** What replay lends to the context of one run. */
export interface Host {
  readonly settings: EmitSettings
  readonly calls: Calls
  readonly mismatches: Mismatches
  readonly ahead: Ahead
  readonly decisions: Decisions
  readonly conditions: Conditions
  readonly inbox: Inbox
  readonly queries: Queries
  readonly handles: readonly Message[]
  readonly log: Logger
  readonly info: WorkflowInfo
  now(): number
  random(): number
  uuid(): string
  /** Throws when the call does not come from this run's own code while it may run. */
  assertUsable(what: string): void
  /** Called before the first durable call. */
  beforeFirstCall(): void
  /** Keeps the runtime's own error of a call: the task fails with it, and the call never returns. */
  fault(error: unknown): boolean
  /** Counts a value that code has been given, for the size of the replay. */
  given(value: PayloadValue): void
  /** Keeps a promise in mind until somebody waits for it. */
  track(label: string, place: Place, deferred: Deferred<unknown>): void
  /** Asks a predicate as authored code that may not call `ctx`. */
  ask(predicate: () => boolean): boolean
  /** Runs the function of a side effect: as ordinary code, which may not call `ctx`. */
  aside<T>(fn: () => T): T
  /** Whether what is recorded now reaches history: not when a query is answered, nor in a run that has closed. */
  mayRecord(): boolean
  /** Counts turns: everything that authored code does before it waits is one. */
  turn(): number
  /** Runs a signal handler as a branch of the run; what it throws fails the run. */
  branch(work: () => Promise<void>): void
}
