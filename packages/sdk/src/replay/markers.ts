// Side effects and versions: steps that history holds as a value, known at the call.

import { decodeEnvelope, type PayloadValue } from '@durable-workflow/codec'
import { GuardError, PayloadTooLargeError } from '../authoring/failure.ts'
import { messageOf } from '../authoring/failure-wire.ts'
import type { Place } from '../authoring/place.ts'
import type { Call } from './calls.ts'
import type { RecordSideEffect, StepCommand } from './commands.ts'
import { compare, type Difference } from './compare.ts'
import { legacyVersion } from './decisions.ts'
import { never } from './emission.ts'
import { recordSideEffect, recordVersionMarker, type VersionRange } from './emit.ts'
import type { Entry, Shape } from './history.ts'
import type { Host } from './host.ts'

/**
 * The value that history has for the call, or that `fn` gives now.
 *
 * @throws GuardError `side_effect_asynchronous`, `side_effect_failed`; PayloadTooLargeError; NonDeterminismError. All of them
 *   fail the task: what `fn` throws is not recorded, so code that went on from it could not be replayed.
 */
export function sideEffect(host: Host, name: string, fn: () => unknown, place: Place): Promise<unknown> {
  const what = `ctx.sideEffect(${name})`
  host.assertUsable(what)
  try {
    host.beforeFirstCall()
    const found = host.ahead.after(host.calls.unrecorded.length)
    if (found.kind === 'step') return Promise.resolve(replayed(host, { what, name, place }, found.entry, found.step))
    if (found.kind === 'end' || !host.mayRecord()) return never()
    const command = recorded(
      host,
      what,
      name,
      host.aside(() => resultOf(what, fn)),
    )
    keep(host, what, 'side effect', place, command)
    // What history will give back, so that first run and replay see the same value.
    const value = decodeEnvelope(command.result)
    host.given(value)
    return Promise.resolve(value)
  } catch (error) {
    if (!host.fault(error)) throw error
    return never()
  }
}

interface Asked {
  readonly what: string
  readonly name: string
  readonly place: Place
}

function replayed(host: Host, { what, name, place }: Asked, entry: Entry, step: number): PayloadValue {
  const value = entry.fact.kind === 'side effect' ? entry.fact.value : null
  const call = keep(host, what, 'side effect', place, recordSideEffect(host.settings, name, value))
  assertSame(host, entry, step, call)
  host.given(value)
  return value
}

function assertSame(host: Host, entry: Entry, step: number, call: Call): void {
  const { fact } = entry
  const shape = fact.kind === 'opened' || fact.kind === 'resolved' ? fact.shape : shapeOf(fact.kind)
  const difference = compare(shape, entry.fields, call)
  if (difference !== undefined) throw host.mismatches.wrongCall(entry, step, call, difference)
}

function shapeOf(kind: string): Shape {
  return kind === 'version marker' ? kind : 'side effect'
}

function resultOf(what: string, fn: () => unknown): unknown {
  let result: unknown
  try {
    result = fn()
  } catch (error) {
    throw failed(what, `threw: ${messageOf(error)}`, error)
  }
  if (!(result instanceof Promise)) return result
  // Its rejection is nobody's any more.
  result.catch(() => undefined)
  throw new GuardError(
    `${what} returned a promise; a side effect is computed at once. Do what takes time in an activity: ctx.run(activity, input).`,
    { reason: 'side_effect_asynchronous', facts: { call: what } },
  )
}

function recorded(host: Host, what: string, name: string, value: unknown): RecordSideEffect {
  try {
    return recordSideEffect(host.settings, name, value)
  } catch (error) {
    if (PayloadTooLargeError.is(error)) throw error
    throw failed(what, `returned what is not data: ${messageOf(error)}`, error)
  }
}

function failed(what: string, how: string, cause: unknown): GuardError {
  const remedy = 'Compute something that cannot fail, or do it in an activity: ctx.run(activity, input).'
  return new GuardError(`${what} ${how}. ${remedy}`, {
    reason: 'side_effect_failed',
    facts: { call: what },
    remedy,
    cause,
  })
}

/**
 * The version that this run is pinned to.
 *
 * @throws GuardError `version_change_id_invalid`, `version_range_invalid`; NonDeterminismError
 *   `version_marker_incompatible_range` for a run whose version the code has left behind. All of them fail the task.
 * @source published/python-replay.md §4.4
 */
export function versionOf(host: Host, changeId: string, asked: Partial<VersionRange>, place: Place): number {
  const what = `ctx.version(${changeId})`
  host.assertUsable(what)
  try {
    const range = checked(what, changeId, asked)
    const known = host.decisions.get(changeId)
    if (known !== undefined) {
      assertWithin(host, undefined, callOf(host, what, changeId, known, range, place), known, range)
      return known
    }
    host.beforeFirstCall()
    const version = decide(host, what, changeId, range, place)
    host.decisions.set(changeId, version)
    return version
  } catch (error) {
    // Authored code that catches it goes on in vain: the task fails with it all the same.
    host.fault(error)
    throw error
  }
}

function decide(host: Host, what: string, changeId: string, range: VersionRange, place: Place): number {
  const found = host.ahead.after(host.calls.unrecorded.length)
  // A run that was closed from outside did not pass here: the call is news that is never recorded.
  if (found.kind === 'nothing' || (found.kind === 'end' && !found.byCode)) {
    keep(host, what, 'version marker', place, recordVersionMarker(changeId, range.max, range))
    return range.max
  }
  const entry = found.kind === 'step' ? found.entry : undefined
  if (entry?.fact.kind === 'version marker' && entry.fact.changeId === changeId) {
    const version = entry.fact.version
    const call = keep(host, what, 'version marker', place, recordVersionMarker(changeId, version ?? range.max, range))
    if (version === undefined) throw host.mismatches.wrongVersion(entry, call, malformed)
    assertWithin(host, entry, call, version, range)
    return version
  }
  return legacy(host, entry, callOf(host, what, changeId, legacyVersion, range, place), changeId, range)
}

// The run passed here before the code had the change. A marker of it further on says that calls have changed places instead.
function legacy(host: Host, entry: Entry | undefined, call: Call, changeId: string, range: VersionRange): number {
  if (entry !== undefined && host.ahead.hasMarker(changeId)) assertSame(host, entry, call.step, call)
  assertWithin(host, undefined, call, legacyVersion, range)
  host.decisions.assume(call)
  return legacyVersion
}

const malformed: Difference = {
  reason: 'version_marker_history_range_invalid',
  detail:
    'version, min_supported and max_supported of the marker must be whole numbers, the version between the others',
}

function assertWithin(host: Host, entry: Entry | undefined, call: Call, version: number, range: VersionRange): void {
  if (version >= range.min && version <= range.max) return
  const before = version === legacyVersion ? ', from before the change' : ''
  throw host.mismatches.wrongVersion(entry, call, {
    reason: 'version_marker_incompatible_range',
    detail: `the run is pinned to version ${version}${before}, and the code runs ${range.min} to ${range.max}; keep the code of version ${version} until no open run needs it`,
  })
}

// The wire's whole numbers of versions have 32 bits.
const versionMax = 2_147_483_647
const changeIdLengthMax = 191

function checked(what: string, changeId: string, { min = legacyVersion, max }: Partial<VersionRange>): VersionRange {
  if (typeof changeId !== 'string' || changeId === '' || changeId.length > changeIdLengthMax) {
    throw new GuardError(`${what}: the id of a change must have 1 to ${changeIdLengthMax} characters.`, {
      reason: 'version_change_id_invalid',
      facts: { changeId, length: String(changeId).length, lengthMax: changeIdLengthMax },
    })
  }
  if (isVersion(min) && isVersion(max) && min <= max) return { min, max }
  throw new GuardError(
    `${what}: min ${min} and max ${max} are no range of versions; both must be whole numbers from ${-versionMax} to ${versionMax}, min not above max.`,
    { reason: 'version_range_invalid', facts: { changeId, min, max } },
  )
}

function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= versionMax
}

function callOf(host: Host, what: string, changeId: string, version: number, range: VersionRange, place: Place): Call {
  return markerCall(host, what, 'version marker', place, recordVersionMarker(changeId, version, range))
}

function markerCall(host: Host, label: string, shape: Shape, place: Place, command: StepCommand): Call {
  return { step: host.calls.nextStep(), shape, label, place, command, groups: [], settle: () => undefined }
}

/** Gives the call its step; nobody waits for it, so it has ended already. */
function keep(host: Host, label: string, shape: Shape, place: Place, command: StepCommand): Call {
  const call = markerCall(host, label, shape, place, command)
  host.calls.add(call)
  host.calls.close(call)
  return call
}
