// What a route is: an operation of the documents and a handler that makes an answer of a checked request.
import {
  type BuiltOperationId,
  type PathOf,
  plannedFields,
  type QueryOf,
  type RequestOf,
  refusedFields,
} from '@durable-workflow/protocol'
import { type OperationValidators, validatorsOf } from '@durable-workflow/protocol/validators'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Passed } from './gates/gate.ts'
import { type OperationFacts, operationFacts } from './operation-facts.ts'
import { type Answer, invalid, type No, no } from './reply.ts'
import type { ServerContext } from './server-context.ts'
import { givenTwice, repeatedMembers, textMembers } from './text-members.ts'
import type { WireFacts } from './wire-facts.ts'

/** A request that passed the gates and its operation's validators. */
export interface Call<Op extends BuiltOperationId> {
  readonly operation: OperationFacts
  readonly path: PathOf<Op>
  readonly query: QueryOf<Op>
  readonly body: RequestOf<Op>
  readonly namespace: string
  /** The worker line of the request's header; empty beyond the worker plane. */
  readonly version: string
  readonly server: ServerContext
  /** A signal that fires when the client is gone or the server drains; ask for it only to hold the request. */
  held(): AbortSignal
}

export interface Route {
  readonly operation: OperationFacts
  answer(request: FastifyRequest, reply: FastifyReply, passed: Passed, server: ServerContext): Promise<Answer>
}

export interface RouteOptions {
  /** What of a body its document judges, where not all of it; default: the whole body. */
  readonly judged?: (body: unknown) => unknown
  /** A query string that the document does not know is no ground for refusal: for an operation that is never refused. */
  readonly takesAnyQuery?: boolean
}

/** Defines the route of an operation. The handler gets what the documents allow, and nothing else. */
export function route<Op extends BuiltOperationId>(
  id: Op,
  handle: (call: Call<Op>) => Promise<Answer> | Answer,
  options: RouteOptions = {},
): Route {
  const operation = operationFacts(id)
  return {
    operation,
    async answer(request, reply, passed, server) {
      const validators: OperationValidators<Op> = validatorsOf[server.settings.workerProtocolVersion][id]
      const query = textMembers(request.query)
      const checked = check(operation, validators, {
        path: textMembers(request.params),
        query,
        body: passed.body,
        judgedBody: options.judged?.(passed.body) ?? passed.body,
        judgedQuery: options.takesAnyQuery === true ? {} : query,
        repeated: options.takesAnyQuery === true ? [] : repeatedMembers(request.query),
      })
      if ('refusal' in checked) return checked.refusal
      return handle({
        ...checked.parts,
        operation,
        namespace: passed.namespace ?? '',
        version: passed.version ?? '',
        server,
        held: () => {
          request.log.debug({ operation: id }, 'request is held')
          return server.held.signalFor(reply.raw, id)
        },
      })
    },
  }
}

/** Whole numbers in a query string, where the documents allow any digits: out of bounds is a refusal, like a bad body. */
export function countIn(
  text: string | undefined,
  bounds: { readonly field: string; readonly min: number; readonly max: number; readonly otherwise: number },
): number | No {
  if (text === undefined) return bounds.otherwise
  const value = Number(text)
  if (Number.isInteger(value) && value >= bounds.min && value <= bounds.max) return value
  return invalid({
    [bounds.field]: [`must be a whole number from ${bounds.min} to ${bounds.max}; ${JSON.stringify(text)} came`],
  })
}

/** True for `true` and `1`. */
export function isOn(text: string | undefined): boolean {
  return text === 'true' || text === '1'
}

/** An operation that the documents plan: it says so, to everyone whom it may serve one day. */
export function plannedRoute(operation: OperationFacts): Route {
  return {
    operation,
    answer: async () => no('not_implemented', { operation: operation.id }),
  }
}

interface Raw {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly judgedBody: unknown
  readonly judgedQuery: unknown
  /** Names that the query string has more than once. */
  readonly repeated: readonly string[]
}

interface Parts<Op extends BuiltOperationId> {
  readonly path: PathOf<Op>
  readonly query: QueryOf<Op>
  readonly body: RequestOf<Op>
}

type Checked<Op extends BuiltOperationId> = { readonly parts: Parts<Op> } | { readonly refusal: No }

// The one place where a checked request gets its documented type: what a validator passed has the type that it checks,
// and a part without a validator has none.
function check<Op extends BuiltOperationId>(
  facts: OperationFacts,
  validators: OperationValidators<Op>,
  raw: Raw,
): Checked<Op>
function check(facts: OperationFacts, validators: OperationValidators, raw: Raw): unknown {
  const errors: Record<string, string[]> = {}
  addIssues(errors, validators.path, raw.path)
  addIssues(errors, validators.query, raw.judgedQuery)
  for (const name of raw.repeated) errors[name] = [givenTwice]
  addIssues(errors, validators.body, raw.judgedBody)
  addUnwanted(errors, facts, raw.body)
  if (Object.keys(errors).length > 0) return { refusal: invalid(errors, reportFacts(raw)) }
  const { path, query, body } = raw
  return { parts: { path, query, body } }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

interface Validator {
  safeParse(value: unknown): {
    readonly success: boolean
    readonly error?: { readonly issues: readonly Issue[] } | undefined
  }
}

function addIssues(errors: Record<string, string[]>, validator: Validator | undefined, value: unknown): void {
  if (validator === undefined) return
  for (const issue of validator.safeParse(value).error?.issues ?? []) {
    const field = issue.path.map(String).join('.') || 'body'
    const messages = errors[field] ?? []
    messages.push(issue.message)
    errors[field] = messages
  }
}

// A field that is not honoured is refused under its own name, never dropped.
function addUnwanted(errors: Record<string, string[]>, facts: OperationFacts, body: unknown): void {
  for (const field of plannedFields[facts.id] ?? []) {
    if (isGiven(body, field)) errors[field] = ['is not supported by this server yet']
  }
  for (const field of refusedFields[facts.id] ?? []) {
    if (isGiven(body, field)) errors[field] = ['is no field of this operation']
  }
}

function isGiven(body: unknown, field: string): boolean {
  if (typeof body !== 'object' || body === null) return false
  return Object.entries(body).some(([name, value]) => name === field && value !== null)
}

/** The ids of a report, so that its refusal is a receipt too. */
function reportFacts({ path, body }: Raw): WireFacts {
  const attempt =
    typeof body === 'object' && body !== null && 'workflow_task_attempt' in body
      ? body.workflow_task_attempt
      : undefined
  return {
    ...(path.task_id === undefined ? {} : { task_id: path.task_id }),
    ...(typeof attempt === 'number' && Number.isSafeInteger(attempt) ? { workflow_task_attempt: attempt } : {}),
  }
}
