// Do the documents name only what exists, and do they agree with each other?
import { lookUp } from './canonical.ts'
import { asObject, type Documents, isObject, type Json, type JsonObject } from './documents.ts'
import { reasonsOf } from './emit-catalogues.ts'
import { type Problem, problem } from './evolution/problem.ts'
import type { OperationEntry } from './operations.ts'

function localReferences(value: Json, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) localReferences(item, found)
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string') found.push(item)
      else localReferences(item, found)
    }
  }
  return found
}

/** Every reference of a bundled document resolves. */
export function checkReferences(name: string, root: JsonObject): Problem[] {
  return [...new Set(localReferences(root))].flatMap((reference) => {
    try {
      lookUp(root, reference)
      return []
    } catch (error) {
      return [
        problem(
          'reference',
          `${name} ${reference}`,
          error instanceof Error ? error.message : String(error),
          'Correct the reference.',
        ),
      ]
    }
  })
}

/** What a remedy may tell somebody to do. */
const nextSteps: ReadonlySet<string> = new Set([
  'address',
  'ask',
  'check',
  'choose',
  'correct',
  'create',
  'do',
  'drain',
  'drop',
  'encode',
  'finish',
  'go',
  'leave',
  'let',
  'make',
  'poll',
  'raise',
  'read',
  'register',
  'repeat',
  'report',
  'send',
  'speak',
  'start',
  'stay',
  'stop',
  'use',
])

/** Sentences, and a clause of them is a command. */
function isNextStep(remedy: string): boolean {
  if (!/^[A-Z].*[^ .]\.$/.test(remedy)) return false
  return remedy.split(/[.;:,] /).some((clause) => nextSteps.has(clause.toLowerCase().split(/[ .;:,]/)[0] ?? ''))
}

const bodiesOnly: ReadonlySet<string> = new Set(['malformed_json', 'payload_too_large', 'unsupported_media_type'])

/** Every reason names built operations that document its status, and every refusal status has a reason. */
export function checkReasons(documents: Documents, operations: OperationEntry[]): Problem[] {
  const found: Problem[] = []
  const byId = new Map(operations.map((entry) => [entry.operationId, entry]))
  const reasons = reasonsOf(documents)
  for (const { reason, operations: names, status, statusOf, settles, remedy } of reasons) {
    for (const report of settles)
      if (!['workflow_task', 'activity_task', 'query_task'].includes(report))
        found.push(
          problem(
            'reason-settles',
            reason,
            `It settles ${report}, which is no report.`,
            'Name workflow_task, activity_task or query_task.',
          ),
        )
    if (!isNextStep(remedy))
      found.push(
        problem(
          'reason-remedy',
          reason,
          `Its remedy is ${JSON.stringify(remedy)}.`,
          'Write one or more sentences, one of whose clauses says what to do: begin it with a verb of nextSteps.',
        ),
      )
    for (const name of Object.keys(statusOf))
      if (!names.includes(name))
        found.push(
          problem('reason-operation', reason, `statusOf names ${name}, operations do not.`, 'Name it in both.'),
        )
    for (const name of names) {
      const entry = byId.get(name)
      const answered = statusOf[name] ?? status
      if (!entry)
        found.push(
          problem(
            'reason-operation',
            reason,
            `It names the operation ${name}, which does not exist.`,
            'Correct the name.',
          ),
        )
      else if (entry.stage !== 'built')
        found.push(
          problem(
            'reason-operation',
            reason,
            `It names the operation ${name}, which is planned.`,
            'Name built operations only.',
          ),
        )
      else if (bodiesOnly.has(reason) && entry.body === undefined)
        found.push(
          problem('reason-body', reason, `${name} takes no body that it could speak of.`, 'Take the operation out.'),
        )
      else if (!entry.statuses.includes(answered))
        found.push(
          problem(
            'reason-status',
            reason,
            `${name} does not document status ${answered}.`,
            'Document the status, or correct the reason.',
          ),
        )
    }
  }
  for (const entry of operations.filter((operation) => operation.stage === 'built'))
    for (const status of entry.statuses.filter((code) => code >= 400)) {
      const given = reasons.some(
        ({ operations: names, statusOf, status: usual }) =>
          names.includes(entry.operationId) && (statusOf[entry.operationId] ?? usual) === status,
      )
      if (!given && !answersWithItsOwnBody(entry, status))
        found.push(
          problem(
            'status-without-reason',
            `${entry.operationId} ${status}`,
            'No reason answers with this status.',
            'Add a reason, or remove the status.',
          ),
        )
    }
  return found
}

/** Health and readiness answer 503 with the body of their success: a state, not a refusal. */
function answersWithItsOwnBody(entry: OperationEntry, status: number): boolean {
  return JSON.stringify(entry.responses[String(status)]) === JSON.stringify(entry.responses['200'])
}

/** Events and commands say since when, by whom and which; the body of a completion takes every command. */
export function checkCatalogues(documents: Documents): Problem[] {
  const found: Problem[] = []
  for (const [name, schema] of Object.entries(documents.events)) {
    if (schema.title !== name)
      found.push(
        problem('event-title', name, `Its title is ${schema.title}.`, 'Title and file name are the event type.'),
      )
    if (!/^1\.\d+$/.test(String(schema['x-since'])))
      found.push(problem('event-since', name, `x-since is ${schema['x-since']}.`, 'Name the worker line.'))
    if (schema['x-stage'] === 'planned') {
      if (schema['x-appended-by'] !== undefined)
        found.push(problem('event-appended-by', name, 'It is planned and has an author.', 'Take one of both away.'))
    } else if (!/^core\/[a-z/-]+$/.test(String(schema['x-appended-by'])))
      found.push(
        problem(
          'event-appended-by',
          name,
          `x-appended-by is ${schema['x-appended-by']}.`,
          'Name the part of the engine, core/…',
        ),
      )
  }
  const worker = asObject(asObject(documents.worker.components, 'components').schemas, 'schemas')
  const listed = localReferences(worker.Command ?? {}).map((reference) =>
    reference.replace(/^.*\/([a-z_]+)\.json$/, '$1'),
  )
  for (const name of Object.keys(documents.commands))
    if (!listed.includes(name))
      found.push(problem('command-unlisted', name, 'No completion may carry it.', 'List it in the schema Command.'))
  for (const [name, schema] of Object.entries(documents.commands))
    if (asObject(asObject(schema.properties, name).type, name).const !== name)
      found.push(problem('command-type', name, 'Its type is not its file name.', 'Let both be the same.'))
  return found
}

/** Every operation has a name of its own, over all documents. */
export function checkOperations(operations: OperationEntry[]): Problem[] {
  const seen = new Map<string, OperationEntry>()
  return operations.flatMap((entry) => {
    const other = seen.get(entry.operationId)
    seen.set(entry.operationId, entry)
    return other
      ? [problem('operation-twice', entry.operationId, `${other.path} and ${entry.path} have one name.`, 'Rename one.')]
      : []
  })
}

interface GuardedField {
  at: string
  capability: string
  required: boolean
}

function guardedFields(value: Json, at: string, found: GuardedField[] = []): GuardedField[] {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) guardedFields(item, `${at}[${index}]`, found)
  if (!isObject(value)) return found
  const required = Array.isArray(value.required) ? value.required : []
  for (const [name, property] of isObject(value.properties) ? Object.entries(value.properties) : []) {
    const capability = isObject(property) ? property['x-capability'] : undefined
    if (typeof capability === 'string')
      found.push({ at: `${at}.${name}`, capability, required: required.includes(name) })
  }
  for (const [key, item] of Object.entries(value)) guardedFields(item, `${at}.${key}`, found)
  return found
}

/** What we add to the published wire is optional and stands behind a capability that a server can advertise. */
export function checkAdditionsOfOurs(name: string, root: JsonObject, advertised: ReadonlySet<string>): Problem[] {
  return guardedFields(root, name).flatMap(({ at, capability, required }) => [
    ...(advertised.has(capability)
      ? []
      : [
          problem(
            'capability-unknown',
            at,
            `Nothing advertises ${capability}.`,
            'Name it in ServerCapabilities or in the capabilities of discovery.',
          ),
        ]),
    ...(required
      ? [problem('capability-required', at, 'A field behind a capability is required.', 'Make it optional.')]
      : []),
  ])
}

/** The capabilities that the documents know. */
export function advertisedCapabilities(documents: Documents): Set<string> {
  const keysOf = (document: JsonObject, schema: string, within?: string): string[] => {
    const schemas = asObject(asObject(document.components, 'components').schemas, 'schemas')
    const properties = asObject(asObject(schemas[schema], schema).properties, schema)
    return Object.keys(
      within === undefined ? properties : asObject(asObject(properties[within], within).properties, within),
    )
  }
  return new Set([
    ...keysOf(documents.worker, 'ServerCapabilities'),
    ...keysOf(documents.control, 'ClusterInfo', 'capabilities'),
  ])
}
