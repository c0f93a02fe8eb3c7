// Queries: a worker answers from the state of the run, and the asker waits (worker plane §7.5, control plane 2 §6.11).
import type { QueryAnswer } from '@durable-workflow/engine'
import type { Reason, RequestOf } from '@durable-workflow/protocol'
import { queryInput, takeInput, viewOf } from '../payload-intake.ts'
import { type Answer, done, isReason, type No, no } from '../reply.ts'
import { type Route, route } from '../route.ts'
import type { ServerContext } from '../server-context.ts'
import { envelopeOrNull } from './run-documents.ts'
import { nameProblem, refusedCommand, type Target, targetOf } from './workflow-commands.ts'

export const queryRoutes: readonly Route[] = [
  route('queryWorkflow', ({ body, path, ...call }) =>
    query(call, targetOf(call.namespace, path), path.query_name, body),
  ),
  route('queryRun', ({ body, path, ...call }) => query(call, targetOf(call.namespace, path), path.query_name, body)),
]

interface Asked {
  readonly server: ServerContext
  held(): AbortSignal
}

async function query(
  { server, held }: Asked,
  target: Target,
  queryName: string,
  body: RequestOf<'queryWorkflow'>,
): Promise<Answer> {
  const badName = nameProblem('query_name', queryName)
  if (badName !== undefined) return badName
  const input = takeInput(body?.input, queryInput, server.settings.payloadBytesMax)
  if ('refusal' in input) return input.refusal
  const answer = await server.engine.query({ ...target, queryName, arguments: input.envelope, signal: held() })
  if (answer.kind === 'refused') return refusedCommand(target, answer, { query_name: queryName })
  if (answer.kind === 'failed') return failedQuery(target, answer, queryName)
  const view = answer.result === undefined ? viewOf(answer.envelope) : answer.result
  return done({
    workflow_id: answer.run.workflowId,
    run_id: answer.run.runId,
    namespace: answer.run.namespace,
    query_name: queryName,
    target_scope: target.runId === undefined ? 'instance' : 'run',
    result: view ?? null,
    result_envelope: envelopeOrNull(answer.envelope),
    reason: null,
  })
}

// A worker names its own reason for a query it did not answer; one that is no reason of queries is told as query_rejected.
const queryReasons: ReadonlySet<Reason> = new Set<Reason>([
  'query_not_found',
  'rejected_unknown_query',
  'invalid_query_arguments',
  'query_rejected',
  'query_workflow_state_unavailable',
  'workflow_definition_unavailable',
])

type FailedQuery = Extract<QueryAnswer, { readonly kind: 'failed' }>

/** A worker said that there is no answer; its own words are the message. */
function failedQuery(target: Target, failed: FailedQuery, queryName: string): No {
  const known = isReason(failed.reason) && queryReasons.has(failed.reason) ? failed.reason : 'query_rejected'
  const errors = failed.validationErrors
  return no(known, {
    workflow_id: target.workflowId,
    run_id: failed.run.runId,
    namespace: target.namespace,
    query_name: queryName,
    message: failed.message,
    command_status: 'rejected',
    rejection_reason: known,
    ...(known === failed.reason ? {} : { worker_reason: failed.reason }),
    ...(errors === undefined ? {} : { validation_errors: errors, errors }),
  })
}
