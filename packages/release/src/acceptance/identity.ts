// What lies on disk, by its bytes: never by a version string.
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { treeSha256Of } from '../archive/tree.ts'
import { sha256 } from '../canonical.ts'
import type { FileEntry } from '../records/manifest.ts'
import type { DetailsOf } from '../records/records.ts'

/** A package and the digest of its files. */
export interface Tree {
  readonly name: string
  readonly treeSha256: string
}

/** An installed copy of a package. */
export interface InstalledCopy extends Tree {
  /** From the installed folder, links followed: `node_modules/@x/sdk`. */
  readonly realPath: string
}

/** One digest for a whole set: sha256 over lines `name SP treeSha256 LF`, sorted by name. */
export const treeOfSet = (trees: readonly Tree[]): string =>
  sha256(
    trees
      .map(({ name, treeSha256 }) => `${name} ${treeSha256}\n`)
      .toSorted()
      .join(''),
  )

/**
 * The digest of an unpacked package as manifests have it. Folders of packages installed below it are not part of it. A link
 * counts as what it names, since no tarball has one.
 */
export const treeOfFolder = (folder: string): string =>
  treeSha256Of(filesBelow(folder, '').map((path) => fileOf(folder, path)))

function fileOf(folder: string, path: string): FileEntry {
  const file = join(folder, path)
  const stat = lstatSync(file)
  const content = stat.isSymbolicLink() ? Buffer.from(`link to ${readlinkSync(file)}`) : readFileSync(file)
  // An unpacker takes the umask off the modes, so that of them only the bit of programs is certain.
  const mode = (stat.mode & 0o100) === 0 ? '0644' : '0755'
  return { path, size: content.length, mode, sha256: sha256(content) }
}

function filesBelow(folder: string, path: string): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((one) => {
    const inner = path === '' ? one.name : `${path}/${one.name}`
    if (!one.isDirectory()) return [inner]
    return inner === 'node_modules' ? [] : filesBelow(folder, inner)
  })
}

/** Every copy of the named packages that is installed in a folder, those below other packages too. */
export function installedCopies(folder: string, names: readonly string[]): InstalledCopy[] {
  return modulesFolders(folder).flatMap((modules) =>
    names
      .map((name) => ({ name, place: join(modules, name) }))
      .filter(({ place }) => lstatSync(place, { throwIfNoEntry: false }) !== undefined)
      .map(({ name, place }) => {
        const real = realpathSync(place)
        const realPath = relative(realpathSync(folder), real).split(sep).join('/')
        return { name, realPath, treeSha256: treeOfFolder(real) }
      }),
  )
}

/** All `node_modules` of a folder; links are not followed. */
function modulesFolders(folder: string): string[] {
  const modules = join(folder, 'node_modules')
  if (lstatSync(modules, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  const packages = readdirSync(modules, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .flatMap((one) =>
      one.name.startsWith('@')
        ? readdirSync(join(modules, one.name), { withFileTypes: true })
            .filter((inner) => inner.isDirectory())
            .map((inner) => join(modules, one.name, inner.name))
        : [join(modules, one.name)],
    )
  return [modules, ...packages.flatMap(modulesFolders)]
}

/** What ran, from what lay on disk before and after. A copy that came or went in between has the digest of nothing there. */
export function executedOf(
  before: readonly InstalledCopy[],
  after: readonly InstalledCopy[],
): DetailsOf<'acceptance'>['executed'] {
  const nothing = sha256('')
  const places = new Set([...before, ...after].map(({ name, realPath }) => `${name} ${realPath}`))
  return [...places].toSorted().map((place) => {
    const isHere = ({ name, realPath }: InstalledCopy) => `${name} ${realPath}` === place
    const [name = '', realPath = ''] = place.split(' ')
    return {
      name,
      realPath,
      treeSha256Before: before.find(isHere)?.treeSha256 ?? nothing,
      treeSha256After: after.find(isHere)?.treeSha256 ?? nothing,
    }
  })
}
