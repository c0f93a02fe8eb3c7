import type { Fields } from '../fields.ts'

/** What decides how a package is resolved, installed or run. A registry may not add any of these. */
const decisive: readonly string[] = [
  'name',
  'version',
  'type',
  'main',
  'module',
  'types',
  'exports',
  'imports',
  'bin',
  'browser',
  'directories',
  'man',
  'sideEffects',
  'scripts',
  'engines',
  'os',
  'cpu',
  'libc',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bundleDependencies',
  'bundledDependencies',
  'overrides',
  'hasInstallScript',
  'gypfile',
  'license',
]

/** What registries and clients write in another form, and nothing is installed by. */
const informative: readonly string[] = [
  'description',
  'keywords',
  'author',
  'contributors',
  'maintainers',
  'repository',
  'bugs',
  'homepage',
  'funding',
  'readme',
  'gitHead', // it has a code of its own
]

/**
 * Fields that a registry tells otherwise than the packed manifest: any field of the package, and any decisive field that
 * only the registry has. Empty when the two agree.
 *
 * @source release design §3, manifest confusion; P-69
 */
export function describedOtherwise(packed: Fields, published: Fields): readonly string[] {
  const compared = new Set([...Object.keys(packed).filter((field) => !informative.includes(field)), ...decisive])
  return [...compared].filter((field) => formOf(field, packed[field]) !== formOf(field, published[field])).toSorted()
}

/** Equal meanings have equal texts: an empty object says as much as none, `./a.js` of a program as much as `a.js`. */
function formOf(field: string, value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).map(([name, one]) =>
    field === 'bin' ? [name, `${one}`.replace(/^\.\//, '')] : [name, one],
  )
  if (entries.length === 0) return ''
  // The first condition that fits wins: there, the order is part of the meaning.
  const isOrdered = field === 'exports' || field === 'imports'
  return JSON.stringify(isOrdered ? entries : entries.toSorted(([one], [other]) => (`${one}` < `${other}` ? -1 : 1)))
}
