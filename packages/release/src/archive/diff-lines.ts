import type { Change, FileChange, PackageDiff, ReleaseDiff } from './diff.ts'

/** A difference as lines for people: `+` is new, `-` is gone, `~` has changed. */
export function linesOfDiff({ version, packages, protocol, toolchain, compatibility }: ReleaseDiff): string[] {
  return [
    `${version.before} → ${version.after}`,
    ...packages.flatMap(linesOfPackage),
    ...section('protocol', protocol),
    ...section('compatibility', compatibility),
    ...section('toolchain', toolchain),
  ]
}

function linesOfPackage({ name, change, before, after, files, manifest, dependencies }: PackageDiff): string[] {
  if (change === 'equal') return [`${name}: equal`]
  const counts = ([what, one, other]: readonly [string, number, number]) =>
    `${one === other ? count(one) : `${count(one)} → ${count(other)}`} ${what}`
  const totals = [
    ['files', before.files, after.files],
    ['bytes', before.unpackedBytes, after.unpackedBytes],
    ['bytes packed', before.packedBytes, after.packedBytes],
  ] as const
  return [
    `${name}: ${headings[change]}; ${totals.map(counts).join(', ')}`,
    ...files.map(lineOfFile),
    ...manifest.map((one) => lineOf('package.json ', one)),
    ...dependencies.map((one) => lineOf('dependency ', one)),
  ]
}

const headings: Readonly<Record<Exclude<PackageDiff['change'], 'equal'>, string>> = {
  added: 'new',
  removed: 'gone',
  contents: 'changed',
  encoding: 'encoded otherwise, all files are equal',
}

function lineOfFile({ path, before, after }: FileChange): string {
  if (before === null) return `  + ${path} (${count(after?.size ?? 0)} bytes)`
  if (after === null) return `  - ${path} (${count(before.size)} bytes)`
  const sizes = before.size === after.size ? count(after.size) : `${count(before.size)} → ${count(after.size)}`
  const modes = before.mode === after.mode ? '' : `, mode ${before.mode} → ${after.mode}`
  return `  ~ ${path} (${sizes} bytes${modes})`
}

const section = (title: string, changes: readonly Change[]): string[] =>
  changes.length === 0 ? [] : [`${title}:`, ...changes.map((one) => lineOf('', one))]

function lineOf(what: string, { name, before, after }: Change): string {
  if (before === null) return `  + ${what}${name}: ${after}`
  if (after === null) return `  - ${what}${name}: ${before}`
  return `  ~ ${what}${name}: ${before} → ${after}`
}

/** `1,234` */
const count = (number: number): string => number.toLocaleString('en-US')
