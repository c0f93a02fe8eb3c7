import { asFields, type Fields, readYaml, textAt, Unreadable } from './document.ts'
import { isExact, type LockedEntry, type Lockfile, meantBy, namesInUrl, splitAtVersion, unique } from './lockfile.ts'
import { readYarnEntries } from './yarn-classic.ts'

/** `yarn.lock` of Yarn 1 and of Yarn 2 and later: two forms under one name. @throws Unreadable */
export function readYarnLockfile(text: string): Lockfile {
  return /^__metadata:/m.test(text) ? readBerry(text) : readClassic(text)
}

function readClassic(text: string): Lockfile {
  return {
    kind: 'yarn classic',
    version: '1',
    entries: readYarnEntries(text).map(({ patterns, fields }): LockedEntry => {
      const at = patterns.join(', ')
      const resolved = textAt(fields, 'resolved', at)
      return {
        at,
        names: unique([...patterns.flatMap(namesOf), ...namesInUrl(resolved)]),
        version: textAt(fields, 'version', at),
        integrity: textAt(fields, 'integrity', at),
        source: resolved ?? 'a folder',
        altered: null,
      }
    }),
    asked: [],
    members: null,
    digests: 'tarball',
  }
}

/** `durable@npm:@x/sdk@0.2.0`: what it is installed as, and what it is. */
function namesOf(pattern: string): readonly string[] {
  const [name, range] = splitAtVersion(pattern) ?? [pattern, '']
  return [name, meantBy(name, range).name]
}

/** The versions of the form since Yarn 2.0; what is read here is alike in all of them. */
const known: ReadonlySet<string> = new Set(['4', '5', '6', '7', '8', '9', '10'])

function readBerry(text: string): Lockfile {
  const [document, ...more] = readYaml(text)
  if (more.length > 0) throw new Unreadable('several documents')
  const all = asFields(document, 'the file')
  const version = textAt(asFields(all.get('__metadata'), '__metadata'), 'version') ?? 'none'
  if (!known.has(version)) throw new Unreadable(`version ${version}; known are ${[...known].join(', ')}`)
  const entries = [...all].filter(([key]) => key !== '__metadata')
  const locked = entries.map(([key, entry]) => berryEntry(key, asFields(entry, key)))
  return {
    kind: 'yarn berry',
    version,
    entries: locked.map(({ entry }) => entry),
    asked: [],
    members: new Set(locked.flatMap(({ member }) => member ?? [])),
    digests: 'own',
  }
}

/** Descriptors in the key, the locator in `resolution`: `@x/sdk@npm:0.2.0`; anything but that is no registry's tarball. */
function berryEntry(key: string, fields: Fields): { readonly entry: LockedEntry; readonly member: string | null } {
  const [name, reference] = splitAtVersion(textAt(fields, 'resolution', key) ?? '') ?? [null, 'no resolution']
  const version = reference.startsWith('npm:') ? reference.slice('npm:'.length) : ''
  const isRegistry = isExact(version)
  const entry = {
    at: key,
    names: unique([...key.split(', ').flatMap(namesOf), name]),
    version: isRegistry ? version : null,
    integrity: isRegistry ? textAt(fields, 'checksum', key) : null,
    source: reference,
    altered: null,
  }
  return { entry, member: reference.startsWith('workspace:') ? reference.slice('workspace:'.length) : null }
}
