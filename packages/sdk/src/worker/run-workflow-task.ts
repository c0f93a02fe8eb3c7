// A worker turn: history in, replay, commands out, one report.
//
// Invariants
//   WT1  A claim ends in exactly one report, or in none when the claim itself was lost; a refused report is never followed by
//        another one for the same claim.
//   WT2  A replay is kept only after the server recorded the turn it emitted; whatever else happened, it is disposed.
//   WT3  What a replay throws fails the task, never the run; what the network throws fails neither.
//   WT4  A task that a reply hands over is worked on only after the replay of this turn was kept: it may be of the same run.
import type { HistoryEvent, WorkflowTask } from '@durable-workflow/protocol'
import { RefusedError, TransportError } from '../authoring/failure.ts'
import type { Replay, ReplayStep } from '../replay/replay.ts'
import { successOf } from '../transport/connection.ts'
import { instantOf } from '../transport/json.ts'
import type { HandOver, Offer } from './hand-over.ts'
import { offsetOf, readHistory, readWholeHistory } from './history-pages.ts'
import { leaseMs, type Renewal, renewEveryThird } from './lease-renewal.ts'
import type { Replays } from './replays.ts'
import { type Delivery, deliver, type Report } from './report.ts'
import type { Session } from './session.ts'
import { settlementOfWorkflowTask } from './settlement.ts'
import type { StickyCache } from './sticky-cache.ts'
import { assertCommandsFit } from './task-limits.ts'
import { type TaskFailure, taskFailure } from './wire-failure.ts'

export interface WorkflowTaskRunner {
  /**
   * @returns a task that the report's reply handed over for the slot of this one
   * @throws what is fatal for the worker
   */
  run(task: WorkflowTask): Promise<WorkflowTask | undefined>
}

type Turn =
  | { readonly kind: 'stepped'; readonly replay: Replay; readonly step: ReplayStep }
  | { readonly kind: 'failed'; readonly failure: TaskFailure }
  | { readonly kind: 'abandoned'; readonly error: unknown }

type Reported = Exclude<Turn, { kind: 'abandoned' }>

const waiting: TaskFailure = {
  message: 'Workflow task waiting for scheduled history.',
  type: 'WorkflowTaskWaitingForHistory',
}

// The settled default of the server; used only when a claim does not say when it ends.
const leaseMsWhenUnknown = 60_000

export function createWorkflowTaskRunner(
  session: Session,
  replays: Replays,
  cache: StickyCache,
  handOver: HandOver,
): WorkflowTaskRunner {
  async function take(task: WorkflowTask): Promise<Turn> {
    const kept = fitting(cache.take(task.run_id), task)
    const events = await loaded(kept === undefined ? readWholeHistory(session, task) : readHistory(session, task))
    if ('error' in events) {
      kept?.dispose()
      return { kind: 'abandoned', error: events.error }
    }
    return advance(task, kept, events.value)
  }

  async function advance(task: WorkflowTask, kept: Replay | undefined, events: readonly HistoryEvent[]): Promise<Turn> {
    let replay = kept
    try {
      replay ??= replays.cold(task, events[0])
      const known = replay.lastSequence
      const step = await replay.step(
        events.filter(({ sequence }) => sequence > known),
        {
          openWaitId: task.open_wait_id ?? undefined,
          resumeSourceKind: task.resume_source_kind ?? undefined,
          attempt: task.workflow_task_attempt,
          historyBytes: task.history_size_bytes ?? undefined,
          continueAsNewSuggested: task.continue_as_new_recommended === true,
        },
      )
      assertCommandsFit(`A workflow task of "${task.workflow_type}"`, step, session.discovery.structuralLimits)
      return { kind: 'stepped', replay, step }
    } catch (error) {
      replay?.dispose()
      session.log.warn('The workflow task failed; its run stays open.', { ...factsOf(task), error: String(error) })
      return { kind: 'failed', failure: taskFailure(error) }
    }
  }

  // What failed here is not asked for again by the very report: another worker may do better.
  function offerOf(turn: Reported): Offer | undefined {
    if (turn.kind === 'failed') return undefined
    return isWaiting(turn.step) ? handOver.ofWaiting() : handOver.ofCompletion(turn.step.commands)
  }

  async function report(task: WorkflowTask, turn: Reported): Promise<WorkflowTask | undefined> {
    const offer = offerOf(turn)
    try {
      const delivery = await record(task, turn, offer)
      // WT4
      return await offer?.take(delivery)
    } finally {
      offer?.withdraw()
    }
  }

  async function record(task: WorkflowTask, turn: Reported, offer: Offer | undefined): Promise<Delivery> {
    let recorded = false
    try {
      const how = { clock: session.clock, policy: session.reportRetry, signal: session.giveUp }
      const delivery = await deliver(reportOf(session, task, turn, offer), how)
      recorded = delivery.kind === 'recorded'
      if (delivery.kind === 'settled') {
        session.log.info('The report was refused and settled; the worker goes on.', {
          ...factsOf(task),
          reason: delivery.reason,
        })
      }
      return delivery
    } finally {
      if (turn.kind === 'stepped') keepOrDispose(task, turn, recorded)
    }
  }

  // WT2
  function keepOrDispose(task: WorkflowTask, turn: Extract<Turn, { kind: 'stepped' }>, recorded: boolean): void {
    if (recorded && isKept(turn.step) && !session.giveUp.aborted) cache.put(task.run_id, turn.replay)
    else turn.replay.dispose()
  }

  return {
    async run(task) {
      const first = leaseMs(session.clock, instantOf(task, 'lease_expires_at'), leaseMsWhenUnknown)
      const renewal: Renewal = renewEveryThird(session.clock, first, (signal) => renew(session, task, signal))
      try {
        const turn = await take(task)
        if (turn.kind !== 'abandoned') return await report(task, turn)
        abandon(session, task, turn.error)
        return undefined
      } finally {
        renewal.stop()
      }
    },
  }
}

async function renew(session: Session, task: WorkflowTask, signal: AbortSignal): Promise<number | undefined> {
  try {
    const reply = await session.connection.exchange('heartbeatWorkflowTask', {
      path: { task_id: task.task_id },
      body: fenceOf(session, task),
      signal,
    })
    const body = successOf('heartbeatWorkflowTask', reply)
    return leaseMs(session.clock, instantOf(body, 'lease_expires_at'), leaseMsWhenUnknown)
  } catch (error) {
    // A refused renewal decides nothing: the report meets the same fence, and its answer counts.
    if (RefusedError.is(error)) return undefined
    return leaseMsWhenUnknown / 10
  }
}

function reportOf(session: Session, task: WorkflowTask, turn: Reported, offer: Offer | undefined): Report {
  const path = { task_id: task.task_id }
  const claim = { taskId: task.task_id, attempt: task.workflow_task_attempt, runId: task.run_id }
  const settles: Report['settles'] = (reply) => settlementOfWorkflowTask(reply, claim)
  const cached = turn.kind === 'stepped' && isKept(turn.step) && session.discovery.historyCache
  const common = {
    ...fenceOf(session, task),
    ...(cached ? { history_cached: true } : {}),
    ...(offer?.document === undefined ? {} : { hand_over: offer.document }),
  }
  const { connection } = session
  if (turn.kind === 'stepped' && !isWaiting(turn.step)) {
    const resolved = session.discovery.resolvedWaits ? { resolved_waits: turn.step.resolvedWaits } : {}
    const body = { ...common, ...resolved, commands: turn.step.commands }
    const send = () => connection.exchange('completeWorkflowTask', { path, body })
    return { operationId: 'completeWorkflowTask', send, settles }
  }
  const body = { ...common, failure: turn.kind === 'failed' ? turn.failure : waiting }
  return {
    operationId: 'failWorkflowTask',
    send: () => connection.exchange('failWorkflowTask', { path, body }),
    settles,
  }
}

// A claim whose history cannot be read is given back by its lease. A refusal that is no receipt is fatal like any other.
function abandon(session: Session, task: WorkflowTask, error: unknown): void {
  const claim = { taskId: task.task_id, attempt: task.workflow_task_attempt, runId: task.run_id }
  const isReceipt =
    RefusedError.is(error) &&
    settlementOfWorkflowTask({ status: Number(error.facts.status), headers: {}, body: error.facts.body }, claim) !==
      undefined
  if (!isReceipt && !TransportError.is(error)) throw error
  session.log.warn('History could not be read; the claim is left to its lease.', {
    ...factsOf(task),
    error: String(error),
  })
}

/** A kept replay that the task goes on from; one with a gap, or ahead of the task, is of no use. */
function fitting(kept: Replay | undefined, task: WorkflowTask): Replay | undefined {
  if (kept === undefined) return undefined
  const first = task.history_events[0]?.sequence ?? offsetOf(task) + 1
  if (first <= kept.lastSequence + 1 && kept.lastSequence <= task.total_history_events) return kept
  kept.dispose()
  return undefined
}

async function loaded<T>(loading: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await loading }
  } catch (error) {
    return { error }
  }
}

function isKept(step: ReplayStep): boolean {
  return step.outcome.kind === 'waiting'
}

/** Nothing to say: the run waits for something that is not in history yet. */
function isWaiting(step: ReplayStep): boolean {
  return step.commands.length === 0 && !step.appliedSignal
}

function fenceOf(session: Session, task: WorkflowTask): { lease_owner: string; workflow_task_attempt: number } {
  return { lease_owner: session.workerId, workflow_task_attempt: task.workflow_task_attempt }
}

function factsOf(task: WorkflowTask): Record<string, unknown> {
  return {
    workflowId: task.workflow_id,
    runId: task.run_id,
    workflowType: task.workflow_type,
    taskId: task.task_id,
    attempt: task.workflow_task_attempt,
  }
}
