// What a replay says when code and history differ: run, step, both commands and their places in source, and what to do.
//
// The place of a recorded call is not in history. It is where the code makes that call now, if it makes it in this turn at
// another place; else the place of the call before it, behind which it belongs.

import { NonDeterminismError } from '../authoring/failure.ts'
import { messageOf, typeOf } from '../authoring/failure-wire.ts'
import { locationOf } from '../authoring/place.ts'
import type { Call, Calls } from './calls.ts'
import type { StepCommand } from './commands.ts'
import { type Difference, isSameCall } from './compare.ts'
import type { Ending } from './ending.ts'
import { activityTypeOf, type Entry, type Fields, shapeOpened, text } from './history.ts'
import { replayVersions } from './versions.ts'

export interface RunName {
  readonly workflowId: string
  readonly runId: string
  readonly workflowType: string
}

/** The errors of one run. */
export interface Mismatches {
  /** History has a step where the code makes another call. */
  wrongCall(entry: Entry, step: number, call: Call, difference: Difference): NonDeterminismError
  /** History has a step, and the code makes no further call: it waits, or it has ended. */
  noCall(entry: Entry, step: number, ending: Ending | undefined): NonDeterminismError
  /** The run is pinned to a version that the code does not run any more, or the marker in history is none. */
  wrongVersion(entry: Entry | undefined, call: Call, difference: Difference): NonDeterminismError
  /** History has the end of the run, and the code makes one more call before it. */
  extraCall(entry: Entry, call: Call): NonDeterminismError
  /** History has the end of the run, and the code goes on or comes to an end of another kind. */
  wrongEnd(entry: Entry, ending: Ending | undefined): NonDeterminismError
  /** The code comes to an end of the recorded kind with another content. */
  otherEnd(entry: Entry, difference: Difference): NonDeterminismError
}

/** What the code does instead. */
interface Actual {
  readonly reason: string
  /** The command, or what stands for one. */
  readonly command: string
  /** What the author wrote; undefined where the code makes no call. */
  readonly call?: string | undefined
  readonly place: string | undefined
  /** The same as a clause. */
  readonly said: string
  /** In what the two differ, where that is not plain from both. */
  readonly detail?: string | undefined
}

const remedies = {
  open: 'Deploy code that makes the recorded call, new calls behind ctx.version. A worker whose code differs resumes the run by itself; where it looks the same, handle.repair() does.',
  closed: 'Restore what the code did for this run, or put what is new behind ctx.version.',
} as const

export function createMismatches(run: RunName, calls: Calls): Mismatches {
  const report = (entry: Entry | undefined, step: number, actual: Actual, call?: Call): NonDeterminismError => {
    const isClosed = entry?.fact.kind === 'ended'
    const remedy = isClosed ? remedies.closed : remedies.open
    const expected = describeRecorded(entry)
    const previous = calls.previous
    const previousPlace = previous?.place.location()
    const found = entry === undefined ? undefined : callFor(entry, call)
    const foundPlace = found?.place.location()
    const state = isClosed ? 'The run is closed.' : 'The run stays open and no attempt is used up.'
    return new NonDeterminismError(
      `Replay of run ${run.runId} of workflow "${run.workflowId}" (type "${run.workflowType}") differs from its history at step ${step}: ` +
        `recorded is ${expected}${positionOf(entry)}${previous === undefined ? '' : `, after ${previous.label}${at(previousPlace)}`}` +
        `${found === undefined ? '' : `, which the code makes later in this turn${at(foundPlace)}`}; ` +
        `${actual.said}${actual.detail === undefined ? '' : ` (${actual.detail})`}. ${state} ${remedy}`,
      {
        reason: actual.reason,
        facts: {
          workflowId: run.workflowId,
          runId: run.runId,
          workflowType: run.workflowType,
          sequence: step,
          historySequence: entry?.position,
          expected,
          expectedPlace: foundPlace ?? previousPlace,
          expectedAfter: previous?.label,
          expectedAfterPlace: previousPlace,
          actual: actual.command,
          actualCall: actual.call,
          actualPlace: actual.place,
          detail: actual.detail,
          replayVersion: replayVersions.at(-1)?.number,
        },
        remedy,
      },
    )
  }

  // Of this turn only: what the code does after it cannot be known.
  const callFor = (entry: Entry, call: Call | undefined): Call | undefined => {
    const shape = shapeOpened(entry.fact)
    if (shape === undefined) return undefined
    const later = call === undefined ? calls.unrecorded : calls.unrecorded.slice(calls.unrecorded.indexOf(call) + 1)
    return later.find((call) => isSameCall(shape, entry.fields, call))
  }

  const waiting = (): Pick<Actual, 'call' | 'place' | 'said'> => {
    const open = [...calls.open()]
    const listed = open.slice(0, listedMax).map((call) => `${call.label}${at(call.place.location())}`)
    const more = open.length > listedMax ? ` and ${open.length - listedMax} more` : ''
    return {
      call: open[0]?.label,
      place: open[0]?.place.location(),
      said: `the code makes no further call${open.length === 0 ? '' : `; it waits for ${listed.join(', ')}${more}`}`,
    }
  }

  return {
    wrongCall: (entry, step, call, { reason, detail }) =>
      report(entry, step, { reason, detail, ...calling(call), command: describeCommand(call.command) }, call),
    noCall(entry, step, ending) {
      const reason = 'recorded_commands_unconsumed'
      if (ending === undefined) return report(entry, step, { reason, command: 'no call', ...waiting() })
      return report(entry, step, { reason, ...endOf(ending) })
    },
    wrongVersion(entry, call, { reason, detail }) {
      const command = describeCommand(call.command)
      const { said, ...rest } = calling(call)
      const actual = { reason, detail, ...rest, command, said: `${said}, which asks for ${command}` }
      return report(entry, call.step, actual, call)
    },
    extraCall: (entry, call) =>
      report(entry, call.step, {
        reason: 'recorded_command_mismatch',
        ...calling(call),
        command: describeCommand(call.command),
      }),
    wrongEnd(entry, ending) {
      const step = calls.lastRecorded + 1
      const reason = 'recorded_command_mismatch'
      if (ending !== undefined) return report(entry, step, { reason, ...endOf(ending) })
      const next = calls.nextUnrecorded
      if (next === undefined) return report(entry, step, { reason, command: 'no call', ...waiting() })
      return report(entry, step, { reason, ...calling(next), command: describeCommand(next.command) })
    },
    otherEnd: (entry, { reason, detail }) =>
      report(entry, calls.lastRecorded + 1, {
        reason,
        detail,
        command: 'another end of the workflow function',
        place: undefined,
        said: 'the code comes to another end',
      }),
  }
}

const listedMax = 5
const saidLengthMax = 300

function calling(call: Call): Pick<Actual, 'call' | 'place' | 'said'> {
  const place = call.place.location()
  return { call: call.label, place, said: `the code calls ${call.label}${at(place)}` }
}

function endOf(ending: Ending): Omit<Actual, 'reason'> {
  if (ending.kind === 'completed') {
    return { command: 'end of the workflow function', place: undefined, said: 'the workflow function has ended' }
  }
  const { error } = ending
  const place = error instanceof Error ? locationOf(error.stack) : undefined
  return {
    command: 'failure of the workflow function',
    place,
    said: `the workflow function has failed${at(place)} with ${typeOf(error)}: ${messageOf(error).slice(0, saidLengthMax)}`,
  }
}

function at(place: string | undefined): string {
  return place === undefined ? '' : ` at ${place}`
}

function positionOf(entry: Entry | undefined): string {
  return entry?.position === undefined ? '' : ` (history event ${entry.position})`
}

function describeRecorded(entry: Entry | undefined): string {
  if (entry === undefined) return 'no marker of this change'
  const { type, fields } = entry
  const name =
    activityTypeOf(fields) ?? text(fields, 'signal_name') ?? text(fields, 'change_id') ?? text(fields, 'condition_key')
  const { version } = fields
  return sentenceOf(type, name, secondsOf(fields), [typeof version === 'number' ? `version ${version}` : undefined])
}

function secondsOf({ delay_seconds: delay, timeout_seconds: timeout }: Fields): number | undefined {
  if (typeof delay === 'number') return delay
  return typeof timeout === 'number' ? timeout : undefined
}

function describeCommand(command: StepCommand): string {
  const { type } = command
  switch (command.type) {
    case 'schedule_activity':
      return sentenceOf(type, command.activity_type)
    case 'start_timer':
      return sentenceOf(type, undefined, command.delay_seconds)
    case 'open_signal_wait':
      return sentenceOf(type, command.signal_name, command.timeout_seconds)
    case 'open_condition_wait':
      return sentenceOf(type, command.condition_key, command.timeout_seconds)
    case 'record_side_effect':
      return type
    case 'record_version_marker':
      return sentenceOf(type, command.change_id, undefined, [
        `version ${command.min_supported} to ${command.max_supported}`,
      ])
    default:
      return command satisfies never
  }
}

function sentenceOf(
  type: string,
  name: string | undefined,
  seconds?: number | undefined,
  more: readonly (string | undefined)[] = [],
): string {
  const facts = [
    name === undefined ? undefined : `"${name}"`,
    seconds === undefined ? undefined : `${seconds} s`,
    ...more,
  ]
  return [type, ...facts.filter((fact) => fact !== undefined)].join(' ')
}
