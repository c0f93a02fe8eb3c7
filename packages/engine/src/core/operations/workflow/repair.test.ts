// An operator's nudge, and what resumes a run whose replay was blocked.

import { describe, expect, test } from 'vitest'
import { at, check, payloadOf } from '../../../../test/support/check.ts'
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
  signal,
  signalWait,
  t0,
  taskId,
  timer,
  timerId,
  workflow,
  workflowId,
} from '../../../../test/support/make.ts'
import { claim, completeActivity, fail, repair, sendSignal } from '../../../../test/support/operations.ts'
import { decide, given, play } from '../../../../test/support/world.ts'
import { newRunId } from '../../state/ids.ts'
import { fireTimer } from '../due/fire-timer.ts'
import { resumeBlockedRun } from './resume-blocked.ts'

const blocked = { replayBlockedReason: 'workflow_nondeterministic', replayBlockedFingerprint: 'f1' }
const expiredTask = leasedTask({ lease: lease({ expiresAt: at }), dueAt: at })
const repairResume = expect.objectContaining({ waitKind: 'repair', sourceId: undefined })

describe('dispatched', () => {
  check([
    {
      name: 'a replay-blocked run gets its next task; the event says why and which',
      given: given({ run: blocked, activities: [pendingActivity()] }),
      operation: repair({ requestId: 'request-1' }),
      accepted: {
        outcome: 'repair_dispatched',
        taskId: `${runId}t102`,
        commandId: `${runId}c101`,
        commandSequence: 2,
      },
      events: [
        [
          'RepairRequested',
          {
            workflow_command_id: `${runId}c101`,
            workflow_instance_id: workflowId,
            workflow_run_id: runId,
            command_type: 'repair',
            outcome: 'repair_dispatched',
            liveness_state: 'workflow_replay_blocked',
            task_id: `${runId}t102`,
            task_type: 'workflow',
          },
        ],
      ],
      rows: {
        runs: [
          {
            replayBlockedReason: undefined,
            replayBlockedFingerprint: undefined,
            progress: 'workflow_task_ready',
            commandSequence: 2,
          },
        ],
        workflowTasks: [{ status: 'ready', availableAt: at, resume: repairResume }],
      },
    },
    {
      name: 'L-01 an expired lease is set free at once, whatever else is leased; what it held is recorded first',
      given: given({
        task: expiredTask,
        activities: [runningActivity({}, 2)],
        waits: [signalWait({}, 3)],
        signals: [signal({ status: 'held' })],
      }),
      operation: repair(),
      accepted: { outcome: 'repair_dispatched', taskId },
      events: [
        'SignalReceived',
        'SignalApplied',
        ['RepairRequested', { liveness_state: 'repair_needed', wait_kind: 'workflow-task', task_id: taskId }],
      ],
      rows: {
        runs: [{ progress: 'workflow_task_ready' }],
        workflowTasks: [{ taskId, status: 'ready', repairCount: 1, attempt: 1, lease: undefined }],
        waits: [{}],
        signals: [{ status: 'applied' }],
      },
    },
    {
      name: 'a run for which nothing is scheduled is woken',
      given: given(),
      operation: repair(),
      accepted: { outcome: 'repair_dispatched' },
      events: [['RepairRequested', { liveness_state: 'repair_needed' }]],
      rows: { runs: [{ progress: 'workflow_task_ready' }], workflowTasks: [{ resume: repairResume }] },
    },
  ])
})

describe('not needed: the run moves by itself and is left alone', () => {
  const cases = [
    ['L-03 a live lease', { task: leasedTask() }, 'workflow_task_leased', 'workflow-task'],
    ['a ready task', { task: readyTask() }, 'workflow_task_ready', 'workflow-task'],
    [
      'a ready task of a run that was blocked before',
      { task: readyTask(), run: blocked },
      'workflow_task_ready',
      'workflow-task',
    ],
    ['an activity', { activities: [pendingActivity()] }, 'waiting_for_activity', 'activity'],
    ['a timer', { timers: [timer()] }, 'timer_scheduled', 'timer'],
    ['a signal wait', { waits: [signalWait()] }, 'waiting_for_signal', 'signal'],
    ['a condition wait', { waits: [conditionWait()] }, 'waiting_for_condition', 'condition'],
    [
      'a group with an activity',
      {
        run: { parallelGroups: [parallelGroup({ open: 1 })] },
        activities: [pendingActivity({ group: groupMember() })],
      },
      'waiting_for_activity',
      'activity',
    ],
    [
      'a group of timers',
      { run: { parallelGroups: [parallelGroup({ open: 1 })] }, timers: [timer({ group: groupMember() })] },
      'timer_scheduled',
      'timer',
    ],
  ] as const
  check(
    cases.map(([name, state, livenessState, waitKind]) => ({
      name,
      given: given(state),
      operation: repair(),
      accepted: { outcome: 'repair_not_needed', taskId: undefined, commandSequence: 2 },
      events: [
        ['RepairRequested', { outcome: 'repair_not_needed', liveness_state: livenessState, wait_kind: waitKind }],
      ],
      rows: { runs: [{ commandSequence: 2 }] },
    })),
  )

  test('the event of one that was not needed names no task', () => {
    const { changes } = decide(given({ task: readyTask() }), repair(), at)
    expect(payloadOf(changes.events[0])).not.toHaveProperty('task_id')
  })
})

describe('refused', () => {
  const later = newRunId(workflowId, 0, '0000a2')
  check([
    {
      name: 'an unknown workflow',
      given: given(),
      operation: repair({ workflowId: 'other' }),
      refused: 'instance_not_found',
    },
    {
      name: 'a workflow of another namespace',
      given: given(),
      operation: repair({ namespace: 'other' }),
      refused: 'instance_not_found',
    },
    { name: 'an unknown run', given: given(), operation: repair({ runId: 'f'.repeat(32) }), refused: 'run_not_found' },
    {
      name: 'a closed run',
      given: given({ run: { status: 'failed', closedReason: 'failed' } }),
      operation: repair(),
      refused: 'run_not_active',
      facts: { runStatus: 'failed', isTerminal: true },
    },
    {
      name: 'a run that is not the current one',
      given: {
        ...given(),
        workflows: [workflow({ currentRunId: later, runCount: 2 })],
        runs: [...given().runs, ...given({ run: { runId: later } }).runs],
      },
      operation: repair({ runId }),
      refused: 'historical_run_command_rejected',
    },
  ])
})

describe('resumed without a command', () => {
  const of = (state: Parameters<typeof given>[0], fingerprint: string | undefined) => ({
    given: given(state),
    operation: resumeBlockedRun({ runId, fingerprint }),
  })
  check([
    ...(['f2', undefined] as const).map((fingerprint) => ({
      name: `a blocked run gets its next task: definition ${fingerprint ?? 'not asked'}`,
      ...of({ run: blocked }, fingerprint),
      accepted: { taskId: `${runId}t101` },
      rows: {
        runs: [{ replayBlockedReason: undefined, progress: 'workflow_task_ready' }],
        workflowTasks: [{ resume: repairResume }],
      },
    })),
    {
      name: 'a worker without a fingerprint blocked it: any definition is another',
      ...of({ run: { ...blocked, replayBlockedFingerprint: undefined } }, 'f1'),
      accepted: { taskId: `${runId}t101` },
      rows: { runs: [{}], workflowTasks: [{}] },
    },
    { name: 'the definition that was blocked', ...of({ run: blocked }, 'f1'), refused: 'same_definition' },
    { name: 'a run that is not blocked', ...of({}, 'f2'), refused: 'not_blocked' },
    { name: 'one that was resumed already', ...of({ run: blocked, task: readyTask() }, 'f2'), refused: 'not_blocked' },
    { name: 'a closed one', ...of({ run: { ...blocked, status: 'cancelled' } }, 'f2'), refused: 'not_blocked' },
    {
      name: 'an unknown one',
      given: given(),
      operation: resumeBlockedRun({ runId: 'f'.repeat(32), fingerprint: 'f2' }),
      refused: 'not_blocked',
    },
  ])
})

test('what happens while replay is blocked is recorded, wakes nobody, and is there for the next claim', () => {
  const start = given({
    task: leasedTask(),
    activities: [runningActivity({}, 1)],
    timers: [timer({ fireAt: at }, 2)],
    waits: [signalWait({}, 3)],
  })
  const suspended = play(
    start,
    [
      fail({ reason: 'workflow_nondeterministic' }),
      completeActivity(),
      fireTimer({ timerId: timerId(2) }),
      sendSignal(),
    ],
    at,
  ).world
  expect(suspended.runs[0]).toMatchObject({ progress: 'replay_blocked', openTask: undefined })
  expect(suspended.workflowTasks).toHaveLength(1)
  expect(suspended.events.map((event) => event.type)).toEqual([
    'ActivityCompleted',
    'TimerFired',
    'SignalReceived',
    'SignalApplied',
  ])
  const resumed = decide(suspended, repair(), at).world
  const next = resumed.workflowTasks.find((task) => task.status === 'ready')
  const claimed = decide(resumed, claim({ taskId: next?.taskId ?? '' }), t0 + 2_000)
  expect(claimed.outcome).toMatchObject({ kind: 'accepted', reply: { cachedSequence: 0 } })
  expect(claimed.world.runs[0]).toMatchObject({ status: 'running', lastSequence: 15, openActivities: 0 })
  expect(claimed.world.activities.find((row) => row.activityId === activityId(1))?.status).toBe('completed')
  expect(claimed.world.workflowTasks.find((task) => task.taskId === next?.taskId)?.claimedSequence).toBe(15)
})
