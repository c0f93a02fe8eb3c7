// One durable call of authored code: it takes its step, leaves a command, and has a promise.

import type { Place } from '../authoring/place.ts'
import type { Call } from './calls.ts'
import type { StepCommand } from './commands.ts'
import { createDeferred, type Deferred } from './deferred.ts'
import type { Outcome, Shape } from './history.ts'
import type { Host } from './host.ts'

/** A durable call as it is written down. */
export interface Emission {
  readonly what: string
  readonly shape: Shape
  readonly place: Place
  readonly command: (step: number) => StepCommand
  /** The value authored code receives for an outcome of history. */
  readonly receive: (outcome: Outcome) => unknown
}

export interface Emitted {
  readonly call: Call
  readonly deferred: Deferred<unknown>
}

/**
 * Makes the call.
 *
 * @returns undefined when an error of the runtime's own fails the task: nothing may go on after it
 */
export function emitCall(host: Host, { what, shape, place, command, receive }: Emission): Emitted | undefined {
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
      groups: [],
      settle: settler(deferred, receive),
    }
    host.calls.add(call)
    host.track(what, place, deferred)
    return { call, deferred }
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

/** A call whose task has failed already, or that nothing can be recorded for: nothing goes on after it. */
export function never(): Promise<never> {
  return new Promise(() => undefined)
}
