// Body limit, media type, JSON (control plane 2, §1.4): 413, 415, 400, before anybody is asked who he is.
import { isUtf8 } from 'node:buffer'
import { jsonDepthMax } from '@durable-workflow/codec'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { acceptedContentTypes } from '../error-answer.ts'
import { type No, no } from '../reply.ts'
import type { Gate } from './gate.ts'

type ReadBody = { readonly value: unknown } | { readonly refusal: No }

const isReadBody = (body: unknown): body is ReadBody =>
  typeof body === 'object' && body !== null && ('value' in body || 'refusal' in body)

/** What Fastify is told of a media type: it refuses some before any gate is asked, and judging them is ours. */
const anyMediaType = 'application/octet-stream'
const commonMediaType = 'application/json'

/** Reads every body and judges it here: one parser for all media types. The limit itself is Fastify's. */
export function readBodies(app: FastifyInstance): void {
  // No document gives a DELETE a body; one that comes is no ground for refusal, as with GET.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers['content-type']
    if (given !== undefined && given !== commonMediaType) request.headers = { 'content-type': anyMediaType }
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    done(null, readBody(request, typeof bytes === 'string' ? Buffer.from(bytes) : bytes))
  })
}

/** Passes a body that is JSON, or none. No body, `[]` and `{}` all mean: no fields. */
export const bodyGate: Gate = (request, passed) => {
  const read = request.body
  if (!isReadBody(read)) {
    passed.body = {}
    return undefined
  }
  // A planned operation has no body yet that could be wrong.
  if ('refusal' in read) return passed.operation.stage === 'planned' ? undefined : read.refusal
  passed.body = Array.isArray(read.value) && read.value.length === 0 ? {} : read.value
  return undefined
}

function readBody({ raw }: FastifyRequest, bytes: Buffer): ReadBody {
  if (bytes.length === 0) return { value: {} }
  const contentType = raw.headers['content-type'] ?? ''
  if (!isJsonMediaType(contentType)) {
    return {
      refusal: no('unsupported_media_type', {
        content_type: contentType,
        accepted_content_types: acceptedContentTypes,
      }),
    }
  }
  // Read leniently, broken bytes would be kept as another text than the one that came.
  return isUtf8(bytes) ? parse(bytes.toString('utf8')) : notJson('the bytes are no UTF-8')
}

function isJsonMediaType(contentType: string): boolean {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return mediaType === commonMediaType || /^application\/[^\s/]+\+json$/.test(mediaType)
}

function parse(text: string): ReadBody {
  if (isNestedTooDeep(text)) return notJson(`it is nested deeper than ${jsonDepthMax} levels`)
  try {
    const value: unknown = mayHoldBadText(text) ? JSON.parse(text, refuseBadText) : JSON.parse(text)
    return { value }
  } catch (error) {
    return notJson(error instanceof Error ? error.message : String(error))
  }
}

function notJson(problem: string): ReadBody {
  return { refusal: no('malformed_json', { json_error: problem }) }
}

/** Whether `refuseBadText` could find something: any name may be written in escapes. */
function mayHoldBadText(text: string): boolean {
  return text.includes('__proto__') || /\\u(?:d[89a-f]|00)/i.test(text)
}

function refuseBadText(name: string, value: unknown): unknown {
  // It would change the prototype of every copy that is made of its object.
  if (name === '__proto__') throw new SyntaxError('a member is named __proto__')
  // UTF-8 has no form for half a pair: stored and read again it would be another text.
  if (!name.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    throw new SyntaxError('a text holds a lone surrogate, which has no UTF-8 form')
  }
  return value
}

const openers = ['[', '{'] as const
const quote = 0x22
const backslash = 0x5c

/**
 * Whether lists and objects stand in one another deeper than whoever compares, digests or writes the value can follow.
 *
 * Two searches tell that most bodies have not even that many of them; only the others are read character by character.
 */
function isNestedTooDeep(text: string): boolean {
  return text.length > jsonDepthMax && hasManyOpeners(text) && depthOf(text) > jsonDepthMax
}

function hasManyOpeners(text: string): boolean {
  let count = 0
  for (const opener of openers) {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
      if (++count > jsonDepthMax) return true
    }
  }
  return false
}

/** The most levels; of text that is no JSON any number. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === backslash) at++
      else if (code === quote) isInText = false
    } else if (code === quote) isInText = true
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}
