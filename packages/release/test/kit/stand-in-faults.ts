// What can be wrong with a registry: each fault changes the answer to some requests, or when and how it leaves.
import { type Fields, fieldsOf } from './stand-in-store.ts'

/** What a request is about. */
export type Route = 'publish' | 'packument' | 'tarball' | 'tag' | 'attestations'

/** An answer before it leaves. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /**
   * whole · cut: half of the body, then the connection breaks · drip: a byte at a time, without an end · endless: more and
   * more of it · silent: nothing, the connection stays · drop: the connection breaks before the first byte.
   */
  readonly leaves: 'whole' | 'cut' | 'drip' | 'endless' | 'silent' | 'drop'
}

/** A fault of one route. */
export interface Fault {
  readonly on: Route
  /** Only for this package; for all without it. */
  readonly name?: string
  /** Requests of the route that it lets pass first; 0 without it. */
  readonly after?: number
  /** Requests that it then hits; all without it. */
  readonly times?: number
  /** Whether the request is carried out before the answer is changed (a stored upload whose answer is lost); true without it. */
  readonly carriedOut?: boolean
  change(answer: Answer): Answer
}

type Span = Pick<Fault, 'on' | 'name' | 'after' | 'times'>

/** Another status, without doing what was asked. */
export const status = (span: Span, code: number, body: Fields = { error: `status ${code}` }): Fault => ({
  ...span,
  carriedOut: false,
  change: () => json(code, body),
})

/** Does what was asked, then answers with another status. */
export const statusAfterwards = (span: Span, code: number): Fault => ({
  ...span,
  change: () => json(code, { error: `status ${code}` }),
})

/** How the answer leaves; `drop` on `publish` is a stored upload whose answer is lost. */
export const leaving = (span: Span, leaves: Answer['leaves']): Fault => ({
  ...span,
  change: (answer) => ({ ...answer, leaves }),
})

/** The connection breaks before anything was done. */
export const unheard = (span: Span): Fault => ({
  ...span,
  carriedOut: false,
  change: (answer) => ({ ...answer, leaves: 'drop' }),
})

/** Headers on top: another media type, an encoding. */
export const headers = (span: Span, more: Readonly<Record<string, string>>): Fault => ({
  ...span,
  change: (answer) => ({ ...answer, headers: { ...answer.headers, ...more } }),
})

/** Sends the client elsewhere. */
export const redirect = (span: Span, location: string): Fault => ({
  ...span,
  change: () => ({ status: 302, headers: { location }, body: Buffer.alloc(0), leaves: 'whole' }),
})

/** Other bytes. */
export const bytes = (span: Span, change: (body: Buffer) => Buffer): Fault => ({
  ...span,
  change: (answer) => ({ ...answer, body: change(answer.body) }),
})

/** Another packument. */
export const packument = (span: Omit<Span, 'on'>, change: (body: Fields) => Fields): Fault =>
  bytes({ ...span, on: 'packument' }, (body) => Buffer.from(JSON.stringify(change(fieldsOf(JSON.parse(`${body}`))))))

/** Another manifest in every version of the packument. */
export const versions = (span: Omit<Span, 'on'>, change: (manifest: Fields) => Fields): Fault =>
  packument(span, (body) => ({
    ...body,
    versions: Object.fromEntries(
      Object.entries(fieldsOf(body.versions)).map(([version, one]) => [version, change(fieldsOf(one))]),
    ),
  }))

/** Other `dist` fields in every version of the packument. */
export const dist = (span: Omit<Span, 'on'>, more: Fields | ((before: Fields) => Fields)): Fault =>
  versions(span, (manifest) => {
    const before = fieldsOf(manifest.dist)
    return { ...manifest, dist: { ...before, ...(typeof more === 'function' ? more(before) : more) } }
  })

/** An answer in JSON. */
export const json = (code: number, body: Fields): Answer => ({
  status: code,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
  leaves: 'whole',
})
