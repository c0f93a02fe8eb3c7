// Every error of this package: one base, a stable reason, facts, the next step to take.
//
// The brand is a registered symbol, so that two copies of the package (ESM beside CJS) recognise each other's errors.

const brand: unique symbol = Symbol.for('durable-workflow.error')

/** What the text of an error is made from. */
export type ErrorFacts = Readonly<Record<string, unknown>>

export interface ErrorOptions {
  /** Stable, snake_case; what programs compare. */
  readonly reason: string
  readonly facts?: ErrorFacts | undefined
  /** The next step to take, as a sentence. */
  readonly remedy?: string | undefined
  readonly cause?: unknown
}

/** Base of all errors of the SDK. `X.is(error)` narrows and works across module copies. */
export class DurableWorkflowError extends Error {
  static readonly brandName: string = 'DurableWorkflowError'
  readonly [brand]: readonly string[]
  readonly reason: string
  readonly facts: ErrorFacts
  readonly remedy: string | undefined

  constructor(message: string, options: ErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    const own = Object.hasOwn(new.target, 'brandName')
    this[brand] = [...new Set([DurableWorkflowError.brandName, new.target.brandName])]
    this.name = own ? new.target.brandName : new.target.name
    this.reason = options.reason
    this.facts = options.facts ?? {}
    this.remedy = options.remedy
  }

  /** True for an error of this class or of a class derived from it, whichever copy of the package made it. */
  static is<T extends DurableWorkflowError>(
    this: (abstract new (...args: never[]) => T) & { readonly brandName: string },
    error: unknown,
  ): error is T {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the class that was asked, so that every subclass has its own answer.
    return brandsOf(error).includes(this.brandName)
  }
}

function brandsOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error) || !(brand in error)) return []
  const names: unknown = error[brand]
  return Array.isArray(names) ? names : []
}

/** What history or a reply knows about a failure of authored code. */
export interface FailureDetail {
  /** Name of the error where it was thrown, possibly in another language. */
  readonly type?: string | undefined
  readonly details?: unknown
  readonly nonRetryable?: boolean | undefined
  readonly cause?: unknown
  readonly facts?: ErrorFacts | undefined
}

/**
 * An activity ended in failure: its retries are used up, or the failure was not retryable.
 *
 * `message` and `type` are those of the error that the activity threw; `facts` name activity, step, attempt and execution.
 */
export class ActivityFailure extends DurableWorkflowError {
  static override readonly brandName: string = 'ActivityFailure'
  readonly activityType: string
  readonly type: string
  readonly details: unknown
  readonly nonRetryable: boolean

  constructor(message: string, detail: FailureDetail & { readonly activityType: string }) {
    super(message, { reason: 'activity_failed', facts: detail.facts, cause: detail.cause })
    this.activityType = detail.activityType
    this.type = detail.type ?? 'Error'
    this.details = detail.details
    this.nonRetryable = detail.nonRetryable ?? false
  }
}

/** Which time limit of an activity or a run passed. */
export type TimeoutKind =
  | 'schedule_to_start'
  | 'start_to_close'
  | 'schedule_to_close'
  | 'heartbeat'
  | 'execution_timeout'
  | 'run_timeout'

/** A time limit passed; `kind` says which. Kinds this version does not know are kept as they came. */
export class TimeoutFailure extends DurableWorkflowError {
  static override readonly brandName: string = 'TimeoutFailure'
  readonly kind: TimeoutKind | (string & {})
  readonly type: string

  constructor(message: string, detail: FailureDetail & { readonly kind: string }) {
    super(message, { reason: 'timed_out', facts: detail.facts, cause: detail.cause })
    this.kind = detail.kind
    this.type = detail.type ?? 'TimeoutFailure'
  }
}

/** An activity or a run ended because it was cancelled or terminated. */
export class CancellationFailure extends DurableWorkflowError {
  static override readonly brandName: string = 'CancellationFailure'
  readonly type: string

  constructor(message: string, detail: FailureDetail = {}) {
    super(message, { reason: 'cancelled', facts: detail.facts, cause: detail.cause })
    this.type = detail.type ?? 'CancellationFailure'
  }
}

/**
 * What authored code throws to fail its run, and what `result()` throws for a run that failed.
 *
 * @example
 * throw new WorkflowFailure('nobody approved', { type: 'ApprovalTimeout' })
 */
export class WorkflowFailure extends DurableWorkflowError {
  static override readonly brandName: string = 'WorkflowFailure'
  readonly type: string
  readonly details: unknown
  readonly nonRetryable: boolean

  constructor(message: string, detail: FailureDetail = {}) {
    super(message, { reason: 'workflow_failed', facts: detail.facts, cause: detail.cause })
    this.type = detail.type ?? this.name
    this.details = detail.details
    this.nonRetryable = detail.nonRetryable ?? false
  }
}

/** Replayed code made another call than the one in history. Fails the workflow task, never the run. */
export class NonDeterminismError extends DurableWorkflowError {
  static override readonly brandName: string = 'NonDeterminismError'
}

/** A call that workflow code must not make, with the place and what to use instead. Fails the workflow task, never the run. */
export class GuardError extends DurableWorkflowError {
  static override readonly brandName: string = 'GuardError'
}

/** A query that the contract lists in `handles` has no handler yet at the first durable call. Fails the workflow task. */
export class MissingHandlerError extends DurableWorkflowError {
  static override readonly brandName: string = 'MissingHandlerError'
}

/** An encoded payload is above the limit; nothing was sent. Fails the workflow task, never the run. */
export class PayloadTooLargeError extends DurableWorkflowError {
  static override readonly brandName: string = 'PayloadTooLargeError'
}

/** A completion would be above a limit that the server states; nothing was sent. Fails the workflow task, never the run. */
export class StructuralLimitError extends DurableWorkflowError {
  static override readonly brandName: string = 'StructuralLimitError'
}

/** A value does not fit its contract, or an option is out of its range. `facts.issues` lists what the schema said. */
export class ContractError extends DurableWorkflowError {
  static override readonly brandName: string = 'ContractError'
}

/** The server said no and recorded nothing (`recorded: false`). */
export class RefusedError extends DurableWorkflowError {
  static override readonly brandName: string = 'RefusedError'
  readonly recorded = false
}

/** The server could not be reached, or its answer could not be read: what happened there is not known. */
export class TransportError extends DurableWorkflowError {
  static override readonly brandName: string = 'TransportError'
}

/** True for the runtime's own errors: they fail the workflow task, so that the run stays open for corrected code. */
export function failsTheTask(error: unknown): boolean {
  return (
    NonDeterminismError.is(error) ||
    GuardError.is(error) ||
    MissingHandlerError.is(error) ||
    PayloadTooLargeError.is(error) ||
    StructuralLimitError.is(error)
  )
}
