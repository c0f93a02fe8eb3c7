// The barrier of parallel groups: who wakes the run, and when.

import { describe, expect, test } from 'vitest'
import { at, check, payloadOf } from '../../../test/support/check.ts'
import {
  activityId,
  groupMember,
  leasedTask,
  parallelGroup,
  runId,
  runningActivity,
  t0,
  timer,
  timerId,
} from '../../../test/support/make.ts'
import {
  activityCommand,
  cancel,
  claimActivity,
  complete,
  completeActivity,
  fail,
  failActivity,
  grouped,
  heartbeatActivity,
  sendSignal,
  timerCommand,
} from '../../../test/support/operations.ts'
import { decide, given } from '../../../test/support/world.ts'
import type { Operation } from '../decision/operation.ts'
import { fireTimer } from '../operations/due/fire-timer.ts'
import { timeOutActivity } from '../operations/due/time-out-activity.ts'
import { attemptIdOf } from '../state/ids.ts'

const member = { group: groupMember() }
const openGroup = { parallelGroups: [parallelGroup()] }
const lastOfGroup = { parallelGroups: [parallelGroup({ open: 1 })] }
const activity = runningActivity(member, 1)
const due = timer({ ...member, fireAt: at }, 2)
const both = given({ run: openGroup, activities: [activity], timers: [due] })

describe('a member that ends well', () => {
  check([
    {
      name: 'an activity, while another is open: counted, nobody is woken',
      given: both,
      operation: completeActivity(),
      accepted: { nextTaskId: undefined },
      events: ['ActivityCompleted'],
      rows: {
        runs: [
          {
            progress: 'parallel_group',
            openTask: undefined,
            openActivities: 0,
            parallelGroups: [parallelGroup({ open: 1 })],
          },
        ],
        activities: [{ status: 'completed' }],
      },
    },
    {
      name: 'a timer, while another is open',
      given: both,
      operation: fireTimer({ timerId: timerId(2) }),
      accepted: { taskId: undefined },
      events: ['TimerFired'],
      rows: { runs: [{ openTask: undefined, openTimers: 0 }], timers: [{ status: 'fired' }] },
    },
    {
      name: 'the last one: the run is woken by it',
      given: given({ run: lastOfGroup, activities: [activity] }),
      operation: completeActivity(),
      accepted: { nextTaskId: `${runId}t101` },
      events: ['ActivityCompleted'],
      rows: {
        runs: [{ progress: 'workflow_task_ready', parallelGroups: [parallelGroup({ open: 0, closedSequence: 11 })] }],
        activities: [{}],
        workflowTasks: [{ status: 'ready', resume: expect.objectContaining({ sourceId: activityId(), step: 1 }) }],
      },
    },
    {
      name: 'the last one, a timer',
      given: given({ run: lastOfGroup, timers: [due] }),
      operation: fireTimer({ timerId: timerId(2) }),
      accepted: { taskId: `${runId}t101` },
      events: ['TimerFired'],
      rows: { runs: [{ progress: 'workflow_task_ready' }], timers: [{}], workflowTasks: [{}] },
    },
    {
      name: 'the last one while a task is leased: the task is marked',
      given: given({ run: lastOfGroup, task: leasedTask(), activities: [activity] }),
      operation: completeActivity(),
      events: ['ActivityCompleted'],
      rows: {
        runs: [{ parallelGroups: [parallelGroup({ open: 0, closedSequence: 11 })] }],
        activities: [{}],
        workflowTasks: [{ pendingResume: expect.objectContaining({ sourceId: activityId() }) }],
      },
    },
    {
      name: 'one of another group does not count here',
      given: given({
        run: { parallelGroups: [parallelGroup({ open: 1 }), parallelGroup({ base: 3, open: 1 })] },
        activities: [activity],
        timers: [timer({ group: groupMember(3), fireAt: at }, 3)],
      }),
      operation: fireTimer({ timerId: timerId(3) }),
      accepted: { taskId: `${runId}t101` },
      events: ['TimerFired'],
      rows: {
        runs: [
          { parallelGroups: [parallelGroup({ open: 1 }), parallelGroup({ base: 3, open: 0, closedSequence: 11 })] },
        ],
        timers: [{}],
        workflowTasks: [{}],
      },
    },
    {
      name: 'a step of no group wakes the run beside an open group',
      given: given({ run: lastOfGroup, activities: [activity], timers: [timer({ fireAt: at }, 3)] }),
      operation: fireTimer({ timerId: timerId(3) }),
      accepted: { taskId: `${runId}t101` },
      events: ['TimerFired'],
      rows: { runs: [lastOfGroup], timers: [{}], workflowTasks: [{}] },
    },
  ])
})

describe('a member that fails', () => {
  const timedOut = runningActivity({ ...member, closeDeadlineAt: at, dueAt: at }, 1)
  check([
    {
      name: 'wakes the run at once, the others stay open',
      given: both,
      operation: failActivity(),
      accepted: { nextTaskId: `${runId}t102` },
      events: ['ActivityFailed'],
      rows: {
        runs: [{ progress: 'workflow_task_ready', parallelGroups: [parallelGroup({ open: 1 })] }],
        activities: [{ status: 'failed' }],
        workflowTasks: [{ resume: expect.objectContaining({ eventType: 'ActivityFailed' }) }],
      },
    },
    {
      name: 'by a timeout',
      given: given({ run: openGroup, activities: [timedOut], timers: [due] }),
      operation: timeOutActivity({ activityId: activityId() }),
      accepted: { happened: 'timed_out' },
      events: ['ActivityTimedOut'],
      rows: {
        runs: [{ parallelGroups: [parallelGroup({ open: 1 })] }],
        activities: [{ status: 'failed' }],
        workflowTasks: [{}],
      },
    },
    {
      name: 'and is tried again: it has not ended, nobody is woken',
      given: given({
        run: openGroup,
        activities: [
          runningActivity({ ...member, retry: { maxAttempts: 2, backoffMs: [], nonRetryableErrorTypes: [] } }, 1),
        ],
        timers: [due],
      }),
      operation: failActivity(),
      events: ['ActivityRetryScheduled'],
      rows: { runs: [{ ...openGroup, openTask: undefined }], activities: [{ status: 'pending' }] },
    },
    {
      name: 'and after it the last one that ends well still wakes the run: a worker may wait for all',
      given: given({ run: lastOfGroup, timers: [due] }),
      operation: fireTimer({ timerId: timerId(2) }),
      accepted: { taskId: `${runId}t101` },
      events: ['TimerFired'],
      rows: { runs: [{}], timers: [{}], workflowTasks: [{}] },
    },
  ])
})

describe('while a group is open', () => {
  check([
    {
      name: 'a signal wakes the run as ever: other code may wait for it',
      given: given({ run: openGroup, activities: [activity], timers: [due] }),
      operation: sendSignal(),
      events: ['SignalReceived'],
      rows: { runs: [openGroup], signals: [{}], workflowTasks: [{ status: 'ready' }] },
    },
    {
      name: 'a worker that waits for it says so: the run waits on',
      given: given({ run: openGroup, task: leasedTask(), activities: [activity], timers: [due] }),
      operation: fail({ type: 'WorkflowTaskWaitingForHistory' }),
      accepted: { outcome: 'waiting_for_history' },
      rows: { runs: [{ ...openGroup, progress: 'parallel_group' }], workflowTasks: [{}] },
    },
    {
      name: 'a worker that has seen the end of it and waits on: the group is forgotten',
      given: given({
        run: { parallelGroups: [parallelGroup({ open: 0, closedSequence: 10 })] },
        task: leasedTask({ claimedSequence: 10 }),
      }),
      operation: fail({ type: 'WorkflowTaskWaitingForHistory' }),
      rows: { runs: [{ parallelGroups: [], progress: 'message' }], workflowTasks: [{}] },
    },
    {
      name: 'an ordinary failure forgets nothing: the next attempt may send it again',
      given: given({
        run: { parallelGroups: [parallelGroup({ open: 0, closedSequence: 10 })] },
        task: leasedTask({ claimedSequence: 10 }),
      }),
      operation: fail(),
      rows: {
        runs: [{ parallelGroups: [parallelGroup({ open: 0, closedSequence: 10 })] }],
        workflowTasks: [{ status: 'failed' }, { status: 'ready' }],
      },
    },
    {
      name: 'the end of the run ends it',
      given: both,
      operation: cancel(),
      events: ['CancelRequested', 'ActivityCancelled', 'TimerCancelled', 'WorkflowCancelled'],
      rows: { runs: [{ status: 'cancelled', parallelGroups: [] }], activities: [{}], timers: [{}] },
    },
  ])
})

test('every event of a member repeats the six members exactly as its command carried them', () => {
  const commands = grouped(
    [activityCommand({ retry_policy: { max_attempts: 2 } }), timerCommand(), activityCommand()],
    (n) => [{ kind: 'mixed', base: 1, size: 3 }, ...(n < 2 ? [{ kind: 'mixed', base: 1, size: 2 }] : [])],
    1,
  )
  let world = decide(given({ task: leasedTask() }), complete(commands), t0).world
  const [one, other] = world.activities.map((row) => row.activityId)
  const [slept] = world.timers.map((row) => row.timerId)
  if (one === undefined || other === undefined || slept === undefined) throw new Error('Three steps were opened.')
  const attempt = (n: number) => ({ activityId: one, attemptId: attemptIdOf(one, n) })
  const operations: Operation[] = [
    claimActivity({ activityId: one }),
    heartbeatActivity(attempt(1)),
    failActivity({}, attempt(1)),
    claimActivity({ activityId: one }),
    completeActivity(attempt(2)),
    claimActivity({ activityId: other }),
    fireTimer({ timerId: slept }),
    cancel(),
  ]
  for (const operation of operations) world = decide(world, operation, t0 + 30_000).world
  const sent = commands.map((command) =>
    Object.fromEntries(Object.entries(command).filter(([key]) => key.startsWith('parallel_group'))),
  )
  const told = world.events.filter((event) => /^(Activity|Timer)/.test(event.type))
  expect(told.map((event) => event.type)).toEqual([
    'ActivityScheduled',
    'TimerScheduled',
    'ActivityScheduled',
    'ActivityStarted',
    'ActivityHeartbeatRecorded',
    'ActivityRetryScheduled',
    'ActivityStarted',
    'ActivityCompleted',
    'ActivityStarted',
    'TimerFired',
    'ActivityCancelled',
  ])
  for (const event of told) {
    const payload = payloadOf(event)
    const step = typeof payload === 'object' && payload !== null && 'sequence' in payload ? Number(payload.sequence) : 0
    const repeated = Object.entries(Object(payload)).filter(([key]) => key.startsWith('parallel_group'))
    expect(Object.fromEntries(repeated), `${event.type} of step ${step}`).toStrictEqual(sent[step - 1])
  }
})
