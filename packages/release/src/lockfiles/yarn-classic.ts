// The form of Yarn 1: neither JSON nor YAML. It is read by lines, and only as Yarn writes it.
import { type Fields, readJson, type Tree, Unreadable } from './document.ts'

/** One entry: what asked for it, and its fields. */
export interface YarnEntry {
  readonly patterns: readonly string[]
  readonly fields: Fields
}

const word = '"(?:[^"\\\\]|\\\\.)*"|[^\\s":,]+'
const keyLine = new RegExp(`^((?:${word})(?:, (?:${word}))*):$`)
const fieldLine = new RegExp(`^(?: {2}| {4})(${word}) (${word})$`)
const partLine = new RegExp(`^ {2}(${word}):$`)

/** @throws Unreadable for a line of another form, a key twice, another version */
export function readYarnEntries(text: string): readonly YarnEntry[] {
  const lines = text.split(/\r?\n/)
  if (!lines.includes('# yarn lockfile v1')) throw new Unreadable('no `# yarn lockfile v1`')
  const entries: { readonly patterns: readonly string[]; readonly fields: Map<string, Tree> }[] = []
  const seen = new Set<string>()
  let part: Map<string, Tree> | null = null
  for (const [index, line] of lines.entries()) {
    if (line === '' || line.startsWith('#')) continue
    const keys = keyLine.exec(line)?.[1]
    const fields = entries.at(-1)?.fields
    const begun = partLine.exec(line)?.[1]
    if (keys !== undefined) {
      const patterns = wordsIn(keys)
      for (const pattern of patterns) add(seen, pattern, index)
      entries.push({ patterns, fields: new Map() })
      part = null
    } else if (fields !== undefined && begun !== undefined) {
      part = new Map()
      put(fields, unquoted(begun), part, index)
    } else {
      const [, name, value] = fieldLine.exec(line) ?? []
      const into = line.startsWith('    ') ? part : fields
      if (name === undefined || value === undefined || into === undefined || into === null) {
        throw new Unreadable(`line ${index + 1} is no line of a lockfile: ${line.slice(0, 60)}`)
      }
      put(into, unquoted(name), unquoted(value), index)
    }
  }
  return entries
}

const wordsIn = (keys: string): readonly string[] =>
  [...keys.matchAll(new RegExp(word, 'g'))].map(([one]) => unquoted(one))

function unquoted(text: string): string {
  return text.startsWith('"') ? `${readJson(text)}` : text
}

function add(seen: Set<string>, pattern: string, index: number): void {
  if (seen.has(pattern) || pattern === '__proto__') throw new Unreadable(`line ${index + 1}: key ${pattern}`)
  seen.add(pattern)
}

function put(fields: Map<string, Tree>, name: string, value: Tree, index: number): void {
  if (fields.has(name) || name === '__proto__') throw new Unreadable(`line ${index + 1}: key ${name}`)
  fields.set(name, value)
}
