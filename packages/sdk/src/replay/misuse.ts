// Calls of `ctx` from where they cannot be durable, and what to do instead.
import { GuardError } from '../authoring/failure.ts'

/**
 * What a replay is doing: nothing, advancing authored code, asking a predicate, computing a side effect, answering a query,
 * or nothing ever again.
 */
export type Mode = 'idle' | 'stepping' | 'asking' | 'computing' | 'answering' | 'disposed'

interface Caller {
  readonly mode: Mode
  readonly hasEnded: boolean
  /** Whether the call comes from this run's own code. */
  readonly isInside: boolean
}

/** The error for a call of `what`, or undefined where the call is allowed. */
export function misuseOf(what: string, { mode, hasEnded, isInside }: Caller): GuardError | undefined {
  if (mode === 'answering') {
    return refuse(
      what,
      'context_in_query',
      'was called by a query handler',
      'Return state that the workflow keeps in its own variables.',
    )
  }
  if (mode === 'asking') {
    return refuse(
      what,
      'context_in_predicate',
      'was called by the predicate of ctx.condition',
      'Compute the value before and let the predicate read a variable.',
    )
  }
  if (mode === 'computing') {
    return refuse(
      what,
      'context_in_side_effect',
      'was called by the function of ctx.sideEffect',
      'Call it before, and let the function compute with what it returned.',
    )
  }
  if (hasEnded || mode === 'disposed') {
    return refuse(
      what,
      'context_after_end',
      'was called after the workflow function had ended',
      'Await every durable call before the function returns.',
    )
  }
  if (mode === 'idle' || !isInside) {
    return refuse(
      what,
      'context_of_another_run',
      'was called by code that is not this run',
      'Use the `ctx` of the function that runs; never keep one in a variable outside of it.',
    )
  }
  return undefined
}

function refuse(what: string, reason: string, how: string, remedy: string): GuardError {
  return new GuardError(`${what} ${how}, where nothing can be recorded. ${remedy}`, {
    reason,
    facts: { call: what },
    remedy,
  })
}

/** A replay was asked for something while it was busy or after it had failed: the worker's mistake. */
export function notIdle(mode: Mode, runId: string): GuardError {
  return new GuardError(
    `The replay of run ${runId} is ${mode}; it takes one step or query at a time and nothing after a failure. Replay from history.`,
    {
      reason: 'replay_not_idle',
      facts: { runId, mode },
    },
  )
}
