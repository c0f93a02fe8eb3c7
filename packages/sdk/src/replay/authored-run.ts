// Authored code of one run: it is started, woken, asked and ended here, and nowhere else.
//
// Owns:      the workflow function, its handlers and branches, how it ended, and what may be called when.
// Does not:  read an event. What history says arrives as outcomes and arrivals.
//
// A wake is complete when `settle` returns: microtasks are drained, conditions that hold have gone on, and so on until
// nothing moves (RP2).

import type { PayloadValue } from '@durable-workflow/codec'
import { limits } from '@durable-workflow/protocol'
import { inputFromArguments, validateInput, validateOutput } from '../authoring/contract.ts'
import { failsTheTask } from '../authoring/failure.ts'
import type { Ahead } from './ahead.ts'
import { createContext } from './authored-context.ts'
import type { Call, Calls } from './calls.ts'
import type { TerminalCommand } from './commands.ts'
import type { Decisions } from './decisions.ts'
import type { EmitSettings } from './emit.ts'
import { type Ending, terminalOf } from './ending.ts'
import type { Outcome } from './history.ts'
import type { Host } from './host.ts'
import type { Mismatches } from './mismatch.ts'
import { type Mode, misuseOf } from './misuse.ts'
import type { ReplayOptions } from './options.ts'
import { infoOf, type Progress } from './progress.ts'
import { createQueries } from './queries.ts'
import { createRandom } from './random.ts'
import { bytesOfArrival, bytesOfOutcome, bytesOfValue, bytesOfValues } from './size.ts'
import { createTurns } from './turns.ts'
import { createUnobserved } from './unobserved.ts'
import { type Arrival, createConditions, createInbox, type Inbox } from './waits.ts'

/** What a replay knows of its run beside the code. */
export interface Known {
  readonly progress: Progress
  readonly calls: Calls
  readonly decisions: Decisions
  readonly ahead: Ahead
  readonly mismatches: Mismatches
}

export interface AuthoredRun {
  readonly calls: Calls
  readonly inbox: Inbox
  /** How the function ended; undefined while it runs. */
  readonly ending: Ending | undefined
  /** The command that ends the run, once the function has ended. */
  readonly terminal: TerminalCommand | undefined
  readonly mode: Mode
  setMode(mode: Mode): void
  /** Calls the function, once. */
  start(): Promise<void>
  /** Hands an outcome to the code that waits for the call. */
  settleCall(call: Call, outcome: Outcome): Promise<void>
  receive(arrival: Arrival): Promise<void>
  /** The run has ended in history: nothing moves any more. */
  close(): void
  answer(name: string, args: readonly PayloadValue[]): Promise<PayloadValue>
  random(): number
  uuid(): string
  /** Steps of condition waits whose predicate held, until history or a report has named them. */
  readonly passedWaits: Set<number>
  forget(): void
  /** Bytes of what code was given so far, as if it kept all of it. */
  readonly givenBytes: number
}

export function createAuthoredRun(options: ReplayOptions, known: Known): AuthoredRun {
  const { workflow, run, drain, enter } = options
  const { progress, calls } = known
  const conditions = createConditions()
  const inbox = createInbox()
  const queries = createQueries(options)
  const unobserved = createUnobserved()
  const passedWaits = new Set<number>()
  const randomOfRun = createRandom(run.runId)
  const random = () => (mode === 'answering' ? queries.random : randomOfRun)
  let mode: Mode = 'idle'
  let hasStarted = false
  let hasCalled = false
  let ending: Ending | undefined
  let terminal: TerminalCommand | undefined
  let givenBytes = bytesOfValues(options.arguments)
  let faulted: { readonly error: unknown } | undefined

  const settings = emitSettings(options, progress)

  const during = <T>(other: Mode, work: () => T): T => {
    const before = mode
    mode = other
    try {
      return work()
    } finally {
      mode = before
    }
  }
  const ask = (predicate: () => boolean) => during('asking', predicate)

  const fault = (error: unknown): boolean => {
    if (!failsTheTask(error)) return false
    faulted ??= { error }
    return true
  }

  const end = (next: Ending) => {
    ending ??= next
  }

  const host: Host = {
    settings,
    calls,
    mismatches: known.mismatches,
    ahead: known.ahead,
    decisions: known.decisions,
    conditions,
    inbox,
    queries,
    handles: workflow.handles,
    log: progress.log,
    info: infoOf(run, progress),
    now: progress.now,
    random: randomOfRun.next,
    uuid: randomOfRun.uuid,
    assertUsable(what) {
      const problem = misuseOf(what, { mode, hasEnded: ending !== undefined, isInside: options.inside?.() ?? true })
      if (problem !== undefined) throw problem
    },
    beforeFirstCall() {
      if (hasCalled) return
      hasCalled = true
      queries.assertHandled()
    },
    fault,
    given(value) {
      givenBytes += bytesOfValue(value)
    },
    track: unobserved.track,
    ask,
    aside: (fn) => during('computing', () => (options.outside === undefined ? fn() : options.outside(fn))),
    mayRecord: () => !progress.isReadOnly,
    turn: createTurns(),
    branch(work) {
      work().catch((error: unknown) => end({ kind: 'failed', error }))
    },
  }
  const context = createContext(host)

  const main = async () => {
    try {
      const input = await validateInput(workflow, inputFromArguments(workflow, options.arguments))
      const output = await workflow.fn(context, input)
      if (!hasCalled) queries.assertHandled()
      end({ kind: 'completed', output: await validateOutput(workflow, output) })
    } catch (error) {
      if (!fault(error)) end({ kind: 'failed', error })
    }
  }

  const settle = async () => {
    do {
      await drain()
      if (faulted !== undefined) throw faulted.error
      if (ending !== undefined) return finish(ending)
    } while (settleCondition())
  }

  const settleCondition = (): boolean => {
    const call = conditions.settleOne((predicate) => enter(() => ask(predicate)))
    if (call === undefined) return false
    if (calls.isRecorded(call.step)) passedWaits.add(call.step)
    calls.close(call)
    return true
  }

  const finish = (reached: Ending) => {
    if (terminal !== undefined) return
    const [last, command] = terminalOf(settings, reached)
    ending = last
    terminal = command
    unobserved.report(progress.log)
  }

  return {
    calls,
    inbox,
    passedWaits,
    get ending() {
      return ending
    },
    get terminal() {
      return terminal
    },
    get mode() {
      return mode
    },
    setMode(next) {
      if (mode !== 'disposed') mode = next
    },
    async start() {
      if (hasStarted) return
      hasStarted = true
      enter(() => void main())
      await settle()
    },
    async settleCall(call, outcome) {
      calls.close(call)
      conditions.remove(call)
      if (ending !== undefined) return
      givenBytes += bytesOfOutcome(outcome)
      call.settle(outcome)
      await settle()
    },
    async receive(arrival) {
      if (ending !== undefined) return
      givenBytes += bytesOfArrival + bytesOfValues(arrival.arguments)
      enter(() => inbox.receive(arrival))
      if (inbox.readerOf(arrival.name) === 'handler') await settle()
    },
    close: () => end({ kind: 'failed', error: undefined }),
    answer: queries.answer,
    random: () => random().next(),
    uuid: () => random().uuid(),
    forget: unobserved.forget,
    get givenBytes() {
      return givenBytes
    },
  }
}

function emitSettings(options: ReplayOptions, progress: Progress): EmitSettings {
  let hasRounded = false
  return {
    taskQueue: options.run.taskQueue,
    millisecondDurations: options.capabilities.millisecondDurations,
    payloadBytesMax: options.payloadBytesMax ?? limits.payloadBytesMax,
    onRounded(what, durationMs) {
      if (hasRounded) return
      hasRounded = true
      progress.log.warn(`${what}: this server counts whole seconds, so ${durationMs} ms become 1 s.`, { durationMs })
    },
  }
}
