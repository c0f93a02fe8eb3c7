import type { Draft } from '../decision/draft.ts'
import { append, mustRun, patchRun } from '../history/append.ts'
import { formatInstant } from '../state/instant.ts'
import type { Timer } from '../state/timer.ts'
import type { Wait } from '../state/wait.ts'
import { wakeForEnd } from './parallel-groups.ts'
import { timerResume } from './resume.ts'
import { waitFacts } from './wait-facts.ts'

/**
 * Records that a timer is due, ends the wait whose timeout it is, and wakes the run.
 *
 * TimerFired of a wait carries the step and id of its latest opening (python-recordings §5.2); no second row tells the
 * timeout again.
 *
 * @returns the id of the workflow task that it made, if it made one
 */
export function recordFired(draft: Draft, timer: Timer, now: number): string | undefined {
  const { runId } = timer
  const wait =
    timer.waitId === undefined ? undefined : draft.liveWaits(runId).find((live) => live.waitId === timer.waitId)
  const sequence = append(
    draft,
    runId,
    {
      type: 'TimerFired',
      payload: {
        sequence: timer.step,
        timer_id: timer.timerId,
        delay_seconds: timer.delaySeconds,
        fire_at: formatInstant(timer.fireAt),
        fired_at: formatInstant(now),
        ...(timer.kind === 'user' ? {} : { timer_kind: timer.kind }),
        ...(wait === undefined ? {} : waitFacts(wait)),
        ...timer.group?.facts,
      },
    },
    now,
  )
  draft.putTimer({ ...timer, status: 'fired', dueAt: undefined })
  patchRun(draft, runId, { openTimers: mustRun(draft, runId).openTimers - 1 })
  if (wait !== undefined) expireWait(draft, wait, sequence)
  return wakeForEnd(draft, timer, 'succeeded', timerResume(timer), now)
}

function expireWait(draft: Draft, wait: Wait, closedSequence: number): void {
  draft.putWait({ ...wait, status: 'expired', closedSequence })
  const run = mustRun(draft, wait.runId)
  patchRun(
    draft,
    wait.runId,
    wait.kind === 'signal'
      ? { openSignalWaits: run.openSignalWaits - 1 }
      : { openConditionWaits: run.openConditionWaits - 1 },
  )
}
