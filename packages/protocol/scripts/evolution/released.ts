// What was published, kept by content: spec/released/<document>-<version>-<digest6>.json. A file is never edited; the
// digest in its name says so.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonical, sha256 } from '../canonical.ts'
import { asObject, isObject, type Json, type JsonObject } from '../documents.ts'
import { builtOnly } from '../operations.ts'
import { compareDocuments, compareLimits, compareReasons } from './compare-documents.ts'
import { type Problem, problem } from './problem.ts'

export interface Working {
  /** By document name: worker-1.19, worker-1.20, control-2, reasons-1, limits-1. */
  [document: string]: JsonObject
}

const pattern = /^(?<document>[a-z]+-[0-9.]+)-(?<digest>[0-9a-f]{6})\.json$/

/** What a release keeps of a document: what is built. */
export function releasable(document: JsonObject): JsonObject {
  return document.openapi === undefined ? document : builtOnly(document)
}

/** The name under which this content would be released. */
export function releasedName(document: string, content: JsonObject): string {
  return `${document}-${sha256(canonical(releasable(content))).slice(0, 6)}.json`
}

function compareWith(document: string, before: JsonObject, working: Working): Problem[] {
  const after = working[document]
  if (!after)
    return [problem('document-removed', document, 'A released document has no working one.', 'Keep the document.')]
  if (document.startsWith('reasons-')) return compareReasons(before, after)
  if (document.startsWith('limits-')) return compareLimits(before, after)
  return compareDocuments(before, after)
}

function checkReleased(name: string, text: string, working: Working): Problem[] {
  const match = pattern.exec(name)
  const { document, digest } = match?.groups ?? {}
  if (document === undefined || digest === undefined)
    return [
      problem(
        'released-name',
        name,
        'The name is not <document>-<version>-<digest6>.json.',
        'Release with the release command.',
      ),
    ]
  const content: Json = JSON.parse(text)
  if (!isObject(content))
    return [problem('released-content', name, 'The file is not an object.', 'Restore it from history.')]
  const actual = sha256(canonical(content)).slice(0, 6)
  if (actual !== digest)
    return [
      problem(
        'released-edited',
        name,
        `The content has digest ${actual}, its name says ${digest}.`,
        'Restore the file: what is released is never edited.',
      ),
    ]
  return compareWith(document, asObject(content, name), working).map((found) => ({
    ...found,
    at: `${name}: ${found.at}`,
  }))
}

/** Compares the working documents with every released one. No released file yet: nothing to compare. */
export async function checkAgainstReleased(
  folder: string,
  working: Working,
): Promise<{ compared: number; problems: Problem[] }> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const problems = await Promise.all(
    names.map(async (name) => checkReleased(name, await readFile(join(folder, name), 'utf8'), working)),
  )
  return { compared: names.length, problems: problems.flat() }
}
