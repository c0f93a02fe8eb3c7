// Parallel groups as commands carry them: a member names its place in every group around it, outermost first. A group is
// judged as a whole before any command is applied (history-replay §3.4).
//
// The same group sent again is known and recorded once: a published Python worker that is woken while a member is open
// sends all of them again, with the steps that they have (python-replay §10.3).

import { type Commands, limits } from '@durable-workflow/protocol'
import { mustRun } from '../history/append.ts'
import { shortKey } from '../state/ids.ts'
import type { JsonObject } from '../state/json.ts'
import type { GroupFacts, GroupMember, ParallelGroup } from '../state/parallel-group.ts'
import { type CommandContext, type CommandRefusal, refuseCommand } from './command.ts'
import type { Indexed } from './index.ts'

/** A command's place in its groups. */
export interface Membership extends GroupMember {
  /** The step that every group on its path gives it. */
  readonly step: number
  /** Recorded by an earlier completion: nothing is recorded now. */
  readonly isSentAgain: boolean
}

/** The groups of one completion. */
export interface Groups {
  /** By position in the list of commands. */
  readonly members: ReadonlyMap<number, Membership>
  /** Those that are new, each with all of its members open. */
  readonly opened: readonly ParallelGroup[]
}

type MemberCommand = Commands['schedule_activity'] | Commands['start_timer']

/** One group around a member. */
interface Entry {
  readonly id: string
  readonly kind: string
  readonly base: number
  readonly size: number
  readonly index: number
}

interface Member {
  readonly at: number
  readonly type: MemberCommand['type']
  readonly facts: GroupFacts
  /** Outermost first; never empty. */
  readonly path: readonly Entry[]
  readonly outermost: Entry
  readonly step: number
}

/** Judges the groups of a completion; anything malformed refuses it whole. */
export function readGroups(context: CommandContext, commands: readonly Indexed[]): Groups | CommandRefusal {
  const found: Member[] = []
  for (const one of commands) {
    const member = readMember(one)
    if (typeof member === 'string') return refuseCommand({ ...context, index: one.index }, one.command.type, member)
    if (member !== undefined) found.push(member)
  }
  for (const group of groupsOf(found).values()) {
    const problem = groupProblem(group)
    if (problem !== undefined) return refuseCommand({ ...context, index: group.first.at }, group.first.type, problem)
  }
  return compareWithRecorded(context, found)
}

/** Why a member cannot take the next step of the run; undefined when it can. */
export function stepProblem(context: CommandContext, member: Membership): string | undefined {
  const next = mustRun(context.draft, context.runId).lastStep + 1
  if (member.step === next) return undefined
  const { parallel_group_id: id } = member.facts
  return `group '${id}' gives this member step ${member.step}, but the next step of the run is ${next}`
}

const factNames = [
  'parallel_group_id',
  'parallel_group_kind',
  'parallel_group_base_sequence',
  'parallel_group_size',
  'parallel_group_index',
  'parallel_group_path',
] as const

function readMember({ command, index: at }: Indexed): Member | string | undefined {
  if (command.type !== 'schedule_activity' && command.type !== 'start_timer') return undefined
  const missing = factNames.filter((name) => command[name] == null)
  if (missing.length === factNames.length) return undefined
  if (missing.length > 0) return `a member of a group carries all six parallel_group fields; ${missing[0]} is missing`
  const sent = command.parallel_group_path ?? []
  const path: Entry[] = []
  for (const [depth, object] of sent.entries()) {
    const entry = readEntry(object, command.type, path.at(-1))
    if (typeof entry === 'string') return `parallel_group_path.${depth}: ${entry}`
    path.push(entry)
  }
  const [outermost] = path
  const innermost = path.at(-1)
  if (outermost === undefined || innermost === undefined) return 'parallel_group_path is empty'
  const facts = factsOf(command, sent)
  if (!isSame(innermost, facts)) return 'the last entry of parallel_group_path differs from the five fields beside it'
  const step = innermost.base + innermost.index
  const elsewhere = path.find((entry) => entry.base + entry.index !== step)
  if (elsewhere !== undefined)
    return `group '${elsewhere.id}' gives this member step ${elsewhere.base + elsewhere.index}, '${innermost.id}' gives it ${step}`
  return { at, type: command.type, facts, path, outermost, step }
}

function factsOf(command: MemberCommand, path: { [key: string]: unknown }[]): GroupFacts {
  return {
    ...(command.parallel_group_id == null ? {} : { parallel_group_id: command.parallel_group_id }),
    ...(command.parallel_group_kind == null ? {} : { parallel_group_kind: command.parallel_group_kind }),
    ...(command.parallel_group_base_sequence == null
      ? {}
      : { parallel_group_base_sequence: command.parallel_group_base_sequence }),
    ...(command.parallel_group_size == null ? {} : { parallel_group_size: command.parallel_group_size }),
    ...(command.parallel_group_index == null ? {} : { parallel_group_index: command.parallel_group_index }),
    parallel_group_path: path,
  }
}

function isSame(entry: Entry, facts: GroupFacts): boolean {
  return (
    entry.id === facts.parallel_group_id &&
    entry.kind === facts.parallel_group_kind &&
    entry.base === facts.parallel_group_base_sequence &&
    entry.size === facts.parallel_group_size &&
    entry.index === facts.parallel_group_index
  )
}

const prefixes = { activity: 'parallel-activities', timer: 'parallel-timers', mixed: 'parallel-calls' } as const

const leafKinds = { schedule_activity: 'activity', start_timer: 'timer' } as const

function readEntry(object: JsonObject, type: MemberCommand['type'], outer: Entry | undefined): Entry | string {
  if ('parallel_group_mode' in object) return 'durable selection is not supported by this server yet'
  const leafKind = leafKinds[type]
  const kind = [leafKind, 'mixed' as const].find((one) => one === object.parallel_group_kind)
  if (kind === undefined)
    return `parallel_group_kind is ${JSON.stringify(object.parallel_group_kind)}; a member of this type belongs to '${leafKind}' or 'mixed'`
  const base = object.parallel_group_base_sequence
  if (!isInteger(base) || base < 1) return 'parallel_group_base_sequence is not a step number from 1 on'
  const size = object.parallel_group_size
  if (!isInteger(size) || size < 1 || size > limits.commandsPerCompletionMax)
    return `parallel_group_size is not between 1 and ${limits.commandsPerCompletionMax}`
  const index = object.parallel_group_index
  if (!isInteger(index) || index < 0 || index >= size) return 'parallel_group_index is not within the group'
  const id = `${prefixes[kind]}:${base}:${size}`
  if (object.parallel_group_id !== id)
    return `parallel_group_id is ${JSON.stringify(object.parallel_group_id)}; it must be '${id}'`
  if (outer !== undefined && (base < outer.base || base + size > outer.base + outer.size))
    return `group '${id}' does not lie within '${outer.id}'`
  return { id, kind, base, size, index }
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}

/** All members that name one group at one depth. */
interface Collected {
  readonly first: Member
  readonly entry: Entry
  readonly entries: Entry[]
}

function groupsOf(members: readonly Member[]): Map<string, Collected> {
  const groups = new Map<string, Collected>()
  for (const member of members) {
    for (const [depth, entry] of member.path.entries()) {
      const key = `${depth}:${entry.base}`
      const known = groups.get(key)
      if (known === undefined) groups.set(key, { first: member, entry, entries: [entry] })
      else known.entries.push(entry)
    }
  }
  return groups
}

function groupProblem({ entry, entries }: Collected): string | undefined {
  const other = entries.find(({ id, kind, size }) => id !== entry.id || kind !== entry.kind || size !== entry.size)
  if (other !== undefined) return `groups '${entry.id}' and '${other.id}' begin at the same step and depth`
  if (entries.length !== entry.size)
    return `group '${entry.id}' has ${entries.length} of its ${entry.size} members in this completion`
  const displaced = entries.findIndex(({ index }, position) => index !== position)
  return displaced < 0
    ? undefined
    : `the members of group '${entry.id}' are not in the order of their index: ${entries[displaced]?.index} stands at ${displaced}`
}

function compareWithRecorded(context: CommandContext, found: readonly Member[]): Groups | CommandRefusal {
  const recorded = new Map(
    mustRun(context.draft, context.runId).parallelGroups.map((group) => [group.base, group] as const),
  )
  const members = new Map<number, Membership>()
  const opened: ParallelGroup[] = []
  for (const [base, leaves] of byOutermost(found)) {
    const [first] = leaves
    if (first === undefined) continue
    const { id, size } = first.outermost
    const shape = shapeOf(leaves)
    const known = recorded.get(base)
    if (known !== undefined && known.shape !== shape) {
      return refuseCommand(
        { ...context, index: first.at },
        first.type,
        `group '${known.groupId}' is recorded at step ${base} with other members`,
      )
    }
    for (const { at, facts, step } of leaves) members.set(at, { base, facts, step, isSentAgain: known !== undefined })
    if (known === undefined) opened.push({ groupId: id, base, size, shape, open: size, closedSequence: undefined })
  }
  return { members, opened }
}

function byOutermost(members: readonly Member[]): Map<number, Member[]> {
  const groups = new Map<number, Member[]>()
  for (const member of members) {
    const leaves = groups.get(member.outermost.base)
    if (leaves === undefined) groups.set(member.outermost.base, [member])
    else leaves.push(member)
  }
  return groups
}

function shapeOf(members: readonly Member[]): string {
  return shortKey(JSON.stringify(members.map(({ type, path }) => [type, path.map((entry) => [entry.id, entry.index])])))
}
