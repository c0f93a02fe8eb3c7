// From an answer to a sent reply, and what is kept of it: a line in the log, a count in the metrics.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOfError, answerOfHttpError, unexpected } from './error-answer.ts'
import { operationsAt } from './operation-facts.ts'
import { type About, type Answer, no, render, type WorkerEnvelope } from './reply.ts'
import { type Answered, logRequest } from './telemetry/request-log.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { textMembers } from './text-members.ts'

declare module 'fastify' {
  interface FastifyRequest {
    answered: Answered | undefined
  }
}

/** Sends answers, and notes each once its last byte is out. */
export interface Answering {
  send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply
  sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply
  sendNothingThere(request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** The answer is out. */
  note(request: FastifyRequest, reply: FastifyReply): void
}

export interface AnsweringOptions {
  readonly envelope: WorkerEnvelope
  readonly telemetry: Telemetry
  readonly bodyBytesMax: number
  readonly isDraining: () => boolean
}

export function createAnswering(options: AnsweringOptions): Answering {
  const { envelope, telemetry, bodyBytesMax, isDraining } = options
  const answer = (request: FastifyRequest, reply: FastifyReply, answered: Answered): FastifyReply => {
    request.answered = answered
    const { status, headers, text } = render(answered.answer, answered.about, envelope)
    if (isDraining()) reply.header('connection', 'close')
    return reply.code(status).headers(headers).send(text)
  }
  return {
    send: (request, reply, given) =>
      answer(request, reply, { about: aboutOf(request), answer: given, error: undefined }),
    sendError(request, reply, error) {
      const about = aboutOf(request)
      const ofHttp = answerOfHttpError(error, bodyBytesMax)
      if (ofHttp !== undefined) return answer(request, reply, { about, answer: ofHttp, error: undefined })
      telemetry.failed(error)
      const known = answerOfError(error, about, request.passed?.body) ?? unexpected(about, randomUUID())
      return answer(request, reply, { about, answer: known, error })
    },
    sendNothingThere: (request, reply) =>
      answer(request, reply, { about: aboutOf(request), answer: nothingThere(request), error: undefined }),
    note(request, reply) {
      const { answered } = request
      if (answered === undefined) return
      const { about, answer: given } = answered
      const durationMs = reply.elapsedTime
      const reason = given.kind === 'no' ? given.reason : ''
      telemetry.metrics.request(about.operation?.id ?? 'none', reply.statusCode, reason, durationMs)
      logRequest(request.log, answered, request.passed, { status: reply.statusCode, durationMs })
    },
  }
}

function aboutOf(request: FastifyRequest): About {
  const { operation } = request.routeOptions.config
  return { plane: operation?.plane ?? planeAt(request.url), operation, path: textMembers(request.params) }
}

function planeAt(url: string): About['plane'] {
  return url.startsWith('/api/worker/') ? 'worker' : 'control'
}

function nothingThere(request: FastifyRequest): Answer {
  const path = request.url.split('?', 1)[0] ?? ''
  const others = operationsAt(path)
  const facts = { method: request.method, path }
  if (others.length === 0) return no('not_found', facts)
  return no('method_not_allowed', { ...facts, allowed_methods: [...new Set(others.map(({ method }) => method))] })
}
