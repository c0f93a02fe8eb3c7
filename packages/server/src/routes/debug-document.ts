// Why a run stands where it stands, in the words of the control plane (control plane 2, §6.9).
import {
  type Activity,
  type DebugDocument,
  type HistoryEvent,
  isOpen,
  livenessOf,
  type OpenWork,
  statusBucket,
  type WorkflowTask,
} from '@durable-workflow/engine'
import type { Additions } from '../settings.ts'
import { instantOrNull, type WireFacts } from '../wire-facts.ts'

export function debugDocument(document: DebugDocument, additions: Additions): WireFacts {
  const { run, work, explanation, generatedAt: now } = document
  const { workflowTask } = work
  return {
    generated_at: instantOrNull(now),
    workflow_id: run.workflowId,
    run_id: run.runId,
    namespace: run.namespace,
    diagnostic_status: diagnosticStatus(document),
    execution: execution(document),
    pending_workflow_tasks: workflowTask === undefined ? [] : [pendingTask(workflowTask, now)],
    pending_activities: work.activities.map((activity) => pendingActivity(activity, now)),
    task_queue: { name: run.taskQueue, pollers: document.pollers },
    findings: explanation.findings.map(({ severity, code, message }) => ({ severity, code, message })),
    pending_timers: work.timers.map(pendingTimer),
    open_waits: work.waits.map(openWait),
    unread_signals: document.heldSignals.map((signal) => ({ signal_id: signal.signalId, signal_name: signal.name })),
    explanation: additions.explanation ? [...explanation.sentences] : undefined,
  }
}

function execution({ run, work, lastEvent, generatedAt }: DebugDocument): WireFacts {
  const liveness = livenessOf(run, work.workflowTask, generatedAt)
  return {
    status: run.status,
    status_bucket: statusBucket(run.status),
    is_terminal: !isOpen(run),
    workflow_type: run.workflowType,
    task_queue: run.taskQueue,
    run_number: run.runNumber,
    started_at: instantOrNull(run.startedAt),
    closed_at: instantOrNull(run.closedAt),
    last_progress_at: instantOrNull(run.lastProgressAt),
    wait_kind: run.progress ?? null,
    liveness_state: liveness.state,
    liveness_reason: liveness.repairReason ?? null,
    last_event: lastEvent === undefined ? null : eventFacts(lastEvent),
  }
}

function eventFacts(event: HistoryEvent): WireFacts {
  return { sequence: event.sequence, event_type: event.type, timestamp: instantOrNull(event.recordedAt) }
}

function pendingTimer(timer: OpenWork['timers'][number]): WireFacts {
  return {
    timer_id: timer.timerId,
    timer_kind: timer.kind,
    sequence: timer.step,
    fire_at: instantOrNull(timer.fireAt),
  }
}

function openWait(wait: OpenWork['waits'][number]): WireFacts {
  return {
    open_wait_id: wait.waitId,
    wait_kind: wait.kind,
    name: wait.kind === 'signal' ? wait.signalName : (wait.conditionKey ?? null),
    status: wait.status,
    sequence: wait.step,
    wait_deadline_at: instantOrNull(wait.deadlineAt),
  }
}

function diagnosticStatus({ run, explanation, work }: DebugDocument): string {
  if (!isOpen(run)) return 'terminal'
  if (explanation.findings.length > 0) return 'needs_attention'
  if (work.workflowTask?.status === 'leased') return 'running'
  if (work.workflowTask !== undefined || work.activities.length > 0) return 'pending_work'
  return 'waiting'
}

function pendingTask(task: WorkflowTask, now: number): WireFacts {
  return {
    task_id: task.taskId,
    task_type: 'workflow',
    status: task.status,
    queue: task.taskQueue,
    available_at: instantOrNull(task.availableAt),
    leased_at: instantOrNull(task.lease?.leasedAt),
    lease_owner: task.lease?.owner ?? null,
    lease_expires_at: instantOrNull(task.lease?.expiresAt),
    lease_expired: task.lease !== undefined && task.lease.expiresAt <= now,
    attempt_count: task.attempt,
    repair_count: task.repairCount,
    workflow_wait_kind: task.resume.waitKind,
  }
}

function pendingActivity(activity: Activity, now: number): WireFacts {
  const { lease } = activity
  return {
    activity_execution_id: activity.activityId,
    activity_type: activity.activityType,
    status: activity.status,
    queue: activity.taskQueue,
    attempt_count: activity.attempt,
    available_at: instantOrNull(activity.availableAt),
    started_at: instantOrNull(activity.startedAt),
    last_heartbeat_at: instantOrNull(activity.lastHeartbeatAt),
    schedule_deadline_at: instantOrNull(activity.scheduleDeadlineAt),
    close_deadline_at: instantOrNull(activity.closeDeadlineAt),
    schedule_to_close_deadline_at: instantOrNull(activity.scheduleToCloseDeadlineAt),
    heartbeat_deadline_at: instantOrNull(activity.heartbeatDeadlineAt),
    current_attempt:
      lease === undefined
        ? null
        : {
            attempt_number: activity.attempt,
            status: activity.attemptStatus ?? null,
            lease_owner: lease.owner,
            lease_expires_at: instantOrNull(lease.expiresAt),
            lease_expired: lease.expiresAt <= now,
          },
  }
}
