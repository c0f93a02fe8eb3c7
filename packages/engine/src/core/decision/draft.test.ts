// What a decision sees: its slice, the drafts decided before it in its group, and nothing else (UW1).

import { describe, expect, test } from 'vitest'
import { at } from '../../../test/support/check.ts'
import {
  activityId,
  leasedTask,
  pendingActivity,
  queryTask,
  run,
  runId,
  signal,
  t0,
  timer,
  workflow,
  workflowId,
} from '../../../test/support/make.ts'
import { complete, sendSignal, signalCommand, start } from '../../../test/support/operations.ts'
import { emptyWorld, given, select, type World } from '../../../test/support/world.ts'
import { Draft } from './draft.ts'
import { InvariantError } from './draft-table.ts'
import { Group } from './group.ts'
import type { Operation } from './operation.ts'
import { type SliceKey, sliceKeyText } from './slice.ts'

const keys: SliceKey[] = [
  { of: 'namespace', name: 'default' },
  { of: 'workflow', workflowId },
  { of: 'run', runId },
  { of: 'workflowTask', taskId: 't' },
  { of: 'openWorkflowTask', runId },
  { of: 'activity', activityId: 'a' },
  { of: 'openActivities', runId },
  { of: 'timer', timerId: 'm' },
  { of: 'openTimers', runId },
  { of: 'liveWaits', runId },
  { of: 'heldSignals', runId },
  { of: 'unreadSignals', runId, name: 'n', limit: 1 },
  { of: 'queryTask', queryTaskId: 'q' },
  { of: 'registration', namespace: 'default', workerId: 'w' },
  { of: 'liveness', namespace: 'default', workerId: 'w' },
]

const read: { readonly [Of in SliceKey['of']]: (draft: Draft) => unknown } = {
  namespace: (draft) => draft.namespace('default'),
  workflow: (draft) => draft.workflow(workflowId),
  run: (draft) => draft.run(runId),
  workflowTask: (draft) => draft.workflowTask('t'),
  openWorkflowTask: (draft) => draft.openWorkflowTask(runId),
  activity: (draft) => draft.activity('a'),
  openActivities: (draft) => draft.openActivities(runId),
  timer: (draft) => draft.timer('m'),
  openTimers: (draft) => draft.openTimers(runId),
  liveWaits: (draft) => draft.liveWaits(runId),
  heldSignals: (draft) => draft.heldSignals(runId),
  unreadSignals: (draft) => draft.unreadSignals(runId, 'n'),
  queryTask: (draft) => draft.queryTask('q'),
  registration: (draft) => draft.registration('default', 'w'),
  liveness: (draft) => draft.liveness('default', 'w'),
}

test.each(keys.map((key) => [key.of, key] as const))(
  'UW1 %s: absent when asked for, an error of ours when not',
  (of, key) => {
    expect(() => read[of](new Draft(new Group()))).toThrow(InvariantError)
    const group = new Group()
    group.unasked([key])
    const found = read[of](new Draft(group))
    expect(found === undefined || (Array.isArray(found) && found.length === 0)).toBe(true)
  },
)

test('each key has a text of its own, and is asked for once in a group', () => {
  expect(new Set(keys.map(sliceKeyText)).size).toBe(keys.length)
  const group = new Group()
  expect(group.unasked([...keys, ...keys])).toHaveLength(keys.length)
  expect(group.unasked(keys)).toEqual([])
})

test('UW1 unread signals are asked for again when a later operation of the group needs more of them', () => {
  const group = new Group()
  group.unasked([{ of: 'unreadSignals', runId, name: 'n', limit: 1 }])
  expect(group.unasked([{ of: 'unreadSignals', runId, name: 'n', limit: 2 }])).toHaveLength(1)
})

function loaded(...asked: SliceKey[]): Group {
  const group = new Group()
  const world = given({
    activities: [pendingActivity({}, 1), pendingActivity({}, 2)],
    timers: [timer({}, 3)],
    signals: [signal({}, 2), signal({}, 1)],
  })
  group.add(select(world, group.unasked(asked)))
  return group
}

describe('drafts', () => {
  const open: SliceKey = { of: 'openActivities', runId }

  test('a draft that is dropped leaves nothing', () => {
    const group = loaded(open)
    const draft = new Draft(group)
    draft.putActivity(pendingActivity({ status: 'cancelled' }, 1))
    draft.putQueryTask(queryTask())
    expect(draft.openActivities(runId)).toHaveLength(1)
    expect(new Draft(group).openActivities(runId)).toHaveLength(2)
    expect(group.changes().activities).toEqual({ inserted: [], updated: [], removed: [] })
    expect(group.changes().queryTasks.inserted).toEqual([])
  })

  test('UW1 the next draft of the group sees what an accepted one did', () => {
    const group = loaded(open)
    const draft = new Draft(group)
    draft.putActivity(pendingActivity({ status: 'cancelled' }, 1))
    draft.putActivity(pendingActivity({}, 9))
    draft.commit()
    const seen = new Draft(group).openActivities(runId).map((activity) => activity.activityId)
    expect(seen).toEqual([activityId(2), activityId(9)])
    expect(group.changes().activities).toMatchObject({
      inserted: [{ activityId: activityId(9) }],
      updated: [{ activityId: activityId(1), status: 'cancelled' }],
    })
  })

  test('a row that was put and removed within the group is not written', () => {
    const group = new Group()
    const first = new Draft(group)
    first.putQueryTask(queryTask())
    first.commit()
    const second = new Draft(group)
    second.removeQueryTask(queryTask().queryTaskId)
    expect(second.queryTask.bind(second, queryTask().queryTaskId)).toThrow(InvariantError)
    second.commit()
    expect(group.changes().queryTasks).toEqual({ inserted: [], updated: [], removed: [] })
  })

  test('a stored row that is removed and put again is an update', () => {
    const group = new Group()
    group.add({ ...emptyWorld, queryTasks: [queryTask()] })
    const draft = new Draft(group)
    draft.removeQueryTask(queryTask().queryTaskId)
    draft.commit()
    const again = new Draft(group)
    again.putQueryTask(queryTask({ attempt: 5 }))
    again.commit()
    expect(group.changes().queryTasks).toMatchObject({ inserted: [], updated: [{ attempt: 5 }], removed: [] })
  })

  test('rows loaded later do not overwrite what a draft has changed', () => {
    const group = loaded({ of: 'activity', activityId: activityId(1) })
    const draft = new Draft(group)
    draft.putActivity(pendingActivity({ attempt: 7 }, 1))
    draft.commit()
    group.add({ ...emptyWorld, activities: [pendingActivity({}, 1)] })
    expect(new Draft(group).activity(activityId(1))).toMatchObject({ attempt: 7 })
  })

  test('nothing of a run that the group made needs loading', () => {
    const group = new Group()
    const draft = new Draft(group)
    draft.putWorkflow(workflow())
    draft.putNewRun(run())
    expect(draft.openTimers(runId)).toEqual([])
    draft.commit()
    expect(new Draft(group).liveWaits(runId)).toEqual([])
    expect(group.changes().runs.inserted).toMatchObject([{ runId, progress: 'message' }])
  })

  test('tasks that a draft made claimable by now', () => {
    const group = loaded(open)
    const draft = new Draft(group)
    draft.putActivity(pendingActivity({ availableAt: t0 + 5 }, 1))
    draft.putQueryTask(queryTask())
    draft.putQueryTask(queryTask({ queryTaskId: 'q2', status: 'leased' }))
    draft.putWorkflowTask(leasedTask())
    expect(draft.madeReady(t0 + 4).map((ready) => ready.kind)).toEqual(['query'])
    expect(draft.madeReady(t0 + 5).map((ready) => ready.kind)).toEqual(['activity', 'query'])
  })
})

describe('one group, several operations of one run', () => {
  function decideTogether(world: World, operations: readonly Operation[]) {
    const group = new Group()
    let asked = group.unasked(operations.flatMap((operation) => operation.slice))
    while (asked.length > 0) {
      group.add(select(world, asked))
      asked = group.unasked(operations.flatMap((operation) => operation.follow(new Draft(group))))
    }
    const decisions = operations.map((operation) => {
      const draft = new Draft(group)
      const decision = operation.decide(draft, at)
      if (decision.kind === 'accepted') draft.commit()
      return decision
    })
    return { decisions, events: group.events.map((event) => event.type) }
  }

  test('UW1 a start and the signals after it', () => {
    const { decisions } = decideTogether({ ...given(), workflows: [], runs: [] }, [start(), sendSignal(), sendSignal()])
    expect(decisions).toMatchObject([
      { kind: 'accepted' },
      { kind: 'accepted', reply: { commandSequence: 2 } },
      { reply: { commandSequence: 3 } },
    ])
  })

  test('UW1 a stale completion beside the right one takes no unread signal away from it', () => {
    const world = given({ task: leasedTask(), signals: [signal({}, 1), signal({}, 2)] })
    const { decisions, events } = decideTogether(world, [
      complete([signalCommand()], { leaseOwner: 'worker-2' }),
      complete([signalCommand(), signalCommand()]),
    ])
    expect(decisions.map((decision) => decision.kind)).toEqual(['refused', 'accepted'])
    expect(events).toEqual(['SignalWaitOpened', 'SignalApplied', 'SignalWaitOpened', 'SignalApplied'])
  })
})
