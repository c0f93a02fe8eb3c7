// Completion of a workflow task: the fence, the batch as a whole, the order of rows, repeats, the run's deadline.

import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  lease,
  leasedTask,
  pendingActivity,
  readyTask,
  runId,
  signal,
  t0,
  taskId,
} from '../../../../test/support/make.ts'
import {
  activityCommand,
  complete,
  completeCommand,
  failCommand,
  signalCommand,
  timerCommand,
} from '../../../../test/support/operations.ts'
import { decide, given } from '../../../../test/support/world.ts'

const leased = given({ task: leasedTask() })
const openRunFacts = { taskId, workflowTaskAttempt: 1, runId, canContinue: true }

describe('fence', () => {
  check([
    { name: 'unknown task', operation: complete([timerCommand()]), given: given(), refused: 'task_not_found' },
    {
      name: 'L-02 set free and unclaimed: task_not_leased',
      given: given({ task: readyTask({ attempt: 1 }) }),
      operation: complete([timerCommand()]),
      refused: 'task_not_leased',
      facts: { ...openRunFacts, taskStatus: 'ready', leaseOwner: null, leaseExpiresAt: null },
    },
    {
      name: 'L-09 a lease that ends exactly now has expired',
      given: leased,
      at: t0 + 60_000,
      operation: complete([timerCommand()]),
      refused: 'lease_expired',
      facts: { ...openRunFacts, taskStatus: 'leased', leaseOwner: 'worker-1', leaseExpiresAt: t0 + 60_000 },
    },
    {
      name: 'L-09 one millisecond before its end a lease holds',
      given: leased,
      at: t0 + 59_999,
      operation: complete([failCommand()]),
      accepted: { runStatus: 'failed' },
      events: ['WorkflowFailed'],
      rows: { runs: [{ status: 'failed' }], workflowTasks: [{ status: 'completed' }] },
    },
    {
      name: 'L-04 the owner before the replacement is refused',
      given: given({ task: leasedTask({ attempt: 2, lease: lease({ owner: 'worker-2' }) }) }),
      operation: complete([timerCommand()]),
      refused: 'lease_owner_mismatch',
      facts: { ...openRunFacts, leaseOwner: 'worker-2' },
    },
    {
      name: 'L-04 an earlier attempt of the same owner is refused',
      given: given({ task: leasedTask({ attempt: 2 }) }),
      operation: complete([timerCommand()]),
      refused: 'workflow_task_attempt_mismatch',
      facts: { ...openRunFacts, currentAttempt: 2 },
    },
  ])
})

describe('repeats', () => {
  const commands = [activityCommand()]
  const first = decide(leased, complete(commands), at)

  test('an exact repeat gets the recorded reply, nothing is written', () => {
    const again = decide(first.world, complete(commands), at + 5)
    expect(first.outcome).toMatchObject({ kind: 'accepted', reply: { repeated: false, runStatus: 'waiting' } })
    expect(again.outcome).toEqual({ kind: 'accepted', reply: { ...replyOf(first.outcome), repeated: true } })
    expect(again.world).toEqual(first.world)
  })

  check([
    {
      name: 'another body gets the receipt that fits',
      given: first.world,
      operation: complete(commands, { reportDigest: 'digest-2' }),
      refused: 'task_not_leased',
      facts: { ...openRunFacts, taskStatus: 'completed' },
    },
    {
      name: 'the same body from another owner is no repeat',
      given: first.world,
      operation: complete(commands, { leaseOwner: 'worker-2' }),
      refused: 'task_not_leased',
    },
    {
      name: 'the same body of another attempt is no repeat',
      given: first.world,
      operation: complete(commands, { attempt: 2 }),
      refused: 'task_not_leased',
    },
    {
      name: 'R-01 an exact repeat after the run closed gets run_closed',
      given: decide(leased, complete([completeCommand()]), at).world,
      operation: complete([completeCommand()]),
      refused: 'run_closed',
      facts: {
        taskId,
        workflowTaskAttempt: 1,
        runId,
        stopReason: 'run_completed',
        cancelRequested: false,
        canContinue: false,
        runStatus: 'completed',
        runClosedReason: 'completed',
        runClosedAt: at,
        taskStatus: 'completed',
        leaseOwner: 'worker-1',
        leaseExpiresAt: t0 + 60_000,
      },
    },
  ])
})

function replyOf(outcome: { readonly kind: string; readonly reply?: object }): object {
  return outcome.reply ?? {}
}

describe('the run deadline', () => {
  const world = given({
    task: leasedTask(),
    run: { runDeadlineAt: at, runTimeoutSeconds: 1 },
    activities: [pendingActivity()],
    signals: [signal({ status: 'held' })],
  })
  check([
    {
      name: 'L-09 a completion at the very deadline closes the run as timed out and is refused',
      given: world,
      operation: complete([completeCommand()]),
      refused: 'run_timed_out',
      facts: {
        runStatus: 'failed',
        runClosedReason: 'timed_out',
        runClosedAt: at,
        stopReason: 'run_failed',
        canContinue: false,
        taskStatus: 'cancelled',
      },
      events: ['SignalReceived', 'ActivityCancelled', ['WorkflowTimedOut', { timeout_kind: 'run_timeout' }]],
      rows: {
        runs: [{ status: 'failed', closedReason: 'timed_out', dueAt: undefined }],
        workflowTasks: [{ status: 'cancelled', dueAt: undefined }],
        activities: [{ status: 'cancelled' }],
        signals: [{ status: 'received' }],
      },
    },
  ])
})

describe('sticky cache', () => {
  check([
    {
      name: 'a worker that keeps the state is remembered, up to what its claim saw',
      given: given({ task: leasedTask({ claimedSequence: 7 }) }),
      operation: complete([signalCommand()], { historyCached: true }),
      events: ['SignalWaitOpened'],
      rows: {
        runs: [{ cachedBy: 'registration-1', cachedSequence: 7 }],
        workflowTasks: [{ status: 'completed' }],
        waits: [{ status: 'open' }],
      },
    },
  ])
})
