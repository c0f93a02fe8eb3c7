// The order of the fence: when several things are wrong at once, the first in the wire's order is told (worker plane 6.5).

import { expect, test } from 'vitest'
import { lease, leasedTask, readyTask, t0, taskId } from '../../../test/support/make.ts'
import { given, select, type World } from '../../../test/support/world.ts'
import { Draft } from '../decision/draft.ts'
import { Group } from '../decision/group.ts'
import { fence } from './fence.ts'

const ends = t0 + 60_000
const theirs = { attempt: 2, lease: lease({ owner: 'worker-2' }) }
const closed = { status: 'cancelled', closedReason: 'cancelled', closedAt: t0 } as const
const timedOut = { status: 'failed', closedReason: 'timed_out', closedAt: t0 } as const

const cases: [name: string, world: World, now: number, expected: string, namespace?: string][] = [
  ['1 nothing is there', given(), t0, 'task_not_found'],
  [
    '2 a closed run before everything else',
    given({ task: leasedTask({ ...theirs, status: 'cancelled' }), run: closed }),
    ends,
    'run_closed',
  ],
  [
    '2 a run that timed out',
    given({ task: leasedTask({ ...theirs, status: 'cancelled' }), run: timedOut }),
    ends,
    'run_timed_out',
  ],
  ['2 a closed run whose task says leased', given({ task: leasedTask(), run: closed }), t0, 'run_closed'],
  ['3 not leased before owner and attempt', given({ task: readyTask({ attempt: 2 }) }), ends, 'task_not_leased'],
  ['4 expired before owner and attempt', given({ task: leasedTask(theirs) }), ends, 'lease_expired'],
  ['5 owner before attempt', given({ task: leasedTask(theirs) }), t0, 'lease_owner_mismatch'],
  ['6 attempt', given({ task: leasedTask({ attempt: 2 }) }), t0, 'workflow_task_attempt_mismatch'],
  ['1 a task of another namespace is not found', given({ task: leasedTask() }), t0, 'task_not_found', 'other'],
  ['7 it holds the task', given({ task: leasedTask() }), ends - 1, 'held'],
]
test.each(cases)('L-04 L-09 %s', (_name, world, now, expected, namespace = 'default') => {
  const group = new Group()
  const run = world.runs[0]
  group.add(
    select(
      world,
      group.unasked([
        { of: 'workflowTask', taskId },
        { of: 'run', runId: run?.runId ?? '' },
      ]),
    ),
  )
  const found = fence(new Draft(group), { namespace, taskId, leaseOwner: 'worker-1', attempt: 1 }, now)
  expect(found.kind === 'refused' ? found.reason : found.kind).toBe(expected)
})
