import type { BlockedRunQuery, ReadyTaskQuery, Run, Store } from '@durable-workflow/engine/ports'
import { describe, expect, test } from 'vitest'
import { activity, changes, lease, queryTask, run, t0, timer, workflowTask } from '../support/make.ts'
import { type OpenFresh, withStore, write } from '../support/suite.ts'

export function findContract(open: OpenFresh): void {
  describe('find.readyTasks', () => {
    test('workflow tasks: oldest first, of this queue, namespace and these types, not before their time', () =>
      withStore(open, async (store) => {
        await write(store, changes({ workflowTasks: { inserted: workflowTasks } }))
        const found = await ready(store, { kind: 'workflow', types: ['Order', 'Refund'] })
        expect(found.tasks).toStrictEqual([
          { kind: 'workflow', id: 't3', runId: 'of-t3', type: 'Refund', availableAt: t0 - 3 },
          { kind: 'workflow', id: 't1', runId: 'of-t1', type: 'Order', availableAt: t0 - 2 },
          { kind: 'workflow', id: 't2', runId: 'of-t2', type: 'Order', availableAt: t0 },
        ])
        expect(found.nextAvailableAt).toBe(t0 + 5)
      }))

    test('a type that is not asked for decides nothing', () =>
      withStore(open, async (store) => {
        await write(store, changes({ workflowTasks: { inserted: workflowTasks } }))
        const found = await ready(store, { kind: 'workflow', types: ['Refund'] })
        expect(found.tasks.map((task) => task.id)).toStrictEqual(['t3'])
        expect(found.nextAvailableAt).toBe(t0 + 7)
        expect(await ready(store, { kind: 'workflow', types: [] })).toStrictEqual({
          tasks: [],
          nextAvailableAt: undefined,
        })
      }))

    test('the limit keeps the oldest of all types, and the next instant stays right', () =>
      withStore(open, async (store) => {
        await write(store, changes({ workflowTasks: { inserted: workflowTasks } }))
        const found = await ready(store, { kind: 'workflow', types: ['Order', 'Refund', 'Unused'], limit: 2 })
        expect(found.tasks.map((task) => task.id)).toStrictEqual(['t3', 't1'])
        expect(found.nextAvailableAt).toBe(t0 + 5)
      }))

    test('more types than one statement takes', () =>
      withStore(open, async (store) => {
        const types = Array.from({ length: 150 }, (_, i) => `type-${i}`)
        const inserted = types.map((workflowType, i) =>
          workflowTask({ taskId: `t${i}`, runId: `r${i}`, workflowType, availableAt: t0 - i }),
        )
        await write(store, changes({ workflowTasks: { inserted } }))
        const found = await ready(store, { kind: 'workflow', types: [...types, ...types], limit: 3 })
        expect(found.tasks.map((task) => task.id)).toStrictEqual(['t149', 't148', 't147'])
      }))

    test('activities: pending ones only', () =>
      withStore(open, async (store) => {
        await write(
          store,
          changes({
            activities: {
              inserted: [
                activity({ activityId: 'a1', availableAt: t0 - 1 }),
                activity({ activityId: 'a2', availableAt: t0 - 2 }),
                activity({ activityId: 'a3', status: 'running', availableAt: t0 - 3 }),
                activity({ activityId: 'a4', status: 'completed', availableAt: t0 - 3 }),
                activity({ activityId: 'a5', activityType: 'ship', availableAt: t0 - 3 }),
                activity({ activityId: 'a6', availableAt: t0 + 1 }),
              ],
            },
          }),
        )
        const found = await ready(store, { kind: 'activity', types: ['charge'] })
        expect(found.tasks).toStrictEqual([
          { kind: 'activity', id: 'a2', runId: 'r1', type: 'charge', availableAt: t0 - 2 },
          { kind: 'activity', id: 'a1', runId: 'r1', type: 'charge', availableAt: t0 - 1 },
        ])
        expect(found.nextAvailableAt).toBe(t0 + 1)
      }))

    test('query tasks: ready ones, by workflow type', () =>
      withStore(open, async (store) => {
        await write(
          store,
          changes({
            queryTasks: {
              inserted: [
                queryTask({ queryTaskId: 'q1', createdAt: t0 - 1 }),
                queryTask({ queryTaskId: 'q2', createdAt: t0 - 2 }),
                queryTask({ queryTaskId: 'q3', status: 'leased' }),
                queryTask({ queryTaskId: 'q4', workflowType: 'Refund' }),
                queryTask({ queryTaskId: 'q5', taskQueue: 'other' }),
              ],
            },
          }),
        )
        const found = await ready(store, { kind: 'query', types: ['Order'] })
        expect(found.tasks.map((task) => [task.id, task.availableAt])).toStrictEqual([
          ['q2', t0 - 2],
          ['q1', t0 - 1],
        ])
      }))
  })

  describe('find.due', () => {
    test('everything due of all five kinds, earliest first, and the next instant', () =>
      withStore(open, async (store) => {
        await write(store, dueRows)
        expect(await store.find.due({ now: t0, limit: 10 })).toStrictEqual({
          things: [
            { kind: 'timer', id: 'i1', dueAt: t0 - 5 },
            { kind: 'workflowTask', id: 't1', dueAt: t0 - 4 },
            { kind: 'queryTask', id: 'q1', dueAt: t0 - 3 },
            { kind: 'run', id: 'r1', dueAt: t0 - 2 },
            { kind: 'activity', id: 'a1', dueAt: t0 - 1 },
            { kind: 'activity', id: 'a2', dueAt: t0 },
          ],
          nextDueAt: t0 + 1,
        })
      }))

    test('the limit keeps the earliest', () =>
      withStore(open, async (store) => {
        await write(store, dueRows)
        const found = await store.find.due({ now: t0, limit: 2 })
        expect(found.things.map((thing) => thing.id)).toStrictEqual(['i1', 't1'])
        expect(found.nextDueAt).toBe(t0 + 1)
      }))

    test('nothing due, nothing to come', () =>
      withStore(open, async (store) => {
        expect(await store.find.due({ now: t0, limit: 10 })).toStrictEqual({ things: [], nextDueAt: undefined })
      }))
  })

  describe('find.leasedBy', () => {
    test('the leases of one owner of all three kinds, or of one poll', () =>
      withStore(open, async (store) => {
        const polled = lease({ proof: { ...lease().proof, pollRequestId: 'poll-1' } })
        const ofOther = lease({ owner: 'worker-2' })
        await write(
          store,
          changes({
            workflowTasks: {
              inserted: [
                workflowTask({ taskId: 't1', runId: 'r1', status: 'leased', attempt: 2, lease: polled }),
                workflowTask({ taskId: 't2', runId: 'r2', status: 'leased', lease: ofOther }),
                workflowTask({ taskId: 't3', runId: 'r3', status: 'completed', lease: lease() }),
                workflowTask({ taskId: 't4', runId: 'r4', status: 'leased', lease: lease(), namespace: 'other' }),
              ],
            },
            activities: { inserted: [activity({ activityId: 'a1', status: 'running', attempt: 1, lease: lease() })] },
            queryTasks: { inserted: [queryTask({ queryTaskId: 'q1', status: 'leased', attempt: 1, lease: lease() })] },
          }),
        )
        const leaseExpiresAt = lease().expiresAt
        const first = { kind: 'workflow', id: 't1', attempt: 2, pollRequestId: 'poll-1', leaseExpiresAt }
        const owner = { namespace: 'default', owner: 'worker-1' }
        const held = await store.find.leasedBy(owner)
        expect([...held].sort((a, b) => (a.id < b.id ? -1 : 1))).toStrictEqual([
          { kind: 'activity', id: 'a1', attempt: 1, pollRequestId: undefined, leaseExpiresAt },
          { kind: 'query', id: 'q1', attempt: 1, pollRequestId: undefined, leaseExpiresAt },
          first,
        ])
        expect(await store.find.leasedBy({ ...owner, pollRequestId: 'poll-1' })).toStrictEqual([first])
        expect(await store.find.leasedBy({ ...owner, pollRequestId: 'poll-2' })).toStrictEqual([])
        expect(await store.find.leasedBy({ ...owner, owner: 'worker-3' })).toStrictEqual([])
      }))
  })

  describe('find.blockedRuns', () => {
    const blocked = (n: number, given: Partial<Run> = {}) =>
      run({ runId: `r${n}`, workflowId: `w${n}`, startedAt: t0 + n, replayBlockedReason: 'no', ...given })
    const runs = [
      blocked(3, { workflowType: 'Order', replayBlockedFingerprint: 'f1' }),
      blocked(1, { workflowType: 'Refund', taskQueue: 'slow' }),
      blocked(2, { workflowType: 'Order' }),
      blocked(4, { workflowType: 'Order', namespace: 'other' }),
      blocked(5, { workflowType: 'Order', replayBlockedReason: undefined }),
    ]

    test('of one namespace, by type and run id, with the fingerprint that refused', () =>
      withStore(open, async (store) => {
        await write(store, changes({ runs: { inserted: runs } }))
        expect(await blockedRuns(store)).toStrictEqual([
          { runId: 'r2', workflowType: 'Order', taskQueue: 'default', fingerprint: undefined, startedAt: t0 + 2 },
          { runId: 'r3', workflowType: 'Order', taskQueue: 'default', fingerprint: 'f1', startedAt: t0 + 3 },
          { runId: 'r1', workflowType: 'Refund', taskQueue: 'slow', fingerprint: undefined, startedAt: t0 + 1 },
        ])
      }))

    test('of the given types only, in pages', () =>
      withStore(open, async (store) => {
        await write(store, changes({ runs: { inserted: runs } }))
        const idsOf = async (query: Partial<BlockedRunQuery>) =>
          (await blockedRuns(store, query)).map((found) => found.runId)
        expect(await idsOf({ types: ['Refund', 'Unused'] })).toStrictEqual(['r1'])
        expect(await idsOf({ types: [] })).toStrictEqual([])
        expect(await idsOf({ limit: 2 })).toStrictEqual(['r2', 'r3'])
        expect(await idsOf({ limit: 2, after: { workflowType: 'Order', runId: 'r3' } })).toStrictEqual(['r1'])
        expect(await idsOf({ types: ['Order'], after: { workflowType: 'Order', runId: 'r2' } })).toStrictEqual(['r3'])
      }))

    test('a run that is not blocked any more is not found', () =>
      withStore(open, async (store) => {
        const before = blocked(1)
        await write(store, changes({ runs: { inserted: [before] } }))
        await write(store, changes({ runs: { updated: [{ ...before, replayBlockedReason: undefined }] } }))
        expect(await blockedRuns(store)).toStrictEqual([])
      }))
  })
}

function blockedRuns(store: Store, query: Partial<BlockedRunQuery> = {}) {
  return store.find.blockedRuns({ namespace: 'default', types: undefined, after: undefined, limit: 10, ...query })
}

function ready(store: Store, query: Partial<ReadyTaskQuery> & Pick<ReadyTaskQuery, 'kind' | 'types'>) {
  return store.find.readyTasks({ namespace: 'default', taskQueue: 'default', now: t0, limit: 10, ...query })
}

const workflowTasks = [
  workflowTask({ taskId: 't1', availableAt: t0 - 2 }),
  workflowTask({ taskId: 't2', availableAt: t0 }),
  workflowTask({ taskId: 't3', availableAt: t0 - 3, workflowType: 'Refund' }),
  workflowTask({ taskId: 't4', availableAt: t0 - 9, workflowType: 'Report' }),
  workflowTask({ taskId: 't5', availableAt: t0 - 9, taskQueue: 'other' }),
  workflowTask({ taskId: 't6', availableAt: t0 - 9, namespace: 'other' }),
  workflowTask({ taskId: 't7', availableAt: t0 - 9, status: 'leased' }),
  workflowTask({ taskId: 't8', availableAt: t0 - 9, status: 'completed' }),
  workflowTask({ taskId: 't9', availableAt: t0 + 5 }),
  workflowTask({ taskId: 't10', availableAt: t0 + 9 }),
  workflowTask({ taskId: 't11', availableAt: t0 + 7, workflowType: 'Refund' }),
  workflowTask({ taskId: 't12', availableAt: t0 + 1, workflowType: 'Report' }),
].map((task) => ({ ...task, runId: `of-${task.taskId}` }))

const dueRows = changes({
  runs: { inserted: [run({ dueAt: t0 - 2 }), run({ runId: 'r2', workflowId: 'w2' })] },
  workflowTasks: {
    inserted: [
      workflowTask({ taskId: 't1', status: 'leased', dueAt: t0 - 4 }),
      workflowTask({ taskId: 't2', runId: 'r2', dueAt: undefined }),
    ],
  },
  activities: {
    inserted: [
      activity({ activityId: 'a1', dueAt: t0 - 1 }),
      activity({ activityId: 'a2', dueAt: t0 }),
      activity({ activityId: 'a3', dueAt: t0 + 1 }),
    ],
  },
  timers: { inserted: [timer({ timerId: 'i1', dueAt: t0 - 5 }), timer({ timerId: 'i2', dueAt: t0 + 2 })] },
  queryTasks: { inserted: [queryTask({ queryTaskId: 'q1', dueAt: t0 - 3 })] },
})
