// The durable calls of one run, from emission to settlement.
//
// Owns:      which call has which step number, which calls history has recorded, which are still open.
//
// Calls are recorded in authored order (RP3): the next recorded step belongs to the first call that is not recorded yet.
// So the commands to send are always exactly the calls that are neither recorded nor sent.

import type { Place } from '../authoring/place.ts'
import type { GroupEntry, StepCommand } from './commands.ts'
import type { Outcome, Shape } from './history.ts'

export interface Call {
  /** The number the call takes at emission: the one history will give it. */
  readonly step: number
  readonly shape: Shape
  /** What the author wrote, for reports: `ctx.run(charge)`. */
  readonly label: string
  readonly place: Place
  readonly command: StepCommand
  /** The groups around the call, outermost first. `ctx.all` adds to it in the turn of the call, before anything is sent. */
  readonly groups: GroupEntry[]
  /** Hands an outcome of history to the waiting code. */
  settle(outcome: Outcome): void
}

export interface Calls {
  /** The step number that the next call takes. */
  nextStep(): number
  add(call: Call): void
  /** Calls that history has not recorded yet, in authored order. */
  readonly unrecorded: readonly Call[]
  /** The first call that history has not recorded yet: the one that the next recorded step belongs to. */
  readonly nextUnrecorded: Call | undefined
  /** History has recorded that call under this number. */
  record(step: number): void
  /** History has a step that no call takes. */
  skip(step: number): void
  /** Whether history has recorded this step already. */
  isRecorded(step: number): boolean
  /** Another number for an open call: its wait was opened again. */
  reopen(step: number, call: Call): void
  openAt(step: number): Call | undefined
  open(): Iterable<Call>
  isSettled(call: Call): boolean
  /** Gives an open call another name to be found by, such as the id or the key of its wait. */
  name(name: string, call: Call): void
  /** The open call of that name. */
  named(name: string): Call | undefined
  /** Forgets a call that has its outcome. */
  close(call: Call): void
  /** Calls neither recorded nor handed out before, in authored order; they count as handed out now. */
  takeUnsent(): readonly Call[]
  /** The newest step that history has recorded; 0 for none. */
  readonly lastRecorded: number
  /** The call that history recorded last. */
  readonly previous: Call | undefined
  /** How many calls history has recorded. */
  readonly recordedCount: number
  readonly size: number
}

export function createCalls(): Calls {
  const unrecorded: Call[] = []
  const openByStep = new Map<number, Call>()
  const stepsOf = new WeakMap<Call, number[]>()
  const byName = new Map<string, Call>()
  const namesOf = new WeakMap<Call, string[]>()
  const settled = new WeakSet<Call>()
  const sent = new WeakSet<Call>()
  let lastRecorded = 0
  let recordedCount = 0
  let previous: Call | undefined
  const keepOpen = (step: number, call: Call) => {
    openByStep.set(step, call)
    stepsOf.set(call, [...(stepsOf.get(call) ?? []), step])
  }
  return {
    nextStep: () => lastRecorded + unrecorded.length + 1,
    add: (call) => void unrecorded.push(call),
    unrecorded,
    get nextUnrecorded() {
      return unrecorded[0]
    },
    record(step) {
      previous = unrecorded.shift()
      recordedCount += 1
      lastRecorded = step
      if (previous !== undefined && !settled.has(previous)) keepOpen(step, previous)
    },
    skip: (step) => {
      lastRecorded = step
    },
    isRecorded: (step) => step <= lastRecorded,
    reopen(step, call) {
      lastRecorded = step
      keepOpen(step, call)
    },
    openAt: (step) => openByStep.get(step),
    open: () => new Set([...openByStep.values(), ...unrecorded.filter((call) => !settled.has(call))]),
    isSettled: (call) => settled.has(call),
    name(name, call) {
      if (settled.has(call)) return
      byName.set(name, call)
      namesOf.set(call, [...(namesOf.get(call) ?? []), name])
    },
    named: (name) => byName.get(name),
    close(call) {
      settled.add(call)
      for (const step of stepsOf.get(call) ?? []) openByStep.delete(step)
      for (const name of namesOf.get(call) ?? []) byName.delete(name)
    },
    takeUnsent() {
      const fresh = unrecorded.filter((call) => !sent.has(call))
      for (const call of fresh) sent.add(call)
      return fresh
    },
    get lastRecorded() {
      return lastRecorded
    },
    get previous() {
      return previous
    },
    get recordedCount() {
      return recordedCount
    },
    get size() {
      return openByStep.size + unrecorded.length
    },
  }
}
