// Events of history as the few facts that replay acts on. Reading never looks at authored code.
import { decodeArguments, decodeEnvelope, type PayloadValue, requirePayloadCodec } from '@durable-workflow/codec'
import { ActivityFailure, CancellationFailure, TimeoutFailure } from '../authoring/failure.ts'
import { detailsOf, failureFromWire } from '../authoring/failure-wire.ts'
import { parseInstant } from '../authoring/options.ts'

export type Shape =
  | 'activity'
  | 'timer'
  | 'signal wait'
  | 'condition wait'
  | 'child workflow'
  | 'side effect'
  | 'version marker'
  | 'memo upsert'
  | 'search attributes upsert'
  | 'service operation'

export type Fields = Readonly<Record<string, unknown>>

export type Outcome =
  | { readonly kind: 'value'; readonly value: PayloadValue }
  | { readonly kind: 'failure'; readonly error: Error }
  | { readonly kind: 'signal'; readonly signalId: string | undefined; readonly arguments: readonly PayloadValue[] }
  | { readonly kind: 'fired' }
  | { readonly kind: 'timed out' }

export type Fact =
  | { readonly kind: 'started' }
  | { readonly kind: 'opened'; readonly shape: Shape }
  | { readonly kind: 'resolved'; readonly shape: Shape; readonly outcome: Outcome }
  | { readonly kind: 'side effect'; readonly value: PayloadValue }
  | {
      readonly kind: 'version marker'
      readonly changeId: string
      /** Undefined where the row holds no whole number within its own range. */
      readonly version: number | undefined
    }
  | { readonly kind: 'timer of a wait' }
  | { readonly kind: 'timeout of a wait' }
  | { readonly kind: 'wait satisfied' }
  | {
      readonly kind: 'signal'
      readonly name: string
      readonly signalId: string | undefined
      readonly arguments: readonly PayloadValue[]
    }
  | { readonly kind: 'ended'; readonly by: 'complete_workflow' | 'fail_workflow' | 'other' }
  | { readonly kind: 'nothing' }

/** One event, read. */
export interface Entry {
  readonly type: string
  readonly fields: Fields
  /** The step that the event belongs to; undefined where the event names none. */
  readonly step: number | undefined
  /** Position in history; undefined where the event names none. */
  readonly position: number | undefined
  /** Epoch ms. */
  readonly recordedAt: number | undefined
  readonly fact: Fact
}

/**
 * Reads one event.
 *
 * Types and payload keys that this version does not know are kept and have no effect.
 *
 * @throws CodecError for a payload that cannot be read: the task fails, also when no code asks for the value
 * @source protocol sheets: published/python-replay.md §1, published/rust-worker.md §8.1
 */
export function readEvent(event: unknown): Entry {
  const row = fieldsOf(event)
  const type = text(row, 'event_type') ?? text(row, 'type') ?? ''
  const fields = fieldsOf(row.payload)
  return {
    type,
    fields,
    step: stepOf(fields),
    position: number(row, 'sequence'),
    recordedAt: instantOf(type, row, fields),
    fact: factOf(type, fields),
  }
}

/** The kind of call that an event opens or ends; undefined for what belongs to none. */
export function shapeOpened(fact: Fact): Shape | undefined {
  switch (fact.kind) {
    case 'opened':
    case 'resolved':
      return fact.shape
    case 'side effect':
    case 'version marker':
      return fact.kind
    default:
      return undefined
  }
}

/** True for events that a completed workflow task wrote: code that ran before them is known history. */
export function isWrittenByTask(type: string): boolean {
  return writtenByTask.has(type) || (openings.has(type) && type !== 'ActivityStarted' && type !== 'ChildRunStarted')
}

const writtenByTask: ReadonlySet<string> = new Set([
  'SideEffectRecorded',
  'VersionMarkerRecorded',
  'WorkflowCompleted',
  'WorkflowFailed',
  'WorkflowContinuedAsNew',
])

const openings: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['ActivityScheduled', 'activity'],
  ['ActivityStarted', 'activity'],
  ['TimerScheduled', 'timer'],
  ['SignalWaitOpened', 'signal wait'],
  ['ConditionWaitOpened', 'condition wait'],
  ['ChildWorkflowScheduled', 'child workflow'],
  ['ChildRunStarted', 'child workflow'],
  ['MemoUpserted', 'memo upsert'],
  ['SearchAttributesUpserted', 'search attributes upsert'],
  ['ServiceCallStarted', 'service operation'],
])

function factOf(type: string, fields: Fields): Fact {
  switch (type) {
    case 'WorkflowStarted':
      if (typeof fields.payload_codec === 'string') requirePayloadCodec(fields.payload_codec)
      return { kind: 'started' }
    case 'ActivityCompleted':
      return resolved('activity', { kind: 'value', value: resultOf(fields) })
    case 'ActivityFailed':
    case 'ActivityTimedOut':
    case 'ActivityCancelled':
      return resolved('activity', { kind: 'failure', error: activityFailure(type, fields) })
    case 'SideEffectRecorded':
      return { kind: 'side effect', value: resultOf(fields) }
    case 'VersionMarkerRecorded':
      return { kind: 'version marker', changeId: text(fields, 'change_id') ?? '', version: versionOf(fields) }
    case 'TimerScheduled':
      return isTimerOfWait(fields) ? { kind: 'timer of a wait' } : { kind: 'opened', shape: 'timer' }
    case 'TimerFired':
      return isTimerOfWait(fields) ? { kind: 'timeout of a wait' } : resolved('timer', { kind: 'fired' })
    case 'ConditionWaitTimedOut':
      return { kind: 'timeout of a wait' }
    // Not what ends the wait here: the predicate does, over the same history.
    case 'ConditionWaitSatisfied':
      return { kind: 'wait satisfied' }
    case 'SignalReceived':
      return {
        kind: 'signal',
        name: text(fields, 'signal_name') ?? '',
        signalId: text(fields, 'signal_id'),
        arguments: signalArguments(fields),
      }
    case 'SignalApplied':
      return isAppliedWithoutWait(fields) ? { kind: 'nothing' } : resolved('signal wait', appliedSignal(fields))
    case 'WorkflowCompleted':
      return { kind: 'ended', by: 'complete_workflow' }
    case 'WorkflowFailed':
      return { kind: 'ended', by: 'fail_workflow' }
    case 'WorkflowContinuedAsNew':
    case 'WorkflowCancelled':
    case 'WorkflowTerminated':
    case 'WorkflowTimedOut':
      return { kind: 'ended', by: 'other' }
    default: {
      const shape = openings.get(type)
      return shape === undefined ? { kind: 'nothing' } : { kind: 'opened', shape }
    }
  }
}

function resolved(shape: Shape, outcome: Outcome): Fact {
  return { kind: 'resolved', shape, outcome }
}

// A signal that no wait took carries no step; its position in history is not one (published/rust-worker.md §8.2).
function isAppliedWithoutWait(fields: Fields): boolean {
  return stepOf(fields) === undefined && (text(fields, 'signal_wait_id') ?? '').startsWith('signal-command:')
}

function isTimerOfWait(fields: Fields): boolean {
  const kind = text(fields, 'timer_kind')
  if (kind === 'condition_timeout' || kind === 'signal_timeout') return true
  return text(fields, 'condition_wait_id') !== undefined || text(fields, 'signal_wait_id') !== undefined
}

function versionOf({ version, min_supported: min, max_supported: max }: Fields): number | undefined {
  if (!isWhole(version) || !isWhole(min) || !isWhole(max)) return undefined
  return min <= version && version <= max ? version : undefined
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value)
}

function resultOf(fields: Fields): PayloadValue {
  checkCodec(fields)
  return decodeEnvelope('result' in fields ? fields.result : fields.output)
}

// The first present key wins, a null there included (published/rust-worker.md §8.1).
function signalArguments(fields: Fields): readonly PayloadValue[] {
  checkCodec(fields)
  const key = ['value', 'input', 'arguments'].find((candidate) => candidate in fields)
  return key === undefined ? [] : decodeArguments(fields[key])
}

function appliedSignal(fields: Fields): Outcome {
  return { kind: 'signal', signalId: text(fields, 'signal_id'), arguments: signalArguments(fields) }
}

function checkCodec(fields: Fields): void {
  // Absent means the task's codec, which was checked before; present but null is refused, as the published SDKs do.
  if ('payload_codec' in fields) requirePayloadCodec(fields.payload_codec)
}

function activityFailure(type: string, fields: Fields): Error {
  const exception = fieldsOf(fields.exception)
  const activityType = activityTypeOf(fields) ?? 'unknown'
  const message =
    text(fields, 'message') ?? text(exception, 'message') ?? `activity "${activityType}" ${endings.get(type)}`
  const foreignType =
    text(fields, 'exception_type') ??
    text(exception, 'type') ??
    text(fields, 'exception_class') ??
    text(exception, 'class')
  const cause = exception.cause === undefined || exception.cause === null ? undefined : failureFromWire(exception.cause)
  const facts = activityFacts(activityType, fields)
  if (type === 'ActivityCancelled') return new CancellationFailure(message, { type: foreignType, cause, facts })
  if (type === 'ActivityTimedOut') {
    return new TimeoutFailure(message, {
      kind: text(fields, 'timeout_kind') ?? 'unknown',
      type: foreignType,
      cause,
      facts,
    })
  }
  const nonRetryable = fields.non_retryable === true || exception.non_retryable === true
  return new ActivityFailure(message, {
    activityType,
    type: foreignType,
    details: detailsOf(exception),
    nonRetryable,
    cause,
    facts,
  })
}

const endings: ReadonlyMap<string, string> = new Map([
  ['ActivityFailed', 'failed'],
  ['ActivityTimedOut', 'timed out'],
  ['ActivityCancelled', 'was cancelled'],
])

function activityFacts(activityType: string, fields: Fields): Fields {
  const facts = {
    activityType,
    step: stepOf(fields),
    activityExecutionId: text(fields, 'activity_execution_id'),
    activityAttemptId: text(fields, 'activity_attempt_id'),
    attempt: number(fields, 'attempt_number'),
    failureId: text(fields, 'failure_id'),
    category: text(fields, 'failure_category'),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

/** The activity type an event names, in any of the places where servers wrote it. */
export function activityTypeOf(fields: Fields): string | undefined {
  const snapshot = fieldsOf(fields.activity)
  return (
    text(fields, 'activity_type') ??
    text(fields, 'activity_name') ??
    text(snapshot, 'activity_type') ??
    text(snapshot, 'activity_name') ??
    text(snapshot, 'type') ??
    text(snapshot, 'name')
  )
}

function stepOf(fields: Fields): number | undefined {
  return number(fields, 'sequence') ?? number(fields, 'workflow_sequence')
}

// The start's own timestamp wins over the row's (published/python-replay.md §1).
function instantOf(type: string, row: Fields, fields: Fields): number | undefined {
  const started = type === 'WorkflowStarted' ? parseInstant(fields.timestamp) : undefined
  return started ?? parseInstant(row.recorded_at) ?? parseInstant(row.timestamp)
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function text(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A whole number above zero, also written as digits. */
export function number(fields: Fields, key: string): number | undefined {
  const value = fields[key]
  const parsed = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) && parsed > 0 ? parsed : undefined
}
