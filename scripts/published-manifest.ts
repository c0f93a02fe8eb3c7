import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fields, type Published } from './published.ts'

/** Written by changesets, beside the package's manifest. */
export const changelogFile = 'CHANGELOG.md'

/** What a published manifest has, in this order; all else (scripts, what only the workshop needs) stays here. */
const publishedFields = [
  'name',
  'version',
  'description',
  'license',
  'gitHead',
  'type',
  'engines',
  'sideEffects',
  'bin',
  'exports',
  'files',
  'dependencies',
  'peerDependencies',
  'peerDependenciesMeta',
] as const

/**
 * The manifest as it is packed. It differs from ours: no `source` condition, which would lead consumers to files that are
 * not there; declarations of their own for `require`; exact versions of our own packages, which move together; the changelog
 * among the files, where there is one.
 *
 * @param gitHead  the commit that is packed, for a release; pnpm writes none into a tarball of its own accord
 * @throws Error when a dependency of the workspace is not at the version of the package
 */
export function publishedManifest(
  one: Published,
  versions: ReadonlyMap<string, string>,
  gitHead?: string,
): Record<string, unknown> {
  const made: ReadonlyMap<string, unknown> = new Map(
    Object.entries({
      gitHead,
      exports: exportsOf(one),
      files: filesOf(one),
      dependencies: dependenciesOf(one, versions),
    }),
  )
  return Object.fromEntries(
    publishedFields
      .map((name) => [name, made.get(name) ?? one.manifest.get(name)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

/** Of a package's own accord only README.md, LICENSE and the manifest are packed. */
function filesOf({ folder, manifest }: Published): unknown[] {
  const files = manifest.get('files')
  const listed = Array.isArray(files) ? files : []
  return existsSync(join(folder, changelogFile)) ? [...listed, changelogFile] : listed
}

function exportsOf({ entries, hasCommonJs }: Published): Record<string, unknown> {
  const modules = (entry: string) => ({ types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` })
  return Object.fromEntries(
    [...entries].map(([path, entry]) => [
      path,
      hasCommonJs
        ? { import: modules(entry), require: { types: `./dist/${entry}.d.cts`, default: `./dist/${entry}.cjs` } }
        : modules(entry),
    ]),
  )
}

function dependenciesOf(one: Published, versions: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...fields(one.manifest.get('dependencies'))].map(([name, range]) => [
      name,
      `${range}`.startsWith('workspace:') ? versionOf(one, name, `${range}`, versions) : `${range}`,
    ]),
  )
}

function versionOf(one: Published, name: string, range: string, versions: ReadonlyMap<string, string>): string {
  const version = versions.get(name)
  if (range !== 'workspace:*')
    throw new Error(`${one.name} needs ${name} ${range}; write workspace:*, the exact version`)
  if (version === undefined) throw new Error(`${one.name} needs ${name}, which is not published`)
  if (version !== one.manifest.get('version')) {
    throw new Error(
      `${one.name} ${one.manifest.get('version')} needs ${name} ${version}; published versions move together`,
    )
  }
  return version
}
