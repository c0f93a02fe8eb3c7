import { type Commands, limits } from '@durable-workflow/protocol'
import type { Draft } from '../decision/draft.ts'
import { append, mustRun, nextId, patchRun } from '../history/append.ts'
import { nextStep } from '../history/step.ts'
import { waitFacts } from '../rules/wait-facts.ts'
import { formatInstant, instantAfter, secondsToMs } from '../state/instant.ts'
import type { GroupMember } from '../state/parallel-group.ts'
import type { Timer, TimerKind } from '../state/timer.ts'
import type { Wait } from '../state/wait.ts'
import { type CommandContext, type CommandRefusal, refuseLimit } from './command.ts'

/** Starts a durable timer that authored code waits for. */
export function startTimer(context: CommandContext, command: Commands['start_timer']): CommandRefusal | undefined {
  const refused = timerLimit(context)
  if (refused !== undefined) return refused
  const step = nextStep(context.draft, context.runId)
  const delayMs = command.delay_ms ?? secondsToMs(command.delay_seconds)
  scheduleTimer(
    context.draft,
    {
      runId: context.runId,
      kind: 'user',
      step,
      group: context.group,
      delaySeconds: command.delay_seconds,
      delayMs,
      fireAt: instantAfter(context.now, delayMs),
    },
    context.now,
  )
  return undefined
}

/** Refuses one more pending timer where the limit is reached. */
export function timerLimit(context: CommandContext): CommandRefusal | undefined {
  const { openTimers } = mustRun(context.draft, context.runId)
  if (openTimers < limits.pendingTimersMax) return undefined
  return refuseLimit(context, {
    limitKind: 'pending_timer_count',
    currentValue: openTimers,
    configuredLimit: limits.pendingTimersMax,
  })
}

/** A timer to be; `wait` is set for the timeout of a wait. */
export interface NewTimer {
  readonly runId: string
  readonly kind: TimerKind
  readonly step: number
  readonly group?: GroupMember | undefined
  readonly delaySeconds: number
  readonly delayMs: number
  /** Epoch ms. */
  readonly fireAt: number
  readonly wait?: Wait
}

/** Makes a pending timer and its event. */
export function scheduleTimer(draft: Draft, made: NewTimer, now: number): Timer {
  const timerId = nextId(draft, made.runId, 'timer')
  append(
    draft,
    made.runId,
    {
      type: 'TimerScheduled',
      payload: {
        sequence: made.step,
        timer_id: timerId,
        delay_seconds: made.delaySeconds,
        fire_at: formatInstant(made.fireAt),
        ...(made.kind === 'user' ? {} : { timer_kind: made.kind }),
        ...(made.wait === undefined ? {} : waitFacts(made.wait)),
        ...made.group?.facts,
      },
    },
    now,
  )
  patchRun(draft, made.runId, { openTimers: mustRun(draft, made.runId).openTimers + 1 })
  return draft.putTimer({
    timerId,
    runId: made.runId,
    kind: made.kind,
    step: made.step,
    group: made.group,
    waitId: made.wait?.waitId,
    delaySeconds: made.delaySeconds,
    delayMs: made.delayMs,
    fireAt: made.fireAt,
    status: 'pending',
    dueAt: made.fireAt,
  })
}
