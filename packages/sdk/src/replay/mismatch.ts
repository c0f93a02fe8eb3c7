// What a replay says when code and history differ: run, step, both commands and the places in source.

import { NonDeterminismError } from '../authoring/failure.ts'
import type { Call, Calls } from './calls.ts'
import type { StepCommand } from './commands.ts'
import { describeGroups, recordedGroups, sameGroups } from './group.ts'
import { activityTypeOf, type Entry, type Fields, number, type Shape, text } from './history.ts'
import { replayVersions } from './versions.ts'

export interface RunName {
  readonly workflowId: string
  readonly runId: string
  readonly workflowType: string
}

/** Why a recorded step does not fit the call; `reason` is a word that servers know as replay-blocking. */
export interface Difference {
  readonly reason: string
  readonly detail: string
}

/**
 * Compares a recorded opening with the authored call at its place.
 *
 * Absent in history means not compared. Arguments, queues, retry policies and timeouts of activities are never compared:
 * changing them in code leaves open runs alone.
 *
 * @source published/python-replay.md §4.2, history-replay.md §4.3
 */
export function compare(shape: Shape, fields: Fields, call: Call): Difference | undefined {
  if (shape !== call.shape)
    return {
      reason: 'recorded_command_mismatch',
      detail: `the recorded step is of kind ${shape}, the call of kind ${call.shape}`,
    }
  return compareCommand(fields, call.command) ?? compareGroups(fields, call)
}

function compareCommand(fields: Fields, command: StepCommand): Difference | undefined {
  switch (command.type) {
    case 'schedule_activity':
      return compareActivity(fields, command.activity_type)
    case 'start_timer':
      return differs('delay_seconds', fields, command.delay_seconds, 'timer_delay_mismatch')
    case 'record_side_effect':
      return undefined
    case 'record_version_marker':
      return differs('change_id', fields, command.change_id, 'version_change_id_mismatch')
    case 'open_signal_wait':
      return differs('signal_name', fields, command.signal_name, 'signal_wait_identity_mismatch')
    case 'open_condition_wait':
      return compareKey(fields, command.condition_key) ?? compareTimeout(fields, command.timeout_seconds)
    default:
      return command satisfies never
  }
}

// A group decides when the code goes on after a failure, so leaving it is a change like any other; histories from before a group
// was joined have none and replay the same.
function compareGroups(fields: Fields, { groups }: Call): Difference | undefined {
  const recorded = recordedGroups(fields)
  if (recorded === undefined || sameGroups(recorded, groups)) return undefined
  return {
    reason: 'parallel_group_shape_mismatch',
    detail: `the recorded step is a member of ${describeGroups(recorded)}, the call of ${describeGroups(groups)}`,
  }
}

function compareActivity(fields: Fields, activityType: string): Difference | undefined {
  const recorded = activityTypeOf(fields)
  if (recorded !== undefined && recorded !== activityType) {
    return {
      reason: 'activity_identity_mismatch',
      detail: `activity "${recorded}" is recorded, the code runs "${activityType}"`,
    }
  }
  if (fields.execution_mode === 'local' || fields.local_activity === true) {
    return {
      reason: 'activity_execution_mode_mismatch',
      detail: 'a local activity is recorded, the code runs a remote one',
    }
  }
  return undefined
}

// A number is a key of ours. Any other key was chosen in another SDK, whose keys this code cannot know.
function compareKey(fields: Fields, key: string): Difference | undefined {
  const recorded = text(fields, 'condition_key')
  if (recorded === undefined || recorded === key || !/^\d+$/.test(recorded)) return undefined
  return { reason: 'condition_key_changed', detail: `condition_key "${recorded}" is recorded, the code's is "${key}"` }
}

function compareTimeout(fields: Fields, timeoutSeconds: number | undefined): Difference | undefined {
  if (typeof fields.timeout_seconds !== 'number') return undefined
  return differs('timeout_seconds', fields, timeoutSeconds, 'condition_timeout_mismatch')
}

function differs(key: string, fields: Fields, expected: unknown, reason: string): Difference | undefined {
  if (!(key in fields) || fields[key] === expected) return undefined
  return {
    reason,
    detail: `${key} ${JSON.stringify(fields[key])} is recorded, the code's is ${JSON.stringify(expected ?? null)}`,
  }
}

/** History has a step where the code makes another call. */
export function wrongCall(
  run: RunName,
  calls: Calls,
  entry: Entry,
  step: number,
  call: Call,
  difference: Difference,
): NonDeterminismError {
  const place = call.place.location()
  return mismatch(run, calls, entry, step, {
    reason: difference.reason,
    detail: difference.detail,
    actual: describeCommand(call.command),
    actualPlace: place,
    actualText: `the code calls ${call.label}${at(place)}`,
  })
}

/** History has a step, and the code makes no further call: it waits, or it has ended. */
export function noCall(run: RunName, calls: Calls, entry: Entry, step: number, hasEnded: boolean): NonDeterminismError {
  const waiting = [...calls.open()].map((call) => `${call.label}${at(call.place.location())}`)
  const state = hasEnded
    ? 'the workflow function has ended'
    : `the code makes no further call${waiting.length === 0 ? '' : `; it waits for ${waiting.join(', ')}`}`
  return mismatch(run, calls, entry, step, {
    reason: 'recorded_commands_unconsumed',
    detail: state,
    actual: hasEnded ? 'end of the workflow function' : 'no call',
    actualPlace: undefined,
    actualText: state,
  })
}

/** The run is pinned to a version that the code does not run any more, or the marker in history is none. */
export function wrongVersion(
  run: RunName,
  calls: Calls,
  entry: Entry | undefined,
  call: Call,
  difference: Difference,
): NonDeterminismError {
  const place = call.place.location()
  const actual = describeCommand(call.command)
  const actualText = `the code calls ${call.label}${at(place)}, which asks for ${actual}`
  return mismatch(run, calls, entry, call.step, { ...difference, actual, actualPlace: place, actualText })
}

/** History says how the run ended, and the code says something else. */
export function wrongEnd(run: RunName, calls: Calls, entry: Entry, actual: string): NonDeterminismError {
  return mismatch(run, calls, entry, calls.lastRecorded + 1, {
    reason: 'recorded_command_mismatch',
    detail: actual,
    actual,
    actualPlace: undefined,
    actualText: actual,
  })
}

/** History says how the run ended, and the code comes to an end of the same kind with another content. */
export function otherEnd(
  run: RunName,
  calls: Calls,
  entry: Entry,
  { reason, detail }: Difference,
): NonDeterminismError {
  const actual = 'another end of the workflow function'
  return mismatch(run, calls, entry, calls.lastRecorded + 1, {
    reason,
    detail,
    actual,
    actualPlace: undefined,
    actualText: detail,
  })
}

/** History has the end of the run, and the code makes one more call before it. */
export function extraCall(run: RunName, calls: Calls, entry: Entry, call: Call): NonDeterminismError {
  const place = call.place.location()
  return mismatch(run, calls, entry, call.step, {
    reason: 'recorded_command_mismatch',
    detail: 'history ends here, and the code makes another call',
    actual: describeCommand(call.command),
    actualPlace: place,
    actualText: `the code calls ${call.label}${at(place)}`,
  })
}

interface Actual {
  readonly reason: string
  readonly detail: string
  readonly actual: string
  readonly actualPlace: string | undefined
  readonly actualText: string
}

function mismatch(
  run: RunName,
  calls: Calls,
  entry: Entry | undefined,
  step: number,
  actual: Actual,
): NonDeterminismError {
  const expected = entry === undefined ? 'no marker of this change' : describeRecorded(entry)
  const previous = calls.previous
  const previousPlace = previous?.place.location()
  const after = previous === undefined ? '' : `, after ${previous.label}${at(previousPlace)}`
  const where = entry?.position === undefined ? '' : ` (history event ${entry.position})`
  return new NonDeterminismError(
    `Replay of run ${run.runId} of workflow "${run.workflowId}" (type "${run.workflowType}") differs from its history at step ${step}: ` +
      `recorded is ${expected}${where}${after}; ${actual.actualText}. ${actual.detail}. ` +
      `The run stays open and no attempt is used up: deploy code that makes the recorded call, then repair the run.`,
    {
      reason: actual.reason,
      facts: {
        workflowId: run.workflowId,
        runId: run.runId,
        workflowType: run.workflowType,
        sequence: step,
        historySequence: entry?.position,
        expected,
        expectedAfter: previous?.label,
        expectedAfterPlace: previousPlace,
        actual: actual.actual,
        actualPlace: actual.actualPlace,
        replayVersion: replayVersions.at(-1)?.number,
      },
      remedy: 'Deploy code that makes the recorded call, then repair the run.',
    },
  )
}

function at(place: string | undefined): string {
  return place === undefined ? '' : ` at ${place}`
}

function describeRecorded(entry: Entry): string {
  const name = activityTypeOf(entry.fields) ?? text(entry.fields, 'signal_name') ?? text(entry.fields, 'change_id')
  const delay = number(entry.fields, 'delay_seconds') ?? number(entry.fields, 'timeout_seconds')
  const version = entry.fields.version
  const facts = [
    name === undefined ? undefined : `"${name}"`,
    delay === undefined ? undefined : `${delay} s`,
    typeof version === 'number' ? `version ${version}` : undefined,
  ]
  return [entry.type, ...facts.filter((fact) => fact !== undefined)].join(' ')
}

function describeCommand(command: StepCommand): string {
  switch (command.type) {
    case 'schedule_activity':
      return `schedule_activity "${command.activity_type}"`
    case 'start_timer':
      return `start_timer ${command.delay_seconds} s`
    case 'open_signal_wait':
      return `open_signal_wait "${command.signal_name}"`
    case 'open_condition_wait':
      return `open_condition_wait "${command.condition_key}"`
    case 'record_side_effect':
      return 'record_side_effect'
    case 'record_version_marker':
      return `record_version_marker "${command.change_id}" version ${command.min_supported} to ${command.max_supported}`
    default:
      return command satisfies never
  }
}
