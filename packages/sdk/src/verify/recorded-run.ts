// A recorded history as others keep it, read: events in order, and what a replay must know of the run beside them.
import { decodeArguments, type PayloadValue } from '@durable-workflow/codec'
import type { HistoryEvent } from '@durable-workflow/protocol'
import { ContractError } from '../authoring/failure.ts'
import { type Fields, fieldsOf, isFields, text } from '../replay/history.ts'

/** One event, as `handle.history()` yields it or as the wire writes it. */
export interface HistoryRow {
  readonly sequence?: unknown
  /** The event type; `event_type` on the wire. */
  readonly type?: unknown
  readonly event_type?: unknown
  readonly payload?: unknown
  /** A Date; `recorded_at`, text with an offset, on the wire. */
  readonly recordedAt?: unknown
  readonly recorded_at?: unknown
}

/** An exported history: the rows under one of three names, and, where the exporter wrote them, what the run was started with. */
export interface HistoryDocument {
  readonly events?: unknown
  readonly history_events?: unknown
  readonly history?: unknown
  /** The envelope of the start's arguments. */
  readonly arguments?: unknown
  readonly namespace?: unknown
  readonly task_queue?: unknown
}

/** What `handle.export()` resolves to, as it is or parsed from a file; else `handle.history()`, its events in a list, or rows of the wire. */
export type HistoryInput = Iterable<HistoryRow> | AsyncIterable<HistoryRow> | HistoryDocument

export interface RecordedRun {
  readonly workflowId: string
  readonly runId: string
  readonly workflowType: string
  readonly namespace: string | undefined
  readonly taskQueue: string | undefined
  readonly events: readonly HistoryEvent[]
  /** Undefined where the history does not say what the run was started with: events never do. */
  readonly arguments: PayloadValue[] | undefined
}

/**
 * Reads a history, whichever way it comes.
 *
 * @throws ContractError `invalid_history`, with the first row that is no event
 */
export async function readRecordedRun(history: HistoryInput): Promise<RecordedRun> {
  const { rows, document } = await rowsOf(history)
  const events = rows.map(eventOf)
  const started = events.find((event) => event.event_type === 'WorkflowStarted')
  if (started === undefined) throw noHistory('it has no WorkflowStarted', { events: events.length })
  return {
    workflowId: text(started.payload, 'workflow_instance_id') ?? '',
    runId: text(started.payload, 'workflow_run_id') ?? '',
    workflowType: text(started.payload, 'workflow_type') ?? '',
    namespace: text(document, 'namespace'),
    taskQueue: text(document, 'task_queue'),
    events,
    arguments: argumentsOf(document),
  }
}

async function rowsOf(history: HistoryInput): Promise<{ rows: readonly unknown[]; document: Fields }> {
  if (isIterable(history)) return { rows: [...history], document: {} }
  if (isAsyncIterable(history)) {
    const rows: unknown[] = []
    for await (const row of history) rows.push(row)
    return { rows, document: {} }
  }
  const document = fieldsOf(history)
  const rows = [document.events, document.history_events, document.history].find(Array.isArray)
  if (rows === undefined) throw noHistory('it is no list of events, and no export with one', {})
  return { rows, document }
}

function argumentsOf(document: Fields): PayloadValue[] | undefined {
  if (!('arguments' in document)) return undefined
  try {
    return decodeArguments(document.arguments)
  } catch (cause) {
    throw noHistory('its arguments are no payload', { arguments: document.arguments }, cause)
  }
}

function eventOf(row: unknown, index: number): HistoryEvent {
  const fields = fieldsOf(row)
  const type = text(fields, 'event_type') ?? text(fields, 'type')
  const sequence = fields.sequence ?? index + 1
  const payload = fields.payload ?? {}
  if (type === undefined) throw noHistory(`row ${index} has no event type`, { index, row })
  if (!isWhole(sequence)) throw noHistory(`row ${index} has the sequence ${String(sequence)}`, { index, row })
  if (!isFields(payload)) throw noHistory(`the payload of row ${index} is no object`, { index, row })
  return {
    id: text(fields, 'id') ?? `event-${sequence}`,
    sequence,
    event_type: type,
    payload,
    workflow_task_id: text(fields, 'workflow_task_id') ?? null,
    workflow_command_id: text(fields, 'workflow_command_id') ?? null,
    recorded_at: instantOf(fields) ?? '',
  }
}

function instantOf(fields: Fields): string | undefined {
  const { recordedAt } = fields
  if (recordedAt instanceof Date) return recordedAt.toISOString()
  return text(fields, 'recorded_at') ?? text(fields, 'recordedAt') ?? text(fields, 'timestamp')
}

function noHistory(problem: string, facts: Fields, cause?: unknown): ContractError {
  const remedy = 'Give what handle.history() yields, or the rows of an export, from the first event on.'
  return new ContractError(`This is not the history of a run: ${problem}. ${remedy}`, {
    reason: 'invalid_history',
    facts,
    remedy,
    cause,
  })
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
