import ms from 'ms'
import { ContractError } from './failure.ts'

type Unit =
  | 'ms'
  | 'msec'
  | 'msecs'
  | 'millisecond'
  | 'milliseconds'
  | 's'
  | 'sec'
  | 'secs'
  | 'second'
  | 'seconds'
  | 'm'
  | 'min'
  | 'mins'
  | 'minute'
  | 'minutes'
  | 'h'
  | 'hr'
  | 'hrs'
  | 'hour'
  | 'hours'
  | 'd'
  | 'day'
  | 'days'
  | 'w'
  | 'week'
  | 'weeks'
  | 'y'
  | 'yr'
  | 'yrs'
  | 'year'
  | 'years'

/** A length of time: milliseconds, or text in the grammar of the `ms` package (`'30s'`, `'2 days'`), checked by the compiler. */
export type Duration = number | `${number}${Unit}` | `${number} ${Unit}`

/** How failed attempts are repeated. What is left out has the value of `defaultRetry`. */
export interface RetryOptions {
  /** Attempts in all, the first included; left out: unlimited. */
  readonly maximumAttempts?: number | undefined
  /** Wait before the second attempt; default 1 s. */
  readonly initialInterval?: Duration | undefined
  /** Factor from one wait to the next, at least 1; default 2. */
  readonly backoffCoefficient?: number | undefined
  /** The longest wait; default one hundred times `initialInterval`. */
  readonly maximumInterval?: Duration | undefined
  /** Types of failure after which there is no further attempt. */
  readonly nonRetryableErrorTypes?: readonly string[] | undefined
}

/** Options of an activity: given in its contract, overridden option by option in `ctx.run`. */
export interface ActivityOptions {
  /** Where it runs; default: the workflow's own queue. */
  readonly taskQueue?: string | undefined
  /** How long an attempt may wait for a worker; default none. Passing is final: nothing is retried. */
  readonly scheduleToStartTimeout?: Duration | undefined
  /** How long one attempt may run; default none. */
  readonly startToCloseTimeout?: Duration | undefined
  /** How long all attempts and the pauses between them may take together; default none. */
  readonly scheduleToCloseTimeout?: Duration | undefined
  /** How long an attempt may go without a heartbeat of the application; default: the worker renews its lease by itself. */
  readonly heartbeatTimeout?: Duration | undefined
  /** How failed attempts are repeated; default: without end, after 1 s, 2 s, 4 s … 100 s. */
  readonly retry?: RetryOptions | undefined
}

/** A retry policy as history and the wire state it: waits in order, the last one repeats. */
export interface RetryPolicy {
  readonly attemptsMax: number
  readonly backoffMs: readonly number[]
  readonly nonRetryableErrorTypes: readonly string[]
}

/** The wire has no word for "unlimited"; this is the largest number every published SDK accepts. */
export const unlimitedAttempts = 2_147_483_647

/** Used where neither contract nor call says anything: unlimited attempts, 1 s, doubled, at most 100 s. */
export const defaultRetry = { initialIntervalMs: 1_000, backoffCoefficient: 2, maximumIntervalFactor: 100 } as const

// A coefficient a hair above 1 would otherwise expand into a list nobody can store.
const backoffEntriesMax = 1_000

/**
 * Milliseconds of a duration.
 *
 * @throws ContractError `invalid_duration` for text outside the grammar, a negative or a non-finite number
 */
export function parseDuration(duration: Duration): number {
  const value = typeof duration === 'number' ? duration : parseText(duration)
  if (Number.isFinite(value) && value >= 0) return value
  throw new ContractError(
    `Duration ${JSON.stringify(duration)} is not a length of time; write for example '30s', '2 days' or a number of milliseconds, 0 or more.`,
    { reason: 'invalid_duration', facts: { duration } },
  )
}

function parseText(text: Exclude<Duration, number>): number {
  try {
    return ms(text)
  } catch {
    // `ms` throws for empty and overlong text and answers undefined for the rest; both get our sentence.
    return Number.NaN
  }
}

/** Whole seconds that hold `durationMs`: the wire's unit, rounded up so that no wait ends early. */
export function wholeSeconds(durationMs: number): number {
  return Math.ceil(durationMs / 1_000)
}

/** Epoch milliseconds of an instant in text, or undefined where the text is none. */
export function parseInstant(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : instant
}

/** Contract options overridden by the options of one call. `retry` is taken whole: policies do not mix. */
export function mergeOptions(contract: ActivityOptions, call: ActivityOptions | undefined): ActivityOptions {
  if (call === undefined) return contract
  const given = Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined))
  return { ...contract, ...given }
}

/**
 * Expands a retry policy until its longest wait.
 *
 * @throws ContractError `invalid_retry_policy` for numbers out of range
 */
export function retryPolicy(retry: RetryOptions = {}): RetryPolicy {
  const attemptsMax = retry.maximumAttempts ?? unlimitedAttempts
  const coefficient = retry.backoffCoefficient ?? defaultRetry.backoffCoefficient
  const initialMs =
    retry.initialInterval === undefined ? defaultRetry.initialIntervalMs : parseDuration(retry.initialInterval)
  const longestMs =
    retry.maximumInterval === undefined
      ? initialMs * defaultRetry.maximumIntervalFactor
      : parseDuration(retry.maximumInterval)
  if (!Number.isInteger(attemptsMax) || attemptsMax < 1 || attemptsMax > unlimitedAttempts) {
    throw invalidRetry('maximumAttempts', attemptsMax, `a whole number from 1 to ${unlimitedAttempts}`)
  }
  if (!Number.isFinite(coefficient) || coefficient < 1)
    throw invalidRetry('backoffCoefficient', coefficient, '1 or more')
  const backoffMs = expandBackoff(initialMs, coefficient, longestMs, attemptsMax - 1)
  return { attemptsMax, backoffMs, nonRetryableErrorTypes: retry.nonRetryableErrorTypes ?? [] }
}

function expandBackoff(initialMs: number, coefficient: number, longestMs: number, waitsMax: number): readonly number[] {
  const waits: number[] = []
  let wait = initialMs
  while (waits.length < waitsMax) {
    waits.push(Math.min(Math.round(wait), longestMs))
    if (wait >= longestMs || coefficient === 1 || wait === 0) break
    if (waits.length >= backoffEntriesMax)
      throw invalidRetry('backoffCoefficient', coefficient, 'larger, or the maximumInterval smaller')
    wait *= coefficient
  }
  return waits
}

function invalidRetry(option: string, value: number, limit: string): ContractError {
  return new ContractError(`Retry option ${option} is ${value}; it must be ${limit}.`, {
    reason: 'invalid_retry_policy',
    facts: { option, value },
  })
}
