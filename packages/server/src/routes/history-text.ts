// History on its way out, as text: the stored payload text goes into the answer as it is, so that a number keeps the
// form in which it came (protocol: a worker compares it), and nothing is parsed that nobody reads here.
import { formatInstant, type HistoryEvent } from '@durable-workflow/engine'

/** One event as a worker reads it. */
export function workerEventText(event: HistoryEvent, namespace: string): string {
  const task = event.workflowTaskId === undefined ? '' : `,"workflow_task_id":${quoted(event.workflowTaskId)}`
  const command = event.commandId === undefined ? '' : `,"workflow_command_id":${quoted(event.commandId)}`
  return (
    `{"id":${quoted(event.eventId)},"sequence":${event.sequence},"event_type":${quoted(event.type)}` +
    `,"namespace":${quoted(namespace)},"payload":${event.payload}${task}${command}` +
    `,"recorded_at":"${formatInstant(event.recordedAt)}"}`
  )
}

/** One event as the control plane shows it. */
export function controlEventText(event: HistoryEvent): string {
  return (
    `{"sequence":${event.sequence},"event_type":${quoted(event.type)}` +
    `,"timestamp":"${formatInstant(event.recordedAt)}","payload":${event.payload}}`
  )
}

/** A place in a history as workers and clients carry it: base64 of the decimal position of the last event before it. */
export function pageToken(after: number): string {
  return Buffer.from(String(after)).toString('base64')
}

/** The position that a token names; the empty token means the beginning. @returns undefined for what is no token */
export function readPageToken(token: string): number | undefined {
  if (token === '') return 0
  const text = Buffer.from(token, 'base64').toString('latin1')
  if (!/^\d{1,15}$/.test(text) || pageToken(Number(text)) !== token) return undefined
  return Number(text)
}

const quoted = (text: string): string => JSON.stringify(text)
