import type { Loaded, SliceKey } from '@durable-workflow/engine/ports'
import { describe, expect, test } from 'vitest'
import { fullChanges, fullRows } from '../support/full.ts'
import {
  activity,
  changes,
  conditionWait,
  liveness,
  namespace,
  queryTask,
  registration,
  run,
  signal,
  signalWait,
  timer,
  workflow,
  workflowTask,
} from '../support/make.ts'
import { loadInside, nothingLoaded, type OpenFresh, withStore, write } from '../support/suite.ts'

/** What each kind of key finds, beside rows that it must not find. */
export function loadContract(open: OpenFresh): void {
  describe('load', () => {
    for (const [name, key, expected] of cases) {
      test(name, () =>
        withStore(open, async (store) => {
          await write(store, rows)
          const wanted = { ...nothingLoaded, ...expected }
          expect(sorted(await store.load([key]))).toStrictEqual(sorted(wanted))
          expect(sorted(await loadInside(store, [key]))).toStrictEqual(sorted(wanted))
        }),
      )
    }

    test('a key that nothing answers finds nothing', () =>
      withStore(open, async (store) => {
        await write(store, rows)
        const absent: SliceKey[] = cases.map(([, key]) => absentKey(key))
        expect(await store.load(absent)).toStrictEqual(nothingLoaded)
      }))

    test('no key costs nothing and finds nothing', () =>
      withStore(open, async (store) => expect(await store.load([])).toStrictEqual(nothingLoaded)))

    test('a row that several keys name is found once', () =>
      withStore(open, async (store) => {
        await write(store, rows)
        const loaded = await store.load([
          { of: 'run', runId: 'r1' },
          { of: 'run', runId: 'r1' },
          { of: 'workflow', workflowId: 'w1' },
          { of: 'workflowTask', taskId: 'r1-t2' },
          { of: 'openWorkflowTask', runId: 'r1' },
          { of: 'activity', activityId: 'r1-a1' },
          { of: 'activity', activityId: 'r1-a3' },
          { of: 'openActivities', runId: 'r1' },
          { of: 'timer', timerId: 'r1-i1' },
          { of: 'openTimers', runId: 'r1' },
        ])
        expect(loaded.runs.map((row) => row.runId)).toStrictEqual(['r1'])
        expect(loaded.workflowTasks.map((row) => row.taskId)).toStrictEqual(['r1-t2'])
        expect(loaded.activities.map((row) => row.activityId).sort()).toStrictEqual(['r1-a1', 'r1-a2', 'r1-a3'])
        expect(loaded.timers.map((row) => row.timerId)).toStrictEqual(['r1-i1'])
      }))

    test('held signals come in order of their command sequence', () =>
      withStore(open, async (store) => {
        const signals = [5, 3, 4].map((n) => signal({ signalId: `r1-s${n}`, commandSequence: n, status: 'held' }))
        await write(store, changes({ signals: { inserted: signals } }))
        const loaded = await store.load([{ of: 'heldSignals', runId: 'r1' }])
        expect(loaded.signals.map((row) => row.commandSequence)).toStrictEqual([3, 4, 5])
      }))

    test('unread signals are the oldest of their name, as many as are asked for', () =>
      withStore(open, async (store) => {
        const signals = ['a', 'b', 'c'].flatMap((name) =>
          [5, 3, 4, 2].map((n) => signal({ signalId: `${name}${n}`, name, commandSequence: n })),
        )
        await write(store, changes({ signals: { inserted: signals } }))
        const of = 'unreadSignals'
        const loaded = await store.load([
          { of, runId: 'r1', name: 'a', limit: 2 },
          { of, runId: 'r1', name: 'c', limit: 1 },
          { of, runId: 'r1', name: 'c', limit: 3 },
          { of, runId: 'r2', name: 'b', limit: 1 },
        ])
        expect(loaded.signals.map((row) => row.signalId)).toStrictEqual(['a2', 'a3', 'c2', 'c3', 'c4'])
      }))

    test('unread signals of a hundred runs at once', () =>
      withStore(open, async (store) => {
        const ids = Array.from({ length: 100 }, (_, i) => `r${i}`)
        await write(store, changes({ signals: { inserted: ids.map((id) => signal({ signalId: id, runId: id })) } }))
        const keys = ids.map((runId) => ({ of: 'unreadSignals', runId, name: 'approve', limit: 1 }) as const)
        expect((await store.load(keys)).signals.map((row) => row.runId)).toStrictEqual(ids)
      }))

    test('hundreds of keys at once', () =>
      withStore(open, async (store) => {
        const ids = Array.from({ length: 700 }, (_, i) => `r${i}`)
        const runs = ids.map((runId) => run({ runId, workflowId: `of-${runId}` }))
        await write(store, changes({ runs: { inserted: runs } }))
        const loaded = await store.load(ids.map((runId) => ({ of: 'run', runId })))
        expect(loaded.runs.map((row) => row.runId).sort()).toStrictEqual(ids.sort())
      }))
  })

  describe('round trip', () => {
    test('every row with all optional fields present comes back as it was', () =>
      withStore(open, async (store) => {
        await write(store, fullChanges)
        expect(await store.load(fullKeys)).toStrictEqual({
          namespaces: [fullRows.namespace],
          workflows: [fullRows.workflow],
          runs: [fullRows.run],
          workflowTasks: [fullRows.workflowTask],
          activities: [fullRows.activity],
          timers: [fullRows.timer],
          waits: [fullRows.conditionWait, fullRows.signalWait],
          signals: [fullRows.signal],
          queryTasks: [fullRows.queryTask],
          registrations: [fullRows.registration],
          livenesses: [fullRows.liveness],
        })
        const history = await store.list.history({ runId: 'r1', after: 0, limit: 10 })
        expect(history).toStrictEqual([fullRows.event])
      }))

    test('every row with all optional fields absent comes back as it was', () =>
      withStore(open, async (store) => {
        await write(
          store,
          changes({
            namespaces: { inserted: [namespace({ name: 'full' })] },
            workflows: { inserted: [workflow()] },
            runs: { inserted: [run()] },
            workflowTasks: { inserted: [workflowTask()] },
            activities: { inserted: [activity()] },
            timers: { inserted: [timer({ waitId: undefined })] },
            waits: { inserted: [conditionWait(), signalWait()] },
            signals: { inserted: [signal({ status: 'held' })] },
            queryTasks: { inserted: [queryTask()] },
            registrations: { inserted: [registration({ namespace: 'full' })] },
            livenesses: { inserted: [liveness({ namespace: 'full' })] },
          }),
        )
        expect(await store.load(fullKeys)).toStrictEqual({
          namespaces: [namespace({ name: 'full' })],
          workflows: [workflow()],
          runs: [run()],
          workflowTasks: [workflowTask()],
          activities: [activity()],
          timers: [timer()],
          waits: [conditionWait(), signalWait()],
          signals: [signal({ status: 'held' })],
          queryTasks: [queryTask()],
          registrations: [registration({ namespace: 'full' })],
          livenesses: [liveness({ namespace: 'full' })],
        })
      }))

    test('a failed query keeps its facts, with and without the optional ones', () =>
      withStore(open, async (store) => {
        const failed = { kind: 'failed', reason: 'query_failed', message: 'no' } as const
        const tasks = [
          queryTask({ queryTaskId: 'q1', outcome: { ...failed, type: undefined, validationErrors: undefined } }),
          queryTask({ queryTaskId: 'q2', outcome: { ...failed, type: 'E', validationErrors: ['too long'] } }),
          queryTask({ queryTaskId: 'q3', outcome: { kind: 'completed', result: undefined, envelope: undefined } }),
          queryTask({ queryTaskId: 'q4', outcome: { kind: 'completed', result: null, envelope: undefined } }),
        ]
        await write(store, changes({ queryTasks: { inserted: tasks } }))
        const loaded = await store.load(tasks.map(({ queryTaskId }) => ({ of: 'queryTask', queryTaskId })))
        expect(loaded.queryTasks).toStrictEqual(tasks)
      }))

    test('JSON null in heartbeat details is not absence', () =>
      withStore(open, async (store) => {
        await write(store, changes({ activities: { inserted: [activity({ lastHeartbeatDetails: null })] } }))
        const loaded = await store.load([{ of: 'activity', activityId: 'r1-a1' }])
        expect(loaded.activities[0]?.lastHeartbeatDetails).toBeNull()
      }))
  })
}

const rows = changes({
  namespaces: { inserted: [namespace({ name: 'n1' }), namespace({ name: 'n2' })] },
  workflows: { inserted: [workflow(), workflow({ workflowId: 'w2', currentRunId: 'r2' })] },
  runs: {
    inserted: [
      run({ runNumber: 2 }),
      run({ runId: 'r0', runNumber: 1, status: 'completed' }),
      run({ runId: 'r2', workflowId: 'w2' }),
    ],
  },
  workflowTasks: {
    inserted: [
      workflowTask({ taskId: 'r1-t1', status: 'completed' }),
      workflowTask({ taskId: 'r1-t2', status: 'leased' }),
      workflowTask({ taskId: 'r1-t3', status: 'cancelled' }),
      workflowTask({ taskId: 'r2-t1', runId: 'r2', status: 'ready' }),
    ],
  },
  activities: {
    inserted: [
      activity({ activityId: 'r1-a1', status: 'pending' }),
      activity({ activityId: 'r1-a2', status: 'running' }),
      activity({ activityId: 'r1-a3', status: 'completed' }),
      activity({ activityId: 'r1-a4', status: 'failed' }),
      activity({ activityId: 'r1-a5', status: 'cancelled' }),
      activity({ activityId: 'r2-a1', runId: 'r2', status: 'pending' }),
    ],
  },
  timers: {
    inserted: [
      timer({ timerId: 'r1-i1' }),
      timer({ timerId: 'r1-i2', status: 'fired', dueAt: undefined }),
      timer({ timerId: 'r1-i3', status: 'cancelled', dueAt: undefined }),
      timer({ timerId: 'r2-i1', runId: 'r2' }),
    ],
  },
  waits: {
    inserted: [
      conditionWait({ waitId: 'r1-w1', status: 'open' }),
      signalWait({ waitId: 'r1-w2', status: 'expired' }),
      conditionWait({ waitId: 'r1-w3', status: 'satisfied' }),
      conditionWait({ waitId: 'r1-w4', status: 'timed_out' }),
      signalWait({ waitId: 'r1-w5', status: 'reopened' }),
      signalWait({ waitId: 'r1-w6', status: 'cancelled' }),
      signalWait({ waitId: 'r2-w1', runId: 'r2' }),
    ],
  },
  signals: {
    inserted: [
      signal({ signalId: 'r1-s1', status: 'held', commandSequence: 2 }),
      signal({ signalId: 'r1-s2', status: 'received', commandSequence: 3 }),
      signal({ signalId: 'r1-s3', status: 'applied', commandSequence: 1 }),
      signal({ signalId: 'r1-s4', name: 'reject', status: 'received', commandSequence: 4 }),
      signal({ signalId: 'r2-s1', runId: 'r2' }),
    ],
  },
  queryTasks: { inserted: [queryTask(), queryTask({ queryTaskId: 'r1-q2' })] },
  registrations: {
    inserted: [
      registration({ namespace: 'n1', workerId: 'a' }),
      registration({ namespace: 'n1', workerId: 'b' }),
      registration({ namespace: 'n2', workerId: 'a' }),
    ],
  },
  livenesses: {
    inserted: [
      liveness({ namespace: 'n1', workerId: 'a' }),
      liveness({ namespace: 'n1', workerId: 'b' }),
      liveness({ namespace: 'n2', workerId: 'a' }),
    ],
  },
})

const cases: readonly (readonly [string, SliceKey, Partial<Loaded>])[] = [
  ['namespace: by name', { of: 'namespace', name: 'n1' }, { namespaces: [namespace({ name: 'n1' })] }],
  [
    'workflow: with its current run only',
    { of: 'workflow', workflowId: 'w1' },
    { workflows: [workflow()], runs: [run({ runNumber: 2 })] },
  ],
  ['run: by id', { of: 'run', runId: 'r0' }, { runs: rows.runs.inserted.filter((row) => row.runId === 'r0') }],
  [
    'workflowTask: by id, whatever its status',
    { of: 'workflowTask', taskId: 'r1-t1' },
    { workflowTasks: [workflowTask({ taskId: 'r1-t1', status: 'completed' })] },
  ],
  [
    'openWorkflowTask: the ready or leased one',
    { of: 'openWorkflowTask', runId: 'r1' },
    { workflowTasks: [workflowTask({ taskId: 'r1-t2', status: 'leased' })] },
  ],
  [
    'activity: by id, whatever its status',
    { of: 'activity', activityId: 'r1-a4' },
    { activities: [activity({ activityId: 'r1-a4', status: 'failed' })] },
  ],
  [
    'openActivities: pending and running',
    { of: 'openActivities', runId: 'r1' },
    { activities: rows.activities.inserted.slice(0, 2) },
  ],
  [
    'timer: by id, whatever its status',
    { of: 'timer', timerId: 'r1-i2' },
    { timers: rows.timers.inserted.slice(1, 2) },
  ],
  ['openTimers: pending', { of: 'openTimers', runId: 'r1' }, { timers: rows.timers.inserted.slice(0, 1) }],
  ['liveWaits: open and expired', { of: 'liveWaits', runId: 'r1' }, { waits: rows.waits.inserted.slice(0, 2) }],
  ['heldSignals: held', { of: 'heldSignals', runId: 'r1' }, { signals: rows.signals.inserted.slice(0, 1) }],
  [
    'unreadSignals: received, of one name',
    { of: 'unreadSignals', runId: 'r1', name: 'approve', limit: 9 },
    { signals: rows.signals.inserted.slice(1, 2) },
  ],
  ['queryTask: by id', { of: 'queryTask', queryTaskId: 'r1-q2' }, { queryTasks: rows.queryTasks.inserted.slice(1) }],
  [
    'registration: by namespace and worker id',
    { of: 'registration', namespace: 'n1', workerId: 'a' },
    { registrations: [registration({ namespace: 'n1', workerId: 'a' })] },
  ],
  [
    'liveness: by namespace and worker id',
    { of: 'liveness', namespace: 'n2', workerId: 'a' },
    { livenesses: [liveness({ namespace: 'n2', workerId: 'a' })] },
  ],
]

const fullKeys: readonly SliceKey[] = [
  { of: 'namespace', name: 'full' },
  { of: 'workflow', workflowId: 'w1' },
  { of: 'workflowTask', taskId: 'r1-t1' },
  { of: 'activity', activityId: 'r1-a1' },
  { of: 'timer', timerId: 'r1-i1' },
  { of: 'liveWaits', runId: 'r1' },
  { of: 'heldSignals', runId: 'r1' },
  { of: 'queryTask', queryTaskId: 'r1-q1' },
  { of: 'registration', namespace: 'full', workerId: 'worker-1' },
  { of: 'liveness', namespace: 'full', workerId: 'worker-1' },
]

function absentKey(key: SliceKey): SliceKey {
  switch (key.of) {
    case 'namespace':
      return { ...key, name: `${key.name}x` }
    case 'workflow':
      return { ...key, workflowId: `${key.workflowId}x` }
    case 'workflowTask':
      return { ...key, taskId: `${key.taskId}x` }
    case 'activity':
      return { ...key, activityId: `${key.activityId}x` }
    case 'timer':
      return { ...key, timerId: `${key.timerId}x` }
    case 'queryTask':
      return { ...key, queryTaskId: `${key.queryTaskId}x` }
    case 'registration':
    case 'liveness':
      return { ...key, workerId: `${key.workerId}x` }
    default:
      return { ...key, runId: `${key.runId}x` }
  }
}

/** Rows of a kind come in any order. */
function sorted(loaded: Loaded): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    Object.entries(loaded).map(([table, list]) => [
      table,
      [...list].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    ]),
  )
}
