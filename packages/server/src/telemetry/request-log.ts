// One line of JSON for each request that is worth one. Ids and reasons, never a payload, a token or a header.
import { CommitUnknownError, StoreUnavailableError } from '@durable-workflow/engine'
import type { FastifyBaseLogger } from 'fastify'
import type { Passed } from '../gates/gate.ts'
import type { About, Answer } from '../reply.ts'

/** What became of a request. */
export interface Answered {
  readonly about: About
  readonly answer: Answer
  /** The error behind the answer; undefined where nothing went wrong, refusals included. */
  readonly error: unknown
}

/** An id is at most this long in a log; longer ones were refused anyway. */
const idLengthMax = 255

/**
 * Writes the line of a request: `debug` when it was served, `info` when it was refused, `error` with the cause when
 * something went wrong here or in the store.
 */
export function logRequest(
  log: FastifyBaseLogger,
  answered: Answered,
  passed: Passed | undefined,
  { status, durationMs }: { readonly status: number; readonly durationMs: number },
): void {
  const { answer, error } = answered
  if (error !== undefined) {
    log.error({ ...fieldsOf(answered, passed, status, durationMs), err: error }, 'request failed')
  } else if (answer.kind === 'no' || (answer.kind === 'done' && answer.how === 'not_serving')) {
    log.info(fieldsOf(answered, passed, status, durationMs), 'request refused')
  } else if (log.level === 'debug' || log.level === 'trace') {
    log.debug(fieldsOf(answered, passed, status, durationMs), 'request served')
  }
}

type Fields = Readonly<Record<string, string | number | undefined>>

function fieldsOf({ about, answer }: Answered, passed: Passed | undefined, status: number, durationMs: number): Fields {
  const body = membersOf(passed?.body)
  const said = answer.kind === 'no' ? answer.facts : answer.kind === 'done' ? answer.members : {}
  const { path } = about
  const first = (...values: readonly unknown[]) => values.map(idOf).find((id) => id !== undefined)
  return {
    operation: about.operation?.id,
    status,
    reason: answer.kind === 'no' ? answer.reason : undefined,
    durationMs: Math.round(durationMs * 1000) / 1000,
    errorId: first(said.error_id),
    namespace: passed?.namespace,
    workflowId: first(path.workflow_id, said.workflow_id, body.workflow_id),
    runId: first(path.run_id, said.run_id),
    taskId: first(path.task_id, path.query_task_id),
    attempt: countOf(body.workflow_task_attempt) ?? countOf(body.query_task_attempt),
    activityAttemptId: first(body.activity_attempt_id),
    workerId: first(path.worker_id, body.worker_id, body.lease_owner),
  }
}

/** An error in a log. */
export interface ErrorFields {
  readonly type: string
  readonly message: string
  /** Empty for an error of the store, whose condition and cause say it all. */
  readonly stack: string
  readonly [field: string]: unknown
}

/** What of an error is logged: never what a driver attaches to it, which may quote a row. */
export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const isOfTheStore = error instanceof StoreUnavailableError || error instanceof CommitUnknownError
  return {
    type: error.name,
    message: error.message,
    stack: isOfTheStore ? '' : (error.stack ?? ''),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error instanceof StoreUnavailableError ? { condition: error.condition } : {}),
    ...(error.cause === undefined ? {} : { cause: causeFields(error.cause, isOfTheStore) }),
  }
}

function causeFields(cause: unknown, isOfTheStore: boolean): ErrorFields {
  const fields = errorFields(cause)
  return isOfTheStore ? { ...fields, stack: '' } : fields
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, idLengthMax) : undefined
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
