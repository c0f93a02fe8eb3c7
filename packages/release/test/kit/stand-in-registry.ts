// A registry that can lie: npm's protocol on 127.0.0.1, as far as publishing and reading back need it, with faults.
//
// It proves that a lie is noticed; that we speak to a real registry is proved against Verdaccio.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Answer, type Fault, json, type Route } from './stand-in-faults.ts'
import {
  attestationsOf,
  digestOf,
  distOf,
  fieldsOf,
  type HeldPackage,
  type HeldVersion,
  packumentOf,
  store,
} from './stand-in-store.ts'

/** A running stand-in. */
export interface StandIn {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string
  /** Uploads that were stored since it began. */
  uploads(): number
  /** `PUT /@x%2fspec`, in the order they came. */
  readonly requests: readonly string[]
  /** Their headers. */
  readonly requestHeaders: readonly IncomingHttpHeaders[]
  /** Digest of all that it holds. */
  snapshot(): string
  /** Takes the place of the faults so far; each counts anew. */
  faults(...now: readonly Fault[]): void
  /** Changes behind the protocol's back: what a keeper or a thief of the storage could do. @throws Error when it is not held */
  held(name: string, version: string): HeldVersion
  tag(name: string, tag: string, version: string | null): void
  /** Other bytes, and digests that fit them: a forgery that agrees with itself. */
  forge(name: string, version: string, tarball: Buffer): void
  /** As a registry does that unpublishes a version. */
  unpublish(name: string, version: string): void
  stop(): Promise<void>
}

/** What differs from one registry to the next. */
export interface StandInOptions {
  /** The bearer token that uploads need; none without it. */
  readonly token?: string
  /** Whether the first version of a package gets `latest` beside its tag, as npm and Verdaccio do; false without it. */
  readonly firstGetsLatest?: boolean
}

interface Counted extends Fault {
  seen: number
}

/** Starts one on a free port. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const packages = new Map<string, HeldPackage>()
  const requests: string[] = []
  const requestHeaders: IncomingHttpHeaders[] = []
  let faults: Counted[] = []
  let uploads = 0
  let url = ''

  const heldOf = (name: string): HeldPackage => {
    const held = packages.get(name)
    if (held === undefined) throw new Error(`the stand-in holds no ${name}`)
    return held
  }
  const versionOf = (name: string, version: string): HeldVersion => {
    const held = heldOf(name).versions.get(version)
    if (held === undefined) throw new Error(`the stand-in holds no ${name}@${version}`)
    return held
  }

  const carryOut = async (asked: Asked, request: IncomingMessage): Promise<Answer> => {
    const isWrite = request.method !== 'GET'
    if (isWrite && options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
      return json(401, { error: 'this needs a token' })
    }
    const body = isWrite ? await bodyOf(request) : ''
    if (asked.route === 'publish') {
      const code = store(packages, asked.name, fieldsOf(JSON.parse(body)), options.firstGetsLatest ?? false)
      if (code === 201) uploads++
      return json(code, code === 201 ? { ok: 'stored' } : { error: 'cannot publish over it' })
    }
    const held = packages.get(asked.name)
    if (held === undefined) return json(404, { error: 'not found' })
    if (asked.route === 'packument') return json(200, packumentOf(asked.name, held, url))
    if (asked.route === 'tag') return answerTag(held, asked.rest, request.method ?? 'GET', body)
    const one = held.versions.get(asked.rest)
    if (one === undefined) return json(404, { error: 'not found' })
    if (asked.route === 'attestations') {
      return one.statement === null ? json(404, { error: 'not found' }) : json(200, attestationsOf(one.statement))
    }
    return {
      status: 200,
      headers: { 'content-type': 'application/octet-stream' },
      body: one.tarball,
      leaves: 'whole',
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url}`)
    requestHeaders.push(request.headers)
    const asked = askedOf(request)
    if (asked === null) return leave(response, json(404, { error: 'no such route' }))
    const hit = faults.filter((fault) => fault.on === asked.route && (fault.name ?? asked.name) === asked.name)
    const now = hit.filter((fault) => {
      const { after = 0, times = Number.POSITIVE_INFINITY } = fault
      return ++fault.seen > after && fault.seen <= after + times
    })
    const begun = now.some(({ carriedOut }) => carriedOut === false) ? json(200, {}) : await carryOut(asked, request)
    leave(
      response,
      now.reduce((changed, fault) => fault.change(changed), begun),
    )
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => leave(response, json(500, { error: `${error}` })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port')
  url = `http://127.0.0.1:${address.port}/`

  return {
    url,
    uploads: () => uploads,
    requests,
    requestHeaders,
    snapshot: () => digestOf(packages),
    faults(...now) {
      faults = now.map((fault) => ({ ...fault, seen: 0 }))
    },
    held: versionOf,
    tag(name, tag, version) {
      if (version === null) heldOf(name).tags.delete(tag)
      else heldOf(name).tags.set(tag, version)
    },
    forge(name, version, tarball) {
      const held = versionOf(name, version)
      held.tarball = tarball
      held.manifest = { ...held.manifest, dist: { ...fieldsOf(held.manifest.dist), ...distOf(tarball) } }
    },
    unpublish(name, version) {
      const { versions, tags } = heldOf(name)
      versions.delete(version)
      for (const [tag, tagged] of tags) if (tagged === version) tags.delete(tag)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Asked {
  readonly route: Route
  readonly name: string
  /** The version of a tarball or attestation; the tag of a tag route, empty for all. */
  readonly rest: string
}

function askedOf(request: IncomingMessage): Asked | null {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname)
  const name = '((?:@[^/]+/)?[^/@-][^/]*)'
  const routes: readonly (readonly [Route, RegExp])[] = [
    ['tag', new RegExp(`^/-/package/${name}/dist-tags(?:/(.+))?$`)],
    ['attestations', new RegExp(`^/-/npm/v1/attestations/${name}@(.+)$`)],
    ['tarball', new RegExp(`^/${name}/-/[^/]+?-(\\d.*)\\.tgz$`)],
    [request.method === 'PUT' ? 'publish' : 'packument', new RegExp(`^/${name}$`)],
  ]
  for (const [route, pattern] of routes) {
    const found = pattern.exec(path)
    if (found !== null) return { route, name: found[1] ?? '', rest: found[2] ?? '' }
  }
  return null
}

function answerTag({ versions, tags }: HeldPackage, tag: string, method: string, body: string): Answer {
  const version: unknown = method === 'PUT' ? JSON.parse(body) : null
  if (method === 'GET') return json(200, Object.fromEntries(tags))
  if (method === 'DELETE') tags.delete(tag)
  else if (typeof version === 'string' && versions.has(version)) tags.set(tag, version)
  else return json(400, { error: 'no such version' })
  return json(201, { ok: 'tagged' })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function leave(response: ServerResponse, { status, headers, body, leaves }: Answer): void {
  if (leaves === 'silent') return
  if (leaves === 'drop') {
    response.destroy()
    return
  }
  const length = leaves === 'whole' || leaves === 'cut' ? { 'content-length': `${body.length}` } : {}
  response.writeHead(status, { ...length, ...headers })
  if (leaves === 'whole') response.end(body)
  else if (leaves === 'cut') response.write(body.subarray(0, body.length >> 1), () => response.destroy())
  else repeat(response, leaves === 'drip' ? body.subarray(0, 1) : Buffer.alloc(1 << 16, ' '))
}

/** Writes the same piece until the client has had enough. */
function repeat(response: ServerResponse, piece: Buffer): void {
  const timer = setInterval(() => response.write(piece), 2)
  response.once('close', () => clearInterval(timer))
}
