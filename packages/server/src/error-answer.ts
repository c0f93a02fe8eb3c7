// What an error of the store, of HTTP or of ours becomes for the one who asked. The contracts of the 503 are those that
// published workers read before they repeat the very same request (published Rust worker §6, shape B).
import { CommitUnknownError, StoreUnavailableError } from '@durable-workflow/engine'
import { type OperationFacts, snakeCase } from './operation-facts.ts'
import { type About, type No, no } from './reply.ts'
import type { WireFacts } from './wire-facts.ts'

/** Seconds that a client waits before it repeats; a store that is locked or full does not recover faster. */
const retryAfterSeconds = 1

/** The answer to an error that has one; undefined for anything unexpected. */
export function answerOfError(error: unknown, about: About, body: unknown): No | undefined {
  if (error instanceof StoreUnavailableError) return unavailable(about, body, error.condition)
  if (error instanceof CommitUnknownError) {
    return no('backend_unavailable', { ...unavailableFacts(about, body), outcome: 'unknown' }, 'unknown')
  }
  return undefined
}

/**
 * The store or the server does not take the request now; nothing was recorded.
 *
 * On the worker plane the outcome says `unknown` all the same: published workers repeat a report on no other word.
 */
export function unavailable(about: About, body: unknown, condition: string): No {
  const outcome = about.plane === 'worker' ? { outcome: 'unknown' } : {}
  return no('backend_unavailable', { ...unavailableFacts(about, body), ...outcome, condition })
}

/** Something unexpected: the one who asked gets an id under which it was logged whole. */
export function unexpected(about: About, errorId: string): No {
  const reason = about.plane === 'control' ? 'control_plane_internal_error' : 'server_error'
  return no(reason, { error_id: errorId }, 'unknown')
}

interface CodedError {
  readonly code: string
  readonly message: string
}

const hasCode = (error: unknown): error is CodedError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** The answer to an error of HTTP itself: the body was too large, or broken on its way. */
export function answerOfHttpError(error: unknown, bodyBytesMax: number): No | undefined {
  if (!hasCode(error) || !error.code.startsWith('FST_ERR_CTP_')) return undefined
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return no('payload_too_large', { limit: bodyBytesMax })
    default:
      return no('malformed_json', { json_error: error.message })
  }
}

export const acceptedContentTypes: readonly string[] = ['application/json', 'application/*+json']

function unavailableFacts(about: About, body: unknown): WireFacts {
  const again = { retryable: true, retry_after_seconds: retryAfterSeconds }
  const { operation } = about
  if (operation === undefined) return again
  const named = { operation: snakeCase(operation.id), ...again }
  return about.plane === 'worker' ? { ...named, ...workerFacts(operation, about.path, membersOf(body)) } : named
}

function workerFacts(
  operation: OperationFacts,
  path: About['path'],
  body: Readonly<Record<string, unknown>>,
): WireFacts {
  const worker = text(body.worker_id) ?? text(body.lease_owner) ?? path.worker_id
  if (operation.id.startsWith('poll')) {
    return {
      worker_id: worker,
      task_queue: text(body.task_queue) ?? null,
      task: null,
      poll_status: 'backend_unavailable',
      poll_request_id: text(body.poll_request_id) ?? null,
      retry_same_poll_request_id: true,
    }
  }
  return {
    worker_id: worker,
    task_queue: text(body.task_queue) ?? null,
    task_id: path.task_id,
    query_task_id: path.query_task_id,
    lease_owner: text(body.lease_owner),
    workflow_task_attempt: count(body.workflow_task_attempt),
    activity_attempt_id: text(body.activity_attempt_id),
    query_task_attempt: count(body.query_task_attempt),
    registration_token: text(body.registration_token),
  }
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const count = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
