import type { ProtocolVersion } from '@durable-workflow/protocol'
import type { FastifyRequest } from 'fastify'
import type { OperationFacts } from '../operation-facts.ts'
import type { No } from '../reply.ts'
import type { Role } from '../settings.ts'

/** Who asks, and what he may. */
export interface Principal {
  readonly subject: string
  readonly roles: readonly Role[]
}

/** What the gates learn about a request; routes read it. */
export interface Passed {
  readonly operation: OperationFacts
  principal: Principal | undefined
  /** The worker line that the request speaks; only on the worker plane. */
  version: string | undefined
  namespace: string | undefined
  /** The parsed body; an empty object where none came. */
  body: unknown
}

/** One check that every request meets. It lets through, or says no; a no records nothing. */
export type Gate = (request: FastifyRequest, passed: Passed) => No | undefined | Promise<No | undefined>

/** What the gates must know of the server. */
export interface GateSettings {
  readonly advertised: ProtocolVersion
}
