// Query tasks (worker plane §7).
import {
  completeQueryTask,
  failQueryTask,
  formatInstant,
  type Json,
  type Outcome,
  type QueryTaskClaim,
} from '@durable-workflow/engine'
import { defaults } from '@durable-workflow/protocol'
import { listText, objectText } from '../json-text.ts'
import { takePayload } from '../payload-intake.ts'
import { refused } from '../refusal.ts'
import { type Answer, done, type No } from '../reply.ts'
import { type Call, type Route, route } from '../route.ts'
import { json, type WireFacts } from '../wire-facts.ts'
import { workerEventText } from './history-text.ts'
import { empty, leased, leaseOf, poll, refusedPoll, wrongKind } from './poll.ts'
import { envelopeOrNull } from './run-documents.ts'

export const queryTaskRoutes: readonly Route[] = [
  route('pollQueryTask', pollTask),
  route('completeQueryTask', complete),
  route('failQueryTask', fail),
]

async function pollTask(call: Call<'pollQueryTask'>): Promise<Answer> {
  const result = await poll(call, 'query', call.body)
  switch (result.kind) {
    case 'empty':
      return empty(result.status)
    case 'refused':
      return refusedPoll(result, call, call.body)
    case 'query': {
      const { claim } = result
      const events = claim.history.map((event) => workerEventText(event, claim.run.namespace))
      return leased(objectText(queryTaskDocument(claim), { history_events: listText(events) }))
    }
    default:
      return wrongKind(result.kind)
  }
}

/**
 * A claimed query task with the whole history: there is no page route for queries.
 *
 * Owner, attempt, queue and expiry are what a published worker checks before it answers at all; it drops a query
 * silently whose expiry has passed.
 */
function queryTaskDocument({ queryTask, run }: QueryTaskClaim): WireFacts {
  const lease = leaseOf(queryTask)
  return {
    query_task_id: queryTask.queryTaskId,
    query_task_attempt: queryTask.attempt,
    workflow_id: queryTask.workflowId,
    run_id: queryTask.runId,
    workflow_type: queryTask.workflowType,
    query_name: queryTask.queryName,
    payload_codec: defaults.payloadCodec,
    workflow_arguments: envelopeOrNull(run.arguments),
    query_arguments: envelopeOrNull(queryTask.arguments),
    run_status: run.status,
    last_history_sequence: run.lastSequence,
    namespace: queryTask.namespace,
    task_queue: queryTask.taskQueue,
    lease_owner: lease.owner,
    lease_expires_at: formatInstant(lease.expiresAt),
  }
}

interface Report {
  readonly namespace: string
  readonly queryTaskId: string
  readonly leaseOwner: string
  readonly attempt: number
}

function reportOf(
  path: { readonly query_task_id: string },
  body: { readonly lease_owner: string; readonly query_task_attempt: number },
  namespace: string,
): Report {
  return { namespace, queryTaskId: path.query_task_id, leaseOwner: body.lease_owner, attempt: body.query_task_attempt }
}

function receiptOf(report: Report, outcome: Outcome<unknown>): No {
  if (outcome.kind === 'refused') return refused(outcome, { query_task_id: report.queryTaskId, outcome: 'rejected' })
  throw new Error(`The engine answered ${outcome.kind} to an answer of a query, which is accepted or refused.`)
}

async function complete({ path, body, namespace, server }: Call<'completeQueryTask'>): Promise<Answer> {
  const report = reportOf(path, body, namespace)
  const envelope = takePayload(body.result_envelope, 'result_envelope', server.settings.payloadBytesMax)
  if ('refusal' in envelope) return envelope.refusal
  const result: Json | undefined = body.result === undefined ? undefined : json(body.result)
  const outcome = await server.engine.execute(completeQueryTask({ ...report, result, envelope: envelope.envelope }))
  return outcome.kind === 'accepted' ? recorded(report, { outcome: 'completed' }) : receiptOf(report, outcome)
}

async function fail({ path, body, namespace, server }: Call<'failQueryTask'>): Promise<Answer> {
  const report = reportOf(path, body, namespace)
  const { failure } = body
  const outcome = await server.engine.execute(
    failQueryTask({
      ...report,
      failure: {
        message: failure.message,
        reason: failure.reason ?? undefined,
        type: failure.type ?? undefined,
        validationErrors: failure.validation_errors ?? undefined,
      },
    }),
  )
  const reason = failure.reason ?? null
  return outcome.kind === 'accepted' ? recorded(report, { outcome: 'failed', reason }) : receiptOf(report, outcome)
}

function recorded(report: Report, facts: WireFacts): Answer {
  return done(
    { query_task_id: report.queryTaskId, query_task_attempt: report.attempt, ...facts },
    { statesStatus: true },
  )
}
