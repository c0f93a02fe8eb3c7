// The package.json of a tarball, as far as a release asks it.
import { sha256 } from '../canonical.ts'
import { type Shape, shaped, table, text } from '../shape.ts'

/** What a packed package.json says. */
export interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly isPrivate: boolean
  /** Commit that it was packed from; null where it names none. */
  readonly gitHead: string | null
  /** Names of its scripts. */
  readonly scripts: readonly string[]
  /** Asks to be compiled at install (`gypfile`). */
  readonly isGypfile: boolean
  /** Keys of `publishConfig` that name a registry: `registry`, `@x:registry`. */
  readonly registryKeys: readonly string[]
  readonly dependencies: readonly Dependency[]
  /** Files that exports, bin, types and main lead to, without `./`; a `*` stands for any text. */
  readonly targets: readonly string[]
  /** Of the file. */
  readonly sha256: string
  /** Of `exports` as JSON in its own order, which decides what Node takes. */
  readonly exportsSha256: string
}

/** One dependency of any kind; consumers install all but those of development. */
export interface Dependency {
  readonly kind: (typeof dependencyKinds)[number]
  readonly name: string
  readonly range: string
}

const dependencyKinds = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'] as const
const anything: Shape<unknown> = { holds: (value): value is unknown => value !== undefined }
const fields = table(anything)

/** @throws Refused record_schema_invalid, with the place in the file */
export function readPackageJson(content: Uint8Array, file: string): PackedManifest {
  const at = `${file}/package.json`
  const given = shaped(fields, parsed(content), at)
  const objectAt = (name: string) => shaped(fields, given[name] ?? {}, `${at}.${name}`)
  return {
    name: shaped(text(), given.name, `${at}.name`),
    version: shaped(text(), given.version, `${at}.version`),
    isPrivate: Boolean(given.private),
    gitHead: typeof given.gitHead === 'string' ? given.gitHead : null,
    scripts: Object.keys(objectAt('scripts')),
    isGypfile: Boolean(given.gypfile),
    registryKeys: Object.keys(objectAt('publishConfig')).filter((key) => /(^|:)registry$/.test(key)),
    dependencies: dependencyKinds.flatMap((kind) =>
      Object.entries(shaped(table(text()), given[kind] ?? {}, `${at}.${kind}`)).map(([name, range]) => ({
        kind,
        name,
        range,
      })),
    ),
    targets: [
      ...new Set([given.exports, given.bin, given.types, given.typings, given.main, given.module].flatMap(textsOf)),
    ].map((target) => target.replace(/^\.\//, '')),
    sha256: sha256(content),
    exportsSha256: sha256(JSON.stringify(given.exports ?? null)),
  }
}

function parsed(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch {
    return undefined // the caller refuses it by its place
  }
}

/** All texts in a value, however deep: conditions of exports nest. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
