// The `ctx` that authored code holds. It turns calls into commands through the few things that replay lends it.

import type { Logger, WaitOptions, WorkflowInfo } from '../authoring/context.ts'
import { type ActivityContract, inputFromArguments, validateInput } from '../authoring/contract.ts'
import { ContractError, GuardError } from '../authoring/failure.ts'
import type { Message, Query, Signal } from '../authoring/message.ts'
import { type ActivityOptions, type Duration, parseDuration } from '../authoring/options.ts'
import { type Place, placeOfCaller } from '../authoring/place.ts'
import type { Call, Calls } from './calls.ts'
import type { StepCommand } from './commands.ts'
import { createDeferred, type Deferred } from './deferred.ts'
import { type EmitSettings, openConditionWait, openSignalWait, scheduleActivity, startTimer } from './emit.ts'
import type { Outcome, Shape } from './history.ts'
import type { Arrival, Conditions, Inbox } from './waits.ts'

/** What replay lends to the context of one run. */
export interface Host {
  readonly settings: EmitSettings
  readonly calls: Calls
  readonly conditions: Conditions
  readonly inbox: Inbox
  readonly queries: Map<string, QueryHandler>
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
  /** Keeps a promise in mind until somebody waits for it. */
  track(label: string, place: Place, deferred: Deferred<unknown>): void
  /** Asks a predicate as authored code that may not call `ctx`. */
  ask(predicate: () => boolean): boolean
  /** Runs a signal handler as a branch of the run; what it throws fails the run. */
  branch(work: () => Promise<void>): void
}

export interface QueryHandler {
  readonly query: Query
  readonly answer: (input: unknown) => unknown
}

/** What `ctx` is at run time; its types are `WorkflowContext`, checked where authored code is compiled. */
export interface AuthoredContext {
  run(activity: ActivityContract, ...args: readonly unknown[]): Promise<unknown>
  sleep(duration: Duration): Promise<unknown>
  sleepUntil(instant: { getTime(): number }): Promise<unknown>
  waitFor(signal: Signal, options?: WaitOptions): Promise<unknown>
  messages(signal: Signal): AsyncIterableIterator<unknown>
  condition(predicate: () => boolean, options?: WaitOptions): Promise<unknown>
  handle(message: Message, handler: (input: unknown) => unknown): void
  now(): number
  random(): number
  uuid(): string
  readonly log: Logger
  readonly info: WorkflowInfo
}

interface Emission {
  readonly what: string
  readonly shape: Shape
  readonly place: Place
  readonly command: (step: number) => StepCommand
  /** The value authored code receives for an outcome of history. */
  readonly receive: (outcome: Outcome) => unknown
}

export function createContext(host: Host): AuthoredContext {
  const emit = (emission: Emission): Call | undefined => emitCall(host, emission)
  const promiseOf = (emission: Emission): Promise<unknown> => emit(emission)?.deferred.promise ?? never()

  const context: AuthoredContext = {
    run(activity, ...args) {
      const hasInput = activity.input !== undefined
      const input = hasInput ? args[0] : undefined
      const options = optionsOf(args[hasInput ? 1 : 0])
      return promiseOf({
        what: `ctx.run(${activity.name})`,
        shape: 'activity',
        place: placeOfCaller(context.run),
        command: () => scheduleActivity(host.settings, activity, input, options),
        receive: (outcome) => {
          if (outcome.kind === 'failure') throw outcome.error
          return outcome.kind === 'value' && activity.output !== undefined ? outcome.value : undefined
        },
      })
    },
    sleep: (duration) => promiseOf(timer(host, 'ctx.sleep', parseDuration(duration), placeOfCaller(context.sleep))),
    sleepUntil(instant) {
      const delayMs = parseDuration(Math.max(0, instant.getTime() - host.now()))
      return promiseOf(timer(host, 'ctx.sleepUntil', delayMs, placeOfCaller(context.sleepUntil)))
    },
    waitFor: (signal, options) => promiseOf(signalWait(host, signal, options, placeOfCaller(context.waitFor))),
    messages(signal) {
      const place = placeOfCaller(context.messages)
      return messagesOf(() => promiseOf(signalWait(host, signal, undefined, place)))
    },
    condition(predicate, options) {
      const place = placeOfCaller(context.condition)
      host.assertUsable('ctx.condition')
      if (host.ask(predicate)) return Promise.resolve(true)
      const call = emit({
        what: 'ctx.condition',
        shape: 'condition wait',
        place,
        command: (step) => openConditionWait(host.settings, step, options?.timeout),
        receive: () => false,
      })
      if (call === undefined) return never()
      const { resolve, reject } = call.deferred
      host.conditions.add({ call, predicate, answer: resolve, fail: reject })
      return call.deferred.promise
    },
    handle(message, handler) {
      host.assertUsable('ctx.handle')
      assertDeclared(host, message)
      if (message.kind === 'query') host.queries.set(message.name, { query: message, answer: handler })
      else handleSignal(host, message, handler)
    },
    now: host.now,
    random() {
      host.assertUsable('ctx.random')
      return host.random()
    },
    uuid() {
      host.assertUsable('ctx.uuid')
      return host.uuid()
    },
    log: host.log,
    info: host.info,
  }
  return context
}

function emitCall(host: Host, { what, shape, place, command, receive }: Emission): Call | undefined {
  host.assertUsable(what)
  try {
    host.beforeFirstCall()
    const step = host.calls.nextStep()
    const deferred = createDeferred<unknown>()
    const call: Call = {
      step,
      shape,
      label: what,
      place,
      command: command(step),
      deferred,
      settle: settler(deferred, receive),
    }
    host.calls.add(call)
    host.track(what, place, deferred)
    return call
  } catch (error) {
    if (!host.fault(error)) throw error
    return undefined
  }
}

function settler(deferred: Deferred<unknown>, receive: (outcome: Outcome) => unknown): (outcome: Outcome) => void {
  return (outcome) => {
    try {
      deferred.resolve(receive(outcome))
    } catch (error) {
      // The failure that history recorded: it goes to the code that waits for the call.
      deferred.reject(error)
    }
  }
}

function timer(host: Host, what: string, delayMs: number, place: Place): Emission {
  return {
    what,
    shape: 'timer',
    place,
    command: () => startTimer(host.settings, delayMs),
    receive: () => undefined,
  }
}

function signalWait(host: Host, signal: Signal, options: WaitOptions | undefined, place: Place): Emission {
  assertDeclared(host, signal)
  if (host.inbox.readerOf(signal.name) === 'handler') throw bothReaders(signal.name)
  host.inbox.waitFor(signal.name)
  return {
    what: `ctx.waitFor(${signal.name})`,
    shape: 'signal wait',
    place,
    command: () => openSignalWait(host.settings, signal.name, options?.timeout),
    receive: (outcome) =>
      outcome.kind === 'signal' ? validateInput(signal, inputFromArguments(signal, outcome.arguments)) : undefined,
  }
}

async function* messagesOf(next: () => Promise<unknown>): AsyncGenerator<unknown, undefined> {
  while (true) yield await next()
}

function handleSignal(host: Host, signal: Signal, handler: (input: unknown) => unknown): void {
  if (host.inbox.readerOf(signal.name) === 'wait') throw bothReaders(signal.name)
  const read = (arrival: Arrival) => host.branch(() => deliver(host, signal, handler, arrival))
  for (const arrival of host.inbox.handle(signal.name, read)) read(arrival)
}

// A message from outside that does not fit its contract must not end the run: it is reported and left out.
async function deliver(
  host: Host,
  signal: Signal,
  handler: (input: unknown) => unknown,
  arrival: Arrival,
): Promise<void> {
  const input = inputFromArguments(signal, arrival.arguments)
  const payload = await validateInput(signal, input).catch((error: unknown) => {
    if (!ContractError.is(error)) throw error
    host.log.error(`Signal "${signal.name}" was left out: ${error.message}`, {
      signalId: arrival.signalId,
      reason: error.reason,
    })
    return refused
  })
  if (payload !== refused) await handler(payload)
}

const refused = Symbol('refused')

function assertDeclared(host: Host, message: Message): void {
  if (host.handles.some((declared) => declared.kind === message.kind && declared.name === message.name)) return
  throw new ContractError(
    `The ${message.kind} "${message.name}" is not in \`handles\` of workflow "${host.info.workflowType}"; add it to the contract.`,
    { reason: 'message_not_declared', facts: { kind: message.kind, name: message.name } },
  )
}

function bothReaders(name: string): GuardError {
  return new GuardError(
    `Signal "${name}" has a handler and is waited for; a signal is read in one way. Use ctx.handle or ctx.waitFor, not both.`,
    { reason: 'signal_handled_and_awaited', facts: { signal: name } },
  )
}

function optionsOf(value: unknown): ActivityOptions | undefined {
  return isOptions(value) ? value : undefined
}

function isOptions(value: unknown): value is ActivityOptions {
  return typeof value === 'object' && value !== null
}

/** A call whose task has failed already: nothing may go on after it. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}
