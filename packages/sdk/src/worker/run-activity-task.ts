// One attempt of an activity: input checked, function run, heartbeats and lease kept, one report.
//
// Invariants
//   AT1  When the server says that the attempt may not go on, the signal is aborted and nothing is reported any more.
//   AT2  Without a heartbeat timeout the worker keeps the lease; with one only the application's heartbeats do.
//   AT3  An attempt that the drain gave up reports nothing: deregistration hands it to another worker.
import {
  decodeArguments,
  type Envelope,
  encodeEnvelope,
  envelopeBytes,
  requirePayloadCodec,
} from '@durable-workflow/codec'
import type { ActivityTask } from '@durable-workflow/protocol'
import type { ActivityImplementation } from '../authoring/activity.ts'
import type { ActivityContext, ActivityInfo } from '../authoring/context.ts'
import { inputFromArguments, validateInput, validateOutput } from '../authoring/contract.ts'
import { CancellationFailure, DurableWorkflowError, PayloadTooLargeError, RefusedError } from '../authoring/failure.ts'
import { unlimitedAttempts } from '../authoring/options.ts'
import type { Clock } from '../transport/clock.ts'
import { successOf } from '../transport/connection.ts'
import { instantOf, isTrue, memberOf, numberOf, textOf } from '../transport/json.ts'
import type { HandOver, Offer } from './hand-over.ts'
import { createHeartbeats, type Heartbeats } from './heartbeats.ts'
import { jsonCopy } from './json-copy.ts'
import { leaseMs, type Renewal, renewEveryThird } from './lease-renewal.ts'
import { withFacts } from './log.ts'
import { type Delivery, deliver, type Report } from './report.ts'
import type { Session } from './session.ts'
import { settlementOfActivityTask } from './settlement.ts'
import { assertBodyFits, contentBytesMax } from './task-limits.ts'
import { activityFailure } from './wire-failure.ts'

export interface ActivityTaskRunner {
  /** @throws what is fatal for the worker */
  run(task: ActivityTask): Promise<void>
}

type Ending = { readonly result: Envelope } | { readonly error: unknown }

// The settled default of the server; used only when a claim does not say when it ends.
const leaseMsWhenUnknown = 300_000
const heartbeatIntervalMsMax = 30_000

export function createActivityTaskRunner(
  session: Session,
  activities: ReadonlyMap<string, ActivityImplementation>,
  handOver: HandOver,
): ActivityTaskRunner {
  const attempts = new Set<Attempt>()
  const { giveUp } = session
  // One listener for all attempts: they come and go by the thousand.
  const onGiveUp = () => {
    for (const attempt of attempts) attempt.abort(giveUp.reason)
  }
  giveUp.addEventListener('abort', onGiveUp, { once: true })
  return {
    async run(task) {
      const attempt = openAttempt(session, task)
      attempts.add(attempt)
      if (giveUp.aborted) attempt.abort(giveUp.reason)
      try {
        const ending = await perform(session, activities, task, attempt)
        attempt.stop()
        if (!attempt.mayReport()) return
        await report(session, task, ending, handOver.ofActivityReport())
      } finally {
        attempt.stop()
        attempts.delete(attempt)
      }
    },
  }
}

interface Attempt {
  /** Made when authored code first asks for it. */
  readonly signal: AbortSignal
  /** Aborts the signal; the first reason stays. */
  abort(reason: unknown): void
  readonly heartbeats: Heartbeats
  mayReport(): boolean
  stop(): void
}

function openAttempt(session: Session, task: ActivityTask): Attempt {
  const { clock, giveUp } = session
  const abortable = lazyAbort()
  const lease = leaseMs(clock, instantOf(task, 'lease_expires_at'), leaseMsWhenUnknown)
  const heartbeatMs = heartbeatTimeoutMs(clock, task)
  let isOver = false
  let leaseLeftMs: number | undefined = lease

  const end = (reason: string) => {
    isOver = true
    leaseLeftMs = undefined
    abortable.abort(
      new CancellationFailure(`The attempt of activity "${task.activity_type}" must stop: ${reason}.`, {
        facts: { ...factsOf(task), reason },
      }),
    )
  }

  const send = async (details: unknown) => {
    const answer = await heartbeat(session, task, details)
    if (answer.kind === 'over') end(answer.reason)
    else if (answer.kind === 'cancel requested') abortable.abort(cancelRequested(task))
    else leaseLeftMs = answer.leaseMs ?? leaseLeftMs
  }

  const heartbeats = createHeartbeats({ clock, intervalMs: intervalMs(lease, heartbeatMs), send })
  const renewal: Renewal | undefined =
    heartbeatMs !== undefined
      ? undefined // AT2
      : renewEveryThird(clock, lease, async () => {
          await heartbeats.renew()
          // AT3: what was given up is another worker's; code that ignores its signal renews nothing any more.
          return giveUp.aborted ? undefined : leaseLeftMs
        })
  return {
    get signal() {
      return abortable.signal
    },
    abort: abortable.abort,
    heartbeats,
    mayReport: () => !isOver && !giveUp.aborted,
    stop() {
      renewal?.stop()
      heartbeats.stop()
    },
  }
}

function lazyAbort(): { readonly signal: AbortSignal; abort(reason: unknown): void } {
  let controller: AbortController | undefined
  let first: { readonly reason: unknown } | undefined
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController()
        if (first !== undefined) controller.abort(first.reason)
      }
      return controller.signal
    },
    abort(reason) {
      first ??= { reason }
      controller?.abort(reason)
    },
  }
}

/** Often enough for the shorter of lease and heartbeat timeout. */
function intervalMs(lease: number, heartbeatMs: number | undefined): number {
  return Math.min(lease / 3, (heartbeatMs ?? Number.POSITIVE_INFINITY) / 3, heartbeatIntervalMsMax)
}

type HeartbeatAnswer =
  | { readonly kind: 'going on'; readonly leaseMs: number | undefined }
  | { readonly kind: 'cancel requested' }
  | { readonly kind: 'over'; readonly reason: string }

async function heartbeat(session: Session, task: ActivityTask, details: unknown): Promise<HeartbeatAnswer> {
  try {
    const copy = jsonCopy(details)
    const reply = await session.connection.exchange('heartbeatActivityTask', {
      path: { task_id: task.task_id },
      body: { ...fenceOf(session, task), ...(copy === undefined ? {} : { details: copy }) },
      signal: session.giveUp,
    })
    return answerOf(session, successOf('heartbeatActivityTask', reply))
  } catch (error) {
    if (RefusedError.is(error) && error.facts.status === 404) return { kind: 'over', reason: error.reason }
    // Lost on the way or refused for its form: the attempt goes on, and the next heartbeat or the report decides.
    session.log.warn('An activity heartbeat was not taken.', { ...factsOf(task), error: String(error) })
    return { kind: 'going on', leaseMs: undefined }
  }
}

function answerOf(session: Session, body: unknown): HeartbeatAnswer {
  if (memberOf(body, 'can_continue') === false) {
    return { kind: 'over', reason: textOf(body, 'reason') ?? 'activity_cannot_continue' }
  }
  if (isTrue(body, 'cancel_requested')) return { kind: 'cancel requested' }
  const expiresAt = instantOf(body, 'lease_expires_at')
  return {
    kind: 'going on',
    leaseMs: expiresAt === undefined ? undefined : leaseMs(session.clock, expiresAt, leaseMsWhenUnknown),
  }
}

async function perform(
  session: Session,
  activities: ReadonlyMap<string, ActivityImplementation>,
  task: ActivityTask,
  attempt: Attempt,
): Promise<Ending> {
  try {
    const activity = activities.get(task.activity_type)
    if (activity === undefined) throw notRegistered(task.activity_type, [...activities.keys()])
    requirePayloadCodec(task.payload_codec)
    const input = await validateInput(activity, inputFromArguments(activity, decodeArguments(task.arguments)))
    const output = await activity.fn(input, contextOf(session, task, attempt))
    const result = encodeEnvelope(await validateOutput(activity, output), `output of ${activity.name}`)
    assertResultFits(session, activity.name, envelopeBytes(result))
    return { result }
  } catch (error) {
    return { error }
  }
}

function contextOf(session: Session, task: ActivityTask, attempt: Attempt): ActivityContext {
  return {
    get signal() {
      return attempt.signal
    },
    heartbeat: (details) => attempt.heartbeats.record(details),
    lastHeartbeat: <T>() => lastDetails<T>(task),
    idempotencyKey: task.idempotency_key ?? task.activity_execution_id,
    info: infoOf(session, task),
    log: withFacts(session.log, factsOf(task)),
  }
}

// The author names the type; the worker has only what came.
function lastDetails<T>(task: ActivityTask): T | undefined
function lastDetails(task: ActivityTask): unknown {
  return task.last_heartbeat_details ?? undefined
}

function infoOf(session: Session, task: ActivityTask): ActivityInfo {
  const attemptsMax = numberOf(task.retry_policy, 'max_attempts')
  const deadlines = ['start_to_close', 'schedule_to_close']
    .map((name) => instantOf(task.deadlines, name))
    .filter((instant) => instant !== undefined)
  return {
    activityType: task.activity_type,
    activityExecutionId: task.activity_execution_id,
    activityAttemptId: task.activity_attempt_id,
    attempt: task.attempt_number,
    maximumAttempts: attemptsMax === unlimitedAttempts ? undefined : attemptsMax,
    deadline: deadlines.length === 0 ? undefined : Math.min(...deadlines),
    workflowId: task.workflow_id,
    runId: task.run_id,
    workflowType: textOf(task, 'workflow_type'),
    namespace: session.namespace,
    taskQueue: task.task_queue,
  }
}

async function report(session: Session, task: ActivityTask, ending: Ending, offer: Offer): Promise<void> {
  const how = { clock: session.clock, policy: session.reportRetry, signal: session.giveUp }
  try {
    const delivery = await deliver(reportOf(session, task, ending, offer), how)
    sayWhenSettled(session, task, delivery)
    await offer.take(delivery)
  } finally {
    offer.withdraw()
  }
}

function sayWhenSettled(session: Session, task: ActivityTask, delivery: Delivery): void {
  if (delivery.kind !== 'settled') return
  session.log.info('The report was refused and settled; the worker goes on.', {
    ...factsOf(task),
    reason: delivery.reason,
  })
}

function reportOf(session: Session, task: ActivityTask, ending: Ending, offer: Offer): Report {
  const { connection } = session
  const path = { task_id: task.task_id }
  const claim = { taskId: task.task_id, attemptId: task.activity_attempt_id }
  const settles: Report['settles'] = (reply) => settlementOfActivityTask(reply, claim)
  const common = { ...fenceOf(session, task), ...(offer.document === undefined ? {} : { hand_over: offer.document }) }
  if ('result' in ending) {
    const body = { ...common, result: ending.result }
    return {
      operationId: 'completeActivityTask',
      settles,
      send: () => connection.exchange('completeActivityTask', { path, body }),
    }
  }
  const body = {
    ...common,
    failure: activityFailure(ending.error, contentBytesMax(session.discovery.structuralLimits)),
  }
  return {
    operationId: 'failActivityTask',
    settles,
    send: () => connection.exchange('failActivityTask', { path, body }),
  }
}

function assertResultFits(session: Session, activity: string, bytes: number): void {
  const { payloadBytesMax: bytesMax, structuralLimits } = session.discovery
  assertBodyFits(`Activity "${activity}"`, bytes, structuralLimits)
  if (bytes <= bytesMax) return
  const remedy = 'Keep the data in a store of your own and return its key.'
  throw new PayloadTooLargeError(
    `The output of activity "${activity}" has ${bytes} bytes; the limit is ${bytesMax}. ${remedy}`,
    {
      reason: 'payload_too_large',
      facts: { activity, bytes, bytesMax },
      remedy,
    },
  )
}

/** Milliseconds between heartbeats that the server allows; undefined when it watches none. */
function heartbeatTimeoutMs(clock: Clock, task: ActivityTask): number | undefined {
  const exactMs = numberOf(task.retry_policy, 'heartbeat_timeout_ms')
  const seconds = numberOf(task.retry_policy, 'heartbeat_timeout')
  if (exactMs !== undefined) return exactMs
  if (seconds !== undefined) return seconds * 1_000
  const deadline = instantOf(task.deadlines, 'heartbeat')
  return deadline === undefined ? undefined : Math.max(deadline - clock.now(), 1)
}

function cancelRequested(task: ActivityTask): CancellationFailure {
  return new CancellationFailure(`Activity "${task.activity_type}" was asked to stop.`, {
    type: 'ActivityCancelled',
    facts: factsOf(task),
  })
}

function notRegistered(activityType: string, known: readonly string[]): DurableWorkflowError {
  return new DurableWorkflowError(
    `no activity registered for "${activityType}"; this worker has ${known.join(', ') || 'none'}.`,
    { reason: 'activity_type_not_registered', facts: { activityType, known } },
  )
}

function fenceOf(session: Session, task: ActivityTask): { activity_attempt_id: string; lease_owner: string } {
  return { activity_attempt_id: task.activity_attempt_id, lease_owner: session.workerId }
}

function factsOf(task: ActivityTask): Record<string, unknown> {
  return {
    workflowId: task.workflow_id,
    runId: task.run_id,
    activityType: task.activity_type,
    taskId: task.task_id,
    attempt: task.attempt_number,
  }
}
