import { type BuiltOperationId, operations, reasons } from '@durable-workflow/protocol'
import { RefusedError, TransportError } from '../authoring/failure.ts'
import { isJson, memberOf, textOf } from './json.ts'
import type { RawReply } from './retry.ts'

/**
 * The error of an answer that is no success; `facts.status` and `facts.body` are the answer as it came.
 *
 * A 5xx that does not say `recorded: false` leaves open what happened: TransportError. Everything else is a refusal.
 */
export function errorOfReply(operationId: BuiltOperationId, reply: RawReply): RefusedError | TransportError {
  const { status, body } = reply
  const reason = textOf(body, 'reason') ?? textOf(body, 'rejection_reason') ?? `http_${status}`
  const said = textOf(body, 'message') ?? textOf(body, 'error') ?? validationOf(body)
  const { method, path } = operations[operationId]
  const options = {
    reason,
    facts: { operation: operationId, status, body },
    remedy: textOf(body, 'remedy') ?? textOf(body, 'remediation') ?? remedyOf(reason),
  }
  if (isOutcomeUnknown(reply)) {
    const message = said ?? 'The server failed while it answered.'
    return new TransportError(`${message} (${method} ${path} answered ${status})`, { ...options, cause: undefined })
  }
  return new RefusedError(said ?? `${method} ${path} was refused: ${reason} (status ${status}).`, options)
}

function isOutcomeUnknown({ status, body }: RawReply): boolean {
  if (status < 500 || status === 501 || status === 504) return false
  return memberOf(body, 'recorded') !== false && memberOf(body, 'request_admitted') !== false
}

function remedyOf(reason: string): string | undefined {
  return Object.entries(reasons).find(([name]) => name === reason)?.[1].remedy
}

function validationOf(body: unknown): string | undefined {
  const errors = memberOf(body, 'errors') ?? memberOf(body, 'validation_errors')
  if (!isJson(errors)) return undefined
  const lines = Object.entries(errors).map(
    ([field, messages]) => `${field}: ${Array.isArray(messages) ? messages.join(', ') : String(messages)}`,
  )
  return lines.length === 0 ? undefined : lines.join('; ')
}

/** A success that cannot be read: what the server did is not known. */
export function unreadable(operationId: BuiltOperationId, status: number): TransportError {
  const { method, path } = operations[operationId]
  const remedy = 'Check that the address is that of a Durable Workflow server, not of a proxy or another service.'
  return new TransportError(`${method} ${path} answered ${status} with a body that is not a JSON object. ${remedy}`, {
    reason: 'unreadable_answer',
    facts: { operation: operationId, status },
    remedy,
  })
}
