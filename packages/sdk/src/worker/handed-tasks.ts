// Reading tasks that came with a reply. A poll's answer stands for itself; here a report stands beside it, and what is wrong with
// a task must not touch it.
import type { ActivityTask, WorkflowTask } from '@durable-workflow/protocol'
import { instantOf, isJson, memberOf, numberOf, textOf } from '../transport/json.ts'

/** A task, or what is wrong with what came in its place. */
export type Read<Task> = { readonly task: Task } | { readonly fault: string }

const common = ['task_id', 'run_id', 'workflow_id', 'task_queue', 'payload_codec', 'lease_owner'] as const
const workflowTexts = [...common, 'workflow_type'] as const
const activityTexts = [...common, 'activity_type', 'activity_attempt_id', 'activity_execution_id'] as const

export function readWorkflowTask(value: unknown, workerId: string): Read<WorkflowTask> {
  const fault =
    faultOf(value, workflowTexts, 'workflow_task_attempt', workerId) ??
    (numberOf(value, 'total_history_events') === undefined ? 'total_history_events is no number' : undefined) ??
    faultOfToken(memberOf(value, 'next_history_page_token')) ??
    faultOfEvents(memberOf(value, 'history_events'))
  return isSound<WorkflowTask>(value, fault) ? { task: value } : { fault: fault ?? notRead }
}

export function readActivityTask(value: unknown, workerId: string): Read<ActivityTask> {
  const fault = faultOf(value, activityTexts, 'attempt_number', workerId)
  return isSound<ActivityTask>(value, fault) ? { task: value } : { fault: fault ?? notRead }
}

const notRead = 'it cannot be read'

// Like every received body, a sound task is typed by its document; what the worker relies on was looked at.
function isSound<Task>(value: unknown, fault: string | undefined): value is Task {
  return fault === undefined && isJson(value)
}

function faultOf(value: unknown, texts: readonly string[], attempt: string, workerId: string): string | undefined {
  if (!isJson(value)) return 'it is no object'
  for (const name of texts) if (textOf(value, name) === undefined) return `${name} is no text`
  const number = numberOf(value, attempt)
  if (number === undefined || !Number.isInteger(number) || number < 1) return `${attempt} is no whole number from 1`
  if (instantOf(value, 'lease_expires_at') === undefined) return 'lease_expires_at is no instant'
  return value.lease_owner === workerId ? undefined : `lease_owner is ${String(value.lease_owner)}, not this worker`
}

function faultOfToken(token: unknown): string | undefined {
  if (token === null || (typeof token === 'string' && token !== '')) return undefined
  return 'next_history_page_token is neither null nor a text'
}

function faultOfEvents(events: unknown): string | undefined {
  if (!Array.isArray(events)) return 'history_events is no list'
  return events.every(isEvent) ? undefined : 'history_events has an event without sequence, event_type or payload'
}

function isEvent(event: unknown): boolean {
  return (
    numberOf(event, 'sequence') !== undefined &&
    textOf(event, 'event_type') !== undefined &&
    isJson(memberOf(event, 'payload'))
  )
}
