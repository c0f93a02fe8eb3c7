// Which workflow task a resolved thing makes: one at a time, and none that a ready one would cover.

import { describe, expect, test } from 'vitest'
import {
  activityId,
  leasedTask,
  pendingActivity,
  readyTask,
  runId,
  signal,
  signalId,
  signalWait,
  t0,
  taskId,
  timer,
  timerId,
  waitId,
} from '../../../test/support/make.ts'
import { type Given, given, select } from '../../../test/support/world.ts'
import { Draft } from '../decision/draft.ts'
import { Group } from '../decision/group.ts'
import type { Resume } from '../state/workflow-task.ts'
import { activityResume, makeTask, retryResume, signalResume, startResume, timerResume, wakeRun } from './resume.ts'

function draftOf(state: Given): { draft: Draft; group: Group } {
  const group = new Group()
  group.add(
    select(
      given(state),
      group.unasked([
        { of: 'run', runId },
        { of: 'openWorkflowTask', runId },
      ]),
    ),
  )
  return { draft: new Draft(group), group }
}

const woken = timerResume(timer())

describe('waking', () => {
  test('nothing is open: a task, ready now', () => {
    const { draft } = draftOf({})
    expect(wakeRun(draft, runId, woken, t0)).toBe(`${runId}t101`)
    expect(draft.openWorkflowTask(runId)).toMatchObject({ status: 'ready', availableAt: t0, resume: woken, attempt: 0 })
  })

  test('one is ready: it covers this too', () => {
    const { draft } = draftOf({ task: readyTask() })
    expect(wakeRun(draft, runId, woken, t0)).toBeUndefined()
    expect(draft.openWorkflowTask(runId)).toMatchObject({
      taskId,
      resume: { waitKind: 'start' },
      pendingResume: undefined,
    })
  })

  test('one is leased: the first thing leaves a mark, later ones nothing', () => {
    const { draft } = draftOf({ task: leasedTask() })
    expect(wakeRun(draft, runId, woken, t0)).toBeUndefined()
    expect(wakeRun(draft, runId, signalResume(signal(), undefined), t0)).toBeUndefined()
    expect(draft.openWorkflowTask(runId)).toMatchObject({ taskId, status: 'leased', pendingResume: woken })
  })

  test('a replay-blocked run gets none', () => {
    const { draft } = draftOf({ run: { replayBlockedReason: 'x' } })
    expect(wakeRun(draft, runId, woken, t0)).toBeUndefined()
    expect(draft.openWorkflowTask(runId)).toBeUndefined()
  })

  test('one workflow task at a time, however often it is woken', () => {
    const { draft, group } = draftOf({})
    for (let n = 0; n < 5; n++) wakeRun(draft, runId, woken, t0)
    draft.commit()
    expect(group.changes().workflowTasks.inserted).toHaveLength(1)
  })

  test('a replacement goes on with attempts and failures', () => {
    const { draft } = draftOf({})
    makeTask(draft, runId, { resume: retryResume, availableAt: t0 + 9, attempt: 3, failureCount: 2 }, t0)
    expect(draft.openWorkflowTask(runId)).toMatchObject({
      attempt: 3,
      failureCount: 2,
      availableAt: t0 + 9,
      createdAt: t0,
      resume: { waitKind: 'retry' },
    })
  })
})

describe('what the task tells its worker', () => {
  const cases: [string, Resume, Partial<Resume>][] = [
    ['start', startResume, { waitKind: 'start', openWaitId: undefined, sourceKind: undefined, step: undefined }],
    [
      'activity',
      activityResume(pendingActivity({}, 3), 'ActivityFailed'),
      {
        waitKind: 'activity',
        openWaitId: `activity:${activityId(3)}`,
        sourceKind: 'activity_execution',
        sourceId: activityId(3),
        step: 3,
        eventType: 'ActivityFailed',
      },
    ],
    [
      'timer',
      timerResume(timer({}, 2)),
      {
        waitKind: 'timer',
        openWaitId: `timer:${timerId(2)}`,
        sourceKind: 'timer',
        sourceId: timerId(2),
        step: 2,
        eventType: 'TimerFired',
      },
    ],
    [
      'condition timeout',
      timerResume(timer({ kind: 'condition_timeout', waitId: waitId(7) }, 2)),
      { waitKind: 'condition', openWaitId: waitId(7), eventType: 'TimerFired' },
    ],
    [
      'signal timeout',
      timerResume(timer({ kind: 'signal_timeout', waitId: waitId(7) }, 2)),
      { waitKind: 'signal', openWaitId: waitId(7), eventType: 'TimerFired' },
    ],
    [
      'signal, unread',
      signalResume(signal({}, 4), undefined),
      {
        waitKind: 'signal',
        openWaitId: `signal-application:${signalId(4)}`,
        sourceKind: 'workflow_signal',
        sourceId: signalId(4),
        step: undefined,
        eventType: 'SignalReceived',
      },
    ],
    ['signal, applied', signalResume(signal({}, 4), signalWait({}, 6)), { step: 6, eventType: 'SignalApplied' }],
  ]
  test.each(cases)('%s', (_name, resume, expected) => {
    expect(resume).toMatchObject(expected)
  })
})
