// What of a document is built. Planned parts bind nobody: they are not released, not digested, and nothing is checked by them.
import { lookUp } from './canonical.ts'
import { asObject, isObject, type Json, type JsonObject } from './documents.ts'
import { methods } from './operations.ts'

const isPlanned = (value: Json | undefined): boolean => isObject(value) && value['x-stage'] === 'planned'

/** The same document with its built operations, and of its components only what those and the payloads of events use. */
export function builtOperationsOnly(root: JsonObject): JsonObject {
  const paths: JsonObject = {}
  for (const [path, item] of Object.entries(asObject(root.paths, 'paths'))) {
    const kept = Object.entries(asObject(item, path)).filter(
      ([key, value]) => !methods.includes(key) || (isObject(value) && value['x-stage'] === 'built'),
    )
    if (kept.some(([key]) => methods.includes(key))) paths[path] = Object.fromEntries(kept)
  }
  return withUsedComponents({ ...root, paths })
}

/** Without anything planned: no operation, event, command, field, or alternative of a value. What a release keeps. */
export function builtPartsOnly(root: JsonObject): JsonObject {
  const sections = asObject(root.components, 'components')
  const schemas = Object.entries(asObject(sections.schemas, 'schemas')).filter(([, schema]) => !isPlanned(schema))
  const components = { ...sections, schemas: Object.fromEntries(schemas) }
  return builtOperationsOnly(asObject(withoutPlanned({ ...root, components }, root), 'document'))
}

/** The catalogue of reasons without those that nobody gives yet. */
export function builtReasonsOnly(document: JsonObject): JsonObject {
  const reasons = Object.entries(asObject(document.reasons, 'reasons')).filter(([, reason]) => !isPlanned(reason))
  return { ...document, reasons: Object.fromEntries(reasons) }
}

function withoutPlanned(value: Json, root: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => withoutPlanned(item, root))
  if (!isObject(value)) return value
  const planned = (part: Json): boolean => isPlanned(target(part, root))
  const out: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === 'properties' && isObject(item)) {
      const kept = Object.entries(item).filter(([, property]) => !planned(property))
      out.properties = withoutPlanned(Object.fromEntries(kept), root)
    } else if ((key === 'oneOf' || key === 'anyOf') && Array.isArray(item)) {
      out[key] = withoutPlanned(
        item.filter((option) => !planned(option)),
        root,
      )
    } else if (key === 'mapping' && isObject(item)) {
      out.mapping = Object.fromEntries(Object.entries(item).filter(([, reference]) => !planned({ $ref: reference })))
    } else {
      out[key] = withoutPlanned(item, root)
    }
  }
  if (Array.isArray(out.required) && isObject(value.properties)) {
    const properties = asObject(out.properties, 'properties')
    const before = value.properties
    out.required = out.required.filter((name) => typeof name !== 'string' || name in properties || !(name in before))
  }
  return out
}

/** What a part is, or what it refers to. */
function target(part: Json, root: JsonObject): Json {
  const reference = isObject(part) ? part.$ref : undefined
  return typeof reference === 'string' && reference.startsWith('#/') ? lookUp(root, reference) : part
}

/** Drops the components that neither a path nor the payload of an event leads to. */
function withUsedComponents(root: JsonObject): JsonObject {
  const sections = asObject(root.components, 'components')
  const used = new Set<string>()
  const follow = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(follow)
    if (!isObject(value)) return
    const reference = value.$ref
    if (typeof reference === 'string' && !used.has(reference)) {
      used.add(reference)
      follow(lookUp(root, reference))
    }
    for (const item of Object.values(value)) follow(item)
  }
  follow(root.paths ?? {})
  for (const [name, schema] of Object.entries(asObject(sections.schemas, 'schemas')))
    if (isObject(schema) && schema['x-event-type'] !== undefined) {
      used.add(`#/components/schemas/${name}`)
      follow(schema)
    }
  const kept = Object.entries(sections).map(([section, parts]): [string, Json] => [
    section,
    section === 'securitySchemes'
      ? parts
      : Object.fromEntries(
          Object.entries(asObject(parts, section)).filter(([name]) => used.has(`#/components/${section}/${name}`)),
        ),
  ])
  return { ...root, components: Object.fromEntries(kept) }
}
