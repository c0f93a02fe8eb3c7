// Authored code as the wire shows it: what a workflow does next follows from its history and from nothing else, so that
// every worker that replays the same history emits the same commands.
//
// Two manners: `published` workers send an unsatisfied condition again with every completion and an open group whenever
// they are woken; `ours` opens each wait once and names the steps that became true.

import type { HistoryEvent } from '@durable-workflow/engine'
import { mixed, type Random, randomFrom } from './random.ts'

/** A command as it goes over the wire. */
export interface AnyCommand {
  readonly type: string
  readonly [member: string]: unknown
}

/** What a worker answers for a workflow task. */
export type Turn =
  | { readonly kind: 'complete'; readonly commands: readonly AnyCommand[]; readonly resolvedWaits: readonly number[] }
  | { readonly kind: 'wait' }

/** The members of event payloads that a program, or the judge, looks at. */
export interface Payload {
  readonly sequence?: number
  readonly activity_execution_id?: string
  readonly activity_attempt_id?: string
  readonly activity_type?: string
  readonly attempt_number?: number
  readonly timer_id?: string
  readonly timer_kind?: string
  readonly delay_seconds?: number
  readonly signal_wait_id?: string
  readonly signal_id?: string
  readonly signal_name?: string
  readonly condition_wait_id?: string
  readonly condition_key?: string
  readonly result?: { readonly blob: string }
  readonly arguments?: { readonly blob: string }
  readonly outcome?: string
  readonly workflow_command_id?: string
  readonly parallel_group_base_sequence?: number
  readonly parallel_group_path?: readonly { readonly parallel_group_base_sequence: number }[]
  readonly [member: string]: unknown
}

export function payloadOf(event: { readonly payload: string }): Payload {
  return JSON.parse(event.payload)
}

export const envelopeOf = (text: string) => ({ codec: 'avro', blob: Buffer.from(text).toString('base64') })

interface OpenStep {
  readonly kind: 'activity' | 'timer' | 'signal' | 'condition'
  readonly step: number
  readonly command: AnyCommand | undefined
  /** Step of the first member of the outermost group around it. */
  readonly base: number | undefined
}

interface Seen {
  readonly lastStep: number
  readonly signals: number
  readonly satisfied: number
  readonly open: readonly OpenStep[]
  /** All members of groups of which one is open, in order. */
  readonly openGroups: readonly (readonly AnyCommand[])[]
}

/** What a workflow does next. @param chance of the world; with the workflow id it makes the program */
export function nextTurn(chance: number, workflowId: string, history: readonly HistoryEvent[]): Turn {
  const seen = read(history)
  const nature = randomFrom(mixed(chance, workflowId))
  const manner = nature.happens(0.5) ? 'published' : 'ours'
  const length = 2 + nature.below(7)
  const here = randomFrom(mixed(chance, workflowId, seen.lastStep))
  const isRace = seen.lastStep > 0 && here.happens(0.15)
  // Each condition asks for one signal more than the last one did.
  const conditions = seen.open.filter((one) => one.kind === 'condition')
  const settled = seen.signals > seen.satisfied ? conditions[0] : undefined
  const left = seen.open.filter((one) => one !== settled)
  if (left.length === 0 || isRace) {
    const commands = seen.lastStep >= length ? [end(here)] : stage(here, manner, seen.lastStep)
    return { kind: 'complete', commands, resolvedWaits: manner === 'ours' ? conditions.map((one) => one.step) : [] }
  }
  const again = manner === 'published' ? sentAgain(left, seen, here) : []
  const moved = settled === undefined ? [] : [sideEffect('moved on')]
  const commands = [...again, ...moved]
  const resolvedWaits = manner === 'ours' && settled !== undefined ? [settled.step] : []
  return commands.length === 0 ? { kind: 'wait' } : { kind: 'complete', commands, resolvedWaits }
}

function sentAgain(left: readonly OpenStep[], seen: Seen, here: Random): AnyCommand[] {
  const held = left.filter((one) => one.kind === 'condition').flatMap(({ command }) => command ?? [])
  return [...held, ...(here.happens(0.5) ? seen.openGroups.flat() : [])]
}

function end(random: Random): AnyCommand {
  return random.happens(0.8)
    ? { type: 'complete_workflow', result: envelopeOf('done') }
    : { type: 'fail_workflow', message: 'broken', exception_type: random.pick(['Broken', 'ActivityFailed']) }
}

function sideEffect(what: string): AnyCommand {
  return { type: 'record_side_effect', result: envelopeOf(what) }
}

type Manner = 'published' | 'ours'

/** The next commands of a program, perhaps as one group. @param lastStep newest step of the run */
export function stage(random: Random, manner: Manner, lastStep: number): AnyCommand[] {
  if (random.happens(0.25)) return group(random, lastStep)
  const drawn = Array.from({ length: 1 + random.below(3) }, (_, at) => single(random, manner, lastStep + at + 1))
  // Code runs on until it has something to wait for.
  const commands = drawn.some((command) => !command.type.startsWith('record_')) ? drawn : [...drawn, timer(random)]
  return random.happens(0.15) ? [...commands, ...group(random, lastStep + commands.length)] : commands
}

function single(random: Random, manner: Manner, step: number): AnyCommand {
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2:
      return activity(random)
    case 3:
    case 4:
      return timer(random)
    case 5:
      return condition(random, manner, step)
    case 6:
      return signalWait(random)
    case 7:
      return sideEffect(`effect ${step}`)
    default:
      return { type: 'record_version_marker', change_id: `m${step}`, version: 1, min_supported: -1, max_supported: 1 }
  }
}

function activity(random: Random): AnyCommand {
  const base = { type: 'schedule_activity', activity_type: 'charge', arguments: envelopeOf('input') }
  switch (random.below(6)) {
    case 0:
      return { ...base, start_to_close_timeout: 20, heartbeat_timeout: 3 }
    case 1:
      return {
        ...base,
        retry_policy: { max_attempts: 3, backoff_seconds: [0, 2] },
        schedule_to_close_timeout: 40,
        schedule_to_start_timeout: 15,
      }
    case 2:
      return {
        ...base,
        start_to_close_timeout: 2,
        start_to_close_timeout_ms: 1_500,
        retry_policy: { max_attempts: 2, backoff_ms: [250], non_retryable_error_types: ['Fatal'] },
      }
    case 3:
      return { ...base, queue: 'other' }
    default:
      return base
  }
}

function timer(random: Random): AnyCommand {
  return random.happens(0.2)
    ? { type: 'start_timer', delay_seconds: 1, delay_ms: random.pick([1, 400, 1_000]) }
    : { type: 'start_timer', delay_seconds: random.below(9) }
}

function condition(random: Random, manner: Manner, step: number): AnyCommand {
  const timeout = random.happens(0.5) ? { timeout_seconds: random.pick([1, 3, 6]) } : {}
  if (manner === 'ours') return { type: 'open_condition_wait', condition_key: `own-${step}`, ...timeout }
  const occurrence = random.happens(0.3) ? { condition_wait_occurrence_id: `o${step}` } : {}
  const named = { condition_key: `c${step % 2}`, condition_definition_fingerprint: 'f' }
  return { type: 'open_condition_wait', ...named, ...occurrence, ...timeout }
}

function signalWait(random: Random): AnyCommand {
  const timeout = random.happens(0.4) ? { timeout_seconds: random.pick([2, 5]) } : {}
  return { type: 'open_signal_wait', signal_name: random.pick(signalNames), ...timeout }
}

export const signalNames = ['approve', 'reject'] as const

/** Members of one outermost group, all but the last perhaps in a group of their own. @param lastStep step before the first */
export function group(random: Random, lastStep: number): AnyCommand[] {
  const members = Array.from({ length: 1 + random.below(4) }, () =>
    random.happens(0.7) ? activity(random) : timer(random),
  )
  const base = lastStep + 1
  const outer = { base, size: members.length, kind: kindOf(members) }
  const inner = { base, size: members.length - 1, kind: kindOf(members.slice(0, -1)) }
  const isNested = members.length > 1 && random.happens(0.3)
  return members.map((command, at) => {
    const levels = isNested && at < inner.size ? [outer, inner] : [outer]
    const path = levels.map((level) => entry(level, base + at))
    return { ...command, ...path.at(-1), parallel_group_path: path }
  })
}

function entry({ base, size, kind }: { base: number; size: number; kind: string }, step: number) {
  const prefix = kind === 'activity' ? 'parallel-activities' : kind === 'timer' ? 'parallel-timers' : 'parallel-calls'
  return {
    parallel_group_id: `${prefix}:${base}:${size}`,
    parallel_group_kind: kind,
    parallel_group_base_sequence: base,
    parallel_group_size: size,
    parallel_group_index: step - base,
  }
}

function kindOf(members: readonly AnyCommand[]): string {
  if (members.every(({ type }) => type === 'schedule_activity')) return 'activity'
  return members.every(({ type }) => type === 'start_timer') ? 'timer' : 'mixed'
}

function read(history: readonly HistoryEvent[]): Seen {
  const open = new Map<string, OpenStep>()
  const groups = new Map<number, AnyCommand[]>()
  let lastStep = 0
  let signals = 0
  let satisfied = 0
  const opened = (id: string | undefined, one: OpenStep) => {
    lastStep = Math.max(lastStep, one.step)
    if (id !== undefined) open.set(id, one)
    if (one.base !== undefined && one.command !== undefined) {
      groups.set(one.base, [...(groups.get(one.base) ?? []), one.command])
    }
  }
  for (const event of history) {
    const payload = payloadOf(event)
    const { sequence: step = 0, activity_execution_id: activityId, timer_id: timerId } = payload
    const base = payload.parallel_group_path?.[0]?.parallel_group_base_sequence
    switch (event.type) {
      case 'ActivityScheduled': {
        const command = { type: 'schedule_activity', activity_type: payload.activity_type, ...groupFacts(payload) }
        opened(activityId, { kind: 'activity', step, command, base })
        break
      }
      case 'TimerScheduled': {
        if (payload.timer_kind !== undefined) break
        const command = { type: 'start_timer', delay_seconds: payload.delay_seconds, ...groupFacts(payload) }
        opened(timerId, { kind: 'timer', step, command, base })
        break
      }
      case 'ConditionWaitOpened': {
        for (const [id, one] of open) if (isOpenedAgain(one, payload)) open.delete(id)
        opened(payload.condition_wait_id, { kind: 'condition', step, command: reopening(payload), base: undefined })
        break
      }
      case 'SignalWaitOpened':
        opened(payload.signal_wait_id, { kind: 'signal', step, command: undefined, base: undefined })
        break
      case 'SideEffectRecorded':
      case 'VersionMarkerRecorded':
        lastStep = Math.max(lastStep, step)
        break
      case 'SignalReceived':
        signals += 1
        break
      case 'ConditionWaitSatisfied':
        satisfied += 1
        open.delete(payload.condition_wait_id ?? '')
        break
      case 'SignalApplied':
        open.delete(payload.signal_wait_id ?? '')
        break
      case 'TimerFired':
        for (const id of [timerId, payload.condition_wait_id, payload.signal_wait_id]) open.delete(id ?? '')
        break
      case 'ActivityCompleted':
      case 'ActivityFailed':
      case 'ActivityTimedOut':
        open.delete(activityId ?? '')
        break
    }
  }
  const stillOpen = [...open.values()]
  const openGroups = [...groups].filter(([base]) => stillOpen.some((one) => one.base === base)).map(([, sent]) => sent)
  return { lastStep, signals, satisfied, open: stillOpen, openGroups }
}

function groupFacts(payload: Payload): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name.startsWith('parallel_group_')))
}

function reopening(payload: Payload): AnyCommand {
  const names = [
    'condition_key',
    'condition_definition_fingerprint',
    'condition_wait_occurrence_id',
    'timeout_seconds',
  ] as const
  const members = Object.fromEntries(
    names.filter((name) => payload[name] !== undefined).map((name) => [name, payload[name]]),
  )
  return { type: 'open_condition_wait', ...members }
}

function isOpenedAgain(one: OpenStep, payload: Payload): boolean {
  const { command } = one
  if (one.kind !== 'condition' || command === undefined) return false
  const occurrence = payload.condition_wait_occurrence_id
  if (occurrence !== undefined) return command.condition_wait_occurrence_id === occurrence
  return (
    command.condition_key === payload.condition_key &&
    command.condition_definition_fingerprint === payload.condition_definition_fingerprint
  )
}
