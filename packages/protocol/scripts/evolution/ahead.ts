// How far the working documents have run ahead of their newest releases. That is no fault; one line each says it.
import { canonical } from '../canonical.ts'
import { operationDigests } from '../digests.ts'
import { asObject, isObject, type Json, type JsonObject } from '../documents.ts'
import { newestOf, type Releases, releasable, type Working } from './released.ts'

/** The things of a document that have a name, each with its text. */
function namedParts(content: JsonObject): Map<string, string> {
  if (content.openapi === undefined) {
    const sections = Object.values(content).filter(isObject)
    return new Map(sections.flatMap((section) => Object.entries(section).map(textOf)))
  }
  const schemas = Object.values(asObject(asObject(content.components, 'components').schemas ?? {}, 'schemas'))
  const events = schemas.flatMap((schema): [string, Json][] =>
    isObject(schema) && typeof schema['x-event-type'] === 'string' ? [[schema['x-event-type'], schema]] : [],
  )
  return new Map([...Object.entries(operationDigests(content, { reasons: {} })), ...events].map(textOf))
}

const textOf = ([name, part]: [string, Json]): [string, string] => [name, canonical(part)]

/** One line for each document that is not what was released last; none for a document that was never released. */
export function aheadOfReleases(releases: Releases, working: Working): string[] {
  return Object.entries(working).flatMap(([document, content]) => {
    const newest = newestOf(document, releases)
    const built = releasable(content)
    if (newest === undefined || canonical(newest) === canonical(built)) return []
    const before = namedParts(newest)
    const after = namedParts(built)
    const names = [...after].filter(([name, text]) => before.get(name) !== text).map(([name]) => name)
    const what = names.length === 0 ? 'words only' : names.join(', ')
    return [`${document} is ahead of its newest release: ${what}. \`pnpm spec:release\` releases it.`]
  })
}
