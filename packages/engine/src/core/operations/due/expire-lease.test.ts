// Leases that end: by expiry, by surrender; never a neighbour's, never with an event.

import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  activityId,
  lease,
  leasedTask,
  pendingActivity,
  readyTask,
  runId,
  runningActivity,
  signal,
  t0,
  taskId,
} from '../../../../test/support/make.ts'
import { claim, complete, completeActivity, completeCommand, heartbeat } from '../../../../test/support/operations.ts'
import { decide, given, play } from '../../../../test/support/world.ts'
import { releaseActivityTask, releaseWorkflowTask } from './expire-lease.ts'

const expire = () => releaseWorkflowTask({ taskId, surrender: undefined })
const surrender = (owner = 'worker-1', attempt = 1) => releaseWorkflowTask({ taskId, surrender: { owner, attempt } })
const ends = t0 + 60_000
const free = {
  taskId,
  status: 'ready',
  lease: undefined,
  attempt: 1,
  repairCount: 1,
  dueAt: undefined,
  pendingResume: undefined,
}

describe('a workflow task', () => {
  check([
    {
      name: 'L-02 L-12 an expired lease sets the same row free, without an event',
      given: given({ task: leasedTask(), run: { cachedBy: 'worker-1', cachedSequence: 5 } }),
      at: ends,
      operation: expire(),
      accepted: { taskId, owner: 'worker-1', attempt: 1 },
      rows: {
        runs: [
          {
            status: 'waiting',
            openTask: { taskId, leased: false },
            cachedBy: undefined,
            progress: 'workflow_task_ready',
          },
        ],
        workflowTasks: [{ ...free, availableAt: ends }],
      },
    },
    {
      name: 'L-03 a fresh lease is left alone',
      given: given({ task: leasedTask() }),
      at: ends - 1,
      operation: expire(),
      refused: 'not_due',
      facts: { leaseExpiresAt: ends },
    },
    {
      name: 'L-12 set free by another pass already',
      given: given({ task: readyTask({ attempt: 1, repairCount: 1 }) }),
      at: ends,
      operation: expire(),
      refused: 'not_leased',
    },
    { name: 'unknown task', given: given(), at: ends, operation: expire(), refused: 'not_leased' },
    {
      name: 'a task of a closed run',
      given: given({ task: leasedTask({ status: 'cancelled' }), run: { status: 'failed', closedReason: 'failed' } }),
      at: ends,
      operation: expire(),
      refused: 'not_leased',
    },
    {
      name: 'held signals are recorded once the task is free; they make no second task',
      given: given({ task: leasedTask(), signals: [signal({ status: 'held' })] }),
      at: ends,
      operation: expire(),
      events: ['SignalReceived'],
      rows: { runs: [{}], workflowTasks: [free], signals: [{ status: 'received' }] },
    },
    {
      name: 'L-14 its owner gives it up while the lease is live',
      given: given({ task: leasedTask() }),
      operation: surrender(),
      accepted: { owner: 'worker-1' },
      rows: { runs: [{}], workflowTasks: [{ ...free, availableAt: at }] },
    },
    {
      name: 'L-14 nobody gives up what another holds',
      given: given({ task: leasedTask() }),
      operation: surrender('worker-2'),
      refused: 'not_due',
    },
    {
      name: 'L-14 a lease that its owner was given since stays his',
      given: given({ task: leasedTask({ attempt: 2 }) }),
      operation: surrender('worker-1', 1),
      refused: 'not_due',
    },
  ])

  test('L-02 the activity that is leased beside it stays as it is, and completes once', () => {
    const activity = runningActivity({
      lease: lease({ owner: 'worker-3', expiresAt: t0 + 300_000 }),
      dueAt: t0 + 300_000,
    })
    const before = given({ task: leasedTask(), activities: [activity] })
    const freed = decide(before, expire(), ends)
    expect(freed.world.activities).toEqual([activity])
    expect(freed.world.events).toEqual([])
    const done = decide(freed.world, completeActivity({ leaseOwner: 'worker-3' }), ends + 1)
    expect(done.world.events.map((event) => event.type)).toEqual(['ActivityCompleted'])
  })

  test('L-04 after the replacement claimed, the old owner is refused and the run completes once', () => {
    const { world } = play(
      given({ task: leasedTask() }),
      [expire(), claim({ proof: { ...lease().proof, workerId: 'worker-2' } })],
      ends,
    )
    expect(decide(world, heartbeat(), ends + 1).outcome).toMatchObject({ reason: 'lease_owner_mismatch' })
    const late = decide(world, complete([completeCommand()]), ends + 1)
    expect(late.outcome).toMatchObject({ reason: 'lease_owner_mismatch' })
    const second = decide(late.world, complete([completeCommand()], { leaseOwner: 'worker-2', attempt: 2 }), ends + 2)
    expect(second.world.events.map((event) => event.type)).toEqual(['WorkflowCompleted'])
  })

  test('L-12 two passes at once reclaim once', () => {
    const { world } = play(given({ task: leasedTask() }), [expire(), expire()], ends)
    expect(world.workflowTasks).toMatchObject([{ repairCount: 1, status: 'ready' }])
    expect(world.events).toEqual([])
  })
})

describe('an activity', () => {
  const release = (owner: string, attempt = 1) =>
    releaseActivityTask({ activityId: activityId(), surrender: { owner, attempt } })
  check([
    {
      name: 'L-14 its owner gives it up: the attempt closes as expired, the next may start at once',
      given: given({ activities: [runningActivity()] }),
      operation: release('worker-1'),
      accepted: { taskId: activityId(), owner: 'worker-1', attempt: 1 },
      rows: {
        activities: [
          {
            status: 'pending',
            attempt: 1,
            attemptStatus: 'expired',
            lease: undefined,
            availableAt: at,
            closedAttempts: [{ attempt: 1, status: 'expired', owner: 'worker-1', closedAt: at, report: undefined }],
          },
        ],
      },
    },
    {
      name: 'L-15 also past the attempts of its policy',
      given: given({ activities: [runningActivity({ attempt: 5 })] }),
      operation: release('worker-1', 5),
      rows: { activities: [{ status: 'pending', attempt: 5 }] },
    },
    {
      name: 'nobody gives up what another holds',
      given: given({ activities: [runningActivity()] }),
      operation: release('worker-2'),
      refused: 'not_due',
    },
    {
      name: 'L-14 a lease that its owner was given since stays his',
      given: given({ activities: [runningActivity({ attempt: 2 })] }),
      operation: release('worker-1', 1),
      refused: 'not_due',
    },
    { name: 'unknown activity', given: given(), operation: release('worker-1'), refused: 'not_leased' },
    {
      name: 'one that waits',
      given: given({ activities: [pendingActivity()] }),
      operation: release('worker-1'),
      refused: 'not_leased',
    },
    {
      name: 'one of a closed run',
      given: given({
        activities: [runningActivity({ status: 'cancelled' })],
        run: { runId, status: 'completed', closedReason: 'completed' },
      }),
      operation: release('worker-1'),
      refused: 'not_leased',
    },
  ])
})
