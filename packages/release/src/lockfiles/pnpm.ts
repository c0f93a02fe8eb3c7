import { asFields, type Fields, fieldsAt, isFields, readYaml, textAt, Unreadable } from './document.ts'
import { type Asked, isExact, type LockedEntry, type Lockfile, namesInUrl, splitAtVersion, unique } from './lockfile.ts'
import { forced } from './manifest.ts'

const known: ReadonlySet<string> = new Set(['6.0', '6.1', '9.0'])
const sections = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'configDependencies',
  'packageManagerDependencies',
] as const

/**
 * `pnpm-lock.yaml` of versions 6 and 9. Since pnpm 11 a file may have two documents: pnpm itself stands in the first.
 *
 * @throws Unreadable
 */
export function readPnpmLockfile(text: string): Lockfile {
  const documents = readYaml(text).map((one) => asFields(one, 'the file'))
  const versions = documents.map((one) => textAt(one, 'lockfileVersion') ?? 'none')
  const unknown = versions.find((version) => !known.has(version))
  if (unknown !== undefined) throw new Unreadable(`lockfileVersion ${unknown}; known are ${[...known].join(', ')}`)
  const importers = documents.map(importersOf)
  return {
    kind: 'pnpm',
    version: versions.at(-1) ?? 'none',
    entries: documents.flatMap(entriesOf),
    asked: documents.flatMap(askedOf),
    members: new Set(importers.flatMap((all) => [...all.keys()])),
    digests: 'tarball',
  }
}

/** Folder → what it asks for; a lockfile of one folder has the sections at its top. */
function importersOf(document: Fields): Fields {
  return document.has('importers') ? fieldsAt(document, 'importers') : new Map([['.', document]])
}

function entriesOf(document: Fields): readonly LockedEntry[] {
  const packages = [...fieldsAt(document, 'packages')].map(([key, entry]) => lockedPackage(key, asFields(entry, key)))
  const byKey = new Map(packages.map((one) => [withoutPeers(one.at), one]))
  return [...packages, ...patches(document), ...edgesOf(document).flatMap((edge) => entryOfEdge(edge, byKey))]
}

/** `/@x/sdk@0.2.0(react@19.0.0)` → `@x/sdk@0.2.0` */
const withoutPeers = (key: string): string => key.replace(/^\//, '').replace(/\(.*$/, '')

function lockedPackage(key: string, entry: Fields): LockedEntry {
  const [name, rest] = splitAtVersion(withoutPeers(key)) ?? [null, key]
  const resolution = fieldsAt(entry, 'resolution', key)
  const tarball = textAt(resolution, 'tarball', key)
  return {
    at: key,
    names: unique([name, textAt(entry, 'name', key), ...namesInUrl(tarball), ...namesInUrl(rest)]),
    version: textAt(entry, 'version', key) ?? (isExact(rest) ? rest : null),
    integrity: textAt(resolution, 'integrity', key),
    source: [...resolution].map(([field, value]) => `${field} ${value}`).join(', ') || 'no resolution',
    altered: null,
  }
}

function patches(document: Fields): readonly LockedEntry[] {
  return [...fieldsAt(document, 'patchedDependencies').keys()].map((key) => ({
    at: `patchedDependencies ${key}`,
    names: [splitAtVersion(key)?.[0] ?? key],
    version: null,
    integrity: null,
    source: 'a patch',
    altered: 'a patch is applied to it',
  }))
}

interface Edge {
  readonly at: string
  readonly name: string
  /** `0.2.0`, `@x/sdk@0.2.0`, `link:../sdk` */
  readonly to: string
}

function edgesOf(document: Fields): readonly Edge[] {
  const holders = ['packages', 'snapshots'].flatMap((part) => [...fieldsAt(document, part)])
  return [...importersOf(document), ...holders].flatMap(([at, holder]) =>
    dependenciesOf(asFields(holder, at), at).flatMap(([name, value]) => {
      const to = isFields(value) ? textAt(value, 'version', `${at} ${name}`) : value
      return typeof to === 'string' ? [{ at: `${at} › ${name}`, name, to }] : []
    }),
  )
}

const dependenciesOf = (holder: Fields, at: string) =>
  sections.flatMap((section) => [...fieldsAt(holder, section, `${at} ${section}`)])

/** What an edge adds to the package it leads to: a link has no package, an alias another name. */
function entryOfEdge({ at, name, to }: Edge, packages: ReadonlyMap<string, LockedEntry>): readonly LockedEntry[] {
  const target = packages.get(`${name}@${withoutPeers(to)}`) ?? packages.get(withoutPeers(to))
  if (target === undefined) {
    const names = unique([name, splitAtVersion(withoutPeers(to))?.[0] ?? null])
    return [{ at, names, version: null, integrity: null, source: `${to}, which has no entry`, altered: null }]
  }
  return target.names.includes(name) ? [] : [{ ...target, at, names: [name] }]
}

function askedOf(document: Fields): readonly Asked[] {
  const importers = [...importersOf(document)].flatMap(([at, holder]) =>
    dependenciesOf(asFields(holder, at), at).flatMap(([name, value]) => {
      const range = isFields(value) ? textAt(value, 'specifier', `${at} ${name}`) : null
      // What a catalog says stands in the lockfile too, and is asked below.
      return range === null || range.startsWith('catalog:') ? [] : [{ at, name, range }]
    }),
  )
  const catalogs = [...fieldsAt(document, 'catalogs')].flatMap(([catalog, all]) =>
    [...asFields(all, catalog)].map(([name, value]) => ({
      at: `catalogs ${catalog}`,
      name,
      range: textAt(asFields(value, name), 'specifier', name) ?? '',
    })),
  )
  return [...importers, ...catalogs, ...forced('overrides', fieldsAt(document, 'overrides'))]
}
