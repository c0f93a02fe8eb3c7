// Which paths a package may have: those that every system reads alike, and that stay inside.
import { isUtf8 } from 'node:buffer'

type Danger = readonly [danger: string, is: (path: string, names: readonly string[]) => boolean]

/** Names that Windows opens as devices, whatever the extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?: *\..*)?$/i

const dangers: readonly Danger[] = [
  ['is absolute', (path) => path.startsWith('/')],
  ['has a control character or an invisible one', (path) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path)],
  ['has a character that Windows does not take as part of a name', (path) => /[\\<>:"|?*]/.test(path)],
  ['is not in the Unicode form NFC', (path) => path !== path.normalize('NFC')],
  ['has an empty name', (_, names) => names.includes('')],
  ['has a name . or ..', (_, names) => names.includes('.') || names.includes('..')],
  ['has a name that ends in a dot or a space', (_, names) => names.some((name) => /[. ]$/.test(name))],
  ['has a name that Windows keeps for a device', (_, names) => names.some((name) => device.test(name))],
  ['has a name of more than 255 bytes', (_, names) => names.some((name) => Buffer.byteLength(name) > 255)],
]

/** What is dangerous about a path, in words; null for one that is safe. */
export function dangerOf(path: Uint8Array): string | null {
  if (!isUtf8(path)) return 'is not UTF-8'
  const text = Buffer.from(path).toString()
  const names = text.split('/')
  return dangers.find(([, is]) => is(text, names))?.[0] ?? null
}

/**
 * Two paths that cannot lie side by side everywhere: equal, equal but for case (their folders' names, too), or one a folder of
 * the other. Empty when there are none.
 */
export function clashAmong(paths: readonly string[]): readonly string[] {
  const sorted = paths
    .map((path) => ({ path, folded: folded(path) }))
    .toSorted((one, other) => (one.folded < other.folded ? -1 : one.folded > other.folded ? 1 : 0))
  // In this order all that lies in one folder is together, a file before what lies in a folder of its name.
  for (const [index, one] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next !== undefined && doClash(one, next)) return [one.path, next.path]
  }
  return []
}

interface Folded {
  readonly path: string
  readonly folded: string
}

function doClash(one: Folded, other: Folded): boolean {
  const [names, otherNames] = [one.folded.split('\0'), other.folded.split('\0')]
  const differs = names.findIndex((name, index) => name !== otherNames[index])
  if (differs < 0) return true
  const shared = (path: string) => path.split('/').slice(0, differs).join('/')
  return shared(one.path) !== shared(other.path)
}

/** Case is folded both ways: some letters have two small forms, some two capitals. NUL sorts before every letter. */
const folded = (path: string): string => path.toUpperCase().toLowerCase().replaceAll('/', '\0')
