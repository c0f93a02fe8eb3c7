// Canonical JSON: equal content has one text, so that a digest of the bytes is a digest of the content.
import { createHash } from 'node:crypto'
import { refuseUnless } from './guard.ts'

/** What canonical JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Sorted keys (by UTF-16 units), two spaces, a newline at the end. Numbers are safe integers only. */
export const canonicalText = (value: Json): string => `${JSON.stringify(sorted(value), null, 2)}\n`

/** Hex sha256 of bytes, or of a text as UTF-8. */
export const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')

/**
 * Reads canonical JSON. Keys that are given twice, other spacing or another order are not canonical.
 *
 * @throws Refused manifest_not_canonical, with the document's name
 */
export function readCanonical(text: string, document: string): Json {
  const value = parsed(text)
  refuseUnless(value !== undefined && canonicalText(value) === text, 'manifest_not_canonical', { document })
  return value
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined // the caller refuses it by its name
  }
}

export function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value === 'object' && Object.values(value).every(isJson)
}

function sorted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]): [string, Json] => [key, sorted(one)]),
  )
}
