import { describe } from 'vitest'
import { at, check } from '../../../../test/support/check.ts'
import {
  conditionWait,
  leasedTask,
  pendingActivity,
  readyTask,
  runId,
  runningActivity,
  signal,
  signalWait,
  t0,
  timer,
  timerId,
} from '../../../../test/support/make.ts'
import { given } from '../../../../test/support/world.ts'
import { closeExpiredRun } from './close-expired-run.ts'

const close = () => closeExpiredRun({ runId })
const over = {
  status: 'failed',
  closedReason: 'timed_out',
  closedAt: at,
  dueAt: undefined,
  progress: undefined,
  openTask: undefined,
}

describe('closes', () => {
  check([
    {
      name: 'L-09 a run deadline that is exactly now',
      given: given({ run: { runDeadlineAt: at, executionDeadlineAt: at + 9 } }),
      operation: close(),
      events: [
        [
          'WorkflowTimedOut',
          { timeout_kind: 'run_timeout', failure_category: 'timeout', exception_class: 'WorkflowTimedOutException' },
        ],
      ],
      rows: { runs: [over] },
    },
    {
      name: 'an execution deadline',
      given: given({ run: { executionDeadlineAt: at, runDeadlineAt: at + 9 } }),
      operation: close(),
      events: [['WorkflowTimedOut', { timeout_kind: 'execution_timeout' }]],
      rows: { runs: [over] },
    },
    {
      name: 'with open work of every kind: signals first, then what is open, the event last',
      given: given({
        run: { runDeadlineAt: at },
        task: leasedTask(),
        activities: [runningActivity({}, 1), pendingActivity({}, 2)],
        timers: [timer({}, 3), timer({ kind: 'condition_timeout', waitId: `${runId}w4` }, 4)],
        waits: [conditionWait({ timerId: timerId(4), deadlineAt: t0 + 30_000 }, 4), signalWait({}, 5)],
        signals: [signal({ status: 'held' }, 1), signal({ status: 'held' }, 2)],
      }),
      operation: close(),
      events: [
        'SignalReceived',
        'SignalApplied',
        'SignalReceived',
        'ActivityCancelled',
        'ActivityCancelled',
        'TimerCancelled',
        'WorkflowTimedOut',
      ],
      rows: {
        runs: [{ ...over, openActivities: 0, openTimers: 0, openConditionWaits: 0, openSignalWaits: 0 }],
        workflowTasks: [{ status: 'cancelled', dueAt: undefined }],
        activities: [{ status: 'cancelled' }, { status: 'cancelled' }],
        timers: [{ status: 'cancelled' }, { status: 'cancelled' }],
        waits: [{ status: 'cancelled' }, { status: 'satisfied' }],
        signals: [{ status: 'applied' }, { status: 'received' }],
      },
    },
    {
      name: 'a replay-blocked run',
      given: given({ run: { runDeadlineAt: at, replayBlockedReason: 'x' } }),
      operation: close(),
      events: ['WorkflowTimedOut'],
      rows: { runs: [{ ...over, replayBlockedReason: undefined }] },
    },
    {
      name: 'a run whose task nobody has claimed',
      given: given({ run: { runDeadlineAt: at, status: 'pending' }, task: readyTask() }),
      operation: close(),
      events: ['WorkflowTimedOut'],
      rows: { runs: [over], workflowTasks: [{ status: 'cancelled' }] },
    },
  ])
})

describe('SW2 what is not due any more', () => {
  check([
    {
      name: 'a millisecond early',
      given: given({ run: { runDeadlineAt: at + 1 } }),
      operation: close(),
      refused: 'not_due',
    },
    { name: 'no deadline', given: given(), operation: close(), refused: 'not_due' },
    {
      name: 'closed meanwhile',
      given: given({ run: { runDeadlineAt: at, status: 'completed', closedReason: 'completed' } }),
      operation: close(),
      refused: 'not_due',
    },
    { name: 'an unknown run', operation: closeExpiredRun({ runId: 'f'.repeat(32) }), refused: 'not_due' },
  ])
})
