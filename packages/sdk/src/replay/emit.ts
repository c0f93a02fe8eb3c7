// Authored calls as wire commands. Pure: the same call gives the same bytes.
import { type Envelope, encodeArguments, encodeEnvelope, envelopeBytes } from '@durable-workflow/codec'
import { type ActivityContract, argumentsFromInput } from '../authoring/contract.ts'
import {
  ActivityFailure,
  CancellationFailure,
  ContractError,
  PayloadTooLargeError,
  TimeoutFailure,
} from '../authoring/failure.ts'
import {
  classOf,
  cut,
  failureToWire,
  messageLengthMax,
  messageOf,
  type WireFailure,
} from '../authoring/failure-wire.ts'
import {
  type ActivityOptions,
  type Duration,
  mergeOptions,
  parseDuration,
  retryPolicy,
  wholeSeconds,
} from '../authoring/options.ts'
import type {
  CompleteWorkflow,
  FailWorkflow,
  OpenConditionWait,
  OpenSignalWait,
  RecordedException,
  RecordSideEffect,
  RecordVersionMarker,
  RetryPolicyField,
  ScheduleActivity,
  StartTimer,
} from './commands.ts'

export interface EmitSettings {
  /** The run's own queue: where activities go that name none. */
  readonly taskQueue: string
  /** The server reads the exact `…_ms` fields beside the whole seconds. */
  readonly millisecondDurations: boolean
  /** Bytes of one encoded payload. */
  readonly payloadBytesMax: number
  /** Called for a duration below a second that a server without milliseconds will stretch. */
  readonly onRounded: (what: string, durationMs: number) => void
}

/** The versions of a change that the code still runs. */
export interface VersionRange {
  readonly min: number
  readonly max: number
}

/** @source sdk-api "On the wire"; published/python-replay.md §2.1 */
export function scheduleActivity(
  settings: EmitSettings,
  contract: ActivityContract,
  input: unknown,
  call: ActivityOptions | undefined,
): ScheduleActivity {
  const options = mergeOptions(contract.options, call)
  const limits = timeouts(contract.name, options)
  const what = `activity "${contract.name}"`
  const payload = encodeArguments(argumentsFromInput(contract, input))
  return {
    type: 'schedule_activity',
    activity_type: contract.name,
    queue: options.taskQueue ?? settings.taskQueue,
    arguments: withinLimit(settings, `the arguments of ${what}`, payload),
    ...inSeconds(settings, 'start_to_close_timeout', what, limits.startToClose),
    ...inSeconds(settings, 'schedule_to_start_timeout', what, limits.scheduleToStart),
    ...inSeconds(settings, 'schedule_to_close_timeout', what, limits.scheduleToClose),
    ...inSeconds(settings, 'heartbeat_timeout', what, limits.heartbeat),
    retry_policy: retryField(settings, options),
  }
}

export function startTimer(settings: EmitSettings, delayMs: number): StartTimer {
  const exact = exactMs(settings, 'ctx.sleep', delayMs)
  return {
    type: 'start_timer',
    delay_seconds: wholeSeconds(delayMs),
    ...(exact === undefined ? {} : { delay_ms: exact }),
  }
}

export function openSignalWait(
  settings: EmitSettings,
  signalName: string,
  timeout: Duration | undefined,
): OpenSignalWait {
  return { type: 'open_signal_wait', signal_name: signalName, ...waitTimeout(settings, 'ctx.waitFor', timeout) }
}

/** `condition_key` is the call's step number: it identifies the wait in every later replay of the same code. */
export function openConditionWait(
  settings: EmitSettings,
  step: number,
  timeout: Duration | undefined,
): OpenConditionWait {
  return {
    type: 'open_condition_wait',
    condition_key: String(step),
    ...waitTimeout(settings, 'ctx.condition', timeout),
  }
}

/** @throws PayloadTooLargeError, CodecError for a value that is not data */
export function recordSideEffect(settings: EmitSettings, name: string, value: unknown): RecordSideEffect {
  const what = `the result of side effect "${name}"`
  return { type: 'record_side_effect', result: withinLimit(settings, what, encodeEnvelope(value, what)) }
}

export function recordVersionMarker(changeId: string, version: number, range: VersionRange): RecordVersionMarker {
  return {
    type: 'record_version_marker',
    change_id: changeId,
    version,
    min_supported: range.min,
    max_supported: range.max,
  }
}

export function completeWorkflow(settings: EmitSettings, output: unknown): CompleteWorkflow {
  return {
    type: 'complete_workflow',
    result: withinLimit(settings, 'the output of the workflow', encodeEnvelope(output)),
  }
}

/** Any error that left the workflow function, with its class name as type. */
export function failWorkflow(settings: EmitSettings, error: unknown): FailWorkflow {
  const wire = failureToWire(error)
  const exception = { ...exceptionOf(settings, wire), class: classOf(error), ...ofActivity(error) }
  return {
    type: 'fail_workflow',
    message: cut(wire.message, messageLengthMax),
    exception_type: wire.type,
    exception_class: exception.class,
    non_retryable: wire.non_retryable ?? false,
    exception,
    ...failedStep(error),
  }
}

// Stack traces stay behind: they name files of one machine, and history keeps what means the same everywhere.
function exceptionOf(settings: EmitSettings, wire: WireFailure): RecordedException {
  return {
    type: wire.type,
    message: cut(wire.message, messageLengthMax),
    ...details(settings, wire.details),
    ...(wire.category === undefined ? {} : { category: wire.category }),
    ...(wire.cause === undefined ? {} : { cause: exceptionOf(settings, wire.cause) }),
  }
}

function details(settings: EmitSettings, value: unknown): { details?: string; details_payload_codec?: 'avro' } {
  return value === undefined ? {} : { details: encodeDetails(settings, value).blob, details_payload_codec: 'avro' }
}

// Details that are not data, or too large, must not keep a run from failing: why they are missing stands in their place.
function encodeDetails(settings: EmitSettings, value: unknown): Envelope {
  try {
    return withinLimit(settings, 'the details of the failure', encodeEnvelope(value, 'details'))
  } catch (error) {
    return encodeEnvelope(messageOf(error))
  }
}

function isActivityError(error: unknown): error is ActivityFailure | TimeoutFailure | CancellationFailure {
  return ActivityFailure.is(error) || TimeoutFailure.is(error) || CancellationFailure.is(error)
}

function ofActivity(error: unknown): { activity_type?: string; activity_attempt_id?: string } {
  if (!isActivityError(error)) return {}
  const { activityType, activityAttemptId } = error.facts
  return {
    ...(typeof activityType === 'string' ? { activity_type: activityType } : {}),
    ...(typeof activityAttemptId === 'string' ? { activity_attempt_id: activityAttemptId } : {}),
  }
}

function failedStep(error: unknown): { failed_step_sequence?: number; failed_activity_execution_id?: string } {
  if (!isActivityError(error)) return {}
  const { step, activityExecutionId } = error.facts
  if (typeof step !== 'number' || typeof activityExecutionId !== 'string') return {}
  return { failed_step_sequence: step, failed_activity_execution_id: activityExecutionId }
}

interface TimeoutsMs {
  startToClose: number | undefined
  scheduleToStart: number | undefined
  scheduleToClose: number | undefined
  heartbeat: number | undefined
}

function timeouts(name: string, options: ActivityOptions): TimeoutsMs {
  const limits = {
    startToClose: limitMs(name, 'startToCloseTimeout', options.startToCloseTimeout),
    scheduleToStart: limitMs(name, 'scheduleToStartTimeout', options.scheduleToStartTimeout),
    scheduleToClose: limitMs(name, 'scheduleToCloseTimeout', options.scheduleToCloseTimeout),
    heartbeat: limitMs(name, 'heartbeatTimeout', options.heartbeatTimeout),
  }
  within(name, 'heartbeatTimeout', limits.heartbeat, 'startToCloseTimeout', limits.startToClose)
  within(name, 'startToCloseTimeout', limits.startToClose, 'scheduleToCloseTimeout', limits.scheduleToClose)
  within(name, 'scheduleToStartTimeout', limits.scheduleToStart, 'scheduleToCloseTimeout', limits.scheduleToClose)
  return limits
}

function limitMs(name: string, option: string, duration: Duration | undefined): number | undefined {
  if (duration === undefined) return undefined
  const limit = parseDuration(duration)
  if (limit > 0) return limit
  throw new ContractError(
    `${option} of activity "${name}" is ${JSON.stringify(duration)}; give it a duration above zero or leave it out.`,
    {
      reason: 'invalid_timeout',
      facts: { activity: name, option, duration },
    },
  )
}

function within(
  name: string,
  inner: string,
  innerMs: number | undefined,
  outer: string,
  outerMs: number | undefined,
): void {
  if (innerMs === undefined || outerMs === undefined || innerMs <= outerMs) return
  throw new ContractError(
    `${inner} of activity "${name}" is ${innerMs} ms, above its ${outer} of ${outerMs} ms; lower the one or raise the other.`,
    {
      reason: 'invalid_timeout',
      facts: { activity: name, [inner]: innerMs, [outer]: outerMs },
    },
  )
}

function inSeconds(
  settings: EmitSettings,
  field: string,
  what: string,
  durationMs: number | undefined,
): Record<string, number> {
  if (durationMs === undefined) return {}
  const exact = exactMs(settings, `${field} of ${what}`, durationMs)
  return { [field]: wholeSeconds(durationMs), ...(exact === undefined ? {} : { [`${field}_ms`]: exact }) }
}

function waitTimeout(
  settings: EmitSettings,
  what: string,
  timeout: Duration | undefined,
): { timeout_seconds?: number; timeout_ms?: number } {
  if (timeout === undefined) return {}
  const durationMs = parseDuration(timeout)
  const exact = exactMs(settings, what, durationMs)
  return { timeout_seconds: wholeSeconds(durationMs), ...(exact === undefined ? {} : { timeout_ms: exact }) }
}

// The exact value travels only where whole seconds would lose something, so that plain durations stay byte-equal everywhere.
function exactMs(settings: EmitSettings, what: string, durationMs: number): number | undefined {
  if (durationMs % 1_000 === 0) return undefined
  if (settings.millisecondDurations) return Math.ceil(durationMs)
  if (durationMs < 1_000) settings.onRounded(what, durationMs)
  return undefined
}

function retryField(settings: EmitSettings, options: ActivityOptions): RetryPolicyField {
  const policy = retryPolicy(options.retry)
  const isExact = policy.backoffMs.every((wait) => wait % 1_000 === 0)
  return {
    max_attempts: policy.attemptsMax,
    backoff_seconds: policy.backoffMs.map(wholeSeconds),
    ...(isExact || !settings.millisecondDurations ? {} : { backoff_ms: [...policy.backoffMs] }),
    ...(policy.nonRetryableErrorTypes.length === 0
      ? {}
      : { non_retryable_error_types: [...policy.nonRetryableErrorTypes] }),
  }
}

function withinLimit(settings: EmitSettings, what: string, payload: Envelope): Envelope {
  const bytes = envelopeBytes(payload)
  if (bytes <= settings.payloadBytesMax) return payload
  throw new PayloadTooLargeError(
    `${what} would be a payload of ${bytes} bytes; the limit is ${settings.payloadBytesMax}. Store the data elsewhere and pass a reference; the run stays open for corrected code.`,
    { reason: 'payload_too_large', facts: { what, bytes, bytesMax: settings.payloadBytesMax } },
  )
}
