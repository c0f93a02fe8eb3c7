// Recorded steps against authored calls: which differences count.
import type { Call } from './calls.ts'
import type { StepCommand } from './commands.ts'
import { describeGroups, recordedGroups, sameGroups } from './group.ts'
import { activityTypeOf, type Fields, type Shape, text } from './history.ts'

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

/** Whether the call is the recorded one at another place: what numbers and groups make of the place does not count. */
export function isSameCall(shape: Shape, fields: Fields, { shape: authored, command }: Call): boolean {
  if (shape !== authored) return false
  if (command.type === 'open_condition_wait') return compareTimeout(fields, command.timeout_seconds) === undefined
  return compareCommand(fields, command) === undefined
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
