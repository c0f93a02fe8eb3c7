import { asFields, type Fields, fieldsAt, readJson, textAt, Unreadable } from './document.ts'
import { type LockedEntry, type Lockfile, meantBy, namesInUrl, unique } from './lockfile.ts'

/**
 * `package-lock.json` and `npm-shrinkwrap.json`, versions 2 and 3. Version 2 says everything twice: once more for npm 6, and
 * both are read, because either may be what is installed from.
 *
 * @throws Unreadable
 */
export function readNpmLockfile(text: string): Lockfile {
  const document = asFields(readJson(text), 'the file')
  const version = `${document.get('lockfileVersion')}`
  if (version !== '2' && version !== '3') throw new Unreadable(`lockfileVersion ${version}; known are 2 and 3`)
  const packages = asFields(document.get('packages'), 'packages')
  return {
    kind: 'npm',
    version,
    entries: [
      ...[...packages].flatMap(([key, entry]) => installed(key, asFields(entry, key))),
      ...legacy(fieldsAt(document, 'dependencies'), 'dependencies'),
    ],
    asked: [],
    members: new Set([...packages.keys()].filter((key) => !isInstalled(key)).map((key) => (key === '' ? '.' : key))),
    digests: 'tarball',
  }
}

const isInstalled = (key: string): boolean => /(^|\/)node_modules\//.test(key)

/**
 * The name that the last folders of a key are. npm resolves keys as paths, so that `@x/sdk/` would be installed as `@x/sdk`:
 * what it does not write itself is not read.
 */
function nameIn(key: string): string {
  const name = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (!/^(@[^/@\\\s]+\/)?[^/@\\\s]+$/.test(name) || /^\.+$/.test(name)) throw new Unreadable(`${key} ends in no name`)
  return name
}

/** An entry of `packages`; a folder of the consumer's own has a name only where it is called otherwise. */
function installed(key: string, entry: Fields): readonly LockedEntry[] {
  if (key === '') return []
  if (key.includes('\\')) throw new Unreadable(`${key} has strokes of another system`)
  const resolved = textAt(entry, 'resolved', key)
  const installedAs = isInstalled(key) ? nameIn(key) : null
  return [
    {
      at: key,
      names: unique([installedAs, textAt(entry, 'name', key), ...namesInUrl(resolved)]),
      version: textAt(entry, 'version', key),
      integrity: textAt(entry, 'integrity', key),
      source: sourceOf(entry, resolved),
      altered: null,
    },
  ]
}

function sourceOf(entry: Fields, resolved: string | null): string {
  if (entry.get('link') === true) return `a link to ${resolved}`
  if (entry.get('inBundle') === true || entry.get('bundled') === true) return 'bundled in another package'
  return resolved ?? 'a folder'
}

/** The tree that npm 6 reads. Not recursive: its depth is a stranger's. */
function legacy(tree: Fields, where: string): readonly LockedEntry[] {
  const found: LockedEntry[] = []
  const waiting: { readonly fields: Fields; readonly where: string }[] = [{ fields: tree, where }]
  for (const { fields, where } of waiting) {
    for (const [name, value] of fields) {
      const at = `${where}/${name}`
      const entry = asFields(value, at)
      const resolved = textAt(entry, 'resolved', at)
      const version = textAt(entry, 'version', at) ?? ''
      const meant = meantBy(name, version)
      found.push({
        at,
        names: unique([nameIn(`node_modules/${name}`), meant.name, ...namesInUrl(resolved)]),
        version: /^\d/.test(meant.range) ? meant.range : null,
        integrity: textAt(entry, 'integrity', at),
        source: sourceOf(entry, resolved ?? version),
        altered: null,
      })
      waiting.push({ fields: fieldsAt(entry, 'dependencies', at), where: `${at}/dependencies` })
    }
  }
  return found
}
