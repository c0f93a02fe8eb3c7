import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package that is published: it lies in packages/ and its manifest does not say `private`. */
export interface Published {
  name: string
  folder: string
  manifest: ReadonlyMap<string, unknown>
  /** Export path (`.`, `./worker`) → name of the entry (`index`, `worker`). */
  entries: ReadonlyMap<string, string>
  /** Names of the workspace packages it depends on. */
  needs: readonly string[]
}

export const root = join(import.meta.dirname, '..')

export const fields = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])

function entriesOf(manifest: ReadonlyMap<string, unknown>): Map<string, string> {
  const entries = new Map<string, string>()
  for (const [path, target] of fields(manifest.get('exports'))) {
    const source = fields(target).get('source')
    const entry = typeof source === 'string' ? /^\.\/src\/(.+)\.ts$/.exec(source)?.[1] : undefined
    if (entry === undefined) throw new Error(`exports["${path}"] has no source condition like ./src/index.ts`)
    entries.set(path, entry)
  }
  return entries
}

/** All published packages, each after those it needs. */
export function publishedPackages(): Published[] {
  const found = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: fields(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))) }))
    .filter(({ manifest }) => manifest.get('private') !== true)
    .map(({ folder, manifest }) => ({
      name: `${manifest.get('name')}`,
      folder,
      manifest,
      entries: entriesOf(manifest),
      needs: [...fields(manifest.get('dependencies'))]
        .filter(([, range]) => `${range}`.startsWith('workspace:'))
        .map(([name]) => name),
    }))
  const ordered: Published[] = []
  const place = (one: Published): void => {
    if (ordered.includes(one)) return
    for (const other of found) if (one.needs.includes(other.name)) place(other)
    ordered.push(one)
  }
  found.forEach(place)
  return ordered
}
