// The catalogues: reasons, events, commands, limits, and the digests of what they were made from.
import { commandSchemaName, eventSchemaName } from './bundle.ts'
import { canonical, sha256 } from './canonical.ts'
import { asObject, asString, asStrings, type Documents, isObject, type Json, type JsonObject } from './documents.ts'
import { header, list, quote, union } from './emit-source.ts'
import type { OperationEntry } from './operations.ts'

export interface ReasonEntry {
  reason: string
  /** A planned reason is in the catalogue and no operation answers with it yet. */
  stage: 'built' | 'planned'
  status: number
  statusOf: Record<string, number>
  operations: string[]
  retryable: boolean
  settles: string[]
  remedy: string
}

export function reasonsOf(documents: Documents): ReasonEntry[] {
  return Object.entries(asObject(documents.reasons.reasons, 'reasons')).map(([reason, value]) => {
    const entry = asObject(value, reason)
    const statusOf = Object.entries(asObject(entry.statusOf ?? {}, `statusOf of ${reason}`))
    return {
      reason,
      stage: entry['x-stage'] === 'planned' ? 'planned' : 'built',
      status: Number(entry.status),
      statusOf: Object.fromEntries(statusOf.map(([operation, status]) => [operation, Number(status)])),
      operations: asStrings(entry.operations, `operations of ${reason}`),
      retryable: entry.retryable === true,
      settles: asStrings(entry.settles, `settles of ${reason}`),
      remedy: asString(entry.remedy, `remedy of ${reason}`),
    }
  })
}

export function emitReasons(reasons: ReasonEntry[], operations: OperationEntry[]): string {
  const rows = reasons.map(
    (entry) =>
      `  ${entry.reason}: { stage: ${quote(entry.stage)}, status: ${entry.status}, statusOf: ${quote(entry.statusOf)}, retryable: ${entry.retryable}, settles: ${list(entry.settles)}, operations: ${list(entry.operations)}, remedy: ${quote(entry.remedy)} },`,
  )
  const byOperation = operations
    .filter((entry) => entry.stage === 'built')
    .map((entry) => {
      const mine = reasons
        .filter((reason) => reason.stage === 'built' && reason.operations.includes(entry.operationId))
        .map(({ reason }) => reason)
      return `  ${entry.operationId}: ${union(mine)}`
    })
  return `${header}
/** A kind of report that a worker may drop on a reason; the exact predicate is that of the settlement rule. */
export type SettledReport = 'workflow_task' | 'activity_task' | 'query_task'

/** Every reason: its status, whether a repeat may help, which reports it settles, who may give it, what to do next. */
export const reasons = {
${rows.join('\n')}
} as const

/** A stable machine key of a refusal. */
export type Reason = keyof typeof reasons

/** The reasons that each built operation may answer with. */
export interface OperationReasons {
${byOperation.join('\n')}
}
`
}

/** The event types that this line records; a planned one has a schema and no author yet. */
export function builtEvents(documents: Documents): string[] {
  return namesOf(documents.events, 'built')
}

function namesOf(schemas: Record<string, JsonObject>, stage: 'built' | 'planned'): string[] {
  return Object.keys(schemas).filter((name) => (schemas[name]?.['x-stage'] === 'planned') === (stage === 'planned'))
}

export function emitEvents(documents: Documents, types: string): string {
  const names = builtEvents(documents)
  const planned = namesOf(documents.events, 'planned')
  const rows = names.map((name) => {
    const schema = documents.events[name] ?? {}
    const keys = Object.keys(asObject(schema.properties ?? {}, name))
    return `  ${name}: { since: ${quote(schema['x-since'] ?? null)}, appendedBy: ${quote(schema['x-appended-by'] ?? null)}, keys: ${list(keys)} },`
  })
  return `${header}import type * as wire from ${quote(types)}

/** The event types that this line records. A history may hold others: keep what you do not know. */
export const eventTypes = [
${names.map((name) => `  ${quote(name)},`).join('\n')}
] as const

/** An event type that this line records. */
export type EventType = (typeof eventTypes)[number]

/** The payload of each event type. A stored event may carry keys that are not named here. */
export interface EventPayloads {
${names.map((name) => `  ${name}: wire.${eventSchemaName(name)}`).join('\n')}
}

/** Event types of the wire that this line does not record yet. A history of another server may hold them. */
export const plannedEventTypes = [
${planned.map((name) => `  ${quote(name)},`).join('\n')}
] as const

/** An event type that is not recorded yet. */
export type PlannedEventType = (typeof plannedEventTypes)[number]

/** The payload of each event type that is not recorded yet, as far as a source names its keys. */
export interface PlannedEventPayloads {
${planned.map((name) => `  ${name}: wire.${eventSchemaName(name)}`).join('\n')}
}

/** Since which line an event exists, which part of the engine appends it, and the keys of its payload. */
export const eventCatalogue = {
${rows.join('\n')}
} as const
`
}

export function emitCommands(documents: Documents, types: string): string {
  const all = Object.entries(documents.commands)
  const planned = namesOf(documents.commands, 'planned')
  const built = namesOf(documents.commands, 'built')
  const rows = all.map(([name, schema]) => {
    const keys = Object.entries(asObject(schema.properties ?? {}, name))
    const plannedKeys = keys.filter(([, key]) => isObject(key) && key['x-stage'] === 'planned').map(([key]) => key)
    return `  ${name}: { since: ${quote(schema['x-since'] ?? null)}, terminal: ${schema['x-terminal'] === true}, stage: ${quote(schema['x-stage'] ?? 'built')}, keys: ${list(keys.map(([key]) => key))}, plannedKeys: ${list(plannedKeys)} },`
  })
  return `${header}import type * as wire from ${quote(types)}

/** The commands that a completion may carry. */
export const commandTypes = ${list(built)} as const

/** The type of a command that is built. */
export type CommandType = (typeof commandTypes)[number]

/** Commands of the wire that are not built: a completion that carries one is refused whole. */
export const plannedCommandTypes = ${list(planned)} as const

/** The type of a command that is not built. */
export type PlannedCommandType = (typeof plannedCommandTypes)[number]

/** Each built command by its type. */
export interface Commands {
${built.map((name) => `  ${name}: wire.${commandSchemaName(name)}`).join('\n')}
}

/** A command that is built. */
export type Command = Commands[CommandType]

/** Each command that is not built, as far as a source names its fields. */
export interface PlannedCommands {
${planned.map((name) => `  ${name}: wire.${commandSchemaName(name)}`).join('\n')}
}

/** Since which line a command exists, whether it ends the run, its fields, and those fields that are not built. */
export const commandCatalogue = {
${rows.join('\n')}
} as const
`
}

export function emitLimits(documents: Documents): string {
  const section = (name: string, words: string): string => {
    const rows = Object.entries(asObject(documents.limits[name], name)).map(([key, value]) => {
      const entry = asObject(value, key)
      const setting = typeof entry.setting === 'string' ? `; setting ${entry.setting}` : ''
      return `  /** In ${asString(entry.unit, key)}; ${asString(entry.source, key)}${setting}. */\n  ${key}: ${quote(entry.value ?? null)},`
    })
    return `/** ${words} */\nexport const ${name} = {\n${rows.join('\n')}\n} as const\n`
  }
  return `${header}\n${section('limits', 'Bounds of the wire.')}\n${section('defaults', 'What holds when nobody says otherwise.')}`
}

/** Documents that an answer carries word for word: every `x-document` of a property, under the property's name. */
export function emitDocuments(root: JsonObject): string {
  const found: Record<string, Json> = {}
  const look = (value: Json, name: string): void => {
    if (Array.isArray(value)) for (const item of value) look(item, name)
    if (!isObject(value)) return
    if (value['x-document'] !== undefined) found[name] = value['x-document']
    for (const [key, item] of Object.entries(value)) if (key !== 'x-document') look(item, key)
  }
  look(root, '')
  const rows = Object.entries(found).map(([name, value]) => `  ${name}: ${quote(value)},`)
  return `${header}
/** What discovery says word for word, by the name of its member. */
export const documents = {
${rows.join('\n')}
} as const
`
}

export interface DigestInput {
  documents: Record<string, Json>
  operations: Record<string, string>
}

export function emitDigests(input: DigestInput): string {
  const documents = Object.entries(input.documents).map(
    ([name, value]) => `    ${quote(name)}: ${quote(sha256(canonical(value)))},`,
  )
  const operations = Object.entries(input.operations).map(([name, digest]) => `    ${name}: ${quote(digest)},`)
  return `${header}
/** What this package was generated from: sha256 of each document; of each built operation 12 digits over all it refers to. */
export const specDigests: {
  readonly documents: Readonly<Record<string, string>>
  readonly operations: Readonly<Record<string, string>>
} = {
  documents: {
${documents.join('\n')}
  },
  operations: {
${operations.join('\n')}
  },
}
`
}
