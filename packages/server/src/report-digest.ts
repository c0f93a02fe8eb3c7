import { hash } from 'node:crypto'
import { canonicalJson } from '@durable-workflow/codec'

/** Digest of a report's body, by which an exact repeat is known: the same members in any order. */
export function reportDigest(body: unknown): string {
  return hash('sha256', canonicalJson(body))
}
