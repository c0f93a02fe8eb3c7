// The released documents of the protocol: an index of digests, and one file each, named by its content.
import { createHash } from 'node:crypto'
import { refuseUnless } from './guard.ts'
import type { Policy } from './policy.ts'
import { sha256Hex } from './records/digests.ts'
import type { Packing } from './records/manifest.ts'
import { list, shaped, table } from './shape.ts'

/** Reads a file of the folder of released documents, by its name. */
export type ReadDocument = (name: string) => string

/**
 * Document → sha256 of what is released last under it. The digest is of the content: JSON with sorted keys and no white space.
 *
 * @throws Refused protocol_digest_mismatch when a file is not what the index lists, or a line that the set speaks is not there
 */
export function releasedDocuments(read: ReadDocument, { lines }: Policy['protocol']): Packing['released'] {
  const content: unknown = JSON.parse(read('index.json'))
  const index = shaped(table(list(sha256Hex)), content, 'index.json')
  const last = Object.entries(index).flatMap(([document, digests]): [string, string][] => {
    const digest = digests.at(-1)
    return digest === undefined ? [] : [[document, digest]]
  })
  for (const [document, expected] of last) {
    const value: unknown = JSON.parse(read(`${document}-${expected.slice(0, 6)}.json`))
    const actual = contentDigest(value)
    refuseUnless(actual === expected, 'protocol_digest_mismatch', { document, expected, actual })
  }
  const released: Packing['released'] = Object.fromEntries(last)
  for (const document of Object.entries(lines).flatMap(([line, versions]) => documentsOf(line, versions))) {
    refuseUnless(Object.hasOwn(released, document), 'protocol_digest_mismatch', { document, actual: 'not released' })
  }
  return released
}

const documentsOf = (line: string, versions: string): string[] =>
  versions.split(' ').map((version) => `${line}-${version}`)

const contentDigest = (value: unknown): string => createHash('sha256').update(compact(value)).digest('hex')

/** Not `canonicalText`: a document may hold fractions, and its digest is taken over the shortest text. */
function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${compact(one)}`).join(',')}}`
}
