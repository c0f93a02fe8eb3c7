import { randomUUID } from 'node:crypto'

// Unique in the world by the process, in the process by the count: no chance is drawn for each poll.
const processId = randomUUID()
let next = 1

/** What names the claims of one poll, or of one offer: repeats of it collect the same tasks. */
export function newPollRequestId(prefix: 'wf-poll' | 'activity-poll' | 'query-poll' | 'hand-over'): string {
  return `${prefix}-${processId}-${next++}`
}
