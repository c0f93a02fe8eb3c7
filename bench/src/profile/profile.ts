// Reads CPU profiles of V8: where a process spent its own time, within a window of the clock.
import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The parts of a `.cpuprofile` that are read here. Times in microseconds of the clock of `process.hrtime`. @source Chrome DevTools Protocol, Profiler.Profile */
export interface CpuProfile {
  readonly startTime: number
  readonly nodes: readonly ProfileNode[]
  /** Node ids, one a sample. */
  readonly samples: readonly number[]
  /** Microseconds between a sample and the one before; the first: since `startTime`. */
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
}

/** A span of `process.hrtime`, in microseconds. */
export interface Window {
  readonly from: number
  readonly to: number
}

export const instantUs = (): number => Number(process.hrtime.bigint() / 1_000n)

export interface OwnTime {
  /** `name packages/engine/src/file.ts:LINE`; V8's own entries are `(garbage collector)`, `(program)`. */
  readonly at: string
  readonly ms: number
  /** Of all time that was not idle. */
  readonly percent: number
}

/** Own time by function, heaviest first; what is idle is left out. */
export function ownTimes(profile: CpuProfile, window?: Window): readonly OwnTime[] {
  const places = new Map(profile.nodes.map((node) => [node.id, placeOf(node)]))
  const usAt = new Map<string, number>()
  let busyUs = 0
  let now = profile.startTime
  for (const [index, id] of profile.samples.entries()) {
    // A sample stands for the time until the next one.
    now += profile.timeDeltas[index] ?? 0
    const us = profile.timeDeltas[index + 1] ?? 0
    const place = places.get(id)
    if (place === undefined) throw new Error(`the profile has a sample of node ${id}, but no such node`)
    if (place === '(idle)' || (window !== undefined && (now < window.from || now >= window.to))) continue
    busyUs += us
    usAt.set(place, (usAt.get(place) ?? 0) + us)
  }
  return [...usAt]
    .map(([at, us]) => ({ at, ms: us / 1_000, percent: (100 * us) / busyUs }))
    .sort((left, right) => right.ms - left.ms)
}

function placeOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  // Lines are counted from 0 in a profile.
  return url === '' ? name : `${name} ${shortened(url)}:${lineNumber + 1}`
}

const rootFolder = resolve(import.meta.dirname, '../../..')

/** The path below the package, or below the workspace; all of Node's own. */
function shortened(url: string): string {
  if (!url.startsWith('file:')) return url
  const path = fileURLToPath(url)
  const installed = '/node_modules/'
  const inPackage = path.lastIndexOf(installed)
  return inPackage === -1 ? relative(rootFolder, path) : path.slice(inPackage + installed.length)
}

/** @throws Error when the file is no CPU profile */
export async function readProfile(file: string): Promise<CpuProfile> {
  const profile: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!isCpuProfile(profile)) throw new Error(`${file} is no CPU profile`)
  return profile
}

function isCpuProfile(value: unknown): value is CpuProfile {
  if (typeof value !== 'object' || value === null) return false
  return (
    'startTime' in value &&
    typeof value.startTime === 'number' &&
    'nodes' in value &&
    Array.isArray(value.nodes) &&
    value.nodes.every(isProfileNode) &&
    'samples' in value &&
    areNumbers(value.samples) &&
    'timeDeltas' in value &&
    areNumbers(value.timeDeltas)
  )
}

function isProfileNode(value: unknown): value is ProfileNode {
  if (typeof value !== 'object' || value === null) return false
  if (!('id' in value) || typeof value.id !== 'number' || !('callFrame' in value)) return false
  const frame = value.callFrame
  return (
    typeof frame === 'object' &&
    frame !== null &&
    'functionName' in frame &&
    typeof frame.functionName === 'string' &&
    'url' in frame &&
    typeof frame.url === 'string' &&
    'lineNumber' in frame &&
    typeof frame.lineNumber === 'number'
  )
}

const areNumbers = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'number')
