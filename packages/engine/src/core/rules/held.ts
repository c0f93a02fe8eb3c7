// What happened while a workflow task was leased and must not stand before that task's own rows: signals, for published
// workers replay in the order of rows (python-replay §5.1), and timeouts of waits, for the task may have moved past its
// wait, and a wait that both timed out and was satisfied replays as neither.

import type { Draft } from '../decision/draft.ts'
import type { Timer } from '../state/timer.ts'
import { receiveSignal } from './messages.ts'
import { recordFired } from './timers.ts'

/**
 * Records what was held of a run that goes on, in the order in which it happened: signals as they were accepted, timeouts
 * as they fell due. The timeout of a wait that is gone is gone with it.
 */
export function receiveHeld(draft: Draft, runId: string, now: number): void {
  const pending = pendingTimeouts(draft, runId)
  const timeouts = pending.filter((timer) => timer.fireAt <= now)
  for (const timer of pending) if (timer.fireAt > now) letGo(draft, timer)
  for (const signal of draft.heldSignals(runId)) {
    while (timeouts[0] !== undefined && timeouts[0].fireAt <= signal.receivedAt)
      fireIfPending(draft, timeouts.shift(), now)
    receiveSignal(draft, signal, now)
  }
  for (const timer of timeouts) fireIfPending(draft, timer, now)
}

/** Holds the timeout of a wait until the leased task closes: pending, and not due for any sweep. */
export function holdTimeout(draft: Draft, timer: Timer): void {
  draft.putTimer({ ...timer, dueAt: undefined })
}

// Held by a server whose clock is ahead of this one: a sweep looks at it again, at its instant.
function letGo(draft: Draft, timer: Timer): void {
  if (timer.dueAt === undefined) draft.putTimer({ ...timer, dueAt: timer.fireAt })
}

// Held ones, and those of a wait that the task has just opened again, whose deadline may have passed; earliest first.
function pendingTimeouts(draft: Draft, runId: string): Timer[] {
  const timers: Timer[] = []
  for (const { status, timerId } of draft.liveWaits(runId)) {
    const timer = status !== 'open' || timerId === undefined ? undefined : draft.timer(timerId)
    if (timer?.status === 'pending') timers.push(timer)
  }
  return timers.sort((a, b) => a.fireAt - b.fireAt)
}

// A signal that was recorded just before may have taken the wait and its timer away.
function fireIfPending(draft: Draft, timer: Timer | undefined, now: number): void {
  if (timer !== undefined && draft.timer(timer.timerId)?.status === 'pending') recordFired(draft, timer, now)
}
