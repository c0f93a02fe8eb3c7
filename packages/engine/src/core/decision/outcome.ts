import type { JsonObject } from '../state/json.ts'
import type { SliceKey } from './slice.ts'

/** The operation was decided and everything it changed is committed. */
export interface Accepted<Reply> {
  readonly kind: 'accepted'
  readonly reply: Reply
}

/** A negative outcome that is itself recorded in history. */
export interface Rejected<Reply> {
  readonly kind: 'rejected'
  readonly reason: string
  readonly reply: Reply
}

/**
 * The engine says no: nothing of the report was recorded. Facts are camelCase; the server writes them in the wire's
 * words and makes the text from them.
 */
export interface Refused<Reason extends string = string> {
  readonly kind: 'refused'
  readonly reason: Reason
  readonly facts: JsonObject
  readonly recorded: false
  /** True where time acted on the run while it refused (a deadline that had passed): the draft is kept. */
  readonly keepsDraft: boolean
}

/** What a caller of the door gets. */
export type Outcome<Reply, Reason extends string = string> = Accepted<Reply> | Rejected<Reply> | Refused<Reason>

/** Decides nothing yet: the operation comes again, first in the next group, with these keys in its slice. */
export interface Widen {
  readonly kind: 'widen'
  readonly keys: readonly SliceKey[]
}

/** What a decision returns. */
export type Decision<Reply, Reason extends string = string> = Outcome<Reply, Reason> | Widen

export function widen(keys: readonly SliceKey[]): Widen {
  return { kind: 'widen', keys }
}

export function accept<Reply>(reply: Reply): Accepted<Reply> {
  return { kind: 'accepted', reply }
}

export function reject<Reply>(reason: string, reply: Reply): Rejected<Reply> {
  return { kind: 'rejected', reason, reply }
}

export function refuse<Reason extends string>(reason: Reason, facts: JsonObject): Refused<Reason> {
  return { kind: 'refused', reason, facts, recorded: false, keepsDraft: false }
}

/** Refuses a report and keeps what time did to the run in the same decision. */
export function refuseAfterTime<Reason extends string>(reason: Reason, facts: JsonObject): Refused<Reason> {
  return { kind: 'refused', reason, facts, recorded: false, keepsDraft: true }
}
