// Body limit, media type, JSON (control plane 2, §1.4): 413, 415, 400, before anybody is asked who he is.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { acceptedContentTypes } from '../error-answer.ts'
import { type No, no } from '../reply.ts'
import type { Gate } from './gate.ts'

type ReadBody = { readonly value: unknown } | { readonly refusal: No }

const isReadBody = (body: unknown): body is ReadBody =>
  typeof body === 'object' && body !== null && ('value' in body || 'refusal' in body)

/** Reads every body as text and judges it here: one parser for all media types. The limit itself is Fastify's. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    done(null, readBody(request, String(text)))
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

function readBody(request: FastifyRequest, text: string): ReadBody {
  if (text === '') return { value: {} }
  const contentType = request.headers['content-type'] ?? ''
  if (!isJsonMediaType(contentType)) {
    return {
      refusal: no('unsupported_media_type', {
        content_type: contentType,
        accepted_content_types: acceptedContentTypes,
      }),
    }
  }
  return parse(text)
}

function isJsonMediaType(contentType: string): boolean {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return mediaType === 'application/json' || /^application\/[^\s/]+\+json$/.test(mediaType)
}

function parse(text: string): ReadBody {
  try {
    // A member named __proto__ would change the prototype of every copy that is made of its object.
    const value: unknown = text.includes('__proto__') ? JSON.parse(text, refuseProto) : JSON.parse(text)
    return { value }
  } catch (error) {
    return { refusal: no('malformed_json', { json_error: error instanceof Error ? error.message : String(error) }) }
  }
}

function refuseProto(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('a member is named __proto__')
  return value
}
