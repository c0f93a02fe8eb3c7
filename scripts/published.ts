import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package that is published: it lies in packages/ or apps/ and its manifest does not say `private`. */
export interface Published {
  readonly name: string
  /** `packages/sdk`; also the name by which commands take it, without the first part. */
  readonly path: string
  readonly folder: string
  readonly manifest: ReadonlyMap<string, unknown>
  /** Export path (`.`, `./worker`) → name of the entry (`index`, `worker`). */
  readonly entries: ReadonlyMap<string, string>
  /** Name of a program → name of its entry (`main`). */
  readonly programs: ReadonlyMap<string, string>
  /** Whether it is built for `require` too: an export names that condition. */
  readonly hasCommonJs: boolean
  /** Names of packages that are copied into what is built, so that nobody installs them (`bundled` of its manifest). */
  readonly bundled: readonly string[]
  /** Names of the workspace packages it depends on. */
  readonly needs: readonly string[]
}

export const root = join(import.meta.dirname, '..')

export const fields = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])

/** All published packages, each after those it needs. */
export function publishedPackages(): Published[] {
  const found = globSync('{packages,apps}/*/package.json', { cwd: root })
    .toSorted()
    .map((path) => readPackage(dirname(path)))
    .filter(({ manifest }) => manifest.get('private') !== true)
  const ordered: Published[] = []
  const place = (one: Published): void => {
    if (ordered.includes(one)) return
    for (const other of found) if (one.needs.includes(other.name)) place(other)
    ordered.push(one)
  }
  found.forEach(place)
  return ordered
}

/**
 * Those of them that a command names: `sdk`, `packages/sdk` or the full name; all when it names none.
 *
 * @throws Error when a word names none of them
 */
export function chosenPackages(words: readonly string[]): Published[] {
  const all = publishedPackages()
  const isNamed = (one: Published, word: string) =>
    one.name === word || one.path === word || one.path.endsWith(`/${word}`)
  const unknown = words.find((word) => !all.some((one) => isNamed(one, word)))
  if (unknown !== undefined) {
    throw new Error(`${unknown} is not published; there are ${all.map(({ path }) => path).join(', ')}`)
  }
  return words.length === 0 ? all : all.filter((one) => words.some((word) => isNamed(one, word)))
}

function readPackage(path: string): Published {
  const folder = join(root, path)
  const manifest = fields(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const targets = [...fields(manifest.get('exports'))].map(([name, target]) => ({ name, target: fields(target) }))
  const isPublished = manifest.get('private') !== true
  return {
    name: `${manifest.get('name')}`,
    path,
    folder,
    manifest,
    entries: new Map(isPublished ? targets.map(({ name, target }) => [name, entryOf(name, target)]) : []),
    programs: new Map([...fields(manifest.get('bin'))].map(([name, file]) => [name, programOf(folder, name, file)])),
    bundled: namesOf(manifest.get('bundled')),
    hasCommonJs: targets.some(({ target }) => target.has('require')),
    needs: [...fields(manifest.get('dependencies'))]
      .filter(([, range]) => `${range}`.startsWith('workspace:'))
      .map(([name]) => name),
  }
}

const namesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

function entryOf(path: string, target: ReadonlyMap<string, unknown>): string {
  const source = target.get('source')
  const entry = typeof source === 'string' ? /^\.\/src\/(.+)\.ts$/.exec(source)?.[1] : undefined
  if (entry === undefined) throw new Error(`exports["${path}"] has no source condition like ./src/index.ts`)
  return entry
}

function programOf(folder: string, name: string, file: unknown): string {
  const entry = typeof file === 'string' ? /^\.\/dist\/(.+)\.js$/.exec(file)?.[1] : undefined
  if (entry === undefined) throw new Error(`bin["${name}"] must be a file like ./dist/main.js`)
  if (!existsSync(join(folder, `src/${entry}.ts`))) throw new Error(`bin["${name}"] has no source src/${entry}.ts`)
  return entry
}
