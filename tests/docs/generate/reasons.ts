import { operations, reasons } from '@durable-workflow/protocol'
import { table } from './markdown.ts'
import { meanings } from './meanings.ts'

type Plane = 'worker' | 'control'
const fewMax = 3

/** Every reason with which this server answers, by status. */
export function reasonsTable(): string {
  const rows = Object.entries(reasons)
    .filter(([, { stage }]) => stage === 'built')
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(([name, { status, retryable, remedy, operations: given }]) => [
      `\`${name}\``,
      String(status),
      retryable ? 'yes' : 'no',
      new Map<string, string>(Object.entries(meanings)).get(name) ?? '',
      remedy,
      givenBy(given),
    ])
  return table(['reason', 'status', 'repeat?', 'means', 'do', 'answers'], rows)
}

/** Reasons that are in the documents and that this server does not give yet; another server may. */
export function plannedReasons(): string {
  return Object.entries(reasons)
    .filter(([, { stage }]) => stage === 'planned')
    .map(([name]) => `\`${name}\``)
    .join(', ')
}

function givenBy(given: readonly string[]): string {
  if (given.length === 0) return 'requests that reach no operation'
  return [ofPlane('worker', given), ofPlane('control', given), ...elsewhere(given)]
    .filter((text) => text !== '')
    .join('; ')
}

function ofPlane(plane: Plane, given: readonly string[]): string {
  const all = builtIn(plane)
  const here = all.filter((name) => given.includes(name))
  const missing = all.filter((name) => !given.includes(name))
  const label = plane === 'worker' ? 'worker plane' : 'control plane'
  if (here.length === 0) return ''
  if (missing.length === 0) return `all of the ${label}`
  if (here.length <= all.length / 2 || missing.length > fewMax)
    return here.length > 8 ? `most of the ${label}` : list(here)
  return `all of the ${label} but ${list(missing)}`
}

const elsewhere = (given: readonly string[]): string[] => {
  const planes = [...builtIn('worker'), ...builtIn('control')]
  const others = given.filter((name) => !planes.includes(name))
  return others.length === 0 ? [] : [list(others)]
}

function builtIn(plane: Plane): string[] {
  return Object.entries(operations)
    .filter(([, operation]) => operation.stage === 'built' && operation.plane === plane)
    .map(([name]) => name)
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
