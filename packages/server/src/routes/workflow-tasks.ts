// Workflow tasks (worker plane §6).
import {
  completeWorkflowTask,
  failWorkflowTask,
  heartbeatWorkflowTask,
  type Outcome,
  type Refused,
} from '@durable-workflow/engine'
import { commandTypes } from '@durable-workflow/protocol'
import { listText } from '../json-text.ts'
import { refused } from '../refusal.ts'
import { type Answer, done, type No, no } from '../reply.ts'
import { reportDigest } from '../report-digest.ts'
import { type Call, type Route, route } from '../route.ts'
import { instantOrNull, type WireFacts } from '../wire-facts.ts'
import { handedOverTexts, offerOf } from './hand-over.ts'
import { pageToken, readPageToken, workerEventText } from './history-text.ts'
import { empty, leased, poll, refusedPoll, wrongKind } from './poll.ts'
import { budgetFacts, workflowTaskText } from './workflow-task-document.ts'

export const workflowTaskRoutes: readonly Route[] = [
  route('pollWorkflowTask', pollTask),
  route('getWorkflowTaskHistory', history),
  route('heartbeatWorkflowTask', heartbeat),
  route('completeWorkflowTask', complete, { judged: builtCommandsOnly }),
  route('failWorkflowTask', fail),
]

async function pollTask(call: Call<'pollWorkflowTask'>): Promise<Answer> {
  const { body, server } = call
  if (body.task_kinds?.includes('update_validation')) {
    return no('update_validation_capability_not_advertised', {
      task: null,
      poll_status: 'unsupported',
      worker_id: body.worker_id,
      task_queue: body.task_queue,
    })
  }
  const result = await poll(call, 'workflow', body, body.history_page_size ?? undefined)
  switch (result.kind) {
    case 'empty':
      return empty(result.status)
    case 'refused':
      return refusedPoll(result, call, body)
    case 'workflow':
      return leased(workflowTaskText(result.claim, server.settings.additions))
    default:
      return wrongKind(result.kind)
  }
}

/** What a report says of itself, and what every refusal of it repeats. */
interface Report {
  readonly namespace: string
  readonly taskId: string
  readonly leaseOwner: string
  readonly attempt: number
}

function reportOf(
  path: { readonly task_id: string },
  body: { readonly lease_owner: string; readonly workflow_task_attempt: number },
  namespace: string,
): Report {
  return { namespace, taskId: path.task_id, leaseOwner: body.lease_owner, attempt: body.workflow_task_attempt }
}

/** Every refusal of a report is a receipt: task, attempt, and for a closed run all that R-01 lists. */
function receipt(report: Report, refusal: Refused, facts: WireFacts = {}): No {
  const answer = refused(refusal, { task_id: report.taskId, workflow_task_attempt: report.attempt, ...facts })
  if (refusal.reason !== 'run_closed' && refusal.reason !== 'run_timed_out') return answer
  return { ...answer, facts: { ...closedRunBlanks, ...answer.facts } }
}

// a key of the receipt that has no value is null; absent would not be a receipt.
const closedRunBlanks: WireFacts = {
  run_closed_reason: null,
  run_closed_at: null,
  lease_owner: null,
  lease_expires_at: null,
}

function receiptOf(report: Report, outcome: Outcome<unknown>): No {
  if (outcome.kind === 'refused') return receipt(report, outcome)
  throw new Error(`The engine answered ${outcome.kind} to a report, which is accepted or refused.`)
}

async function history({ path, body, namespace, server }: Call<'getWorkflowTaskHistory'>): Promise<Answer> {
  const report = reportOf(path, body, namespace)
  const after = readPageToken(body.next_history_page_token)
  if (after === undefined) {
    return no('invalid_page_token', {
      task_id: report.taskId,
      workflow_task_attempt: report.attempt,
      next_history_page_token: body.next_history_page_token,
    })
  }
  const limit = body.history_page_size ?? server.engine.settings.historyPageSize
  const found = await server.engine.views.taskHistory({ ...report, after, limit })
  if (found.kind === 'refused') return receipt(report, found)
  const { page, run } = found
  return done(
    {
      task_id: report.taskId,
      workflow_task_attempt: report.attempt,
      total_history_events: page.total,
      next_history_page_token: page.nextAfter === undefined ? null : pageToken(page.nextAfter),
      ...budgetFacts(run),
    },
    { texts: { history_events: listText(page.events.map((event) => workerEventText(event, run.namespace))) } },
  )
}

async function heartbeat({ path, body, namespace, server }: Call<'heartbeatWorkflowTask'>): Promise<Answer> {
  const report = reportOf(path, body, namespace)
  const outcome = await server.engine.execute(heartbeatWorkflowTask(report))
  if (outcome.kind !== 'accepted') {
    const answer = receiptOf(report, outcome)
    return { ...answer, facts: { renewed: false, ...answer.facts } }
  }
  const { task, run } = outcome.reply
  return done({
    task_id: task.taskId,
    workflow_task_attempt: task.attempt,
    lease_owner: task.lease?.owner ?? report.leaseOwner,
    renewed: true,
    lease_expires_at: instantOrNull(task.lease?.expiresAt),
    run_status: run.status,
    task_status: task.status,
    reason: null,
  })
}

async function complete(call: Call<'completeWorkflowTask'>): Promise<Answer> {
  const { path, body, namespace, server } = call
  const { additions } = server.settings
  const report = reportOf(path, body, namespace)
  const { outcome, handedOver } = await server.engine.report(
    completeWorkflowTask({
      ...report,
      commands: body.commands,
      reportDigest: reportDigest(body),
      historyCached: additions.historyCache && body.history_cached === true,
      resolvedWaits: additions.resolvedWaits ? (body.resolved_waits ?? []) : [],
    }),
    offerOf(call, body),
  )
  if (outcome.kind !== 'accepted') return receiptOf(report, outcome)
  const { reply } = outcome
  return done(
    {
      task_id: reply.taskId,
      workflow_task_attempt: reply.attempt,
      outcome: 'completed',
      recorded: true,
      run_id: reply.runId,
      run_status: reply.runStatus,
      created_task_ids: [...reply.createdTaskIds],
      reason: null,
    },
    { texts: handedOverTexts(handedOver, additions) },
  )
}

async function fail(call: Call<'failWorkflowTask'>): Promise<Answer> {
  const { path, body, namespace, server } = call
  const report = reportOf(path, body, namespace)
  const { failure } = body
  const { outcome, handedOver } = await server.engine.report(
    failWorkflowTask({
      ...report,
      failure: {
        message: failure.message,
        type: failure.type ?? undefined,
        reason: failure.reason ?? undefined,
        step: failure.sequence ?? undefined,
      },
      reportDigest: reportDigest(body),
      historyCached: server.settings.additions.historyCache && body.history_cached === true,
    }),
    offerOf(call, body),
  )
  if (outcome.kind !== 'accepted') return receiptOf(report, outcome)
  const { reply } = outcome
  return done(
    {
      task_id: reply.taskId,
      workflow_task_attempt: reply.attempt,
      outcome: reply.outcome,
      recorded: true,
      reason: null,
      next_task_id: reply.nextTaskId ?? null,
      run_id: reply.runId,
    },
    { texts: handedOverTexts(handedOver, server.settings.additions) },
  )
}

const built: ReadonlySet<unknown> = new Set(commandTypes)

/**
 * What of a completion its document judges: a command whose type is not built is the engine's to refuse, which names it
 * and keeps the order of the fence. It stands here as a command that any document passes.
 */
function builtCommandsOnly(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('commands' in body) || !Array.isArray(body.commands)) return body
  return {
    ...body,
    commands: body.commands.map((command) => (isUnbuilt(command) ? { type: 'complete_workflow' } : command)),
  }
}

function isUnbuilt(command: unknown): boolean {
  return (
    typeof command === 'object' &&
    command !== null &&
    'type' in command &&
    typeof command.type === 'string' &&
    !built.has(command.type)
  )
}
