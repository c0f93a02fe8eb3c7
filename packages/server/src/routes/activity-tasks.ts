// Activity tasks (worker plane §9).
import {
  completeActivityTask,
  failActivityTask,
  type HandedOver,
  heartbeatActivityTask,
  isOpen,
  type Json,
  type Outcome,
} from '@durable-workflow/engine'
import type { RequestOf } from '@durable-workflow/protocol'
import { takePayload } from '../payload-intake.ts'
import { refused } from '../refusal.ts'
import { type Answer, done, type No } from '../reply.ts'
import { reportDigest } from '../report-digest.ts'
import { type Call, type Route, route } from '../route.ts'
import { instantOrNull, json, type WireFacts } from '../wire-facts.ts'
import { activityTaskDocument } from './activity-task-document.ts'
import { handedOverTexts, offerOf } from './hand-over.ts'
import { empty, leased, poll, refusedPoll, wrongKind } from './poll.ts'

export const activityTaskRoutes: readonly Route[] = [
  route('pollActivityTask', pollTask),
  route('heartbeatActivityTask', heartbeat),
  route('completeActivityTask', complete),
  route('failActivityTask', fail),
]

async function pollTask(call: Call<'pollActivityTask'>): Promise<Answer> {
  const result = await poll(call, 'activity', call.body)
  switch (result.kind) {
    case 'empty':
      return empty(result.status)
    case 'refused':
      return refusedPoll(result, call, call.body)
    case 'activity':
      return leased(activityTaskDocument(result.claim, call.server.settings.additions))
    default:
      return wrongKind(result.kind)
  }
}

interface Report {
  readonly namespace: string
  readonly activityId: string
  readonly attemptId: string
  readonly leaseOwner: string
}

function reportOf(
  path: { readonly task_id: string },
  body: { readonly activity_attempt_id: string; readonly lease_owner: string },
  namespace: string,
): Report {
  return { namespace, activityId: path.task_id, attemptId: body.activity_attempt_id, leaseOwner: body.lease_owner }
}

function idsOf(report: Report): WireFacts {
  return { task_id: report.activityId, activity_attempt_id: report.attemptId }
}

function receiptOf(report: Report, outcome: Outcome<unknown>): No {
  if (outcome.kind === 'refused') return refused(outcome, idsOf(report))
  throw new Error(`The engine answered ${outcome.kind} to a report, which is accepted or refused.`)
}

/** Answers 200 also when the attempt may not go on; only an attempt that never was is refused. */
async function heartbeat({ path, body, namespace, server }: Call<'heartbeatActivityTask'>): Promise<Answer> {
  const report = reportOf(path, body, namespace)
  const outcome = await server.engine.execute(heartbeatActivityTask({ ...report, details: progressOf(body) }))
  if (outcome.kind !== 'accepted') return receiptOf(report, outcome)
  const { reply } = outcome
  const { activity, run } = reply
  return done({
    ...idsOf(report),
    lease_owner: report.leaseOwner,
    cancel_requested: reply.cancelRequested,
    can_continue: reply.canContinue,
    heartbeat_recorded: reply.heartbeatRecorded,
    reason: reply.reason ?? null,
    lease_expires_at: reply.canContinue ? instantOrNull(activity.lease?.expiresAt) : null,
    last_heartbeat_at: instantOrNull(activity.lastHeartbeatAt),
    ...(isOpen(run) ? {} : { run_closed_reason: run.closedReason ?? null, run_closed_at: instantOrNull(run.closedAt) }),
  })
}

/** The details as sent; beside progress fields they are one member of what is kept. */
function progressOf(body: RequestOf<'heartbeatActivityTask'>): Json | undefined {
  const { message, current, total, unit } = body
  const details = body.details === undefined ? undefined : json(body.details)
  const fields = Object.entries({ message, current, total, unit }).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return fields.length === 0 ? details : { ...Object.fromEntries(fields), details }
}

async function complete(call: Call<'completeActivityTask'>): Promise<Answer> {
  const { path, body, namespace, server } = call
  const report = reportOf(path, body, namespace)
  const result = takePayload(body.result, 'result', server.settings.payloadBytesMax)
  if ('refusal' in result) return { ...result.refusal, facts: { ...idsOf(report), ...result.refusal.facts } }
  const { outcome, handedOver } = await server.engine.report(
    completeActivityTask({ ...report, result: result.envelope, reportDigest: reportDigest(body) }),
    offerOf(call, body),
  )
  return outcome.kind === 'accepted'
    ? recorded(call, 'completed', outcome.reply.nextTaskId, handedOver)
    : receiptOf(report, outcome)
}

async function fail(call: Call<'failActivityTask'>): Promise<Answer> {
  const { path, body, namespace, server } = call
  const report = reportOf(path, body, namespace)
  const { failure } = body
  const { outcome, handedOver } = await server.engine.report(
    failActivityTask({
      ...report,
      failure: {
        message: failure.message,
        type: failure.type ?? undefined,
        class: failure.class ?? undefined,
        code: failure.code ?? undefined,
        nonRetryable: failure.non_retryable ?? failure.retryable === false,
        exception: { ...failure },
      },
      reportDigest: reportDigest(body),
    }),
    offerOf(call, body),
  )
  return outcome.kind === 'accepted'
    ? recorded(call, 'failed', outcome.reply.nextTaskId, handedOver)
    : receiptOf(report, outcome)
}

function recorded(
  { path, body, namespace, server }: Call<'completeActivityTask'> | Call<'failActivityTask'>,
  outcome: 'completed' | 'failed',
  nextTaskId: string | undefined,
  handedOver: HandedOver | undefined,
): Answer {
  return done(
    {
      ...idsOf(reportOf(path, body, namespace)),
      outcome,
      recorded: true,
      reason: null,
      next_task_id: nextTaskId ?? null,
    },
    { texts: handedOverTexts(handedOver, server.settings.additions) },
  )
}
