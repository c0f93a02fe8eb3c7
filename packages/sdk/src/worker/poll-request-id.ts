import type { Chance } from '../transport/chance.ts'

/** What names the claims of one poll, or of one offer: repeats of it collect the same tasks. */
export type NewPollRequestId = (prefix: 'wf-poll' | 'activity-poll' | 'query-poll' | 'hand-over') => string

/** Unique in the world by the worker's own id, in the worker by the count: no chance is drawn for each poll. */
export function pollRequestIds(chance: Chance): NewPollRequestId {
  const maker = chance.uuid()
  let count = 0
  return (prefix) => `${prefix}-${maker}-${++count}`
}
