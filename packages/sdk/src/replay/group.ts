// One wire group of calls: `ctx.all`. The run wakes once, when all members have ended.
//
// The members are calls that have been made and not been sent: in this turn, one next to the other. Joining them adds the
// group to each call; their commands leave as they would without it, and history repeats the group on every event of a member.
import { limits } from '@durable-workflow/protocol'
import { GuardError } from '../authoring/failure.ts'
import type { Ahead } from './ahead.ts'
import type { Call, Calls } from './calls.ts'
import type { GroupEntry } from './commands.ts'
import type { Fields } from './history.ts'

/** What a promise of `ctx.run`, `ctx.sleep` or `ctx.all` stands for. */
export interface Member {
  /** Flattened, in authored order. */
  readonly calls: readonly Call[]
  /** Groups around each of its calls that are its own. */
  readonly depths: readonly number[]
  /** The turn it was made in. */
  readonly turn: number
}

/**
 * Makes one group of the members.
 *
 * @throws GuardError `not_a_group_member` for anything that is not a member of this turn, `parallel_group_too_large`
 */
export function join(calls: Calls, ahead: Ahead, members: readonly (Member | undefined)[], turn: number): Member {
  const joined = members.map((member, index) => fitting(member, index, turn))
  const leaves = joined.flatMap((member) => member.calls)
  const [first] = leaves
  const depths = joined.flatMap((member) => member.depths.map((depth) => depth + 1))
  if (first === undefined) return { calls: [], depths, turn }
  if (leaves.length > limits.commandsPerCompletionMax) throw tooLarge(leaves.length)
  const at = calls.unrecorded.indexOf(first)
  for (const [index, call] of leaves.entries()) {
    if (calls.unrecorded[at + index] !== call) throw notTogether(call)
  }
  const base = firstStep(calls, ahead, at)
  for (const [index, call] of leaves.entries()) call.groups.unshift(entryOf(leaves, base, index))
  return { calls: leaves, depths, turn }
}

// History may number with gaps: the group is named by the number that its first member has there.
function firstStep(calls: Calls, ahead: Ahead, at: number): number {
  const found = ahead.after(at)
  return found.kind === 'step' ? found.step : calls.lastRecorded + at + 1
}

function fitting(member: Member | undefined, index: number, turn: number): Member {
  if (member === undefined) {
    throw notAMember(`member ${index} is not a promise that ctx.run, ctx.sleep or ctx.all returned`, { index })
  }
  if (member.turn !== turn) throw notAMember(`member ${index} was called in an earlier turn`, { index })
  const taken = member.calls.find((call, leaf) => call.groups.length !== member.depths[leaf])
  if (taken !== undefined) throw notAMember(`${taken.label} is a member of another ctx.all already`, { index })
  return member
}

function notTogether(call: Call): GuardError {
  return notAMember(`${call.label} does not stand next to the member before it: another call was made between them`, {
    call: call.label,
    place: call.place.location(),
  })
}

const remedy = 'Call the members inside the brackets of ctx.all([...]), or use Promise.all, which takes any promise.'

function notAMember(problem: string, facts: Fields): GuardError {
  return new GuardError(`ctx.all makes one group of calls of one turn; ${problem}. ${remedy}`, {
    reason: 'not_a_group_member',
    facts,
    remedy,
  })
}

function tooLarge(size: number): GuardError {
  const max = limits.commandsPerCompletionMax
  const next = 'Run them in several groups, one after the other.'
  return new GuardError(`ctx.all has ${size} members; the limit is ${max}. ${next}`, {
    reason: 'parallel_group_too_large',
    facts: { size, sizeMax: max },
    remedy: next,
  })
}

function entryOf(leaves: readonly Call[], base: number, index: number): GroupEntry {
  const { kind, prefix } = kindOf(leaves)
  return {
    parallel_group_id: `${prefix}:${base}:${leaves.length}`,
    parallel_group_kind: kind,
    parallel_group_base_sequence: base,
    parallel_group_size: leaves.length,
    parallel_group_index: index,
  }
}

function kindOf(leaves: readonly Call[]): { readonly kind: string; readonly prefix: string } {
  if (leaves.every(({ shape }) => shape === 'activity')) return { kind: 'activity', prefix: 'parallel-activities' }
  if (leaves.every(({ shape }) => shape === 'timer')) return { kind: 'timer', prefix: 'parallel-timers' }
  return { kind: 'mixed', prefix: 'parallel-calls' }
}

/** What a command says about its groups: the innermost one, and the path from the outermost. */
export type GroupFields = GroupEntry & { readonly parallel_group_path: GroupEntry[] }

/** Undefined for a call outside of groups. */
export function groupFields({ groups }: Call): GroupFields | undefined {
  const innermost = groups.at(-1)
  return innermost === undefined ? undefined : { ...innermost, parallel_group_path: [...groups] }
}

const entryKeys = [
  'parallel_group_id',
  'parallel_group_kind',
  'parallel_group_base_sequence',
  'parallel_group_size',
  'parallel_group_index',
] as const

/** The groups that an event names, outermost first; undefined where it names none. Servers of old name a single one without a path. */
export function recordedGroups(fields: Fields): readonly unknown[] | undefined {
  const path = fields.parallel_group_path
  if (Array.isArray(path) && path.length > 0) return path
  if (fields.parallel_group_id === undefined || fields.parallel_group_id === null) return undefined
  return [Object.fromEntries(entryKeys.map((key) => [key, fields[key]]))]
}

/** Whether two paths say the same, key by key. */
export function sameGroups(recorded: readonly unknown[], authored: readonly GroupEntry[]): boolean {
  return recorded.length === authored.length && authored.every((entry, index) => sameEntry(recorded[index], entry))
}

function sameEntry(recorded: unknown, authored: GroupEntry): boolean {
  if (typeof recorded !== 'object' || recorded === null) return false
  if (Object.keys(recorded).length !== entryKeys.length) return false
  return entryKeys.every((key) => Reflect.get(recorded, key) === authored[key])
}

/** Group ids, outermost first, for reports. */
export function describeGroups(path: readonly unknown[]): string {
  if (path.length === 0) return 'no group'
  return path.map((entry) => describeEntry(entry)).join(' > ')
}

function describeEntry(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  return `${String(Reflect.get(entry, 'parallel_group_id'))}[${String(Reflect.get(entry, 'parallel_group_index'))}]`
}
