// Requests of an operation, as its document has them and spoiled in one way or another. Each says how it was spoiled, so
// that whoever judges the answer knows what it was asked.

import { gzipSync } from 'node:zlib'
import { protocolHeaders } from '@durable-workflow/protocol'
import type { DocumentedOperation, Json, JsonObject } from '../../../protocol/test/documented-operations.ts'
import { type Chance, mutated, pick } from './mutate.ts'
import type { PreparedState } from './prepared-states.ts'
import type { RawRequest } from './raw-connection.ts'
import { type Making, membersOf, requiredOf, valueBeyond, valueWithin } from './schema-values.ts'

export interface BadRequest {
  readonly request: RawRequest
  /** In which way it is not as the document has it; `nothing`: it is. */
  readonly spoiled: string
  /** False where method or path are no longer those of the operation: another one may be met, or none. */
  readonly isAddressed: boolean
}

export interface Material {
  readonly operation: DocumentedOperation
  readonly state: PreparedState
  readonly chance: Chance
  /** A good body written by hand, where there is one: it gets further than a made one. */
  readonly goodBody: object | undefined
}

interface Draft {
  method: string
  path: string
  query: [string, string][]
  headers: [string, string][]
  /** As bytes; undefined: none. */
  body: Uint8Array | undefined
  isChunked: boolean
  isAddressed: boolean
}

type Spoil = (draft: Draft, material: Material) => void

const goodRate = 0.3
const bodyRate = 0.45

/** One request; its operation, its state and chance say which. */
export function badRequest(material: Material): BadRequest {
  const { operation, chance } = material
  const draft = goodDraft(material)
  let spoiled = 'nothing'
  if (chance() >= goodRate) {
    const takesBody = operation.body !== undefined
    const table = takesBody && chance() < bodyRate ? bodySpoils : chance() < 0.5 ? textSpoils : wireSpoils
    const [name, spoil] = pick(chance, nonEmpty(Object.entries(table)))
    spoil(draft, material)
    spoiled = name
  }
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    spoiled,
    isAddressed: draft.isAddressed,
    request: {
      method: draft.method,
      target: query === '' ? draft.path : `${draft.path}?${query}`,
      headers: draft.headers,
      body: draft.body,
      isChunked: draft.isChunked,
    },
  }
}

function goodDraft(material: Material): Draft {
  const { operation, state, chance } = material
  const body = operation.body === undefined ? undefined : encode(goodBody(material))
  const headers: [string, string][] = [['x-namespace', state.namespace]]
  if (operation.plane === 'worker') headers.push([protocolHeaders.workerProtocolVersion, '1.19'])
  if (operation.plane === 'control') headers.push([protocolHeaders.controlPlaneVersion, '2'])
  if (body !== undefined) headers.push(['content-type', 'application/json'])
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && chance() < 0.4)
    .map(({ name, schema }): [string, string] => [
      name,
      encodeURIComponent(String(valueWithin(schema, makingOf(material)))),
    ])
  const method = operation.method
  return { method, path: pathOf(material), query, headers, body, isChunked: chance() < 0.1, isAddressed: true }
}

function makingOf({ state, chance }: Material): Making {
  return { chance, known: state.known }
}

function goodBody(material: Material): Json {
  const { operation, goodBody, state, chance } = material
  const schema = operation.body?.schema ?? {}
  const made = goodBody !== undefined && chance() < 0.5 ? jsonOf({ ...goodBody, ...knownOf(schema, state) }) : undefined
  return atOnce(operation, made ?? valueWithin(schema, makingOf(material)))
}

function knownOf(schema: JsonObject, { known }: PreparedState): JsonObject {
  return Object.fromEntries(Object.entries(known).filter(([name]) => name in membersOf(schema)))
}

/** A poll that asks to be held would only be waited for. */
function atOnce({ id }: DocumentedOperation, body: Json): Json {
  return id.startsWith('poll') && isObject(body) ? { ...body, timeout_seconds: 0 } : body
}

function pathOf({ operation, state }: Material): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const means = name === 'task_id' && operation.path.includes('/activity-tasks/') ? 'activity_task_id' : name
    return encodeURIComponent(state.path[means] ?? 'go')
  })
}

/** Its members are JSON, and not what the document says. */
const bodySpoils: Readonly<Record<string, Spoil>> = {
  'a member missing': withMember((body, name) => delete body[name]),
  'a member null': withMember((body, name) => {
    body[name] = null
  }),
  'a member beyond its schema': withMember((body, name, { operation, ...rest }) => {
    const schema = membersOf(operation.body?.schema ?? {})[name] ?? {}
    body[name] = valueBeyond(schema, makingOf({ operation, ...rest }))
  }),
  'a member that is planned, refused or unknown': withMember((body, _name, { operation, chance }) => {
    const known = Object.keys(membersOf(operation.body?.schema ?? {}))
    body[pick(chance, ['no_such_field', 'constructor', 'toString', '', ...known])] = { a: 1 }
  }),
  'anything inside changed': (draft, material) => {
    const changed = mutated(material.chance, goodBody(material))
    draft.body = encode(isObject(jsonOf(changed)) ? atOnce(material.operation, jsonOf(changed)) : jsonOf(changed))
  },
  'another kind of document': (draft, { chance }) => {
    draft.body = encode(pick<Json>(chance, [null, true, 0, 'text', [1], [[]], [{}], [null]]))
  },
  'texts that are hard to store': withMember((body, name, { chance }) => {
    body[name] = pick(chance, ['\u0000', '\ud800', 'a\ud800', '\udfff\ud800', '\ufeff', 'x'.repeat(70_000), '\u0001\n'])
  }),
  'numbers that are hard to keep': withMember((body, name, { chance }) => {
    body[name] = pick(chance, [2 ** 53, -(2 ** 53), 2 ** 63, 1e300, -1e-320, 1.5, -0])
  }),
}

/** Its body is no JSON, or JSON that two readers read differently. */
const textSpoils: Readonly<Record<string, Spoil>> = {
  truncated: withText((text, chance) => text.slice(0, Math.max(1, Math.floor(chance() * text.length)))),
  'two documents': withText((text) => `${text}${text}`),
  'a member twice': withText((text) =>
    text.replace('{', '{"lease_owner":"first","worker_id":"first","lease_owner":"w",'),
  ),
  'a member __proto__': withText((text) => text.replace('{', '{"__proto__":{"lease_owner":"w","admin":true},')),
  'a member __proto__, escaped': withText((text) => text.replace('{', '{"\\u005f_proto__":{"lease_owner":"w"},')),
  'a member constructor': withText((text) => text.replace('{', '{"constructor":{"prototype":{"admin":true}},')),
  NaN: withText((text) => text.replace(/\d+|"[^"]*"(?=[,}])/, 'NaN')),
  'a number too large': withText((text) => text.replace(/:(\d+|"[^"]*")(?=[,}])/, ':1e999')),
  'a number with many digits': withText((text) => text.replace(/:(\d+|"[^"]*")(?=[,}])/, `:${'9'.repeat(5000)}`)),
  'nested deep': withText((text) => text.replace('{', `{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)},`)),
  'nested deep in a member': withText((text) =>
    text.replace(/:("[^"]*"|\d+)(?=[,}])/, `:${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`),
  ),
  'a lone surrogate, escaped': withText((text) => text.replace(/"([^"]*)"(?=[,}])/, '"\\ud800"')),
  'a byte order mark': (draft) => {
    draft.body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), draft.body ?? Buffer.from('{}')])
  },
  'bytes that are no UTF-8': (draft, { chance }) => {
    const bytes = Buffer.from(draft.body ?? '{"a":"bcdefgh"}')
    const at = bytes.lastIndexOf('"')
    const wrong = pick(chance, [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]])
    draft.body = Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)])
  },
  'UTF-16': (draft) => {
    draft.body = Buffer.from(Buffer.from(draft.body ?? '{}').toString('utf8'), 'utf16le')
  },
  'compressed, and said so': (draft) => {
    draft.body = gzipSync(draft.body ?? '{}')
    draft.headers.push(['content-encoding', 'gzip'])
  },
  'compressed in secret': (draft) => {
    draft.body = gzipSync(draft.body ?? '{}')
  },
  'another media type': (draft, { chance }) => {
    draft.body ??= Buffer.from('{}')
    const type = pick(chance, [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'json',
      'application/',
    ])
    draft.headers = [...draft.headers.filter(([name]) => name !== 'content-type'), ['content-type', type]]
  },
  'no media type': (draft) => {
    draft.body ??= Buffer.from('{}')
    draft.headers = draft.headers.filter(([name]) => name !== 'content-type')
  },
  'white space only': withText(() => ' \n\t '),
}

/** What stands around its body. */
const wireSpoils: Readonly<Record<string, Spoil>> = {
  'another method': (draft, { operation, chance }) => {
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'] as const
    draft.method = pick(chance, nonEmpty(methods.filter((method) => method !== operation.method)))
    draft.isAddressed = false
  },
  'a trailing slash': (draft) => {
    draft.path += '/'
    draft.isAddressed = false
  },
  'a segment more, less or empty': (draft, { chance }) => {
    const { path } = draft
    const ways = [
      `${path}/more`,
      path.slice(0, path.lastIndexOf('/')),
      path.replace('/api', '//api'),
      `${path}/..`,
      `/./${path}`,
    ]
    draft.path = pick(chance, nonEmpty(ways)) || '/'
    draft.isAddressed = false
  },
  'a path id that is strange': (draft, { operation, chance }) => {
    const strange = [
      '%00',
      '%0a',
      '%2e%2e',
      '%2F',
      '%F0%9F%98%80',
      '%20',
      '%25',
      'x'.repeat(1000),
      '__proto__',
      '*',
      '+',
    ]
    draft.path = changedSegment(operation, draft.path, pick(chance, nonEmpty(strange)))
  },
  'a path id that is no text': (draft, { operation, chance }) => {
    const broken = ['%', '%E0%A4%A', '%FF', '%ED%A0%80', 'x'.repeat(5000), `a${'%41'.repeat(400)}`]
    draft.path = changedSegment(operation, draft.path, pick(chance, nonEmpty(broken)))
    // Such a path reaches no operation.
    draft.isAddressed = false
  },
  'an unknown query parameter': (draft, { chance }) => {
    draft.query.push([pick(chance, ['no_such', '__proto__', 'constructor', '%00', 'a[b]']), '1'])
  },
  'a query parameter of a strange value': (draft, material) => {
    const { operation, chance } = material
    const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const strange = [
      '',
      '-1',
      '1e9',
      '0',
      '99999',
      '%00',
      '%FF',
      'NaN',
      'true',
      'x'.repeat(500),
      'MA%3D%3D',
      '%F0%9F%98%80',
    ] as const
    const filters = [
      "WorkflowId%20=%20'a'",
      'NOT%20Status=running',
      'RunId%20IN%20(a,b)',
      "CloseTime%3C'zzz'",
      'Status%3E3',
      '('.repeat(300),
    ]
    draft.query.push([pick(chance, ['namespace', ...names]), pick(chance, [...strange, ...filters])])
    if (draft.query.some(([name]) => name === 'namespace'))
      draft.headers = draft.headers.filter(([name]) => name !== 'x-namespace')
  },
  'a query parameter twice': (draft, { operation, chance }) => {
    const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const name = pick(chance, ['namespace', ...names])
    draft.query.push([name, '1'], [name, '2'])
  },
  'no version': (draft) => {
    draft.headers = draft.headers.filter(([name]) => !name.includes('version'))
  },
  'another version': (draft, { operation, chance }) => {
    const header =
      operation.plane === 'worker' ? protocolHeaders.workerProtocolVersion : protocolHeaders.controlPlaneVersion
    const version = pick(chance, [
      '',
      '1',
      '3',
      '1.21',
      '2.0',
      '01.19',
      '1.19.0',
      ' 1.19',
      'x',
      '9'.repeat(400),
      '1.19, 1.19',
    ])
    draft.headers = [...draft.headers.filter(([name]) => name !== header), [header, version]]
  },
  'a version twice': (draft, { operation, chance }) => {
    const header =
      operation.plane === 'worker' ? protocolHeaders.workerProtocolVersion : protocolHeaders.controlPlaneVersion
    draft.headers.push([header, pick(chance, ['1.19', '2', '1.0', 'x'])])
  },
  'a namespace that is strange': (draft, { chance }) => {
    const strange = pick(chance, [
      '',
      ' ',
      'DEFAULT',
      'no such',
      '__proto__',
      'x'.repeat(3000),
      'd\xe9fault',
      '../default',
      "'; --",
    ])
    draft.headers = [...draft.headers.filter(([name]) => name !== 'x-namespace'), ['x-namespace', strange]]
  },
  'a namespace twice': (draft) => {
    draft.headers.push(['x-namespace', 'nowhere'])
  },
  'a content type twice': (draft) => {
    draft.headers.push(['content-type', 'text/plain'])
  },
  'headers that nobody asked for': (draft, { chance }) => {
    const odd: readonly [string, string][] = [
      ['expect', '100-continue'],
      ['authorization', 'Basic \xff\xfe'],
      ['x-forwarded-for', '1.2.3.4'],
      ['x-http-method-override', 'DELETE'],
      ['cookie', 'a=b; '.repeat(500)],
      ['accept', 'text/html;q=0'],
      ['range', 'bytes=0-1'],
      ['if-none-match', '*'],
      ['accept-encoding', 'br'],
      ['upgrade', 'websocket'],
      ['te', 'trailers'],
      ['__proto__', 'x'],
    ]
    draft.headers.push(pick(chance, nonEmpty(odd)))
  },
}

/** Changes one member of a body that is an object; one that its document names, mostly one that it has. */
function withMember(change: (body: JsonObject, name: string, material: Material) => void): Spoil {
  return (draft, material) => {
    const { operation, chance } = material
    const body = goodBody(material)
    const changed = isObject(body) ? { ...body } : {}
    const schema = operation.body?.schema ?? {}
    const names = [...Object.keys(changed), ...requiredOf(schema), ...Object.keys(membersOf(schema))]
    change(changed, pick(chance, ['no_such_field', ...names]), material)
    draft.body = encode(atOnce(operation, changed))
  }
}

function withText(change: (text: string, chance: Chance) => string): Spoil {
  return (draft, { chance }) => {
    const text = Buffer.from(draft.body ?? '{"reason":"r","attempt":1}').toString('utf8')
    draft.body = Buffer.from(change(text, chance))
    if (!draft.headers.some(([name]) => name === 'content-type'))
      draft.headers.push(['content-type', 'application/json'])
  }
}

/** The last segment that is an id of the operation's path, replaced; without one, the path stays. */
function changedSegment(operation: DocumentedOperation, path: string, segment: string): string {
  const template = operation.path.split('/')
  const at = template.findLastIndex((part) => part.startsWith('{'))
  return at < 0 ? path : path.split('/').with(at, segment).join('/')
}

const encode = (body: Json): Uint8Array => Buffer.from(JSON.stringify(body))
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function jsonOf(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value ?? null))
  return json
}

function nonEmpty<Item>(items: readonly Item[]): readonly [Item, ...Item[]] {
  const [first, ...others] = items
  if (first === undefined) throw new Error('There is nothing to choose from.')
  return [first, ...others]
}
