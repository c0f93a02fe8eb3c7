// The checker is checked: a sound run has no problem, and each kind of broken row is named.

import { expect, test } from 'vitest'
import {
  activityId,
  conditionWait,
  groupMember,
  lease,
  leasedTask,
  parallelGroup,
  pendingActivity,
  readyTask,
  runId,
  runningActivity,
  signalWait,
  t0,
  taskId,
  timer,
  timerId,
  waitId,
} from '../../../test/support/make.ts'
import { type Given, given } from '../../../test/support/world.ts'
import { progressOf, type Run } from '../state/run.ts'
import { progressProblems } from './progress.ts'

const sound: Given = {
  run: { runDeadlineAt: t0 + 99_000 },
  task: leasedTask(),
  activities: [runningActivity({}, 1), pendingActivity({}, 2)],
  timers: [timer({}, 3), timer({ kind: 'condition_timeout', waitId: waitId(4) }, 4)],
  waits: [conditionWait({ timerId: timerId(4), deadlineAt: t0 + 30_000 }, 4), signalWait({}, 5)],
}

function problems(state: Given, break_: Partial<Run> = {}): string[] {
  const world = given(state)
  const run = world.runs[0]
  if (run === undefined) throw new Error('given has a run')
  const { activities, timers, waits, workflowTasks } = world
  return progressProblems({ ...run, ...break_ }, { workflowTask: workflowTasks[0], activities, timers, waits })
}

test('a sound run has no problem', () => {
  expect(problems(sound)).toEqual([])
})

const fieldsOf = { progress: 'activity' as const, openTask: undefined }
const broken: [string, string[], Given, Partial<Run>?][] = [
  ['no reason', ['states no reason but its fields say workflow_task_leased'], sound, { progress: undefined }],
  ['another reason', ['states timer but its fields say workflow_task_leased'], sound, { progress: 'timer' }],
  [
    'a task that the run does not name',
    [`workflow task ${taskId} is leased but the run does not name it`],
    sound,
    fieldsOf,
  ],
  [
    'a named task that is not there',
    [`names workflow task ${taskId}, which is not open`],
    { ...sound, task: undefined },
    { openTask: { taskId, leased: true }, progress: 'workflow_task_leased' },
  ],
  [
    'another task than the named one',
    [`names workflow task ${runId}t9, which is not open`],
    sound,
    { openTask: { taskId: `${runId}t9`, leased: true } },
  ],
  [
    'leased, says the run',
    [`says that workflow task ${taskId} is leased, but it is ready`],
    { ...sound, task: readyTask() },
    { openTask: { taskId, leased: true }, progress: 'workflow_task_leased' },
  ],
  [
    'ready, says the run',
    [`says that workflow task ${taskId} is ready, but it is leased`],
    sound,
    { openTask: { taskId, leased: false }, progress: 'workflow_task_ready' },
  ],
  [
    'leased without a lease',
    [`workflow task ${taskId} is leased without a lease`, `workflow task ${taskId} is not due at the end of its lease`],
    { ...sound, task: { ...leasedTask(), lease: undefined } },
  ],
  [
    'a lease whose end is not due',
    [`workflow task ${taskId} is not due at the end of its lease`],
    { ...sound, task: leasedTask({ dueAt: undefined }) },
  ],
  ['the run deadline is not due', ['its own deadline is not due at its instant'], sound, { dueAt: undefined }],
  ['activities miscounted', ['counts 3 open activities, but 2 are there'], sound, { openActivities: 3 }],
  ['timers miscounted', ['counts 0 open timers, but 2 are there'], sound, { openTimers: 0 }],
  ['signal waits miscounted', ['counts 2 open signal waits, but 1 are there'], sound, { openSignalWaits: 2 }],
  ['condition waits miscounted', ['counts 0 open condition waits, but 1 are there'], sound, { openConditionWaits: 0 }],
  [
    'an activity not due',
    [`activity ${activityId(1)} is not due at its earliest deadline`],
    { ...sound, activities: [runningActivity({ dueAt: undefined }, 1)] },
  ],
  [
    'a pending activity not due',
    [`activity ${activityId(2)} is not due at its earliest deadline`],
    { ...sound, activities: [pendingActivity({ scheduleDeadlineAt: t0 }, 2)] },
  ],
  [
    'an activity that runs without a lease',
    [`activity ${activityId(1)} runs without a lease`],
    { ...sound, activities: [{ ...runningActivity({ dueAt: undefined }, 1), lease: undefined }] },
  ],
  [
    'a timer not due',
    [`timer ${timerId(3)} is not due at its instant`],
    { ...sound, timers: [timer({ dueAt: t0 }, 3), timer({}, 4)] },
  ],
  [
    'a timeout that is held while nothing is leased',
    [`timer ${timerId(4)} is not due at its instant`],
    {
      ...sound,
      task: readyTask(),
      timers: [timer({}, 3), timer({ kind: 'condition_timeout', waitId: waitId(4), dueAt: undefined }, 4)],
    },
  ],
  [
    'a wait whose timer is gone',
    [`wait ${waitId(4)} has a deadline but no pending timer`],
    { ...sound, timers: [timer({}, 3)] },
  ],
]
const member = { group: groupMember() }
const grouped: Given = {
  run: { parallelGroups: [parallelGroup()] },
  activities: [pendingActivity(member, 1)],
  timers: [timer(member, 2)],
}
const brokenGroups: typeof broken = [
  [
    'a member too many is counted',
    ['counts 3 open members of group parallel-calls:1:2, but 2 are there'],
    grouped,
    { parallelGroups: [parallelGroup({ open: 3 })] },
  ],
  [
    'a group whose members are gone',
    ['counts 2 open members of group parallel-calls:1:2, but 0 are there'],
    { run: { parallelGroups: [parallelGroup()] } },
  ],
  [
    'a group that the run forgot',
    [
      'states parallel_group but its fields say activity',
      '2 open members belong to a group at step 1, which the run does not name',
    ],
    grouped,
    { parallelGroups: [] },
  ],
  [
    'a complete group that nobody tells the run',
    ['group parallel-calls:1:2 is complete, but no workflow task tells the run'],
    { run: { parallelGroups: [parallelGroup({ open: 0, closedSequence: 9 })] } },
  ],
]

test('a run that waits for a group is sound; a complete one is while a task or a repair will tell', () => {
  const complete = [parallelGroup({ open: 0, closedSequence: 9 })]
  expect(problems(grouped)).toEqual([])
  expect(problems({ task: readyTask(), run: { parallelGroups: complete } })).toEqual([])
  expect(problems({ run: { parallelGroups: complete, replayBlockedReason: 'x' } })).toEqual([])
})

test.each([...broken, ...brokenGroups])('%s', (_name, expected, state, break_) => {
  expect(problems(state, break_)).toEqual(expected)
})

test('a timeout that is held while a task is leased is sound; a timer of the code never is held', () => {
  const held = { dueAt: undefined }
  const waiting = timer({ kind: 'condition_timeout', waitId: waitId(4), ...held }, 4)
  expect(problems({ ...sound, timers: [timer({}, 3), waiting] })).toEqual([])
  expect(problems({ ...sound, timers: [timer(held, 3), waiting] })).toEqual([
    `timer ${timerId(3)} is not due at its instant`,
  ])
})

test('a wait whose timeout is recorded needs no timer', () => {
  expect(problems({ waits: [conditionWait({ status: 'expired', deadlineAt: t0, closedSequence: 9 })] })).toEqual([])
})

const reasons: [string, Given, string | undefined][] = [
  [
    'workflow_task_leased',
    { task: leasedTask({ lease: lease() }), run: { replayBlockedReason: 'x' } },
    'workflow_task_leased',
  ],
  ['workflow_task_ready', { task: readyTask() }, 'workflow_task_ready'],
  ['replay_blocked', { run: { replayBlockedReason: 'x' }, activities: [pendingActivity()] }, 'replay_blocked'],
  ['parallel_group', grouped, 'parallel_group'],
  ['activity', { activities: [pendingActivity()], timers: [timer({}, 2)] }, 'activity'],
  ['timer', { timers: [timer()], waits: [signalWait({}, 2)] }, 'timer'],
  ['signal_wait', { waits: [signalWait({}, 1), conditionWait({}, 2)] }, 'signal_wait'],
  ['condition_wait', { waits: [conditionWait()] }, 'condition_wait'],
  ['message', {}, 'message'],
  ['none once closed', { run: { status: 'completed' } }, undefined],
]
test.each(reasons)('reason to move: %s', (_name, state, expected) => {
  const run = given(state).runs[0]
  expect(run === undefined ? 'no run' : progressOf(run)).toBe(expected)
})
