import type { Draft } from '../../decision/draft.ts'
import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { append, mustRun, patchRun } from '../../history/append.ts'
import { wakeForEnd } from '../../rules/parallel-groups.ts'
import { timerResume } from '../../rules/resume.ts'
import { openTaskKeys } from '../../rules/run-keys.ts'
import { waitFacts } from '../../rules/wait-facts.ts'
import { waitKeys } from '../../rules/wait-keys.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import { formatInstant } from '../../state/instant.ts'
import { isOpen } from '../../state/run.ts'
import type { Wait } from '../../state/wait.ts'

/**
 * Fires a due timer: TimerFired, and the end of the wait whose timeout it is. TimerFired of a wait carries the step and
 * id of its latest opening (python-recordings §5.2); no second row tells the timeout again.
 */
export const fireTimer = defineOperation({
  kind: 'fireTimer',
  locks: (input: { readonly timerId: string }) => [lockOf(input.timerId)],
  slice: (input) => [
    { of: 'timer', timerId: input.timerId },
    { of: 'run', runId: runIdOf(input.timerId) },
  ],
  follow(draft, input) {
    const timer = draft.timer(input.timerId)
    if (timer === undefined) return []
    return [
      ...openTaskKeys(draft.run(timer.runId)),
      ...(timer.waitId === undefined ? [] : waitKeys(draft, timer.runId)),
    ]
  },
  decide(draft, input, now) {
    const timer = draft.timer(input.timerId)
    const run = timer === undefined ? undefined : draft.run(timer.runId)
    if (timer === undefined || run === undefined || !isOpen(run) || timer.status !== 'pending' || timer.fireAt > now) {
      return refuse('not_due', { timerId: input.timerId })
    }
    const wait =
      timer.waitId === undefined ? undefined : draft.liveWaits(run.runId).find((live) => live.waitId === timer.waitId)
    const sequence = append(
      draft,
      run.runId,
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
    patchRun(draft, run.runId, { openTimers: mustRun(draft, run.runId).openTimers - 1 })
    if (wait !== undefined) expireWait(draft, wait, sequence)
    return accept({ taskId: wakeForEnd(draft, timer, 'succeeded', timerResume(timer), now) })
  },
})

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
