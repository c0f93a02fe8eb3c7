// One self-contained OpenAPI document out of a document and the schema files beside it: every reference to a file
// becomes a reference to a component.
import { asObject, type Documents, isObject, type Json, type JsonObject } from './documents.ts'

export function pascalCase(name: string): string {
  return name
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

export const commandSchemaName = (type: string): string => `${pascalCase(type)}Command`
export const eventSchemaName = (type: string): string => `${type}Payload`

/** The component name of a reference to a schema file, or undefined when the reference stays inside its document. */
function componentOf(reference: string): string | undefined {
  const match = /^(?:\.\.\/)+(?:schemas\/)?(?:(events|commands)\/)?([A-Za-z0-9_-]+)\.json$/.exec(reference)
  if (!match) return undefined
  const [, folder, file = ''] = match
  if (folder === 'events') return eventSchemaName(file)
  if (folder === 'commands') return commandSchemaName(file)
  return pascalCase(file)
}

function relink(value: Json): Json {
  if (Array.isArray(value)) return value.map(relink)
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string') {
      const component = componentOf(item)
      out[key] = component ? `#/components/schemas/${component}` : item
    } else if (key === 'mapping' && isObject(item)) {
      out[key] = Object.fromEntries(
        Object.entries(item).map(([tag, target]) => {
          const component = typeof target === 'string' ? componentOf(target) : undefined
          return [tag, component ? `#/components/schemas/${component}` : target]
        }),
      )
    } else {
      out[key] = relink(item)
    }
  }
  return out
}

/** A schema file as a component: the component's name says what its title and dialect said. */
function componentFrom(file: JsonObject): JsonObject {
  return asObject(
    relink(Object.fromEntries(Object.entries(file).filter(([key]) => key !== '$schema' && key !== 'title'))),
    'schema file',
  )
}

function referencesIn(value: Json, found: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) referencesIn(item, found)
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string') found.add(item)
      else referencesIn(item, found)
    }
  }
  return found
}

/** Bundles `document`; with `withEvents` the payload schemas of all events become components too. */
export function bundle(document: JsonObject, documents: Documents, withEvents: boolean): JsonObject {
  const files: Record<string, JsonObject> = {}
  for (const [name, schema] of Object.entries(documents.shared)) files[pascalCase(name)] = schema
  for (const [name, schema] of Object.entries(documents.commands)) files[commandSchemaName(name)] = schema
  for (const [name, schema] of Object.entries(documents.events)) files[eventSchemaName(name)] = schema

  const linked = asObject(relink(document), 'document')
  const components = { ...asObject(linked.components ?? {}, 'components') }
  const schemas = { ...asObject(components.schemas ?? {}, 'components.schemas') }
  if (withEvents)
    for (const [name, schema] of Object.entries(documents.events))
      schemas[eventSchemaName(name)] = { ...componentFrom(schema), 'x-event-type': name }
  for (;;) {
    const missing = [...referencesIn({ paths: linked.paths ?? {}, components: { ...components, schemas } }, new Set())]
      .map((reference) => /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1])
      .filter((name): name is string => name !== undefined && !(name in schemas))
    if (missing.length === 0) break
    for (const name of missing) {
      const file = files[name]
      if (!file) throw new Error(`No schema file and no component is named ${name}`)
      schemas[name] = componentFrom(file)
    }
  }
  components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...linked, components }
}
