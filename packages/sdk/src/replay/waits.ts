// What a run waits for besides results: conditions over its own state, and signals.
import type { PayloadValue } from '@durable-workflow/codec'
import type { Call } from './calls.ts'

/** One `ctx.condition` whose predicate has not held yet. */
export interface Condition {
  readonly call: Call
  readonly predicate: () => boolean
  /** Ends the wait from this side: the predicate held, or it threw. */
  readonly answer: (held: boolean) => void
  readonly fail: (error: unknown) => void
}

export interface Conditions {
  add(condition: Condition): void
  remove(call: Call): void
  /**
   * Asks the predicates in authored order until one holds or throws, and ends that wait.
   *
   * @returns the wait that ended; the caller drains and asks again, since the code that goes on may change the others
   */
  settleOne(ask: (predicate: () => boolean) => boolean): Call | undefined
}

export function createConditions(): Conditions {
  const pending = new Map<Call, Condition>()
  return {
    add: (condition) => void pending.set(condition.call, condition),
    remove: (call) => void pending.delete(call),
    settleOne(ask) {
      for (const condition of pending.values()) {
        if (!holds(condition, ask)) continue
        pending.delete(condition.call)
        return condition.call
      }
      return undefined
    },
  }
}

function holds(condition: Condition, ask: (predicate: () => boolean) => boolean): boolean {
  try {
    if (!ask(condition.predicate)) return false
    condition.answer(true)
  } catch (error) {
    // A predicate is authored code: what it throws belongs to whoever waits for it.
    condition.fail(error)
  }
  return true
}

/** A signal that arrived. */
export interface Arrival {
  readonly name: string
  readonly signalId: string | undefined
  readonly arguments: readonly PayloadValue[]
}

/** Who reads a signal. One signal has a handler or is waited for, never both. */
export type Reader = (arrival: Arrival) => void

export interface Inbox {
  /** Keeps the arrival until it is read, or hands it to its handler. */
  receive(arrival: Arrival): void
  /** Sets a handler and returns what arrived before it, oldest first. */
  handle(name: string, reader: Reader): readonly Arrival[]
  readerOf(name: string): 'handler' | 'wait' | undefined
  /** From now on the signal is read through its waits. */
  waitFor(name: string): void
  find(signalId: string | undefined): Arrival | undefined
  /** Forgets an arrival that a wait has taken. */
  taken(signalId: string | undefined): void
}

export function createInbox(): Inbox {
  const handlers = new Map<string, Reader>()
  const waited = new Set<string>()
  const unread: Arrival[] = []
  const drop = (keep: (arrival: Arrival) => boolean) => {
    const kept = unread.filter(keep)
    unread.splice(0, unread.length, ...kept)
  }
  return {
    receive(arrival) {
      const reader = handlers.get(arrival.name)
      if (reader === undefined) unread.push(arrival)
      else reader(arrival)
    },
    handle(name, reader) {
      handlers.set(name, reader)
      const earlier = unread.filter((arrival) => arrival.name === name)
      drop((arrival) => arrival.name !== name)
      return earlier
    },
    readerOf: (name) => (handlers.has(name) ? 'handler' : waited.has(name) ? 'wait' : undefined),
    waitFor: (name) => void waited.add(name),
    find: (signalId) => (signalId === undefined ? undefined : unread.find((arrival) => arrival.signalId === signalId)),
    taken: (signalId) => drop((arrival) => signalId === undefined || arrival.signalId !== signalId),
  }
}
