import { asFields, type Fields, fieldsAt, isFields, readJson, textAt } from './document.ts'
import { type Asked, splitAtVersion } from './lockfile.ts'

const sections = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/** A `package.json`, as far as pins are concerned. */
export interface Manifest {
  readonly name: string | null
  /** What it asks to be installed. Peers are asked of somebody else. */
  readonly dependencies: readonly Asked[]
  /** What it forces upon others: `overrides` of npm and pnpm, `resolutions` of Yarn. */
  readonly overrides: readonly Asked[]
}

/** @throws Unreadable */
export function readPackageJson(text: string): Manifest {
  const manifest = asFields(readJson(text), 'the file')
  return { name: textAt(manifest, 'name'), dependencies: dependenciesOf(manifest), overrides: overridesOf(manifest) }
}

const dependenciesOf = (manifest: Fields): readonly Asked[] =>
  sections.flatMap((section) =>
    [...fieldsAt(manifest, section).keys()].map((name) => ({
      at: section,
      name,
      range: textAt(fieldsAt(manifest, section), name, section) ?? '',
    })),
  )

const overridesOf = (manifest: Fields): readonly Asked[] => [
  ...forced('overrides', fieldsAt(manifest, 'overrides')),
  ...forced('pnpm.overrides', fieldsAt(fieldsAt(manifest, 'pnpm'), 'overrides')),
  ...forced('resolutions', fieldsAt(manifest, 'resolutions')),
]

/** Overrides as they are nested: of a manifest, or of a lockfile of pnpm, in which those of its workspace stand. */
export function forced(at: string, overrides: Fields): readonly Asked[] {
  const found: Asked[] = []
  const waiting: { readonly at: string; readonly fields: Fields; readonly of: string }[] = [
    { at, fields: overrides, of: '' },
  ]
  for (const { at, fields, of } of waiting) {
    for (const [key, value] of fields) {
      const name = key === '.' ? of : overridden(key)
      // `$name` takes the range of a dependency of this manifest, which is checked there.
      if (typeof value === 'string' && !value.startsWith('$')) found.push({ at, name, range: value })
      if (isFields(value)) waiting.push({ at: `${at} ${key}`, fields: value, of: name })
    }
  }
  return found
}

/** `helper>@x/spec`, `**\/@x/spec`, `@x/spec@^0.1.0` → `@x/spec` */
function overridden(key: string): string {
  const inner = key.split(/(?<=[^ |@])>/).at(-1) ?? key // a `>` behind `@` belongs to a range
  const last = inner.replace(/^.*\/(?=@)/, '')
  const name = splitAtVersion(last)?.[0] ?? last
  return name.startsWith('@') ? name : name.slice(name.lastIndexOf('/') + 1)
}
