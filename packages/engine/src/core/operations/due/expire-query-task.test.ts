import { check } from '../../../../test/support/check.ts'
import { lease, queryTask, queryTaskId, t0 } from '../../../../test/support/make.ts'
import { given } from '../../../../test/support/world.ts'
import { expireQueryTask } from './expire-query-task.ts'

const expire = () => expireQueryTask({ queryTaskId })
const leased = (leaseMs: number) =>
  queryTask({ status: 'leased', attempt: 1, lease: lease({ expiresAt: t0 + leaseMs }), dueAt: t0 + leaseMs })

check([
  {
    name: 'L-09 a question whose time to live ends exactly now goes',
    given: given({ queryTasks: [queryTask()] }),
    at: t0 + 180_000,
    operation: expire(),
    accepted: { happened: 'removed' },
    removes: { queryTasks: 1 },
  },
  {
    name: 'a lost lease sets it free while its caller waits',
    given: given({ queryTasks: [leased(5_000)] }),
    at: t0 + 5_000,
    operation: expire(),
    accepted: { happened: 'redelivered' },
    rows: { queryTasks: [{ status: 'ready', lease: undefined, attempt: 1 }] },
  },
  {
    name: 'a lost lease after its caller stopped waiting removes it',
    given: given({ queryTasks: [leased(60_000)] }),
    at: t0 + 60_000,
    operation: expire(),
    accepted: { happened: 'removed' },
    removes: { queryTasks: 1 },
  },
  {
    name: 'an answered one goes',
    given: given({
      queryTasks: [queryTask({ status: 'completed', outcome: { kind: 'completed', result: 1, envelope: undefined } })],
    }),
    at: t0 + 180_000,
    operation: expire(),
    removes: { queryTasks: 1 },
  },
  {
    name: 'a millisecond early',
    given: given({ queryTasks: [queryTask()] }),
    at: t0 + 179_999,
    operation: expire(),
    refused: 'not_due',
  },
  { name: 'unknown', given: given(), operation: expire(), refused: 'not_due' },
])
