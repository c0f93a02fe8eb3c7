import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse, widen } from '../../decision/outcome.ts'
import { closeExpired, isExpired } from '../../rules/close-expired.ts'
import { closingKeys, missingToClose } from '../../rules/close-run.ts'
import { lockOf } from '../../state/ids.ts'
import { isOpen } from '../../state/run.ts'

/** Closes a run whose run or execution deadline has passed. */
export const closeExpiredRun = defineOperation({
  kind: 'closeExpiredRun',
  locks: (input: { readonly runId: string }) => [lockOf(input.runId)],
  slice: (input) => [{ of: 'run', runId: input.runId }],
  follow: (draft, input) => closingKeys(draft, draft.run(input.runId)),
  decide(draft, input, now) {
    const run = draft.run(input.runId)
    if (run === undefined || !isOpen(run) || !isExpired(run, now)) return refuse('not_due', { runId: input.runId })
    const missing = missingToClose(draft, run)
    return missing.length > 0 ? widen(missing) : accept({ run: closeExpired(draft, run, now) })
  },
})
