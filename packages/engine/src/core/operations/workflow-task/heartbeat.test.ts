import { expect } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import { lease, leasedTask, readyTask, runId, t0, taskId } from '../../../../test/support/make.ts'
import { heartbeat } from '../../../../test/support/operations.ts'
import { given } from '../../../../test/support/world.ts'

const leased = given({ task: leasedTask() })

check([
  {
    name: 'L-07 renews the lease for its full length; no event, nothing else changes',
    given: leased,
    operation: heartbeat(),
    accepted: { task: { attempt: 1, status: 'leased' } },
    rows: { workflowTasks: [{ lease: lease({ expiresAt: at + 60_000 }), dueAt: at + 60_000 }] },
  },
  {
    name: 'unknown task',
    given: given(),
    operation: heartbeat(),
    refused: 'task_not_found',
    facts: { taskId, workflowTaskAttempt: 1 },
  },
  {
    name: 'L-09 equality is expired',
    given: leased,
    at: t0 + 60_000,
    operation: heartbeat(),
    refused: 'lease_expired',
  },
  {
    name: 'set free',
    given: given({ task: readyTask({ attempt: 1 }) }),
    operation: heartbeat(),
    refused: 'task_not_leased',
  },
  {
    name: 'L-07 after a replacement claimed',
    given: given({ task: leasedTask({ attempt: 2, lease: lease({ owner: 'worker-2' }) }) }),
    operation: heartbeat(),
    refused: 'lease_owner_mismatch',
    facts: { leaseOwner: 'worker-2' },
  },
  {
    name: 'L-04 an earlier attempt of the same owner',
    given: given({ task: leasedTask({ attempt: 2 }) }),
    operation: heartbeat(),
    refused: 'workflow_task_attempt_mismatch',
    facts: { currentAttempt: 2 },
  },
  {
    name: 'a closed run',
    given: given({
      task: leasedTask({ status: 'cancelled' }),
      run: { status: 'terminated', closedReason: 'terminated', closedAt: t0 },
    }),
    operation: heartbeat(),
    refused: 'run_closed',
    facts: { stopReason: 'run_terminated', cancelRequested: true, runClosedAt: t0 },
  },
])

// The run's deadline has passed and no sweep has closed it yet: the receipt is whole all the same.
check([
  {
    name: 'R-01 L-13 a run whose deadline is exactly now renews nothing; the receipt has every field',
    given: given({ task: leasedTask(), run: { runDeadlineAt: at } }),
    operation: heartbeat(),
    refused: 'run_timed_out',
    facts: {
      taskId,
      workflowTaskAttempt: 1,
      runId,
      stopReason: 'run_failed',
      cancelRequested: false,
      canContinue: false,
      runStatus: 'failed',
      runClosedReason: 'timed_out',
      runClosedAt: expect.any(Number),
      leaseOwner: 'worker-1',
      leaseExpiresAt: t0 + 60_000,
    },
  },
])
