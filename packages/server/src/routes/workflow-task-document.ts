// A claimed workflow task in the words of the worker plane (§6.1). What has no value is absent: a published worker ends
// at a null where it wants a number, a list or an object.
import { formatInstant, type Run, type WorkflowTaskClaim } from '@durable-workflow/engine'
import { commandTypes, defaults, limits } from '@durable-workflow/protocol'
import { listText, objectText } from '../json-text.ts'
import type { Additions } from '../settings.ts'
import type { WireFacts } from '../wire-facts.ts'
import { pageToken, workerEventText } from './history-text.ts'
import { leaseOf } from './poll.ts'
import { envelopeOrNull } from './run-documents.ts'

/** The task as JSON text; stored payload texts stand in it as they are. */
export function workflowTaskText(claim: WorkflowTaskClaim, additions: Additions): string {
  const events = claim.history.events.map((event) => workerEventText(event, claim.run.namespace))
  return objectText(workflowTaskDocument(claim, additions), { history_events: listText(events) })
}

// Everything of the task but its history events, which go out as text.
function workflowTaskDocument(claim: WorkflowTaskClaim, additions: Additions): WireFacts {
  const { run, task, history } = claim
  const lease = leaseOf(task)
  return {
    task_kind: 'workflow',
    task_id: task.taskId,
    workflow_task_attempt: task.attempt,
    workflow_id: run.workflowId,
    run_id: run.runId,
    workflow_type: run.workflowType,
    namespace: run.namespace,
    task_queue: task.taskQueue,
    payload_codec: defaults.payloadCodec,
    arguments: envelopeOrNull(run.arguments),
    next_history_page_token: history.nextAfter === undefined ? null : pageToken(history.nextAfter),
    history_offset: additions.historyCache && history.offset > 0 ? history.offset : undefined,
    total_history_events: history.total,
    last_history_sequence: history.total,
    ...budgetFacts(run),
    run_status: run.status,
    lease_owner: lease.owner,
    lease_expires_at: formatInstant(lease.expiresAt),
    ...resumeFacts(claim),
  }
}

const built: readonly string[] = commandTypes
const advisesContinuation = built.includes('continue_as_new')

/** How near a history is to its limits; a new run is advised only by a server that can make one. */
export function budgetFacts(run: Run): WireFacts {
  const dimensions = [
    {
      name: 'events',
      value: run.lastSequence,
      warning: limits.historyEventsWarning,
      advice: limits.historyEventsRecommend,
    },
    {
      name: 'bytes',
      value: run.historyBytes,
      warning: limits.historyBytesWarning,
      advice: limits.historyBytesRecommend,
    },
  ]
  const pressed = dimensions.filter(({ value, warning }) => value >= warning)
  const advised = advisesContinuation && dimensions.some(({ value, advice }) => value >= advice)
  return {
    history_size_bytes: run.historyBytes,
    continue_as_new_recommended: advised,
    history_budget_pressure: pressureOf(advised, pressed.length > 0),
    history_budget_pressure_dimensions: pressed.map(({ name }) => name),
  }
}

function pressureOf(advised: boolean, pressed: boolean): string {
  if (advised) return 'continue_as_new_recommended'
  return pressed ? 'approaching' : 'ok'
}

/** Why there is a task: what the run waited for, and what ended the wait. */
function resumeFacts({ task }: WorkflowTaskClaim): WireFacts {
  const { resume } = task
  return {
    workflow_wait_kind: waitKindOf(resume.waitKind),
    open_wait_id: resume.openWaitId,
    resume_source_kind: resume.sourceKind,
    resume_source_id: resume.sourceId,
    ...(resume.sourceKind === 'activity_execution' ? { activity_execution_id: resume.sourceId } : {}),
    ...(resume.sourceKind === 'timer' ? { timer_id: resume.sourceId } : {}),
    ...(resume.sourceKind === 'workflow_signal' ? { workflow_signal_id: resume.sourceId } : {}),
    ...(resume.waitKind === 'condition' ? { condition_wait_id: resume.openWaitId } : {}),
    workflow_sequence: resume.step,
    workflow_event_type: resume.eventType,
  }
}

// A first task, a retry and a repair wait for nothing.
function waitKindOf(kind: string): string | undefined {
  return kind === 'start' || kind === 'retry' || kind === 'repair' ? undefined : kind
}
