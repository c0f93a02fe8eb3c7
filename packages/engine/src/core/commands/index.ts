// The table of what workflow code may emit. A completion is applied whole or refused whole.

import { type Command, commandCatalogue, commandTypes, limits } from '@durable-workflow/protocol'
import { type CommandContext, type CommandRefusal, refuseCommand, refuseLimit } from './command.ts'
import { completeWorkflow } from './complete-workflow.ts'
import { failWorkflow } from './fail-workflow.ts'
import { openConditionWait } from './open-condition-wait.ts'
import { openSignalWait } from './open-signal-wait.ts'
import { recordSideEffect } from './record-side-effect.ts'
import { recordVersionMarker } from './record-version-marker.ts'
import { scheduleActivity } from './schedule-activity.ts'
import { startTimer } from './start-timer.ts'

/** A command as it arrived: any type that the wire knows, or does not. */
export interface WireCommand {
  readonly type: string
}

/** The commands of a completion, told apart: the terminal one is applied last, whatever its position. */
export interface Batch {
  readonly ordinary: readonly Indexed[]
  readonly terminal: Indexed | undefined
}

export interface Indexed {
  readonly command: Command
  readonly index: number
}

/**
 * Checks a list of commands as a whole: its size, that every type is built, that no field is used which is not or
 * which means something on another command only, and that at most one ends the run.
 */
export function readBatch(context: CommandContext, commands: readonly WireCommand[]): Batch | CommandRefusal {
  if (commands.length > limits.commandsPerCompletionMax) {
    return refuseLimit(context, {
      limitKind: 'command_batch_size',
      currentValue: commands.length,
      configuredLimit: limits.commandsPerCompletionMax,
    })
  }
  const ordinary: Indexed[] = []
  let terminal: Indexed | undefined
  for (const [index, command] of commands.entries()) {
    const at = { ...context, index }
    if (!isBuilt(command)) return refuseCommand(at, command.type, unbuiltProblem(command.type))
    const problem = fieldProblem(command)
    if (problem !== undefined) return refuseCommand(at, command.type, problem)
    if (!commandCatalogue[command.type].terminal) {
      ordinary.push({ command, index })
    } else if (terminal === undefined) {
      terminal = { command, index }
    } else {
      return refuseCommand(at, command.type, `second terminal command; '${terminal.command.type}' ends the run already`)
    }
  }
  return { ordinary, terminal }
}

/** Applies one command; a refusal leaves the whole completion undone. */
export function applyCommand(context: CommandContext, command: Command): CommandRefusal | undefined {
  switch (command.type) {
    case 'schedule_activity':
      return scheduleActivity(context, command)
    case 'start_timer':
      return startTimer(context, command)
    case 'open_condition_wait':
      return openConditionWait(context, command)
    case 'open_signal_wait':
      return openSignalWait(context, command)
    case 'record_side_effect':
      return recordSideEffect(context, command)
    case 'record_version_marker':
      return recordVersionMarker(context, command)
    case 'complete_workflow':
      return completeWorkflow(context, command)
    case 'fail_workflow':
      return failWorkflow(context, command)
    default:
      return refuseCommand(context, unknownType(command), 'command is not supported by this server')
  }
}

const builtTypes: ReadonlySet<string> = new Set(commandTypes)

function isBuilt(command: WireCommand): command is Command {
  return builtTypes.has(command.type)
}

function unbuiltProblem(type: string): string {
  return Object.hasOwn(commandCatalogue, type)
    ? `command '${type}' is not supported by this server yet`
    : `command '${type}' is not supported by the server`
}

// Waits within groups come later; a member that lost its group would wake the run too early. So does durable selection.
const unbuiltFields: { readonly [Type in Command['type']]?: readonly string[] } = {
  open_condition_wait: ['parallel_group_id', 'parallel_group_path', 'parallel_group_mode'],
  open_signal_wait: ['parallel_group_id', 'parallel_group_path', 'parallel_group_mode'],
  schedule_activity: ['parallel_group_mode'],
  start_timer: ['parallel_group_mode'],
}

// Each changes what happens, or when: dropped where it has no meaning, the author would wait for it in vain. Other unknown
// fields survive (worker plane §8.1).
const guardedFields: ReadonlySet<string> = new Set([
  'retry_policy',
  'start_to_close_timeout',
  'schedule_to_start_timeout',
  'schedule_to_close_timeout',
  'heartbeat_timeout',
  'worker_session',
  'execution_timeout_seconds',
  'run_timeout_seconds',
  'non_retryable',
  'exception',
  'parent_close_policy',
  'delay_seconds',
  'timeout_seconds',
  'payload_codec',
  'workflow_stream',
  'parallel_group_id',
  'parallel_group_path',
])

function fieldProblem(command: Command): string | undefined {
  const { keys, plannedKeys } = commandCatalogue[command.type]
  const known: readonly string[] = keys
  const planned: readonly string[] = [...plannedKeys, ...(unbuiltFields[command.type] ?? [])]
  for (const [key, value] of Object.entries(command)) {
    if (value == null) continue
    if (planned.includes(key)) return `field '${key}' is not supported by this server yet`
    if (guardedFields.has(key) && !known.includes(key)) return `field '${key}' is not allowed on this command`
  }
  return undefined
}

function unknownType(command: never): string {
  return JSON.stringify(command)
}
