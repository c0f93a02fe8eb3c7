// Is a later document an addition to a released one?
import { inline } from '../canonical.ts'
import { asObject, asStrings, isObject, type Json, type JsonObject } from '../documents.ts'
import { type OperationEntry, operationsOf } from '../operations.ts'
import { compareSchemas } from './compare-schemas.ts'
import { type Problem, problem } from './problem.ts'

function compareParameters(before: OperationEntry, after: OperationEntry, roots: Roots): Problem[] {
  const found: Problem[] = []
  const at = before.operationId
  const nameOf = (parameter: JsonObject) => `${parameter.in} ${parameter.name}`
  for (const parameter of before.parameters) {
    const next = after.parameters.find((other) => nameOf(other) === nameOf(parameter))
    if (!next)
      found.push(problem('parameter-removed', `${at} ${nameOf(parameter)}`, 'The parameter is gone.', 'Keep it.'))
    else
      found.push(
        ...compareSchemas(
          inline(parameter.schema ?? {}, roots.before),
          inline(next.schema ?? {}, roots.after),
          `${at} ${nameOf(parameter)}`,
          'request',
        ),
      )
  }
  for (const parameter of after.parameters) {
    const earlier = before.parameters.find((other) => nameOf(other) === nameOf(parameter))
    if (parameter.required === true && earlier?.required !== true)
      found.push(
        problem(
          'parameter-required',
          `${at} ${nameOf(parameter)}`,
          'The parameter was optional, or new, and is required now.',
          'Make it optional.',
        ),
      )
  }
  return found
}

function compareBodies(before: OperationEntry, after: OperationEntry, roots: Roots): Problem[] {
  const at = `${before.operationId} request`
  if (!before.body && !after.body) return []
  if (!before.body)
    return after.body?.required
      ? [problem('body-required', at, 'There was no body and one is required now.', 'Make it optional.')]
      : []
  if (!after.body) return [problem('body-removed', at, 'The body is gone.', 'Keep it.')]
  const found: Problem[] = []
  if (after.body.required && !before.body.required)
    found.push(problem('body-required', at, 'The body was optional and is required now.', 'Keep it optional.'))
  return [
    ...found,
    ...compareSchemas(inline(before.body.schema, roots.before), inline(after.body.schema, roots.after), at, 'request'),
  ]
}

function compareResponses(before: OperationEntry, after: OperationEntry, roots: Roots): Problem[] {
  return Object.entries(before.responses).flatMap(([status, schema]) => {
    const at = `${before.operationId} ${status}`
    const next = after.responses[status]
    if (next === undefined)
      return [problem('status-removed', at, `The status ${status} is gone.`, 'Keep it documented.')]
    return compareSchemas(inline(schema, roots.before), inline(next, roots.after), at, 'response')
  })
}

const isLater = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) > 0

/** What an answer says about itself in its control_plane object. */
function comparePromises(before: OperationEntry, after: OperationEntry): Problem[] {
  if (!isObject(before.controlPlane)) return []
  const is = isObject(after.controlPlane) ? after.controlPlane : {}
  return Object.entries(before.controlPlane).flatMap(([key, was]) => {
    const now = is[key]
    const kept =
      Array.isArray(was) && Array.isArray(now)
        ? was.every((field) => now.includes(field))
        : JSON.stringify(was) === JSON.stringify(now)
    return kept
      ? []
      : [problem('control-plane-changed', `${before.operationId} ${key}`, 'It promises less or else.', 'Keep it.')]
  })
}

function compareOperations(before: OperationEntry, after: OperationEntry | undefined, roots: Roots): Problem[] {
  const at = before.operationId
  if (!after)
    return [problem('operation-removed', at, `${before.method} ${before.path} is gone.`, 'Keep the operation.')]
  const found: Problem[] = []
  if (after.stage !== 'built')
    found.push(problem('operation-unbuilt', at, 'The operation was built and is planned now.', 'Keep it built.'))
  if (before.method !== after.method || before.path !== after.path)
    found.push(
      problem(
        'operation-moved',
        at,
        `It was ${before.method} ${before.path} and is ${after.method} ${after.path}.`,
        'Keep method and path.',
      ),
    )
  for (const role of before.roles.filter((name) => after.roles.length > 0 && !after.roles.includes(name)))
    found.push(problem('role-removed', at, `The role ${role} may no longer call it.`, 'Keep the role.'))
  if (before.roles.length === 0 && after.roles.length > 0)
    found.push(problem('role-removed', at, 'The operation was public and asks for a role now.', 'Keep it public.'))
  if (before.plane !== after.plane)
    found.push(problem('plane-changed', at, `It was of the plane ${before.plane}.`, 'Keep the plane.'))
  if (isLater(after.since, before.since))
    found.push(
      problem('since-raised', at, `It was there since ${before.since}, now since ${after.since}.`, 'Keep x-since.'),
    )
  return [
    ...found,
    ...comparePromises(before, after),
    ...compareParameters(before, after, roots),
    ...compareBodies(before, after, roots),
    ...compareResponses(before, after, roots),
  ]
}

interface Roots {
  before: JsonObject
  after: JsonObject
}

function componentsOf(root: JsonObject): JsonObject {
  return asObject(asObject(root.components ?? {}, 'components').schemas ?? {}, 'schemas')
}

/** The event payloads of a bundled document: read by whoever replays, so they keep what they promised. */
function compareEvents(roots: Roots): Problem[] {
  return Object.entries(componentsOf(roots.before))
    .filter(([, schema]) => isObject(schema) && schema['x-event-type'] !== undefined && schema['x-stage'] !== 'planned')
    .flatMap(([name, schema]) => {
      const next = componentsOf(roots.after)[name]
      if (next === undefined)
        return [problem('event-removed', name, 'The event type is gone.', 'Keep it: histories hold it.')]
      return compareSchemas(inline(schema, roots.before), inline(next, roots.after), name, 'response')
    })
}

/** Compares two bundled documents of one plane; planned operations of the earlier one do not bind. */
export function compareDocuments(before: JsonObject, after: JsonObject): Problem[] {
  const roots = { before, after }
  const later = operationsOf(after)
  const operations = operationsOf(before)
    .filter((entry) => entry.stage === 'built')
    .flatMap((entry) =>
      compareOperations(
        entry,
        later.find((other) => other.operationId === entry.operationId),
        roots,
      ),
    )
  return [...operations, ...compareEvents(roots)]
}

function compareReason(name: string, before: JsonObject, after: Json | undefined): Problem[] {
  if (!isObject(after)) return [problem('reason-removed', name, 'The reason is gone.', 'Keep it in the catalogue.')]
  const found: Problem[] = []
  if (before.status !== after.status)
    found.push(
      problem(
        'reason-status',
        name,
        `The status was ${before.status} and is ${after.status}.`,
        'Keep the status, or add a reason.',
      ),
    )
  for (const operation of asStrings(before.operations ?? [], `operations of ${name}`)) {
    const [was, is] = [before, after].map(
      (entry) => asObject(entry.statusOf ?? {}, `statusOf of ${name}`)[operation] ?? entry.status ?? null,
    )
    if (was !== is && before.status === after.status)
      found.push(
        problem(
          'reason-status',
          name,
          `${operation} answered with status ${was} and answers with ${is}.`,
          'Keep the status, or add a reason.',
        ),
      )
  }
  if (before.retryable !== after.retryable)
    found.push(
      problem(
        'reason-retryable',
        name,
        `retryable was ${before.retryable} and is ${after.retryable}.`,
        'Keep it, or add a reason.',
      ),
    )
  for (const key of ['operations', 'settles']) {
    const is = asStrings(after[key] ?? [], `${key} of ${name}`)
    for (const value of asStrings(before[key] ?? [], `${key} of ${name}`))
      if (!is.includes(value)) found.push(problem(`reason-${key}`, name, `${value} is gone from ${key}.`, 'Keep it.'))
  }
  return found
}

export function compareReasons(before: JsonObject, after: JsonObject): Problem[] {
  const later = asObject(after.reasons, 'reasons')
  const bound = Object.entries(asObject(before.reasons, 'reasons')).filter(
    ([, entry]) => !(isObject(entry) && entry['x-stage'] === 'planned'),
  )
  return bound.flatMap(([name, entry]) => compareReason(name, asObject(entry, name), later[name]))
}

/** A bound may rise and never fall; a default is a promise. Bounds that end in Min are floors and may only fall. */
export function compareLimits(before: JsonObject, after: JsonObject): Problem[] {
  return ['limits', 'defaults'].flatMap((section) => {
    const later = asObject(after[section], section)
    return Object.entries(asObject(before[section], section)).flatMap(([name, entry]) => {
      const was = asObject(entry, name).value
      const next = later[name]
      if (!isObject(next)) return [problem('limit-removed', `${section}.${name}`, 'It is gone.', 'Keep it.')]
      const is = next.value
      if (was === is) return []
      const loosened =
        section === 'limits' &&
        typeof was === 'number' &&
        typeof is === 'number' &&
        (name.endsWith('Min') ? is < was : is > was)
      return loosened
        ? []
        : [
            problem(
              'limit-tightened',
              `${section}.${name}`,
              `It was ${was ?? null} and is ${is ?? null}.`,
              'Keep it, or loosen it.',
            ),
          ]
    })
  })
}
