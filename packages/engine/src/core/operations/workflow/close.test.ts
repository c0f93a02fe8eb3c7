// Cancel, terminate, request-cancellation: what closes a run from outside, and what does not.

import { describe, expect, test } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  conditionWait,
  leasedTask,
  pendingActivity,
  runId,
  runningActivity,
  signal,
  signalWait,
  t0,
  timer,
  timerId,
  workflow,
  workflowId,
} from '../../../../test/support/make.ts'
import {
  cancel,
  complete,
  completeActivity,
  fail,
  heartbeat,
  terminate,
  timerCommand,
} from '../../../../test/support/operations.ts'
import { decide, given } from '../../../../test/support/world.ts'
import { newRunId } from '../../state/ids.ts'
import { requestCancellation } from './request-cancellation.ts'

const busy = given({
  task: leasedTask(),
  activities: [runningActivity({}, 1), pendingActivity({}, 2)],
  timers: [timer({}, 3), timer({ kind: 'condition_timeout', waitId: `${runId}w4` }, 4)],
  waits: [conditionWait({ timerId: timerId(4), deadlineAt: t0 + 30_000 }, 4), signalWait({ signalName: 'other' }, 5)],
  signals: [signal({ status: 'held' })],
})
const kinds = [
  {
    make: cancel,
    status: 'cancelled',
    requested: 'CancelRequested',
    closed: 'WorkflowCancelled',
    exception: 'WorkflowCancelledException',
  },
  {
    make: terminate,
    status: 'terminated',
    requested: 'TerminateRequested',
    closed: 'WorkflowTerminated',
    exception: 'WorkflowTerminatedException',
  },
] as const

describe.each(kinds)('$status', ({ make, status, requested, closed, exception }) => {
  check([
    {
      name: 'closes at once: held signals, the request, open work, the last event',
      given: busy,
      operation: make({ reason: 'no longer wanted' }),
      accepted: { outcome: status, commandSequence: 3 },
      events: [
        'SignalReceived',
        [requested, { reason: 'no longer wanted', workflow_instance_id: workflowId, workflow_run_id: runId }],
        ['ActivityCancelled', { attempt_number: 1 }],
        'ActivityCancelled',
        ['TimerCancelled', { timer_id: timerId(3) }],
        [
          closed,
          { closed_reason: status, failure_category: status, exception_class: exception, message: 'no longer wanted' },
        ],
      ],
      rows: {
        runs: [
          {
            status,
            closedReason: status,
            closedAt: at,
            openTask: undefined,
            openActivities: 0,
            openTimers: 0,
            openConditionWaits: 0,
            openSignalWaits: 0,
          },
        ],
        workflowTasks: [{ status: 'cancelled', dueAt: undefined }],
        activities: [{ status: 'cancelled', attemptStatus: 'cancelled' }, { status: 'cancelled' }],
        timers: [{ status: 'cancelled' }, { status: 'cancelled' }],
        waits: [{ status: 'cancelled' }, { status: 'cancelled' }],
        signals: [{ status: 'received' }],
      },
    },
    {
      name: 'a run with nothing open',
      given: given(),
      operation: make(),
      events: [requested, closed],
      rows: { runs: [{ status }] },
    },
    {
      name: 'a replay-blocked run',
      given: given({ run: { replayBlockedReason: 'x' } }),
      operation: make(),
      events: [requested, closed],
      rows: { runs: [{ status, replayBlockedReason: undefined }] },
    },
    {
      name: 'unknown workflow',
      given: given(),
      operation: make({ workflowId: 'other' }),
      refused: 'instance_not_found',
    },
    { name: 'unknown run', given: given(), operation: make({ runId: 'f'.repeat(32) }), refused: 'run_not_found' },
    {
      name: 'a closed run',
      given: given({ run: { status: 'completed', closedReason: 'completed' } }),
      operation: make(),
      refused: 'run_not_active',
    },
    {
      name: 'a run that is not the current one',
      given: {
        ...given(),
        workflows: [workflow({ currentRunId: newRunId(workflowId, 0, '0000a2'), runCount: 2 })],
        runs: [...given().runs, ...given({ run: { runId: newRunId(workflowId, 0, '0000a2') } }).runs],
      },
      operation: make({ runId }),
      refused: 'historical_run_command_rejected',
      facts: { runId, currentRunId: newRunId(workflowId, 0, '0000a2') },
    },
  ])

  const after = decide(busy, make(), at).world
  const receipt = {
    runStatus: status,
    stopReason: `run_${status}`,
    cancelRequested: true,
    canContinue: false,
    runClosedReason: status,
    runClosedAt: at,
  }

  check([
    {
      name: 'R-01 the completion that comes too late',
      given: after,
      operation: complete([timerCommand()]),
      refused: 'run_closed',
      facts: { ...receipt, taskStatus: 'cancelled', leaseOwner: 'worker-1', leaseExpiresAt: t0 + 60_000 },
    },
    {
      name: 'R-01 the failure that comes too late',
      given: after,
      operation: fail(),
      refused: 'run_closed',
      facts: receipt,
    },
    {
      name: 'R-01 the heartbeat that comes too late',
      given: after,
      operation: heartbeat(),
      refused: 'run_closed',
      facts: receipt,
    },
    {
      name: 'R-10 the result that comes too late',
      given: after,
      operation: completeActivity(),
      refused: `run_${status}`,
      facts: { ...receipt, activityStatus: 'cancelled', attemptStatus: 'cancelled', taskStatus: 'cancelled' },
    },
  ])
})

describe('request-cancellation', () => {
  const request = (runIdOrNone: string | undefined, id = workflowId) =>
    requestCancellation({ namespace: 'default', workflowId: id, runId: runIdOrNone })
  check([
    {
      name: 'C-05 is refused, nothing is recorded',
      given: busy,
      operation: request(undefined),
      refused: 'cooperative_cancellation_not_supported',
      facts: { workflowId, runId },
    },
    {
      name: 'an unknown id has its own answer',
      given: given(),
      operation: request(undefined, 'other'),
      refused: 'instance_not_found',
    },
    {
      name: 'an unknown run has its own answer',
      given: given(),
      operation: request('f'.repeat(32)),
      refused: 'run_not_found',
    },
  ])
})

test('a cancellation makes nobody a task', () => {
  expect(decide(busy, cancel(), at).world.workflowTasks).toHaveLength(1)
})
