// OpenAPI lint by @redocly/openapi-core: it is maintained by the people who live from OpenAPI 3.1, follows references
// across files, and runs inside the process. Schema validators alone do not see unused components, undeclared path
// parameters or two operations of one name.
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core'
import { asObject, isObject, type JsonObject } from './documents.ts'
import { type Problem, problem } from './evolution/problem.ts'

const rules = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-operationId-url-safe': 'error',
  'operation-summary': 'error',
  'operation-parameters-unique': 'error',
  'operation-singular-tag': 'error',
  'path-declaration-must-exist': 'error',
  'path-not-include-query': 'error',
  'path-parameters-defined': 'error',
  'no-identical-paths': 'error',
  'no-path-trailing-slash': 'error',
  'parameter-description': 'error',
  'tag-description': 'error',
  'tags-alphabetical': 'off',
  'info-license': 'error',
  'security-defined': 'error',
  'spec-components-invalid-map-name': 'error',
  'no-enum-type-mismatch': 'error',
  'no-required-schema-properties-undefined': 'error',
  'no-schema-type-mismatch': 'error',
  'no-unused-components': 'error', // of the bundle without its events: no operation refers to those
} as const

function withoutEvents(document: JsonObject): JsonObject {
  const components = asObject(document.components, 'components')
  const schemas = Object.entries(asObject(components.schemas, 'schemas'))
  const kept = schemas.filter(([, schema]) => !(isObject(schema) && schema['x-event-type'] !== undefined))
  return { ...document, components: { ...components, schemas: Object.fromEntries(kept) } }
}

/** Lints one bundled document. */
export async function lint(name: string, bundled: JsonObject): Promise<Problem[]> {
  const document = withoutEvents(bundled)
  const config = await createConfig({ rules })
  const source = makeDocumentFromString(JSON.stringify(document), `${name}.json`)
  const findings = await lintDocument({ document: source, config, externalRefResolver: new BaseResolver() })
  return findings.map((finding) =>
    problem(
      finding.ruleId,
      `${name} ${finding.location[0]?.pointer ?? ''}`,
      finding.message,
      finding.suggest.join(', ') || 'Correct the document.',
    ),
  )
}
