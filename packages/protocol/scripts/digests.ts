// One digest for each operation, so that two sides can say which operations they understand differently.
import { canonical, inline, sha256 } from './canonical.ts'
import { asObject, isObject, type Json, type JsonObject } from './documents.ts'
import { operationsOf } from './operations.ts'
import { builtPartsOnly, builtReasonsOnly } from './stages.ts'

const digestLength = 12

/**
 * Digests of the built operations of one bundled document: of method, path, version header, parameters, bodies and replies
 * with every schema that they refer to, and of the reasons that the operation may answer with. Words for people do not
 * count, nor does what is planned.
 */
export function operationDigests(document: JsonObject, reasons: JsonObject): Record<string, string> {
  const root = builtPartsOnly(document)
  const catalogue = Object.entries(asObject(builtReasonsOnly(reasons).reasons, 'reasons'))
  return Object.fromEntries(
    operationsOf(root).map(({ operationId, method, path, plane, parameters, definition }) => {
      const { parameters: _, ...rest } = definition
      const mine = catalogue.flatMap(([name, entry]) => answerOf(name, asObject(entry, name), operationId))
      const facts = inline({ parameters, rest }, root)
      const header = root['x-version-header'] ?? null
      const text = canonical({
        method,
        path,
        plane,
        header,
        facts: withoutWords(facts),
        reasons: Object.fromEntries(mine),
      })
      return [operationId, sha256(text).slice(0, digestLength)]
    }),
  )
}

/** What a reason means for one operation; nothing where the operation does not answer with it. */
function answerOf(name: string, entry: JsonObject, operationId: string): [string, Json][] {
  if (!Array.isArray(entry.operations) || !entry.operations.includes(operationId)) return []
  const own = asObject(entry.statusOf ?? {}, `statusOf of ${name}`)[operationId]
  return [
    [name, { status: own ?? entry.status ?? null, retryable: entry.retryable ?? null, settles: entry.settles ?? [] }],
  ]
}

const wordsForPeople: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'tags'])

/** Without descriptions and the like; a field of the wire may well be called description, and a literal may hold one. */
function withoutWords(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === 'properties' && isObject(item))
      out.properties = Object.fromEntries(Object.entries(item).map(([name, schema]) => [name, withoutWords(schema)]))
    else if (['const', 'enum', 'default', 'x-document'].includes(key)) out[key] = item
    else if (!wordsForPeople.has(key)) out[key] = withoutWords(item)
  }
  return out
}
