import { defineOperation } from '../../decision/operation.ts'
import { accept, refuse } from '../../decision/outcome.ts'
import { lockOf, runIdOf } from '../../state/ids.ts'

interface Expired {
  readonly happened: 'redelivered' | 'removed'
}

/** Removes a question whose time is over; one whose worker's lease ended while its caller still waits is set free. */
export const expireQueryTask = defineOperation({
  kind: 'expireQueryTask',
  locks: (input: { readonly queryTaskId: string }) => [lockOf(input.queryTaskId)],
  // The run is there for the poller to which a redelivered question may go in the same group.
  slice: (input) => [
    { of: 'queryTask', queryTaskId: input.queryTaskId },
    { of: 'run', runId: runIdOf(input.queryTaskId) },
  ],
  decide(draft, input, now) {
    const task = draft.queryTask(input.queryTaskId)
    if (task === undefined || task.dueAt > now) return refuse('not_due', { taskId: input.queryTaskId })
    if (task.status === 'leased' && task.deadlineAt > now) {
      draft.putQueryTask({ ...task, status: 'ready', lease: undefined, dueAt: task.deadlineAt })
      return accept<Expired>({ happened: 'redelivered' })
    }
    draft.removeQueryTask(task.queryTaskId)
    return accept<Expired>({ happened: 'removed' })
  },
})
