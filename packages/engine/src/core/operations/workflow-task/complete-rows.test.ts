// The rows of a completion: their order, what the end of a run takes with it.

import { describe } from 'vitest'
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
  taskId,
  timer,
  timerId,
} from '../../../../test/support/make.ts'
import {
  activityCommand,
  complete,
  completeCommand,
  conditionCommand,
  failCommand,
  signalCommand,
  timerCommand,
} from '../../../../test/support/operations.ts'
import { given } from '../../../../test/support/world.ts'

const leased = given({ task: leasedTask() })

describe('order of rows', () => {
  check([
    {
      name: 'steps are dense, one for each command in list order',
      given: given({ task: leasedTask(), run: { lastStep: 4 } }),
      operation: complete([timerCommand(), activityCommand(), conditionCommand(), signalCommand()]),
      accepted: { runStatus: 'waiting', repeated: false },
      events: [
        ['TimerScheduled', { sequence: 5 }],
        ['ActivityScheduled', { sequence: 6 }],
        ['ConditionWaitOpened', { sequence: 7 }],
        ['SignalWaitOpened', { sequence: 8 }],
      ],
      rows: {
        runs: [
          {
            lastStep: 8,
            openTimers: 1,
            openActivities: 1,
            openConditionWaits: 1,
            openSignalWaits: 1,
            progress: 'activity',
          },
        ],
        workflowTasks: [{ status: 'completed', reportDigest: 'digest-1', closedAt: at, dueAt: undefined }],
        timers: [{ step: 5, fireAt: at + 30_000 }],
        activities: [{ step: 6, status: 'pending' }],
        waits: [{ step: 7 }, { step: 8 }],
      },
    },
    {
      name: 'the terminal command is applied last, whatever its position',
      given: leased,
      operation: complete([completeCommand(), signalCommand()]),
      accepted: { runStatus: 'completed' },
      events: ['SignalWaitOpened', 'WorkflowCompleted'],
      rows: {
        runs: [{ status: 'completed', closedReason: 'completed', closedAt: at, progress: undefined }],
        workflowTasks: [{ status: 'completed' }],
        waits: [{ status: 'cancelled' }],
      },
    },
    {
      name: 'held signals are recorded after the rows of the completion and wake the run',
      given: given({ task: leasedTask(), signals: [signal({ status: 'held' }, 2), signal({ status: 'held' }, 1)] }),
      operation: complete([timerCommand()]),
      events: [
        'TimerScheduled',
        ['SignalReceived', { signal_id: `${runId}s1` }],
        ['SignalReceived', { signal_id: `${runId}s2` }],
      ],
      rows: {
        runs: [{ progress: 'workflow_task_ready' }],
        workflowTasks: [
          { taskId, status: 'completed' },
          { status: 'ready', availableAt: at, attempt: 0 },
        ],
        timers: [{ status: 'pending' }],
        signals: [{ status: 'received' }, { status: 'received' }],
      },
    },
    {
      name: 'held signals are recorded before the terminal event, and wake nobody',
      given: given({ task: leasedTask(), signals: [signal({ status: 'held' })] }),
      operation: complete([completeCommand()]),
      accepted: { runStatus: 'completed', createdTaskIds: [] },
      events: ['SignalReceived', 'WorkflowCompleted'],
      rows: {
        runs: [{ status: 'completed' }],
        workflowTasks: [{ status: 'completed' }],
        signals: [{ status: 'received' }],
      },
    },
    {
      name: 'what was resolved while the task was leased makes its successor',
      given: given({
        task: leasedTask({
          pendingResume: {
            waitKind: 'timer',
            openWaitId: 'timer:x',
            sourceKind: 'timer',
            sourceId: 'x',
            step: 3,
            eventType: 'TimerFired',
          },
        }),
      }),
      operation: complete([activityCommand()]),
      events: ['ActivityScheduled'],
      rows: {
        runs: [{ progress: 'workflow_task_ready' }],
        workflowTasks: [
          { taskId, status: 'completed', pendingResume: undefined },
          expectReady({
            waitKind: 'timer',
            openWaitId: 'timer:x',
            sourceKind: 'timer',
            sourceId: 'x',
            step: 3,
            eventType: 'TimerFired',
          }),
        ],
        activities: [{ status: 'pending' }],
      },
    },
  ])
})

function expectReady(resume: object) {
  return { status: 'ready', resume, attempt: 0, failureCount: 0 }
}

describe('completing with work begun in the same completion', () => {
  const closed = {
    runs: [{ status: 'completed', openActivities: 0, openTimers: 0 }],
    workflowTasks: [{ status: 'completed' }],
  }
  check([
    {
      name: 'an activity that nobody awaits is cancelled with its run',
      given: leased,
      operation: complete([activityCommand(), completeCommand()]),
      accepted: { runStatus: 'completed' },
      events: ['ActivityScheduled', 'ActivityCancelled', 'WorkflowCompleted'],
      rows: { ...closed, activities: [{ status: 'cancelled' }] },
    },
    {
      name: 'a timer that nobody awaits is cancelled with its run',
      given: leased,
      operation: complete([timerCommand(), completeCommand()]),
      accepted: { runStatus: 'completed' },
      events: ['TimerScheduled', 'TimerCancelled', 'WorkflowCompleted'],
      rows: { ...closed, timers: [{ status: 'cancelled' }] },
    },
    {
      name: 'the timeout of a wait goes silently with its run',
      given: leased,
      operation: complete([signalCommand({ timeout_seconds: 5 }), completeCommand()]),
      accepted: { runStatus: 'completed' },
      events: ['SignalWaitOpened', 'TimerScheduled', 'WorkflowCompleted'],
      rows: { ...closed, timers: [{ status: 'cancelled' }], waits: [{ status: 'cancelled' }] },
    },
    {
      name: 'an unread signal that is applied makes no task once the run ends',
      given: given({ task: leasedTask(), signals: [signal()] }),
      operation: complete([signalCommand(), completeCommand()]),
      events: ['SignalWaitOpened', 'SignalApplied', 'WorkflowCompleted'],
      rows: {
        ...closed,
        workflowTasks: [{ status: 'completed' }, { status: 'cancelled' }],
        waits: [{ status: 'satisfied' }],
        signals: [{ status: 'applied' }],
      },
    },
  ])
})

describe('ending with open work of every kind', () => {
  const world = given({
    task: leasedTask(),
    activities: [runningActivity({}, 1), pendingActivity({}, 2)],
    timers: [timer({}, 3), timer({ kind: 'condition_timeout', waitId: `${runId}w4` }, 4)],
    waits: [conditionWait({ timerId: timerId(4), deadlineAt: t0 + 30_000, timeoutSeconds: 30 }, 4), signalWait({}, 5)],
  })
  const rows = {
    activities: [
      { status: 'cancelled', attemptStatus: 'cancelled', closedAt: at, dueAt: undefined },
      { status: 'cancelled', attemptStatus: undefined },
    ],
    timers: [{ status: 'cancelled', dueAt: undefined }, { status: 'cancelled' }],
    workflowTasks: [{ status: 'completed' }],
  }
  check([
    {
      name: 'complete_workflow: the wait was moved past, the rest is cancelled',
      given: world,
      operation: complete([completeCommand()]),
      accepted: { runStatus: 'completed' },
      events: [
        'ConditionWaitSatisfied',
        'ActivityCancelled',
        'ActivityCancelled',
        'TimerCancelled',
        'WorkflowCompleted',
      ],
      rows: {
        ...rows,
        waits: [{ status: 'satisfied' }, { status: 'cancelled' }],
        runs: [{ status: 'completed', openTask: undefined }],
      },
    },
    {
      name: 'fail_workflow',
      given: world,
      operation: complete([failCommand({ exception_type: 'OrderFailed', non_retryable: true })]),
      accepted: { runStatus: 'failed' },
      events: [
        'ConditionWaitSatisfied',
        'ActivityCancelled',
        'ActivityCancelled',
        'TimerCancelled',
        [
          'WorkflowFailed',
          { failure_category: 'application', exception_type: 'OrderFailed', non_retryable: true, message: 'broken' },
        ],
      ],
      rows: {
        ...rows,
        waits: [{ status: 'satisfied' }, { status: 'cancelled' }],
        runs: [
          {
            status: 'failed',
            closedReason: 'failed',
            openActivities: 0,
            openTimers: 0,
            openConditionWaits: 0,
            openSignalWaits: 0,
          },
        ],
      },
    },
  ])
})
