// What was published, kept by content: spec/released/<document>-<version>-<digest6>.json, and in index.json the releases of
// each document by digest, oldest first. A file is never edited, and no line of the index is taken away: digests say so.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonical, sha256 } from '../canonical.ts'
import { asObject, asStrings, isObject, type Json, type JsonObject } from '../documents.ts'
import { builtPartsOnly, builtReasonsOnly } from '../stages.ts'
import { compareDocuments, compareLimits, compareReasons } from './compare-documents.ts'
import { type Problem, problem } from './problem.ts'

export interface Working {
  /** By document name: worker-1.19, worker-1.20, control-2, reasons-1, limits-1. */
  [document: string]: JsonObject
}

/** The name of the list of releases. */
export const indexName = 'index.json'

/** The releases of each document: sha256 of their content, oldest first. */
export type ReleaseIndex = Record<string, readonly string[]>

/** What spec/released/ holds. */
export interface Releases {
  index: ReleaseIndex
  /** By file name. */
  contents: Record<string, JsonObject>
  problems: Problem[]
}

const pattern = /^(?<document>[a-z]+-[0-9.]+)-(?<digest>[0-9a-f]{6})\.json$/

/** What a release keeps of a document: what is built. */
export function releasable(document: JsonObject): JsonObject {
  if (document.openapi !== undefined) return builtPartsOnly(document)
  return document.reasons === undefined ? document : builtReasonsOnly(document)
}

/** The digest of a content, as the index holds it. */
export const digestOf = (content: JsonObject): string => sha256(canonical(content))

/** The name of the file that holds the content of this digest. */
export const fileOf = (document: string, digest: string): string => `${document}-${digest.slice(0, 6)}.json`

/** The name under which the built parts of a document would be released. */
export const releasedName = (document: string, content: JsonObject): string =>
  fileOf(document, digestOf(releasable(content)))

/** Reads a folder of releases; what is wrong with the files and the index is a problem each. */
export async function readReleases(folder: string): Promise<Releases> {
  const problems: Problem[] = []
  const contents: Record<string, JsonObject> = {}
  let index: ReleaseIndex | undefined
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()) {
    const value: Json = JSON.parse(await readFile(join(folder, name), 'utf8'))
    if (name === indexName) {
      index = Object.fromEntries(
        Object.entries(asObject(value, name)).map(([document, digests]) => [document, asStrings(digests, document)]),
      )
      continue
    }
    const found = faultOf(name, value)
    if (found) problems.push(found)
    if (isObject(value)) contents[name] = value
  }
  return { index: index ?? {}, contents, problems: [...problems, ...indexFaults(index ?? {}, contents)] }
}

function faultOf(name: string, content: Json): Problem | undefined {
  const digest = pattern.exec(name)?.groups?.digest
  if (digest === undefined)
    return problem(
      'released-name',
      name,
      'The name is not <document>-<version>-<digest6>.json.',
      'Release with `pnpm spec:release`, which names the file.',
    )
  if (!isObject(content))
    return problem('released-content', name, 'The file is not an object.', 'Restore it from history.')
  const actual = digestOf(content).slice(0, 6)
  if (actual === digest) return undefined
  return problem(
    'released-edited',
    name,
    `The content has digest ${actual}, its name says ${digest}.`,
    'Restore the file: what is released is never edited.',
  )
}

function indexFaults(index: ReleaseIndex, contents: Record<string, JsonObject>): Problem[] {
  const listed = new Map(
    Object.entries(index).flatMap(([document, digests]) => digests.map((digest) => [fileOf(document, digest), digest])),
  )
  const found: Problem[] = []
  for (const name of Object.keys(contents))
    if (!listed.has(name))
      found.push(
        problem('released-unlisted', name, `${indexName} does not name it.`, `Restore ${indexName} from history.`),
      )
  for (const [name, digest] of listed) {
    const content = contents[name]
    if (content === undefined)
      found.push(problem('released-missing', name, `${indexName} names it.`, 'Restore the file from history.'))
    else if (digestOf(content) !== digest && digestOf(content).slice(0, 6) === digest.slice(0, 6))
      found.push(
        problem(
          'released-index',
          name,
          `${indexName} gives the digest ${digest}, the content has ${digestOf(content)}.`,
          `Restore ${indexName} from history.`,
        ),
      )
  }
  for (const [document, digests] of Object.entries(index))
    for (const [at, digest] of digests.entries())
      if (digest === digests[at - 1])
        found.push(
          problem(
            'released-twice',
            `${indexName} ${document}`,
            `${digest} stands there twice in a row.`,
            'Take the repetition out.',
          ),
        )
  return found
}

/** What is taken back from a released content of a document by its working one. */
function compareWith(document: string, before: JsonObject, working: Working): Problem[] {
  const after = working[document]
  if (!after)
    return [problem('document-removed', document, 'A released document has no working one.', 'Keep the document.')]
  const built = releasable(after)
  if (document.startsWith('reasons-')) return compareReasons(before, built)
  if (document.startsWith('limits-')) return compareLimits(before, built)
  return compareDocuments(before, built)
}

/** Compares the working documents with every release. No release yet: nothing to compare. */
export async function checkAgainstReleased(
  folder: string,
  working: Working,
): Promise<{ compared: number; problems: Problem[]; releases: Releases }> {
  const releases = await readReleases(folder)
  const comparable = Object.entries(releases.contents).filter(([name, content]) => faultOf(name, content) === undefined)
  const taken = comparable.flatMap(([name, content]) =>
    compareWith(pattern.exec(name)?.groups?.document ?? name, content, working).map((found) => ({
      ...found,
      at: `${name}: ${found.at}`,
    })),
  )
  return { compared: comparable.length, problems: [...releases.problems, ...taken], releases }
}

/** The newest released content of a document. */
export function newestOf(document: string, { index, contents }: Releases): JsonObject | undefined {
  const digest = index[document]?.at(-1)
  return digest === undefined ? undefined : contents[fileOf(document, digest)]
}
