// A typed client over a function that sends. It builds the request and reads JSON, or plain text where that came; it does not retry, judge or validate.
import { type BuiltOperationId, operations } from './generated/operations.ts'
import type { OperationTypes } from './operation.ts'

/** One request, ready to be sent. */
export interface ProtocolRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  signal?: AbortSignal
}

/** What came back, unread. */
export interface ProtocolResponse {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  text: string
}

/** Sends one request. It throws when no response came; every status is a response. */
export type Send = (request: ProtocolRequest) => Promise<ProtocolResponse>

/** How a client reaches its server. */
export interface ProtocolClientOptions {
  send: Send
  /** Put before every path; the default is none. A slash at its end does not matter. */
  baseUrl?: string
  /** Sent with every request. */
  headers?: Record<string, string>
}

type Part<Name extends string, Value> = [Value] extends [undefined | never]
  ? { [Key in Name]?: undefined }
  : undefined extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }

/** What a call needs: path and body where the operation has them. */
export type CallOptions<Op extends BuiltOperationId> = Part<'path', OperationTypes[Op]['path']> &
  Part<'query', OperationTypes[Op]['query']> &
  Part<'body', OperationTypes[Op]['body']> & { headers?: Record<string, string>; signal?: AbortSignal }

/** A documented status, with the body that the document gives it. The body is typed, not checked. */
export type DocumentedReply<Op extends BuiltOperationId> = {
  [Status in keyof OperationTypes[Op]['responses']]: {
    documented: true
    status: Status
    headers: Record<string, string>
    body: OperationTypes[Op]['responses'][Status]
    text: string
  }
}[keyof OperationTypes[Op]['responses']]

/** A status that the document does not list, or a body that is neither JSON nor plain text: `body` is undefined then, `text` is what came. */
export interface UndocumentedReply {
  documented: false
  status: number
  headers: Record<string, string>
  body: unknown
  text: string
}

/** What a call answers. Ask `documented` first, then `status`. */
export type Reply<Op extends BuiltOperationId> = DocumentedReply<Op> | UndocumentedReply

/** The operations of both planes, typed by their documents. */
export interface ProtocolClient {
  /** Sends one request. Throws only what `send` throws. */
  call<Op extends BuiltOperationId>(operationId: Op, options: CallOptions<Op>): Promise<Reply<Op>>
}

/** Texts and parameter names of a template in turn; taken apart once, for a worker asks the same few thousands of times a second. */
const templateParts = new Map<string, readonly string[]>()

function partsOf(template: string): readonly string[] {
  const known = templateParts.get(template)
  if (known !== undefined) return known
  const parts = template.split(/[{}]/)
  templateParts.set(template, parts)
  return parts
}

function pathOf(template: string, parameters: Record<string, string>): string {
  let path = ''
  let isName = false
  for (const part of partsOf(template)) {
    path += isName ? segmentOf(template, part, parameters[part]) : part
    isName = !isName
  }
  return path
}

function segmentOf(template: string, name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new TypeError(`The path ${template} needs ${name}; none was given`)
  return encodeURIComponent(value)
}

function queryOf(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function bodyOf({ headers, text }: ProtocolResponse): { readable: boolean; body: unknown } {
  if (headers['content-type']?.startsWith('text/plain')) return { readable: true, body: text }
  try {
    return { readable: true, body: JSON.parse(text) }
  } catch {
    // Nothing is lost: the reply carries the text.
    return { readable: false, body: undefined }
  }
}

/**
 * Makes a client over a function that sends.
 *
 * It sends each call once and judges nothing: retries, receipts and errors belong to the caller. Throws a TypeError when a
 * path parameter is missing, and what `send` throws.
 */
export function createProtocolClient(options: ProtocolClientOptions): ProtocolClient {
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '')
  return {
    async call<Op extends BuiltOperationId>(operationId: Op, given: CallOptions<Op>): Promise<Reply<Op>> {
      const { method, path, documentedStatuses } = operations[operationId]
      const body = given.body === undefined ? undefined : JSON.stringify(given.body)
      const response = await options.send({
        method,
        url: `${baseUrl}${pathOf(path, { ...given.path })}${given.query === undefined ? '' : queryOf({ ...given.query })}`,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
          ...given.headers,
        },
        body,
        ...(given.signal ? { signal: given.signal } : {}),
      })
      const { readable, body: parsed } = bodyOf(response)
      const documented = readable && documentedStatuses.some((status) => status === response.status)
      return replyOf<Op>(documented, response, parsed)
    },
  }
}

// The one place where a received body gets its documented type: the wire is typed by its document, not proven here.
function replyOf<Op extends BuiltOperationId>(documented: boolean, response: ProtocolResponse, body: unknown): Reply<Op>
function replyOf(documented: boolean, response: ProtocolResponse, body: unknown): unknown {
  return { documented, status: response.status, headers: response.headers, body, text: response.text }
}
