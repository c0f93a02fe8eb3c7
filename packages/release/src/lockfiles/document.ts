// Lockfiles and manifests as trees: read strictly, because others wrote them.
//
// Owns:      JSON and YAML without what readers take differently: keys twice, aliases, tags, `__proto__`.
// Does not:  know what a lockfile says.
//
// Objects become maps, so that no key of a stranger is a property of anything. What cannot be read throws Unreadable, which
// `read.ts` turns into the one refusal of a file.
import { parseAllDocuments } from 'yaml'

/** A document. YAML is read without types: every scalar is a text. */
export type Tree = string | number | boolean | null | readonly Tree[] | Fields
/** An object. */
export type Fields = ReadonlyMap<string, Tree>

/** Why a file cannot be read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export const none: Fields = new Map()

/** The object there; an empty one where there is nothing. @throws Unreadable when something else is there */
export function fieldsAt(fields: Fields, key: string, where = key): Fields {
  const value = fields.get(key)
  return value === undefined ? none : asFields(value, where)
}

/** @throws Unreadable when it is no object */
export function asFields(value: Tree | undefined, where: string): Fields {
  if (isFields(value)) return value
  throw new Unreadable(`${where} is no object`)
}

/** The text there; null where there is nothing. @throws Unreadable when something else is there */
export function textAt(fields: Fields, key: string, where = key): string | null {
  const value = fields.get(key)
  if (value === undefined) return null
  if (typeof value === 'string') return value
  throw new Unreadable(`${where}: ${key} is no text`)
}

export const isFields = (value: Tree | undefined): value is Fields => value instanceof Map

/** @throws Unreadable for what is no JSON, a key twice, a key `__proto__` */
export function readJson(text: string): Tree {
  try {
    JSON.parse(text)
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : 'no JSON')
  }
  return grown(text)
}

type Open = { readonly list: Tree[] } | { readonly map: Map<string, Tree>; key: string | null }

/** The tree of a text that is known to be JSON: its tokens tell everything. Not recursive: depth is a stranger's. */
function grown(text: string): Tree {
  const open: Open[] = []
  let whole: Tree = null
  const put = (value: Tree): void => {
    const inside = open.at(-1)
    if (inside === undefined) whole = value
    else if ('list' in inside) inside.list.push(value)
    else if (inside.key === null) inside.key = newKey(inside.map, value)
    else {
      inside.map.set(inside.key, value)
      inside.key = null
    }
  }
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/g)) {
    if (token === '{') {
      const map = new Map<string, Tree>()
      put(map)
      open.push({ map, key: null })
    } else if (token === '[') {
      const list: Tree[] = []
      put(list)
      open.push({ list })
    } else if (token === '}' || token === ']') open.pop()
    else put(scalar(token))
  }
  return whole
}

function scalar(token: string): Tree {
  const value: unknown = JSON.parse(token)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return null
}

function newKey(map: ReadonlyMap<string, unknown>, key: Tree): string {
  if (typeof key !== 'string' || key === '__proto__') throw new Unreadable(`key ${key}`)
  if (map.has(key)) throw new Unreadable(`key ${key} twice`)
  return key
}

/** All documents of a YAML text. @throws Unreadable for what is no YAML, a key twice, an alias, a tag, a key `__proto__` */
export function readYaml(text: string): readonly Tree[] {
  const options = { schema: 'failsafe', strict: true, uniqueKeys: true, merge: false, logLevel: 'silent' } as const
  try {
    const documents = parseAllDocuments(text, options)
    if (documents.length === 0) throw new Unreadable('the file is empty')
    return documents.map((one) => {
      const [trouble] = [...one.errors, ...one.warnings]
      if (trouble !== undefined) throw new Unreadable(trouble.message.split('\n')[0])
      return plain(one.toJS({ mapAsMap: true, maxAliasCount: 0 }))
    })
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(error instanceof Error ? error.message : 'no YAML') // aliases and depth are told by throwing
  }
}

function plain(value: unknown): Tree {
  if (value instanceof Map) {
    const map = new Map<string, Tree>()
    for (const [key, one] of value) map.set(newKey(map, typeof key === 'string' ? key : null), plain(one))
    return map
  }
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'string' ? value : null
}
