// A query answered from history alone: by a kept replay that stands exactly where the query asks, else by a fresh one.
import { CodecError, decodeArguments, encodeEnvelope, envelopeBytes, type PayloadValue } from '@durable-workflow/codec'
import type { QueryTask } from '@durable-workflow/protocol'
import { ContractError, PayloadTooLargeError, RefusedError } from '../authoring/failure.ts'
import { cut, messageLengthMax, messageOf, typeOf } from '../authoring/failure-wire.ts'
import type { Replay } from '../replay/replay.ts'
import { instantOf } from '../transport/json.ts'
import { isJsonExact } from './json-copy.ts'
import type { Replays } from './replays.ts'
import { deliver, type Report } from './report.ts'
import type { Session } from './session.ts'
import { settlementOfQueryTask } from './settlement.ts'
import type { StickyCache } from './sticky-cache.ts'

export interface QueryTaskRunner {
  /** @throws what is fatal for the worker */
  run(task: QueryTask): Promise<void>
}

interface QueryFailure {
  readonly message: string
  readonly reason: string
  readonly type: string
}

type Answer =
  | { readonly result: unknown; readonly envelope: { readonly codec: string; readonly blob: string } }
  | { readonly failure: QueryFailure }

export function createQueryTaskRunner(session: Session, replays: Replays, cache: StickyCache): QueryTaskRunner {
  async function standingReplay(task: QueryTask): Promise<{ readonly replay: Replay; readonly isKept: boolean }> {
    const kept = cache.take(task.run_id)
    if (kept !== undefined && kept.lastSequence === task.last_history_sequence) return { replay: kept, isKept: true }
    // A run that moved on meanwhile keeps its replay; this query is about what was.
    if (kept !== undefined) cache.put(task.run_id, kept)
    const replay = replays.cold(task, task.history_events[0])
    try {
      await replay.step(task.history_events, { readOnly: true })
    } catch (error) {
      replay.dispose()
      throw error
    }
    return { replay, isKept: false }
  }

  async function ask(task: QueryTask): Promise<PayloadValue> {
    const { replay, isKept } = await standing(task)
    try {
      return await asked(replay, task)
    } finally {
      if (isKept) cache.put(task.run_id, replay)
      else replay.dispose()
    }
  }

  async function standing(task: QueryTask): Promise<{ readonly replay: Replay; readonly isKept: boolean }> {
    try {
      return await standingReplay(task)
    } catch (error) {
      throw new QueryProblem('query_workflow_state_unavailable', error)
    }
  }

  async function answer(task: QueryTask): Promise<Answer> {
    try {
      const value = await ask(task)
      const envelope = encodeEnvelope(value, `answer of ${task.query_name}`)
      assertFits(task, envelopeBytes(envelope), session.discovery.payloadBytesMax)
      // The plain form is for readers without a codec; what JSON cannot say is in the envelope alone.
      return { result: isJsonExact(value) ? value : null, envelope }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }

  function reportOf(task: QueryTask, answered: Answer): Report {
    const path = { query_task_id: task.query_task_id }
    const common = { lease_owner: session.workerId, query_task_attempt: task.query_task_attempt }
    const settles: Report['settles'] = (reply) => settlementOfQueryTask(reply, task.query_task_id)
    const { connection } = session
    if ('failure' in answered) {
      const body = { ...common, failure: answered.failure }
      return { operationId: 'failQueryTask', settles, send: () => connection.exchange('failQueryTask', { path, body }) }
    }
    const body = { ...common, result: answered.result, result_envelope: answered.envelope }
    return {
      operationId: 'completeQueryTask',
      settles,
      send: () => connection.exchange('completeQueryTask', { path, body }),
    }
  }

  return {
    async run(task) {
      const problem = problemOf(session, task)
      if (problem !== undefined) {
        session.log.warn('A query task was dropped: its claim is not this worker’s.', { ...factsOf(task), problem })
        return
      }
      const report = reportOf(task, await answer(task))
      await deliver(report, { clock: session.clock, policy: session.reportRetry, signal: session.giveUp })
    },
  }
}

/** Why a query failed, in the words of the wire. */
class QueryProblem extends Error {
  readonly reason: string
  constructor(reason: string, cause: unknown) {
    super(messageOf(cause), { cause })
    this.reason = reason
  }
}

async function asked(replay: Replay, task: QueryTask): Promise<PayloadValue> {
  let args: PayloadValue[]
  try {
    args = decodeArguments(task.query_arguments)
  } catch (error) {
    throw new QueryProblem('query_payload_decode_failed', error)
  }
  return replay.query(task.query_name, args)
}

function failureOf(error: unknown): QueryFailure {
  const thrown = error instanceof QueryProblem ? error.cause : error
  const named = { message: cut(messageOf(thrown), messageLengthMax), type: typeOf(thrown) }
  if (error instanceof QueryProblem) return { ...named, reason: error.reason }
  if (RefusedError.is(error)) return { ...named, reason: error.reason }
  if (CodecError.is(error) || PayloadTooLargeError.is(error)) return { ...named, reason: 'query_result_encode_failed' }
  if (ContractError.is(error) && error.reason === 'invalid_input')
    return { ...named, reason: 'invalid_query_arguments' }
  return { ...named, reason: 'query_rejected' }
}

function assertFits(task: QueryTask, bytes: number, bytesMax: number): void {
  if (bytes <= bytesMax) return
  throw new PayloadTooLargeError(
    `The answer of query "${task.query_name}" has ${bytes} bytes; the limit is ${bytesMax}.`,
    {
      reason: 'payload_too_large',
      facts: { query: task.query_name, bytes, bytesMax },
    },
  )
}

/** What is wrong with the claim; undefined for one that is ours and still holds. */
function problemOf(session: Session, task: QueryTask): string | undefined {
  if (!Number.isInteger(task.query_task_attempt) || task.query_task_attempt < 1) return 'attempt'
  if (task.lease_owner !== session.workerId) return 'lease owner'
  if (task.task_queue !== session.taskQueue) return 'task queue'
  const expiresAt = instantOf(task, 'lease_expires_at')
  return expiresAt !== undefined && expiresAt > session.clock.now() ? undefined : 'lease expiry'
}

function factsOf(task: QueryTask): Record<string, unknown> {
  return { workflowId: task.workflow_id, runId: task.run_id, queryTaskId: task.query_task_id, query: task.query_name }
}
