import type { Commands } from '@durable-workflow/protocol'
import { append, mustRun, nextId, patchRun } from '../history/append.ts'
import { nextStep } from '../history/step.ts'
import { applySignal } from '../rules/messages.ts'
import { signalResume, wakeRun } from '../rules/resume.ts'
import { instantAfter } from '../state/instant.ts'
import type { SignalWait } from '../state/wait.ts'
import type { CommandContext, CommandRefusal } from './command.ts'
import { milliseconds } from './schedule-activity.ts'
import { scheduleTimer, timerLimit } from './start-timer.ts'

/**
 * Waits for the next unread signal of a name. One that came earlier is applied in the same commit, and the run gets
 * its next task.
 */
export function openSignalWait(
  context: CommandContext,
  command: Commands['open_signal_wait'],
): CommandRefusal | undefined {
  const { draft, runId, task, now } = context
  const timeoutMs = milliseconds(command.timeout_ms, command.timeout_seconds)
  const unread = draft.unreadSignals(runId, command.signal_name)[0]
  const deadlineAt = timeoutMs === undefined || unread !== undefined ? undefined : instantAfter(now, timeoutMs)
  if (deadlineAt !== undefined) {
    const refused = timerLimit(context)
    if (refused !== undefined) return refused
  }
  const wait: SignalWait = {
    kind: 'signal',
    waitId: nextId(draft, runId, 'wait'),
    runId,
    step: nextStep(draft, runId),
    status: 'open',
    signalName: command.signal_name,
    timeoutSeconds: command.timeout_seconds ?? undefined,
    deadlineAt,
    timerId: undefined,
    openedAt: now,
    closedSequence: undefined,
  }
  append(
    draft,
    runId,
    {
      type: 'SignalWaitOpened',
      payload: {
        sequence: wait.step,
        signal_wait_id: wait.waitId,
        signal_name: wait.signalName,
        ...(command.timeout_seconds == null ? {} : { timeout_seconds: command.timeout_seconds }),
      },
      workflowTaskId: task.taskId,
    },
    now,
  )
  patchRun(draft, runId, { openSignalWaits: mustRun(draft, runId).openSignalWaits + 1 })
  if (unread !== undefined) {
    draft.putWait(wait)
    applySignal(draft, unread, wait, now)
    wakeRun(draft, runId, signalResume(unread, wait), now)
    return undefined
  }
  if (deadlineAt === undefined || timeoutMs === undefined) {
    draft.putWait(wait)
    return undefined
  }
  const delaySeconds = wait.timeoutSeconds ?? Math.ceil(timeoutMs / 1000)
  const timer = scheduleTimer(
    draft,
    { runId, kind: 'signal_timeout', step: wait.step, delaySeconds, delayMs: timeoutMs, fireAt: deadlineAt, wait },
    now,
  )
  draft.putWait({ ...wait, timerId: timer.timerId })
  return undefined
}
