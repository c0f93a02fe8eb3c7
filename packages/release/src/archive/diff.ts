// What differs between two releases, or two tarballs: data, for people (`diff-lines.ts`) and for `--json`.
import type { FileEntry, Manifest } from '../records/manifest.ts'
import { stateOfFile } from './tree.ts'

/** One thing, before and after; null where it is not there. */
export interface Change {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** One file, before and after; null where it is not there. */
export interface FileChange {
  readonly path: string
  readonly before: FileEntry | null
  readonly after: FileEntry | null
}

/** Totals of a package; zeros where it is not there. */
export interface Totals {
  readonly files: number
  /** Bytes of the tarball, and of all files in it. */
  readonly packedBytes: number
  readonly unpackedBytes: number
}

/** What differs in one package. `encoding`: all files are equal, the tarball is not. */
export interface PackageDiff {
  readonly name: string
  readonly change: 'added' | 'removed' | 'contents' | 'encoding' | 'equal'
  readonly before: Totals
  readonly after: Totals
  readonly files: readonly FileChange[]
  /** Of the packed manifest: `version`, `gitHead`, `exports` (a digest). */
  readonly manifest: readonly Change[]
  readonly dependencies: readonly Change[]
}

/** What differs in all. Every list is sorted by name, and empty where nothing differs; packages are all listed. */
export interface ReleaseDiff {
  readonly version: { readonly before: string; readonly after: string }
  readonly packages: readonly PackageDiff[]
  /** Lines that the set speaks, and digests of released documents and of schemas. */
  readonly protocol: readonly Change[]
  readonly toolchain: readonly Change[]
  /** Ranges of server and SDK, versions whose data is taken over. */
  readonly compatibility: readonly Change[]
}

type Texts = Readonly<Record<string, string>>

/** One side of a comparison: a manifest, or a single tarball, which knows of no protocol and no tools. */
export interface Side {
  readonly version: string
  readonly packages: readonly SidePackage[]
  readonly protocol: Texts
  readonly toolchain: Texts
  readonly compatibility: Texts
}

/** One package of a side. */
export interface SidePackage {
  readonly name: string
  readonly packedBytes: number
  readonly sha256: string
  readonly files: readonly FileEntry[]
  readonly manifest: Texts
  readonly dependencies: Texts
}

/** What changed from one release to another. @source release design §7, point 1 */
export const diffManifests = (one: Manifest, other: Manifest): ReleaseDiff =>
  diffSides(sideOfManifest(one), sideOfManifest(other))

/** What changed from one side to the other. */
export const diffSides = (one: Side, other: Side): ReleaseDiff => ({
  version: { before: one.version, after: other.version },
  packages: paired(one.packages, other.packages, ({ name }) => name).map(([name, before, after]) =>
    diffPackage(name, before, after),
  ),
  protocol: changes(one.protocol, other.protocol),
  toolchain: changes(one.toolchain, other.toolchain),
  compatibility: changes(one.compatibility, other.compatibility),
})

/** A manifest as a side. */
export function sideOfManifest({ version, packages, protocol, toolchain, compatibility }: Manifest): Side {
  const { node, pnpm, typescript, packCommand, platform, zlib } = toolchain
  return {
    version,
    packages: packages.map(({ name, version, file, files, identity, dependencies }) => ({
      name,
      packedBytes: file.size,
      sha256: file.sha256,
      files,
      manifest: { version, gitHead: identity.gitHead, exports: identity.exportsSha256 },
      dependencies: { ...dependencies.internal, ...dependencies.external },
    })),
    protocol: {
      ...prefixed('line', protocol.lines),
      ...prefixed('document', protocol.released),
      ...prefixed('schema', protocol.schemas),
    },
    toolchain: {
      node,
      pnpm: pnpm.version,
      'integrity of pnpm': pnpm.integrity ?? 'none',
      typescript: typescript.version,
      'integrity of typescript': typescript.integrity ?? 'none',
      'pack command': packCommand.join(' '),
      platform,
      zlib,
    },
    compatibility: {
      server: compatibility.server,
      sdk: compatibility.sdk,
      'upgrade from': compatibility.upgradeFrom.join(' ') || 'none',
    },
  }
}

function diffPackage(name: string, before: SidePackage | null, after: SidePackage | null): PackageDiff {
  const files = paired(before?.files ?? [], after?.files ?? [], ({ path }) => path)
    .filter(([, one, other]) => one === null || other === null || stateOfFile(one) !== stateOfFile(other))
    .map(([path, before, after]) => ({ path, before, after }))
  return {
    name,
    change: kindOf(before, after, files.length > 0),
    before: totalsOf(before),
    after: totalsOf(after),
    files,
    manifest: changes(before?.manifest ?? {}, after?.manifest ?? {}),
    dependencies: changes(before?.dependencies ?? {}, after?.dependencies ?? {}),
  }
}

function kindOf(before: SidePackage | null, after: SidePackage | null, hasChanges: boolean): PackageDiff['change'] {
  if (before === null) return 'added'
  if (after === null) return 'removed'
  if (hasChanges) return 'contents'
  return before.sha256 === after.sha256 ? 'equal' : 'encoding'
}

const totalsOf = (one: SidePackage | null): Totals => ({
  files: one?.files.length ?? 0,
  packedBytes: one?.packedBytes ?? 0,
  unpackedBytes: (one?.files ?? []).reduce((sum, { size }) => sum + size, 0),
})

const changes = (one: Texts, other: Texts): Change[] =>
  paired(Object.entries(one), Object.entries(other), ([name]) => name)
    .map(([name, before, after]) => ({ name, before: before?.[1] ?? null, after: after?.[1] ?? null }))
    .filter(({ before, after }) => before !== after)

/** Each name of either list, sorted, with what each list has under it. */
function paired<T>(
  one: readonly T[],
  other: readonly T[],
  nameOf: (item: T) => string,
): [string, T | null, T | null][] {
  const before = new Map(one.map((item) => [nameOf(item), item]))
  const after = new Map(other.map((item) => [nameOf(item), item]))
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted()
    .map((name) => [name, before.get(name) ?? null, after.get(name) ?? null])
}

const prefixed = (prefix: string, texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix} ${name}`, text]))
