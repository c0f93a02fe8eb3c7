import type { Changes, Loaded, SliceKey } from '@durable-workflow/engine/ports'
import { describe, expect, test } from 'vitest'
import { fullChanges, fullRows } from '../support/full.ts'
import {
  activity,
  changes,
  conditionWait,
  event,
  lease,
  liveness,
  namespace,
  queryTask,
  registration,
  run,
  signal,
  signalWait,
  t0,
  timer,
  workflow,
  workflowTask,
} from '../support/make.ts'
import { nothingLoaded, type OpenFresh, withStore, write } from '../support/suite.ts'

type TableName = Exclude<keyof Changes, 'events'>

/** Inserting, updating and removing rows of every kind, and what is refused. */
export function writeContract(open: OpenFresh): void {
  describe('write', () => {
    for (const [table, given] of Object.entries(cases)) {
      test(`${table}: insert, update, remove`, () =>
        withStore(open, async (store) => {
          await write(store, given.insert)
          expect((await store.load(given.keys))[given.table]).toStrictEqual(given.before)
          await write(store, given.update)
          expect((await store.load(given.keys))[given.table]).toStrictEqual(given.after)
          await write(store, given.remove)
          expect((await store.load(given.keys))[given.table]).toStrictEqual([])
        }))
    }

    test('an update touches the rows it names, and no others', () =>
      withStore(open, async (store) => {
        const runs = Array.from({ length: 100 }, (_, i) => run({ runId: `r${i}`, workflowId: `w${i}` }))
        await write(store, changes({ runs: { inserted: runs } }))
        const changed = runs.filter((_, i) => i % 3 === 0).map((row, i) => ({ ...row, lastSequence: 1000 + i }))
        await write(store, changes({ runs: { updated: changed } }))
        const loaded = await store.load(runs.map(({ runId }) => ({ of: 'run', runId })))
        const expected = new Map([...runs, ...changed].map((row) => [row.runId, row]))
        expect(new Map(loaded.runs.map((row) => [row.runId, row]))).toStrictEqual(expected)
      }))

    test('a run that its transaction has read is written whole, whatever of it has changed', () =>
      withStore(open, async (store) => {
        const runs = [0, 1, 2].map((i) => run({ runId: `r${i}`, workflowId: `w${i}`, dueAt: t0 }))
        await write(store, changes({ runs: { inserted: runs } }))
        const output = { codec: 'avro', blob: 'AA==' }
        const updated = [
          run({ ...runs[0], lastStep: 1 }),
          run({ ...runs[1], lastStep: 1, dueAt: undefined }),
          run({ ...runs[2], lastStep: 1, status: 'completed', closedAt: t0, dueAt: undefined, output }),
        ]
        await store.transact([], async (transaction) => {
          await transaction.load(runs.map(({ runId }) => ({ of: 'run', runId })))
          await transaction.write(changes({ runs: { updated } }))
        })
        const keys = runs.map(({ runId }) => ({ of: 'run', runId }) as const)
        expect((await store.load(keys)).runs).toStrictEqual(updated)
        expect((await store.list.openRuns({ after: undefined, limit: 9 })).map((row) => row.runId)).toStrictEqual([
          'r0',
          'r1',
        ])
        expect((await store.find.due({ now: t0, limit: 9 })).things.map((thing) => thing.id)).toStrictEqual(['r0'])
        await store.transact([], async (transaction) => {
          await transaction.load(keys)
          await transaction.write(changes({ runs: { updated: [run({ ...runs[0], dueAt: t0 + 1 })] } }))
          await transaction.write(changes({ runs: { updated: [run({ ...runs[0], dueAt: t0 })] } }))
        })
        expect((await store.load(keys)).runs[0]).toStrictEqual(run({ ...runs[0], dueAt: t0 }))
      }))

    test('of a task or an activity that its transaction has read, each member that changes is written, alone or not', () =>
      withStore(open, async (store) => {
        const task = workflowTask({ taskId: fullRows.workflowTask.taskId })
        const one = activity({ activityId: fullRows.activity.activityId })
        await write(store, changes({ workflowTasks: { inserted: [task] }, activities: { inserted: [one] } }))
        const keys: SliceKey[] = [
          { of: 'workflowTask', taskId: task.taskId },
          { of: 'activity', activityId: one.activityId },
        ]
        for (const member of [
          ...changingMembers(task, fullRows.workflowTask),
          ...changingMembers(one, fullRows.activity),
        ]) {
          const next = {
            workflowTasks: { updated: [member in task ? replaced(task, fullRows.workflowTask, member) : task] },
            activities: { updated: [member in one ? replaced(one, fullRows.activity, member) : one] },
          }
          for (const rows of [next, { workflowTasks: { updated: [task] }, activities: { updated: [one] } }]) {
            await store.transact([], async (transaction) => {
              await transaction.load(keys)
              await transaction.write(changes(rows))
            })
            const loaded = await store.load(keys)
            expect(loaded.workflowTasks, member).toStrictEqual(rows.workflowTasks.updated)
            expect(loaded.activities, member).toStrictEqual(rows.activities.updated)
          }
        }
      }))

    test('one write may close a workflow task and make its successor', () =>
      withStore(open, async (store) => {
        const first = workflowTask({ status: 'leased' })
        await write(store, changes({ workflowTasks: { inserted: [first] } }))
        const successor = workflowTask({ taskId: 'r1-t2' })
        await write(
          store,
          changes({ workflowTasks: { updated: [{ ...first, status: 'completed' }], inserted: [successor] } }),
        )
        const loaded = await store.load([{ of: 'openWorkflowTask', runId: 'r1' }])
        expect(loaded.workflowTasks).toStrictEqual([successor])
      }))

    test('registrations, livenesses and namespaces say what is true now: a second insert overwrites', () =>
      withStore(open, async (store) => {
        for (const turn of [1, 2]) {
          await write(
            store,
            changes({
              namespaces: { inserted: [namespace({ name: 'n', retentionDays: turn })] },
              registrations: { inserted: [registration({ registrationId: `registration-${turn}` })] },
              livenesses: { inserted: [liveness({ lastHeartbeatAt: t0 + turn })] },
            }),
          )
        }
        const loaded = await store.load([
          { of: 'namespace', name: 'n' },
          { of: 'registration', namespace: 'default', workerId: 'worker-1' },
          { of: 'liveness', namespace: 'default', workerId: 'worker-1' },
        ])
        expect(loaded.namespaces).toStrictEqual([namespace({ name: 'n', retentionDays: 2 })])
        expect(loaded.registrations).toStrictEqual([registration({ registrationId: 'registration-2' })])
        expect(loaded.livenesses).toStrictEqual([liveness({ lastHeartbeatAt: t0 + 2 })])
      }))

    test('hundreds of rows and events in one write', () =>
      withStore(open, async (store) => {
        const runs = Array.from({ length: 333 }, (_, i) => run({ runId: `r${i}`, workflowId: `w${i}` }))
        const events = Array.from({ length: 777 }, (_, i) => event({ sequence: i + 1, eventId: `e${i}` }))
        await write(store, changes({ runs: { inserted: runs }, events }))
        expect((await store.load(runs.map(({ runId }) => ({ of: 'run', runId })))).runs).toHaveLength(333)
        expect(await store.list.history({ runId: 'r1', after: 0, limit: 1000 })).toStrictEqual(events)
      }))
  })

  describe('what must not be written', () => {
    for (const [name, wrong] of refused) {
      test(`${name}: everything of that write is rolled back`, () =>
        withStore(open, async (store) => {
          await write(store, fullChanges)
          const outcome = write(store, { ...wrong, namespaces: extra.namespaces, timers: extra.timers })
          await expect(outcome).rejects.toThrow()
          expect(await store.load(extraKeys)).toStrictEqual(nothingLoaded)
          expect((await store.load([{ of: 'run', runId: 'r1' }])).runs).toStrictEqual([fullRows.run])
          await write(store, extra)
          expect((await store.load(extraKeys)).timers).toHaveLength(1)
        }))
    }
  })
}

const extra = changes({
  namespaces: { inserted: [namespace({ name: 'extra' })] },
  timers: { inserted: [timer({ timerId: 'extra' })] },
})
/** Members that a row is inserted with and keeps. */
const keptMembers: ReadonlySet<string> = new Set([
  'taskId',
  'activityId',
  'runId',
  'workflowId',
  'namespace',
  'taskQueue',
  'workflowType',
  'activityType',
  'createdAt',
  'step',
  'group',
  'arguments',
  'timeouts',
  'retry',
  'retryPolicyText',
  'scheduledAt',
])

function changingMembers(row: object, other: object): string[] {
  const before = new Map<string, unknown>(Object.entries(row))
  return Object.entries(other)
    .filter(
      ([member, value]) => !keptMembers.has(member) && JSON.stringify(value) !== JSON.stringify(before.get(member)),
    )
    .map(([member]) => member)
}

function replaced<Row extends object>(row: Row, other: Row, member: string): Row {
  return { ...row, ...Object.fromEntries(Object.entries(other).filter(([name]) => name === member)) }
}

const extraKeys: readonly SliceKey[] = [
  { of: 'namespace', name: 'extra' },
  { of: 'timer', timerId: 'extra' },
]

const refused: readonly (readonly [string, Changes])[] = [
  ['a second workflow of one id', changes({ workflows: { inserted: [workflow()] } })],
  ['a second run of one id', changes({ runs: { inserted: [run({ workflowId: 'w9' })] } })],
  ['a second run of one number', changes({ runs: { inserted: [run({ runId: 'r9' })] } })],
  [
    'a second workflow task of one id',
    changes({ workflowTasks: { inserted: [workflowTask({ runId: 'r9', status: 'completed' })] } }),
  ],
  [
    'a second open workflow task of one run',
    changes({ workflowTasks: { inserted: [workflowTask({ taskId: 't9' })] } }),
  ],
  ['a second activity of one id', changes({ activities: { inserted: [activity()] } })],
  ['a second wait of one id', changes({ waits: { inserted: [signalWait()] } })],
  ['a second signal of one id', changes({ signals: { inserted: [signal()] } })],
  ['a second query task of one id', changes({ queryTasks: { inserted: [queryTask()] } })],
  ['a second event at one position', changes({ events: [event({ sequence: 2 }), event({ sequence: 1 })] })],
  [
    'an update of a row that is not there',
    changes({ runs: { updated: [{ ...fullRows.run, lastStep: 99 }, run({ runId: 'r9' })] } }),
  ],
]

interface Case {
  readonly table: TableName
  readonly keys: readonly SliceKey[]
  readonly insert: Changes
  readonly update: Changes
  readonly remove: Changes
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
}

const resume = { ...workflowTask().resume, waitKind: 'retry' } as const

/** Every field that may change does; the others must stay. */
const cases: Readonly<Record<TableName, Case>> = {
  namespaces: caseOf('namespaces', [{ of: 'namespace', name: 'n' }], namespace({ name: 'n' }), {
    description: 'changed',
    retentionDays: 7,
  }),
  workflows: caseOf('workflows', [{ of: 'workflow', workflowId: 'w1' }], workflow(), {
    workflowType: 'Other',
    currentRunId: 'r2',
    runCount: 2,
  }),
  runs: caseOf('runs', [{ of: 'run', runId: 'r1' }], run({ arguments: { codec: 'avro', blob: 'AA==' } }), {
    ...changingOf(fullRows.run),
  }),
  workflowTasks: caseOf('workflowTasks', [{ of: 'workflowTask', taskId: 'r1-t1' }], workflowTask(), {
    ...fullRows.workflowTask,
    availableAt: t0 + 9,
    resume,
  }),
  activities: caseOf('activities', [{ of: 'activity', activityId: 'r1-a1' }], activity(), {
    status: 'running',
    availableAt: t0 + 9,
    attempt: 1,
    attemptStatus: 'running',
    lease: lease(),
    startedAt: t0 + 1,
    lastHeartbeatAt: t0 + 2,
    lastHeartbeatDetails: [1],
    scheduleDeadlineAt: t0 + 3,
    scheduleToCloseDeadlineAt: t0 + 4,
    closeDeadlineAt: t0 + 5,
    heartbeatDeadlineAt: t0 + 6,
    closedAttempts: fullRows.activity.closedAttempts,
    closedAt: t0 + 7,
    dueAt: t0 + 8,
  }),
  timers: caseOf('timers', [{ of: 'timer', timerId: 'r1-i1' }], timer(), {
    step: 2,
    waitId: 'w',
    fireAt: t0 + 9,
    status: 'fired',
    dueAt: undefined,
  }),
  waits: caseOf('waits', [{ of: 'liveWaits', runId: 'r1' }], conditionWait(), fullRows.conditionWait),
  signals: caseOf(
    'signals',
    [
      { of: 'heldSignals', runId: 'r1' },
      { of: 'unreadSignals', runId: 'r1', name: 'approve', limit: 9 },
    ],
    signal({ status: 'held' }),
    { status: 'received' },
  ),
  queryTasks: caseOf('queryTasks', [{ of: 'queryTask', queryTaskId: 'r1-q1' }], queryTask(), {
    status: 'completed',
    attempt: 2,
    lease: lease(),
    outcome: { kind: 'completed', result: 1, envelope: undefined },
    deadlineAt: t0 + 1,
    dueAt: t0 + 2,
  }),
  registrations: caseOf(
    'registrations',
    [{ of: 'registration', namespace: 'default', workerId: 'worker-1' }],
    registration(),
    { ...fullRows.registration, namespace: 'default' },
  ),
  livenesses: caseOf('livenesses', [{ of: 'liveness', namespace: 'default', workerId: 'worker-1' }], liveness(), {
    lastHeartbeatAt: t0 + 1,
    report: { free: 1 },
  }),
}

function changingOf(row: typeof fullRows.run): Partial<typeof fullRows.run> {
  return {
    ...row,
    namespace: 'default',
    workflowType: 'Order',
    arguments: { codec: 'avro', blob: 'AA==' },
    businessKey: undefined,
    executionTimeoutSeconds: undefined,
    runTimeoutSeconds: undefined,
    executionDeadlineAt: undefined,
    runDeadlineAt: undefined,
    startId: undefined,
  }
}

function caseOf<Table extends TableName>(
  table: Table,
  keys: readonly SliceKey[],
  row: Loaded[Table][number],
  changed: Partial<Loaded[Table][number]>,
): Case {
  const after = { ...row, ...changed }
  return {
    table,
    keys,
    insert: listOf(table, 'inserted', row),
    update: listOf(table, 'updated', after),
    remove: listOf(table, 'removed', after),
    before: [row],
    after: [after],
  }
}

function listOf(table: TableName, list: 'inserted' | 'updated' | 'removed', row: unknown): Changes {
  return { ...changes({}), [table]: { inserted: [], updated: [], removed: [], [list]: [row] } }
}
