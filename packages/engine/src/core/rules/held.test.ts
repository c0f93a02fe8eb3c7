// What was held while a workflow task was leased comes after that task's rows, in the order in which it happened.

import { describe } from 'vitest'
import { check } from '../../../test/support/check.ts'
import {
  conditionWait,
  lease,
  leasedTask,
  runId,
  signal,
  signalWait,
  t0,
  timer,
  timerId,
  waitId,
} from '../../../test/support/make.ts'
import { activityCommand, cancel, complete, completeCommand, fail } from '../../../test/support/operations.ts'
import { given } from '../../../test/support/world.ts'
import { releaseWorkflowTask } from '../operations/due/expire-lease.ts'

const deadlineAt = t0 + 30_000
const at = deadlineAt + 5_000
const heldTimer = timer({ kind: 'signal_timeout', waitId: waitId(2), dueAt: undefined }, 2)
const wait = signalWait({ timerId: timerId(2), deadlineAt, signalName: 'approve' }, 2)
const task = leasedTask({ lease: lease({ expiresAt: at + 1 }), dueAt: at + 1 })
const held = (receivedAt: number, name = 'approve') => signal({ status: 'held', receivedAt, name })
const with_ = (signals: ReturnType<typeof held>[], given_: Partial<Parameters<typeof given>[0]> = {}) =>
  given({ task, timers: [heldTimer], waits: [wait], signals, ...given_ })

describe('after the rows of the task', () => {
  check([
    {
      name: 'a timeout: the wait ends, the run is woken',
      given: with_([]),
      at,
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled', ['TimerFired', { signal_wait_id: waitId(2), sequence: 2 }]],
      rows: {
        runs: [{ openTimers: 0, openSignalWaits: 0, progress: 'workflow_task_ready' }],
        workflowTasks: [{ status: 'completed' }, { status: 'ready' }],
        activities: [{}],
        timers: [{ status: 'fired' }],
        waits: [{ status: 'expired', closedSequence: 12 }],
      },
    },
    {
      name: 'a timeout that a server with a faster clock held: one with a slower clock lets it go, due at its instant',
      given: with_([]),
      at: deadlineAt - 1_500,
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled'],
      rows: {
        runs: [{ openTimers: 1, openSignalWaits: 1 }],
        workflowTasks: [{ status: 'completed' }],
        activities: [{}],
        timers: [{ status: 'pending', dueAt: deadlineAt }],
      },
    },
    {
      name: 'a signal that came before the deadline takes the wait, and the timeout is gone with it',
      given: with_([held(deadlineAt - 1)]),
      at,
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled', 'SignalReceived', ['SignalApplied', { signal_wait_id: waitId(2) }]],
      rows: {
        runs: [{ openTimers: 0, openSignalWaits: 0 }],
        workflowTasks: [{}, {}],
        activities: [{}],
        timers: [{ status: 'cancelled' }],
        waits: [{ status: 'satisfied' }],
        signals: [{ status: 'applied' }],
      },
    },
    {
      name: 'a signal that came at the deadline or later finds the wait timed out, and stays unread',
      given: with_([held(deadlineAt)]),
      at,
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled', 'TimerFired', 'SignalReceived'],
      rows: {
        runs: [{ openTimers: 0, openSignalWaits: 0 }],
        workflowTasks: [{}, {}],
        activities: [{}],
        timers: [{ status: 'fired' }],
        waits: [{ status: 'expired' }],
        signals: [{ status: 'received' }],
      },
    },
    {
      name: 'a signal of another name changes nothing of it',
      given: with_([held(deadlineAt - 1, 'reject')]),
      at,
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled', 'SignalReceived', 'TimerFired'],
      rows: {
        runs: [{}],
        workflowTasks: [{}, {}],
        activities: [{}],
        timers: [{ status: 'fired' }],
        waits: [{ status: 'expired' }],
        signals: [{ status: 'received' }],
      },
    },
    {
      name: 'several timeouts, the earliest first',
      given: given({
        task,
        timers: [
          timer({ kind: 'condition_timeout', waitId: waitId(1), fireAt: deadlineAt + 1, dueAt: undefined }, 1),
          heldTimer,
        ],
        waits: [conditionWait({ conditionKey: 'own', fingerprint: undefined, timerId: timerId(1) }, 1), wait],
      }),
      at,
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled', ['TimerFired', { timer_id: timerId(2) }], ['TimerFired', { timer_id: timerId(1) }]],
      rows: {
        runs: [{ openTimers: 0 }],
        workflowTasks: [{}, {}],
        activities: [{}],
        timers: [{ status: 'fired' }, { status: 'fired' }],
        waits: [{ status: 'expired' }, { status: 'expired' }],
      },
    },
    {
      name: 'the task waits for history',
      given: with_([]),
      at,
      operation: fail({ type: 'WorkflowTaskWaitingForHistory' }),
      accepted: { outcome: 'waiting_for_history', nextTaskId: `${runId}t101` },
      events: ['TimerFired'],
      rows: {
        runs: [{ progress: 'workflow_task_ready' }],
        workflowTasks: [{ status: 'completed' }, { status: 'ready' }],
        timers: [{ status: 'fired' }],
        waits: [{ status: 'expired' }],
      },
    },
    {
      name: 'the task failed: its replacement will see it',
      given: with_([]),
      at,
      operation: fail(),
      events: ['TimerFired'],
      rows: {
        runs: [{}],
        workflowTasks: [{ status: 'failed' }, { status: 'ready', failureCount: 1 }],
        timers: [{ status: 'fired' }],
        waits: [{ status: 'expired' }],
      },
    },
    {
      name: 'replay is blocked: recorded, nobody is woken',
      given: with_([]),
      at,
      operation: fail({ reason: 'workflow_nondeterministic' }),
      events: ['TimerFired'],
      rows: {
        runs: [{ progress: 'replay_blocked' }],
        workflowTasks: [{ status: 'failed' }],
        timers: [{ status: 'fired' }],
        waits: [{ status: 'expired' }],
      },
    },
    {
      name: 'the lease is lost: the same task will see it',
      given: with_([]),
      at: at + 1,
      operation: releaseWorkflowTask({ taskId: task.taskId, surrender: undefined }),
      events: ['TimerFired'],
      rows: {
        runs: [{ progress: 'workflow_task_ready' }],
        workflowTasks: [{ status: 'ready', repairCount: 1 }],
        timers: [{ status: 'fired' }],
        waits: [{ status: 'expired' }],
      },
    },
  ])
})

describe('the run ends', () => {
  check([
    {
      name: 'by the task itself: the timeout goes silently',
      given: with_([]),
      at,
      operation: complete([completeCommand()]),
      events: ['WorkflowCompleted'],
      rows: {
        runs: [{ status: 'completed', openTimers: 0 }],
        workflowTasks: [{}],
        timers: [{ status: 'cancelled' }],
        waits: [{ status: 'cancelled' }],
      },
    },
    {
      name: 'by a command',
      given: with_([]),
      at,
      operation: cancel(),
      events: ['CancelRequested', 'WorkflowCancelled'],
      rows: {
        runs: [{ status: 'cancelled', openTimers: 0 }],
        workflowTasks: [{ status: 'cancelled' }],
        timers: [{ status: 'cancelled' }],
        waits: [{ status: 'cancelled' }],
      },
    },
  ])
})
