import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { fence, type Reporter } from '../../rules/fence.ts'
import { closedRunFacts, openRunFacts } from '../../rules/receipt.ts'
import { renewed } from '../../state/claim.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'
import type { Run } from '../../state/run.ts'
import type { WorkflowTask } from '../../state/workflow-task.ts'

/**
 * Renews the lease of a workflow task that its owner still holds: check and renewal are one decision under the lock
 * (L-07), so exactly one of renewal and replacement wins.
 *
 * A run whose deadline has passed renews nothing; the sweep closes it.
 *
 * @source heartbeatWorkflowTask; L-07, L-09
 */
export const heartbeatWorkflowTask = defineOperation({
  kind: 'heartbeatWorkflowTask',
  locks: (input: Reporter) => [lockOf(input.taskId)],
  slice: (input) => [
    { of: 'workflowTask', taskId: input.taskId },
    { of: 'run', runId: runIdOf(input.taskId) },
  ],
  decide(draft, input, now) {
    const held = fence(draft, input, now)
    if (held.kind === 'refused') return held
    const { run, task, lease } = held
    if (run.dueAt !== undefined && run.dueAt <= now) {
      return refuse('run_timed_out', {
        ...openRunFacts(run, task, input.attempt),
        ...closedRunFacts({ ...run, status: 'failed', closedReason: 'timed_out', closedAt: run.dueAt }),
      })
    }
    const next = renewed(lease, now)
    const reply: { run: Run; task: WorkflowTask } = {
      run,
      task: draft.putWorkflowTask({ ...task, lease: next, dueAt: next.expiresAt }),
    }
    return accept(reply)
  },
})
