// What the lockfiles of all package managers say alike.

/** One entry of a lockfile. */
export interface LockedEntry {
  /** Where it stands, as the file has it: `node_modules/@x/sdk`. */
  readonly at: string
  /** What it is installed as, what it says it is, and what its URL says: all that it may stand for. */
  readonly names: readonly string[]
  /** Exact version; null where the lockfile has none (a link). */
  readonly version: string | null
  /** As the lockfile has it: `sha512-…`; for Yarn 2 and later its checksum. */
  readonly integrity: string | null
  /** Where its bytes come from, for people. */
  readonly source: string
  /** What changes its bytes after they are checked: a patch. */
  readonly altered: string | null
}

/** A range that was asked for, by a manifest or by an override. */
export interface Asked {
  readonly at: string
  /** What it is installed as. */
  readonly name: string
  readonly range: string
}

export interface Lockfile {
  readonly kind: 'npm' | 'pnpm' | 'yarn classic' | 'yarn berry'
  /** The version of its form. */
  readonly version: string
  readonly entries: readonly LockedEntry[]
  readonly asked: readonly Asked[]
  /** Folders whose manifests it covers, relative to it, `.` for its own; null where it does not tell. */
  readonly members: ReadonlySet<string> | null
  /** `tarball`: sha512 of what the registry serves. `own`: of an archive that the package manager made of it. */
  readonly digests: 'tarball' | 'own'
}

/** `@x/sdk@0.2.0` → name and the rest; null when there is no `@` behind a name. */
export function splitAtVersion(text: string): readonly [name: string, rest: string] | null {
  const at = text.indexOf('@', 1)
  return at === -1 ? null : [text.slice(0, at), text.slice(at + 1)]
}

/**
 * What a range asks for: the package of an alias (`npm:@x/sdk@0.2.0`) and its range, `*` where it has none; the name itself
 * where there is no alias, or only the protocol (`npm:0.2.0`).
 *
 * @param name  what it is installed as
 */
export function meantBy(name: string, range: string): { readonly name: string; readonly range: string } {
  if (!range.startsWith('npm:')) return { name, range }
  const meant = range.slice('npm:'.length)
  if (!/^[a-z@]/i.test(meant)) return { name, range: meant }
  const [alias, version] = splitAtVersion(meant) ?? [meant, '*']
  return { name: alias, range: version }
}

/** The package that the URL of a registry's tarball names: `…/@x/sdk/-/sdk-0.2.0.tgz`. */
export function namesInUrl(url: string | null): readonly string[] {
  const name = /\/((?:@[^/]+(?:\/|%2f))?[^/@]+)\/-\/[^/]+\.tgz/i.exec(url ?? '')?.[1]
  return name === undefined ? [] : [name.replace(/%2f/i, '/')]
}

/** Whether a text is an exact version, and nothing else. */
export const isExact = (text: string): boolean => /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.test(text)

export const unique = (names: readonly (string | null)[]): readonly string[] => [
  ...new Set(names.filter((name) => name !== null)),
]
