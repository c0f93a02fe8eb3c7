// A wait for a predicate that only the worker evaluates. Published workers send the same command again when they were
// woken and the predicate is still false: that is a re-opening, a new ConditionWaitOpened with its own step and id
// that keeps the first deadline (protocol/README, "Re-opened condition wait"). Ours sends it once per call.

import type { Commands } from '@durable-workflow/protocol'
import type { Draft } from '../decision/draft.ts'
import { append, mustRun, nextId, patchRun } from '../history/append.ts'
import { nextStep } from '../history/step.ts'
import { closeTimerOf } from '../rules/cancel-open-work.ts'
import { waitFacts } from '../rules/wait-facts.ts'
import { instantAfter } from '../state/instant.ts'
import type { ConditionWait } from '../state/wait.ts'
import type { CommandContext, CommandRefusal } from './command.ts'
import { milliseconds } from './schedule-activity.ts'
import { scheduleTimer, timerLimit } from './start-timer.ts'

type OpenConditionWait = Commands['open_condition_wait']

export function openConditionWait(context: CommandContext, command: OpenConditionWait): CommandRefusal | undefined {
  const { draft, runId, task, now } = context
  const earlier = reopenedBy(draft, runId, command)
  const reopened = earlier?.status === 'open' ? earlier : undefined
  const timeoutMs = milliseconds(command.timeout_ms, command.timeout_seconds)
  if (timeoutMs !== undefined && reopened === undefined) {
    const refused = timerLimit(context)
    if (refused !== undefined) return refused
  }
  const deadlineAt = reopened === undefined ? deadline(now, timeoutMs) : reopened.deadlineAt
  if (reopened !== undefined) takeOver(draft, reopened, now)
  const wait: ConditionWait = {
    kind: 'condition',
    waitId: nextId(draft, runId, 'wait'),
    runId,
    step: nextStep(draft, runId),
    status: 'open',
    conditionKey: command.condition_key ?? undefined,
    fingerprint: command.condition_definition_fingerprint ?? undefined,
    occurrenceId: command.condition_wait_occurrence_id ?? undefined,
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
      type: 'ConditionWaitOpened',
      payload: {
        sequence: wait.step,
        ...required(waitFacts(wait), wait.waitId),
        ...(command.timeout_seconds == null ? {} : { timeout_seconds: command.timeout_seconds }),
      },
      workflowTaskId: task.taskId,
    },
    now,
  )
  patchRun(draft, runId, { openConditionWaits: mustRun(draft, runId).openConditionWaits + 1 })
  draft.putWait(deadlineAt === undefined ? wait : { ...wait, timerId: timeoutTimer(draft, wait, deadlineAt, now) })
  return undefined
}

/** The live wait that a command opens again: same occurrence, else same key and fingerprint; the latest opening. */
export function reopenedBy(draft: Draft, runId: string, command: OpenConditionWait): ConditionWait | undefined {
  let latest: ConditionWait | undefined
  for (const wait of draft.liveWaits(runId)) {
    if (wait.kind !== 'condition') continue
    const same =
      command.condition_wait_occurrence_id != null
        ? wait.occurrenceId === command.condition_wait_occurrence_id
        : wait.conditionKey === (command.condition_key ?? undefined) &&
          wait.fingerprint === (command.condition_definition_fingerprint ?? undefined)
    if (same) latest = wait
  }
  return latest
}

function takeOver(draft: Draft, wait: ConditionWait, now: number): void {
  draft.putWait({ ...wait, status: 'reopened' })
  const run = mustRun(draft, wait.runId)
  patchRun(draft, wait.runId, { openConditionWaits: run.openConditionWaits - 1 })
  closeTimerOf(draft, wait, now)
}

// A timer of its own for each opening: the Rust SDK looks for TimerScheduled and TimerFired under the id of the
// opening (rust-worker §8.2); the delay is the authored one, the instant that of the first opening.
function timeoutTimer(draft: Draft, wait: ConditionWait, deadlineAt: number, now: number): string {
  const delaySeconds = wait.timeoutSeconds ?? 0
  return scheduleTimer(
    draft,
    {
      runId: wait.runId,
      kind: 'condition_timeout',
      step: wait.step,
      delaySeconds,
      delayMs: deadlineAt - now,
      fireAt: deadlineAt,
      wait,
    },
    now,
  ).timerId
}

function deadline(now: number, timeoutMs: number | undefined): number | undefined {
  return timeoutMs === undefined ? undefined : instantAfter(now, timeoutMs)
}

function required<Facts>(facts: Facts, waitId: string): Facts & { condition_wait_id: string } {
  return { ...facts, condition_wait_id: waitId }
}
