import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { holdTimeout } from '../../rules/held.ts'
import { openTaskKeys } from '../../rules/run-keys.ts'
import { recordFired } from '../../rules/timers.ts'
import { waitKeys } from '../../rules/wait-keys.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import { isOpen } from '../../state/run.ts'

/**
 * Fires a due timer: TimerFired, and the end of the wait whose timeout it is. A timeout that falls due while a workflow task
 * is leased is held until that task closes.
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
    const isDue = timer?.status === 'pending' && timer.dueAt !== undefined && timer.dueAt <= now
    if (timer === undefined || run === undefined || !isOpen(run) || !isDue) {
      return refuse('not_due', { timerId: input.timerId })
    }
    if (timer.waitId !== undefined && run.openTask?.leased === true) {
      holdTimeout(draft, timer)
      return accept({ taskId: undefined })
    }
    return accept({ taskId: recordFired(draft, timer, now) })
  },
})
