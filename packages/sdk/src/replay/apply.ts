// One event of history, applied: the call it belongs to is found, compared, and given its outcome.
import type { AuthoredRun } from './authored-run.ts'
import type { Call } from './calls.ts'
import { compare, type Difference } from './compare.ts'
import { compareEnding, isFailedByServer } from './compare-ending.ts'
import type { Decisions } from './decisions.ts'
import { type Entry, type Outcome, type Shape, text } from './history.ts'
import type { Mismatches } from './mismatch.ts'
import type { ReplayTask } from './options.ts'

export interface Applier {
  /** Applies an event and everything it sets off. */
  apply(entry: Entry): Promise<void>
  /**
   * Gives the signal that a task resumes for to its wait, where history does not show it as applied yet.
   *
   * @returns whether there was such a signal and such a wait
   */
  resume(task: ReplayTask): Promise<boolean>
  /** Who ended the run in history; undefined while it is open. */
  readonly closedBy: 'code' | 'outside' | undefined
}

/** `comparesEnding`: see ReplayOptions. */
export function createApplier(
  authored: AuthoredRun,
  decisions: Decisions,
  mismatches: Mismatches,
  comparesEnding: boolean,
): Applier {
  const { calls, inbox, passedWaits } = authored
  let closedBy: Applier['closedBy']

  const record = (entry: Entry, shape: Shape, step: number): Call => {
    const call = calls.nextUnrecorded
    if (call === undefined) throw mismatches.noCall(entry, step, authored.ending)
    const difference = compare(shape, entry.fields, call)
    if (difference !== undefined) throw wrongRow(entry, shape, step, call, difference)
    calls.record(step)
    return call
  }

  // A marker that nobody asks for is named with the call that asked for another change at its place, if there was one.
  const wrongRow = (entry: Entry, shape: Shape, step: number, call: Call, difference: Difference) => {
    const asked = shape === 'version marker' ? decisions.assumedAt(step) : undefined
    return asked === undefined
      ? mismatches.wrongCall(entry, step, call, difference)
      : mismatches.wrongCall(entry, step, asked, compare(shape, entry.fields, asked) ?? difference)
  }

  const marked = (entry: Entry) => {
    const step = entry.step ?? calls.lastRecorded + 1
    if (calls.isRecorded(step)) return
    if (decisions.isRepeated(entry, calls.nextUnrecorded)) calls.skip(step)
    else record(entry, 'version marker', step)
  }

  const opened = (entry: Entry, shape: Shape) => {
    const step = entry.step ?? calls.lastRecorded + 1
    if (calls.isRecorded(step)) return
    const again = shape === 'condition wait' ? openedAgain(entry) : undefined
    if (again !== undefined) calls.reopen(step, again)
    const call = again ?? record(entry, shape, step)
    for (const name of namesOf(entry)) calls.name(name, call)
    if (shape === 'condition wait' && calls.isSettled(call)) passedWaits.add(step)
  }

  // Servers and SDKs that open a wait again write another opening of the same key; this code opens a wait once.
  const openedAgain = (entry: Entry): Call | undefined => {
    const key = text(entry.fields, 'condition_key')
    return key === undefined ? undefined : calls.named(`key ${key}`)
  }

  const resolved = async (entry: Entry, shape: Shape, outcome: Outcome) => {
    const call = callOf(entry, shape)
    if (call === undefined) return
    await authored.settleCall(call, outcome.kind === 'signal' ? fromInbox(outcome) : outcome)
  }

  // The received signal has its arguments as they were sent; the applied row may hold a single one unwrapped.
  const fromInbox = (outcome: Extract<Outcome, { kind: 'signal' }>): Outcome => {
    const arrival = inbox.find(outcome.signalId)
    inbox.taken(outcome.signalId)
    return arrival === undefined ? outcome : { ...outcome, arguments: arrival.arguments }
  }

  // Without a number the event belongs to the oldest open call of its shape, or to a step whose opening is not in history.
  const callOf = (entry: Entry, shape: Shape): Call | undefined => {
    if (entry.step === undefined) {
      for (const call of calls.open()) if (call.shape === shape && calls.isRecorded(call.step)) return call
      return record(entry, shape, calls.lastRecorded + 1)
    }
    return calls.openAt(entry.step) ?? (calls.isRecorded(entry.step) ? undefined : record(entry, shape, entry.step))
  }

  const waitTimedOut = async (entry: Entry) => {
    const name = namesOf(entry).find((candidate) => calls.named(candidate) !== undefined)
    const call = name === undefined ? calls.openAt(entry.step ?? 0) : calls.named(name)
    if (call === undefined) return
    await authored.settleCall(call, { kind: 'timed out' })
  }

  // A timer event without a kind can still belong to a wait: the one whose step it names.
  const timerFired = async (entry: Entry, outcome: Outcome) => {
    const call = calls.openAt(entry.step ?? 0)
    if (call !== undefined && call.shape !== 'timer') return waitTimedOut(entry)
    await resolved(entry, 'timer', outcome)
  }

  const closed = (entry: Entry, by: 'complete_workflow' | 'fail_workflow' | 'other') => {
    const kind = authored.ending?.kind
    closedBy = by === 'other' || kind === undefined ? 'outside' : 'code'
    if (by === 'complete_workflow' && kind !== 'completed') throw mismatches.wrongEnd(entry, authored.ending)
    // A server also fails runs by itself (limits, timeouts): only an end that says the opposite is a mismatch.
    if (by === 'fail_workflow' && kind === 'completed') throw mismatches.wrongEnd(entry, authored.ending)
    if (comparesEnding && by !== 'other' && !isFailedByServer(entry.fields)) assertSameEnding(entry)
    authored.close()
  }

  const assertSameEnding = (entry: Entry) => {
    const { terminal } = authored
    if (terminal === undefined) throw mismatches.wrongEnd(entry, authored.ending)
    if (calls.nextUnrecorded !== undefined) throw mismatches.extraCall(entry, calls.nextUnrecorded)
    const difference = compareEnding(entry, terminal)
    if (difference !== undefined) throw mismatches.otherEnd(entry, difference)
  }

  return {
    async apply(entry) {
      const { fact } = entry
      if (closedBy !== undefined) return
      switch (fact.kind) {
        case 'started':
        case 'nothing':
        case 'timer of a wait':
          return
        case 'wait satisfied':
          return void passedWaits.delete(entry.step ?? 0)
        case 'opened':
          return opened(entry, fact.shape)
        case 'side effect':
          return opened(entry, 'side effect')
        case 'version marker':
          return marked(entry)
        case 'resolved':
          return fact.shape === 'timer' ? timerFired(entry, fact.outcome) : resolved(entry, fact.shape, fact.outcome)
        case 'timeout of a wait':
          return waitTimedOut(entry)
        case 'signal':
          return authored.receive({ name: fact.name, signalId: fact.signalId, arguments: fact.arguments })
        case 'ended':
          return closed(entry, fact.by)
        default:
          return fact satisfies never
      }
    },
    // The published Rust server applies a signal only with the completion that consumed it: until then the task names it.
    async resume({ resumeSourceKind, openWaitId }) {
      const prefix = 'signal-application:'
      if (resumeSourceKind !== 'workflow_signal' || !openWaitId?.startsWith(prefix)) return false
      const arrival = inbox.find(openWaitId.slice(prefix.length))
      if (arrival === undefined || authored.ending !== undefined) return false
      for (const call of calls.open()) {
        if (call.command.type !== 'open_signal_wait' || call.command.signal_name !== arrival.name) continue
        if (!calls.isRecorded(call.step)) continue
        inbox.taken(arrival.signalId)
        await authored.settleCall(call, { kind: 'signal', signalId: arrival.signalId, arguments: arrival.arguments })
        return true
      }
      return false
    },
    get closedBy() {
      return closedBy
    },
  }
}

/** What an event calls its wait: the id of one opening first, then the key that all openings of one wait share. */
function namesOf({ fields }: Entry): string[] {
  const waitId = text(fields, 'condition_wait_id') ?? text(fields, 'signal_wait_id')
  const key = text(fields, 'condition_key')
  return [...(waitId === undefined ? [] : [`id ${waitId}`]), ...(key === undefined ? [] : [`key ${key}`])]
}
