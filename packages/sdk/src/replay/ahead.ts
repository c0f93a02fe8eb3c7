// What history has recorded beyond the event that authored code runs on.
//
// A side effect and a version are known at the call, not later: whether history has them decides what the call gives back.
// So these calls look ahead to the row that will give them their step. What they learn depends on history alone (RP5).
import type { Call, Calls } from './calls.ts'
import type { Decisions } from './decisions.ts'
import { type Entry, type Shape, shapeOpened, text } from './history.ts'

/** What history has for the next call: its step, the end of the run before it, or nothing, because the call is news. */
export type Upcoming =
  | { readonly kind: 'step'; readonly entry: Entry; readonly step: number }
  /** `byCode`: the code had come to its end; otherwise the run was cancelled, terminated or timed out wherever the code was. */
  | { readonly kind: 'end'; readonly byCode: boolean }
  | { readonly kind: 'nothing' }

export interface Ahead {
  /** The events of one step of the replay. */
  load(entries: readonly Entry[]): void
  /** The first of them that has not been applied. */
  moveTo(index: number): void
  /** What history has for the call that comes after `before` unrecorded ones. */
  after(before: number): Upcoming
  /** Whether a marker of this change is still to come. */
  hasMarker(changeId: string): boolean
}

export function createAhead(calls: Calls, decisions: Decisions): Ahead {
  let entries: readonly Entry[] = []
  let next = 0
  // Beyond the last row of interest a call is news: a long tail of signals is not searched for every one of them.
  let lastOfInterest = -1

  return {
    load(loaded) {
      entries = loaded
      next = 0
      lastOfInterest = loaded.findLastIndex(({ fact }) => shapeOpened(fact) !== undefined || fact.kind === 'ended')
    },
    moveTo(index) {
      next = index
    },
    after(before) {
      const steps = createSteps(calls, decisions)
      let passed = 0
      for (let index = next; index <= lastOfInterest; index += 1) {
        const entry = entries[index]
        if (entry === undefined) break
        if (entry.fact.kind === 'ended') return { kind: 'end', byCode: entry.fact.by !== 'other' }
        const step = steps.newStepOf(entry, calls.unrecorded[passed])
        if (step === undefined) continue
        if (passed === before) return { kind: 'step', entry, step }
        passed += 1
      }
      return { kind: 'nothing' }
    },
    hasMarker: (changeId) =>
      entries.slice(next).some(({ fact }) => fact.kind === 'version marker' && fact.changeId === changeId),
  }
}

/** Tells rows that begin a step from rows that go on with one, in the order in which they would be applied. */
function createSteps(calls: Calls, decisions: Decisions) {
  let last = calls.lastRecorded
  const keys = new Set<string>()
  const unnumbered = new Map<Shape, number>()

  const isOpenedAgain = ({ fact, fields }: Entry): boolean => {
    const key = text(fields, 'condition_key')
    if (fact.kind !== 'opened' || fact.shape !== 'condition wait' || key === undefined) return false
    const isKnown = keys.has(key) || calls.named(`key ${key}`) !== undefined
    keys.add(key)
    return isKnown
  }

  // Without a number a result belongs to the oldest open call of its shape (see apply.ts).
  const isOfOpenCall = (fact: Entry['fact'], shape: Shape): boolean => {
    if (fact.kind !== 'resolved') return false
    const opened = unnumbered.get(shape) ?? openCalls(calls, shape)
    unnumbered.set(shape, Math.max(0, opened - 1))
    return opened > 0
  }

  return {
    newStepOf(entry: Entry, call: Call | undefined): number | undefined {
      const { fact } = entry
      const shape = shapeOpened(fact)
      if (shape === undefined) return undefined
      if (entry.step !== undefined && entry.step <= last) return undefined
      if (entry.step === undefined && isOfOpenCall(fact, shape)) return undefined
      if (entry.step === undefined && fact.kind === 'opened') {
        unnumbered.set(shape, (unnumbered.get(shape) ?? openCalls(calls, shape)) + 1)
      }
      last = entry.step ?? last + 1
      if (isOpenedAgain(entry) || decisions.isRepeated(entry, call)) return undefined
      return last
    },
  }
}

function openCalls(calls: Calls, shape: Shape): number {
  let count = 0
  for (const call of calls.open()) if (call.shape === shape && calls.isRecorded(call.step)) count += 1
  return count
}
