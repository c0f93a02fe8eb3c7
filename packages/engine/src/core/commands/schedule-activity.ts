import { type Commands, defaults, limits } from '@durable-workflow/protocol'
import { append, mustRun, nextId, patchRun } from '../history/append.ts'
import { nextStep } from '../history/step.ts'
import { activityDueAt, after } from '../rules/deadlines.ts'
import type { Activity, ActivityTimeouts, RetryPolicy } from '../state/activity.ts'
import { secondsToMs } from '../state/instant.ts'
import { noArguments } from '../state/payload.ts'
import { type CommandContext, type CommandRefusal, refuseCommand, refuseLimit } from './command.ts'
import { envelopeOf, payloadRefusal } from './payload.ts'

type ScheduleActivity = Commands['schedule_activity']

/** Schedules one execution of an activity: a row that is at the same time its task, ready at once. */
export function scheduleActivity(context: CommandContext, command: ScheduleActivity): CommandRefusal | undefined {
  const { draft, runId, task, now } = context
  const run = mustRun(draft, runId)
  if (run.openActivities >= limits.pendingActivitiesMax) {
    return refuseLimit(context, {
      limitKind: 'pending_activity_count',
      currentValue: run.openActivities,
      configuredLimit: limits.pendingActivitiesMax,
    })
  }
  const timeouts = timeoutsOf(command)
  const problem = timeoutProblem(timeouts)
  if (problem !== undefined) return refuseCommand(context, command.type, problem)
  const refused = payloadRefusal(context, command.type, command.arguments, command.payload_codec)
  if (refused !== undefined) return refused

  const activityId = nextId(draft, runId, 'activity')
  const step = nextStep(draft, runId)
  const input = envelopeOf(command.arguments) ?? noArguments
  const taskQueue = command.queue ?? run.taskQueue
  append(
    draft,
    runId,
    {
      type: 'ActivityScheduled',
      payload: {
        sequence: step,
        activity_execution_id: activityId,
        activity_type: command.activity_type,
        activity: { id: activityId, queue: taskQueue, arguments: input },
        ...context.group?.facts,
      },
      workflowTaskId: task.taskId,
    },
    now,
  )
  const activity: Activity = {
    activityId,
    runId,
    workflowId: run.workflowId,
    namespace: run.namespace,
    taskQueue,
    activityType: command.activity_type,
    step,
    group: context.group,
    status: 'pending',
    arguments: input,
    timeouts,
    retry: retryOf(command),
    retryPolicyText: command.retry_policy == null ? undefined : JSON.stringify(command.retry_policy),
    scheduledAt: now,
    availableAt: now,
    attempt: 0,
    attemptStatus: undefined,
    lease: undefined,
    startedAt: undefined,
    lastHeartbeatAt: undefined,
    lastHeartbeatDetails: undefined,
    scheduleDeadlineAt: after(now, timeouts.scheduleToStartMs),
    scheduleToCloseDeadlineAt: after(now, timeouts.scheduleToCloseMs),
    closeDeadlineAt: undefined,
    heartbeatDeadlineAt: undefined,
    closedAttempts: [],
    closedAt: undefined,
    dueAt: undefined,
  }
  draft.putActivity({ ...activity, dueAt: activityDueAt(activity) })
  context.createdTaskIds.push(activityId)
  patchRun(draft, runId, { openActivities: mustRun(draft, runId).openActivities + 1 })
  return undefined
}

function timeoutsOf(command: ScheduleActivity): ActivityTimeouts {
  return {
    scheduleToStartMs: milliseconds(command.schedule_to_start_timeout_ms, command.schedule_to_start_timeout),
    startToCloseMs: milliseconds(command.start_to_close_timeout_ms, command.start_to_close_timeout),
    scheduleToCloseMs: milliseconds(command.schedule_to_close_timeout_ms, command.schedule_to_close_timeout),
    heartbeatMs: milliseconds(command.heartbeat_timeout_ms, command.heartbeat_timeout),
  }
}

/** The exact milliseconds where they came (`millisecond_durations`), else whole seconds. */
export function milliseconds(exact: number | null | undefined, seconds: number | null | undefined): number | undefined {
  if (exact != null) return exact
  return seconds == null ? undefined : secondsToMs(seconds)
}

// heartbeat ≤ start-to-close ≤ schedule-to-close, schedule-to-start ≤ schedule-to-close (worker plane §8.1).
function timeoutProblem(timeouts: ActivityTimeouts): string | undefined {
  const { scheduleToStartMs, startToCloseMs, scheduleToCloseMs, heartbeatMs } = timeouts
  if (exceeds(heartbeatMs, startToCloseMs)) return 'heartbeat_timeout is above start_to_close_timeout'
  if (exceeds(startToCloseMs, scheduleToCloseMs)) return 'start_to_close_timeout is above schedule_to_close_timeout'
  if (exceeds(scheduleToStartMs, scheduleToCloseMs))
    return 'schedule_to_start_timeout is above schedule_to_close_timeout'
  return undefined
}

function exceeds(value: number | undefined, limit: number | undefined): boolean {
  return value !== undefined && limit !== undefined && value > limit
}

// No policy, or one without max_attempts, means one attempt (worker plane §9.6).
function retryOf(command: ScheduleActivity): RetryPolicy {
  const policy = command.retry_policy
  return {
    maxAttempts: policy?.max_attempts ?? defaults.activityAttemptsMax,
    backoffMs: policy?.backoff_ms ?? (policy?.backoff_seconds ?? []).map(secondsToMs),
    nonRetryableErrorTypes: policy?.non_retryable_error_types ?? [],
  }
}
