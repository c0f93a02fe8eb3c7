// Authored code of one run: it is started, woken, asked and ended here, and nowhere else.
//
// Owns:      the workflow function, its handlers and branches, how it ended, and what may be called when.
// Does not:  read an event. What history says arrives as outcomes and arrivals.
//
// A wake is complete when `settle` returns: microtasks are drained, conditions that hold have gone on, and so on until
// nothing moves (RP2).

import { decodeEnvelope, encodeEnvelope, type PayloadValue } from '@durable-workflow/codec'
import { limits } from '@durable-workflow/protocol'
import { inputFromArguments, validateInput, validateOutput } from '../authoring/contract.ts'
import { failsTheTask, GuardError, MissingHandlerError, RefusedError } from '../authoring/failure.ts'
import type { Place } from '../authoring/place.ts'
import type { WorkflowImplementation } from '../authoring/workflow.ts'
import type { Ahead } from './ahead.ts'
import { createContext } from './authored-context.ts'
import type { Call, Calls } from './calls.ts'
import type { TerminalCommand } from './commands.ts'
import type { Decisions } from './decisions.ts'
import type { Deferred } from './deferred.ts'
import { completeWorkflow, type EmitSettings, failWorkflow } from './emit.ts'
import type { Outcome } from './history.ts'
import type { Host, QueryHandler } from './host.ts'
import { type Mode, misuseOf } from './misuse.ts'
import type { ReplayOptions } from './options.ts'
import { infoOf, type Progress } from './progress.ts'
import { createRandom } from './random.ts'
import { bytesOfArrival, bytesOfOutcome, bytesOfValue, bytesOfValues } from './size.ts'
import { type Arrival, createConditions, createInbox, type Inbox } from './waits.ts'

export type Ending =
  | { readonly kind: 'completed'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What a replay knows of its run beside the code. */
export interface Known {
  readonly progress: Progress
  readonly calls: Calls
  readonly decisions: Decisions
  readonly ahead: Ahead
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
  const queries = new Map<string, QueryHandler>()
  const unobserved = new Map<Deferred<unknown>, { readonly label: string; readonly place: Place }>()
  const passedWaits = new Set<number>()
  const random = createRandom(run.runId)
  let randomOfQuery = random
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
    run,
    calls,
    ahead: known.ahead,
    decisions: known.decisions,
    conditions,
    inbox,
    queries,
    handles: workflow.handles,
    log: progress.log,
    info: infoOf(run, progress),
    now: progress.now,
    random: random.next,
    uuid: random.uuid,
    assertUsable(what) {
      const problem = misuseOf(what, { mode, hasEnded: ending !== undefined, isInside: options.inside?.() ?? true })
      if (problem !== undefined) throw problem
    },
    beforeFirstCall() {
      if (hasCalled) return
      hasCalled = true
      assertQueriesHandled(workflow, queries)
    },
    fault,
    given(value) {
      givenBytes += bytesOfValue(value)
    },
    track(label, place, deferred) {
      unobserved.set(deferred, { label, place })
      deferred.promise.whenObserved(() => unobserved.delete(deferred))
    },
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
      if (!hasCalled) assertQueriesHandled(workflow, queries)
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
    for (const { label, place } of unobserved.values()) {
      const where = place.location()
      const at = where === undefined ? '' : ` at ${where}`
      progress.log.warn(`${label}${at} was never awaited; its result and its failure are lost.`, {
        call: label,
        place: where,
      })
    }
    unobserved.clear()
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
    async answer(name, args) {
      const handler = queries.get(name)
      if (handler === undefined) throw unknownQuery(workflow, name, [...queries.keys()])
      const input = await validateInput(handler.query, inputFromArguments(handler.query, args))
      // A query's chance is its own: what it draws must not move the run's sequence.
      randomOfQuery = createRandom(`${run.runId}:query`)
      const answer = enter(() => handler.answer(input))
      if (answer instanceof Promise) throw asynchronousAnswer(name)
      return decodeEnvelope(encodeEnvelope(await validateOutput(handler.query, answer)))
    },
    random: () => (mode === 'answering' ? randomOfQuery : random).next(),
    uuid: () => (mode === 'answering' ? randomOfQuery : random).uuid(),
    forget: () => unobserved.clear(),
    get givenBytes() {
      return givenBytes
    },
  }
}

// A turn ends with the first microtask after its first call: code that has waited since is in another one.
function createTurns(): () => number {
  let turn = 0
  let isOpen = false
  return () => {
    if (!isOpen) {
      isOpen = true
      turn += 1
      Promise.resolve().then(() => {
        isOpen = false
      })
    }
    return turn
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

/** An output that is not data fails the run as its own error would; the runtime's errors fail the task. */
function terminalOf(settings: EmitSettings, ending: Ending): [Ending, TerminalCommand] {
  if (ending.kind === 'failed') return failureOf(settings, ending.error)
  try {
    return [ending, completeWorkflow(settings, ending.output)]
  } catch (error) {
    return failureOf(settings, error)
  }
}

function failureOf(settings: EmitSettings, error: unknown): [Ending, TerminalCommand] {
  if (failsTheTask(error)) throw error
  return [{ kind: 'failed', error }, failWorkflow(settings, error)]
}

function assertQueriesHandled(workflow: WorkflowImplementation, queries: ReadonlyMap<string, QueryHandler>): void {
  const missing = workflow.handles
    .filter(({ kind, name }) => kind === 'query' && !queries.has(name))
    .map(({ name }) => name)
  if (missing.length === 0) return
  const listed = missing.map((name) => `"${name}"`).join(', ')
  throw new MissingHandlerError(
    `Workflow "${workflow.name}" lists ${listed} in \`handles\` and has no handler before its first durable call; call ctx.handle for each first.`,
    { reason: 'query_handler_missing', facts: { workflowType: workflow.name, queries: missing } },
  )
}

function unknownQuery(workflow: WorkflowImplementation, name: string, known: readonly string[]): RefusedError {
  return new RefusedError(
    `Workflow "${workflow.name}" has no handler for query "${name}"; it answers ${known.join(', ') || 'none'}.`,
    { reason: 'rejected_unknown_query', facts: { query: name, workflowType: workflow.name, known } },
  )
}

function asynchronousAnswer(name: string): GuardError {
  return new GuardError(
    `The handler of query "${name}" returned a promise; a query answers at once from state that is already there.`,
    { reason: 'query_handler_asynchronous', facts: { query: name } },
  )
}
