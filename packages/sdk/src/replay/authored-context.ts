// The `ctx` that authored code holds. It turns calls into commands through the few things that replay lends it.

import type { Logger, WaitOptions, WorkflowInfo } from '../authoring/context.ts'
import type { ActivityContract } from '../authoring/contract.ts'
import type { Message, Signal } from '../authoring/message.ts'
import { type ActivityOptions, type Duration, parseDuration } from '../authoring/options.ts'
import { type Place, placeOfCaller } from '../authoring/place.ts'
import { createDeferred } from './deferred.ts'
import { type Emission, emitCall, never } from './emission.ts'
import { openConditionWait, scheduleActivity, startTimer, type VersionRange } from './emit.ts'
import { join, type Member } from './group.ts'
import type { Host } from './host.ts'
import { sideEffect, versionOf } from './markers.ts'
import { assertDeclared, handleSignal, messagesOf, signalWait } from './signals.ts'

/** What `ctx` is at run time; its types are `WorkflowContext`, checked where authored code is compiled. */
export interface AuthoredContext {
  run(activity: ActivityContract, ...args: readonly unknown[]): Promise<unknown>
  sleep(duration: Duration): Promise<unknown>
  sleepUntil(instant: { getTime(): number }): Promise<unknown>
  waitFor(signal: Signal, options?: WaitOptions): Promise<unknown>
  messages(signal: Signal): AsyncIterableIterator<unknown>
  condition(predicate: () => boolean, options?: WaitOptions): Promise<unknown>
  handle(message: Message, handler: (input: unknown) => unknown): void
  all(members: Iterable<unknown>): Promise<unknown>
  sideEffect(name: string, fn: () => unknown): Promise<unknown>
  version(changeId: string, range: Partial<VersionRange>): number
  now(): number
  random(): number
  uuid(): string
  readonly log: Logger
  readonly info: WorkflowInfo
}

export function createContext(host: Host): AuthoredContext {
  const members = new WeakMap<object, Member>()
  const promiseOf = (emission: Emission): Promise<unknown> => emitCall(host, emission)?.deferred.promise ?? never()
  const memberOf = (emission: Emission): Promise<unknown> => {
    const emitted = emitCall(host, emission)
    if (emitted === undefined) return never()
    const { promise } = emitted.deferred
    members.set(promise, { calls: [emitted.call], depths: [0], turn: host.turn() })
    return promise
  }

  const context: AuthoredContext = {
    run(activity, ...args) {
      const hasInput = activity.input !== undefined
      const input = hasInput ? args[0] : undefined
      const options = optionsOf(args[hasInput ? 1 : 0])
      return memberOf({
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
    sleep: (duration) => memberOf(timer(host, 'ctx.sleep', parseDuration(duration), placeOfCaller(context.sleep))),
    sleepUntil(instant) {
      const delayMs = parseDuration(Math.max(0, instant.getTime() - host.now()))
      return memberOf(timer(host, 'ctx.sleepUntil', delayMs, placeOfCaller(context.sleepUntil)))
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
      const emitted = emitCall(host, {
        what: 'ctx.condition',
        shape: 'condition wait',
        place,
        command: (step) => openConditionWait(host.settings, step, options?.timeout),
        receive: () => false,
      })
      if (emitted === undefined) return never()
      const { promise, resolve, reject } = emitted.deferred
      host.conditions.add({ call: emitted.call, predicate, answer: resolve, fail: reject })
      return promise
    },
    all(given) {
      const place = placeOfCaller(context.all)
      host.assertUsable('ctx.all')
      const promises = [...given]
      const found = promises.map((promise) => (isObject(promise) ? members.get(promise) : undefined))
      const joined = join(host.calls, host.ahead, found, host.turn())
      const deferred = createDeferred<unknown>()
      members.set(deferred.promise, joined)
      host.track('ctx.all', place, deferred)
      allEnded(promises).then(deferred.resolve, deferred.reject)
      return deferred.promise
    },
    sideEffect: (name, fn) => sideEffect(host, name, fn, placeOfCaller(context.sideEffect)),
    version: (changeId, range) => versionOf(host, changeId, range, placeOfCaller(context.version)),
    handle(message, handler) {
      host.assertUsable('ctx.handle')
      assertDeclared(host, message)
      if (message.kind === 'query') host.queries.handle(message, handler)
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

/** The results in declaration order, once all have ended; the failure that is declared first wins. */
async function allEnded(promises: readonly unknown[]): Promise<readonly unknown[]> {
  const ends = await Promise.allSettled(promises)
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
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

function optionsOf(value: unknown): ActivityOptions | undefined {
  return isOptions(value) ? value : undefined
}

function isOptions(value: unknown): value is ActivityOptions {
  return typeof value === 'object' && value !== null
}
