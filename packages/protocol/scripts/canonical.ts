import { createHash } from 'node:crypto'
import { isObject, type Json } from './documents.ts'

/** JSON with sorted keys and no white space: equal documents have equal text. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Replaces every local reference by what it names; a reference inside its own target stays as it is. */
export function inline(value: Json, root: Json, open: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((item) => inline(item, root, open))
  if (!isObject(value)) return value
  const reference = value.$ref
  if (typeof reference === 'string' && reference.startsWith('#/') && !open.includes(reference))
    return inline(lookUp(root, reference), root, [...open, reference])
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inline(item, root, open)]))
}

export function lookUp(root: Json, reference: string): Json {
  let at: Json = root
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const next: Json | undefined = isObject(at) ? at[key] : undefined
    if (next === undefined) throw new Error(`${reference} names nothing`)
    at = next
  }
  return at
}
