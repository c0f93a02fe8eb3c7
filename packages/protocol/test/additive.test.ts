// The checker that guards released documents: each way of taking something back is found, each addition is not.
import { expect, test } from 'vitest'
import { asObject, type Json, type JsonObject } from '../scripts/documents.ts'
import { compareDocuments, compareLimits, compareReasons } from '../scripts/evolution/compare-documents.ts'
import released from './fixtures/released.json' with { type: 'json' }

/** The fixture with one place changed; a change of undefined removes it. */
function changed(path: string, value: Json | undefined): JsonObject {
  const copy: JsonObject = structuredClone(released)
  const steps = path.split(' ')
  const last = steps.pop() ?? ''
  let at = copy
  for (const step of steps) at = asObject(at[step], step)
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

const request = 'components schemas Request'
const reply = 'components schemas Reply'
const event = 'components schemas TimerFiredPayload'
const promises = 'paths /things post x-control-plane'

const takenBack: [string, string, Json | undefined, string][] = [
  ['an operation removed', 'paths /things post', undefined, 'operation-removed'],
  ['an operation moved', 'paths', { '/other': released.paths['/things'] }, 'operation-moved'],
  ['an operation that is planned again', 'paths /things post x-stage', 'planned', 'operation-unbuilt'],
  ['a role removed', 'paths /things post x-roles', ['admin'], 'role-removed'],
  ['an operation that is there only since a later version', 'paths /things post x-since', '1.10', 'since-raised'],
  ['an operation of another plane', 'paths /things post x-plane', 'worker', 'plane-changed'],
  ['an answer that says less about itself', `${promises} success_fields`, ['id'], 'control-plane-changed'],
  ['an answer that calls itself otherwise', `${promises} operation`, 'forge', 'control-plane-changed'],
  ['a status removed', 'paths /things post responses 409', undefined, 'status-removed'],
  ['a parameter removed', 'paths /things post parameters', [], 'parameter-removed'],
  [
    'a new required parameter',
    'paths /things post parameters',
    [...released.paths['/things'].post.parameters, { name: 'b', in: 'query', required: true, schema: {} }],
    'parameter-required',
  ],
  ['a body required that was optional', 'paths /things post requestBody required', true, 'body-required'],
  ['a request field removed', `${request} properties note`, undefined, 'field-removed'],
  ['a request field of a narrower type', `${request} properties note type`, 'string', 'type-narrowed'],
  ['a request number that must be whole now', `${request} properties delay type`, 'integer', 'type-narrowed'],
  ['a request field of any type that has one now', `${request} properties free`, { type: 'object' }, 'type-narrowed'],
  ['a request value removed', `${request} properties mode enum`, ['fast'], 'value-removed'],
  ['a request field limited to values', `${request} properties name enum`, ['a'], 'values-limited'],
  ['an optional request field made required', `${request} required`, ['name', 'note'], 'field-required'],
  ['a new required request field', `${request} required`, ['name', 'later'], 'field-required'],
  ['a shorter request text', `${request} properties name maxLength`, 10, 'bound-changed'],
  ['a higher floor of a request number', `${request} properties delay minimum`, 1, 'bound-changed'],
  ['a new bound of a request', `${request} properties items maxItems`, 5, 'bound-changed'],
  ['a new pattern of a request', `${request} properties name pattern`, '^a', 'pattern-changed'],
  ['a request item of a narrower type', `${request} properties items items type`, 'integer', 'type-narrowed'],
  ['a request alternative removed', `${request} properties either anyOf`, [{ type: 'string' }], 'alternative-removed'],
  ['a request that takes no further fields', `${request} additionalProperties`, false, 'fields-closed'],
  ['a request field that is refused by name', `${request} x-refused-fields`, ['old', 'note'], 'field-refused'],
  ['a request of a format', `${request} properties name format`, 'uuid', 'keyword-changed'],
  ['a request that excludes values', `${request} properties name not`, { const: 'x' }, 'keyword-changed'],
  ['a word of a literal document changed', `${reply} properties about x-document says one`, 3, 'literal-changed'],
  ['a word of a literal document removed', `${reply} properties about x-document says`, undefined, 'literal-changed'],
  ['an item of a literal document removed', `${reply} properties about x-document list`, ['a'], 'literal-changed'],
  ['a response field removed', `${reply} properties id`, undefined, 'field-removed'],
  ['a response field that may be absent now', `${reply} required`, ['state'], 'promise-dropped'],
  ['a response value removed', `${reply} properties state enum`, ['open'], 'value-removed'],
  ['a response field of another type', `${reply} properties id type`, 'integer', 'type-narrowed'],
  ['a response field that may be null now', `${reply} properties id type`, ['string', 'null'], 'type-widened'],
  ['a response field that is never null now', `${reply} properties reason type`, 'string', 'type-narrowed'],
  ['a response pattern dropped', `${reply} properties at`, { type: 'string' }, 'pattern-changed'],
  [
    'a response alternative added',
    `${reply} properties task anyOf`,
    [{ type: 'null' }, { type: 'object' }, { type: 'string' }],
    'alternative-added',
  ],
  ['an event removed', event, undefined, 'event-removed'],
  ['an event key removed', `${event} properties timer_id`, undefined, 'field-removed'],
  ['an event key that may be absent now', `${event} required`, [], 'promise-dropped'],
]

test.each(takenBack)('%s is found', (_, path, value, code) => {
  const codes = compareDocuments(released, changed(path, value)).map((found) => found.code)
  expect(codes).toContain(code)
})

const added: [string, string, Json][] = [
  ['an operation', 'paths /more', { post: { ...released.paths['/things'].post, operationId: 'more' } }],
  ['a status', 'paths /things post responses 410', released.paths['/things'].post.responses[409]],
  ['a role', 'paths /things post x-roles', ['operator', 'admin', 'worker']],
  [
    'an optional parameter',
    'paths /things post parameters',
    [...released.paths['/things'].post.parameters, { name: 'b', in: 'query', required: false, schema: {} }],
  ],
  ['an optional request field', `${request} properties later`, { type: 'string' }],
  ['a request value', `${request} properties mode enum`, ['fast', 'safe', 'odd']],
  ['a request type', `${request} properties name type`, ['string', 'null']],
  ['a longer request text', `${request} properties name maxLength`, 200],
  [
    'a request alternative',
    `${request} properties either anyOf`,
    [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
  ],
  ['a response field', `${reply} properties later`, { type: 'string' }],
  ['a response promise', `${reply} required`, ['id', 'state', 'reason']],
  ['a response value', `${reply} properties state enum`, ['open', 'closed', 'odd']],
  ['an event', 'components schemas OddPayload', { type: 'object', 'x-event-type': 'Odd' }],
  ['a description', `${reply} description`, 'Other words.'],
  ['a refused field that is taken now', `${request} x-refused-fields`, []],
  ['a promise of an answer about itself', `${promises} success_fields`, ['id', 'state', 'at']],
  ['a word of a literal document', `${reply} properties about x-document says two`, 2],
  ['an item of a literal document', `${reply} properties about x-document list`, ['a', 'b', 'c']],
]

test.each(added)('%s may be added', (_, path, value) => {
  expect(compareDocuments(released, changed(path, value))).toEqual([])
})

test('a document is an addition to itself, and planned operations do not bind', () => {
  expect(compareDocuments(released, released)).toEqual([])
  expect(
    compareDocuments(changed('paths /things post x-stage', 'planned'), changed('paths /things post', undefined)),
  ).toEqual([])
})

const catalogue = {
  reasons: { gone: { status: 404, retryable: false, settles: ['query_task'], operations: ['a', 'b'], remedy: 'x' } },
}

test.each([
  ['removed', {}, 'reason-removed'],
  [
    'of another status in one operation',
    { gone: { ...catalogue.reasons.gone, statusOf: { a: 410 } } },
    'reason-status',
  ],
  ['of another status', { gone: { ...catalogue.reasons.gone, status: 410 } }, 'reason-status'],
  ['retryable now', { gone: { ...catalogue.reasons.gone, retryable: true } }, 'reason-retryable'],
  ['of fewer operations', { gone: { ...catalogue.reasons.gone, operations: ['a'] } }, 'reason-operations'],
  ['that settles less', { gone: { ...catalogue.reasons.gone, settles: [] } }, 'reason-settles'],
])('a reason %s is found', (_, reasons, code) => {
  expect(compareReasons(catalogue, { reasons }).map((found) => found.code)).toEqual([code])
})

test('a reason may be given by further operations, with a status of their own', () => {
  const more = { ...catalogue.reasons.gone, operations: ['a', 'b', 'c'], statusOf: { c: 410 } }
  expect(compareReasons(catalogue, { reasons: { gone: more } })).toEqual([])
})

test('a planned reason binds nobody', () => {
  const planned = { reasons: { gone: { ...catalogue.reasons.gone, 'x-stage': 'planned' } } }
  expect(compareReasons(planned, { reasons: {} })).toEqual([])
})

test.each([
  ['a lower limit', { limits: { aMax: { value: 1 } }, defaults: {} }, ['limit-tightened', 'limit-removed']],
  ['a changed default', { limits: { aMax: { value: 3 } }, defaults: { b: { value: 6 } } }, ['limit-tightened']],
  ['a higher limit', { limits: { aMax: { value: 3 } }, defaults: { b: { value: 5 } } }, []],
])('%s', (_, after, codes) => {
  const before = { limits: { aMax: { value: 2 } }, defaults: { b: { value: 5 } } }
  expect(compareLimits(before, after).map((found) => found.code)).toEqual(codes)
})
