// Everything that an engine asks of a store, on rows of given ids: what the plans of statements are judged by.

import type { SliceKey, Store } from '@durable-workflow/engine/ports'
import {
  activity,
  changes,
  conditionWait,
  event,
  liveness,
  queryTask,
  registration,
  run,
  signal,
  t0,
  timer,
  workflow,
  workflowTask,
} from './make.ts'
import { write } from './suite.ts'

/** Each kind of row updated, read in every way, found, listed, removed and inserted again. */
export async function workWith(store: Store, ids: readonly string[]): Promise<void> {
  await write(store, rowsOf(ids, 'updated'))
  await store.transact([], async (transaction) => {
    await transaction.load(ids.flatMap(keysOf))
    await transaction.write(rowsOf(ids, 'updated'))
  })
  await store.load(ids.flatMap(keysOf))
  await finds(store)
  await lists(store, ids[0] ?? '')
  await write(store, rowsOf(ids, 'removed'))
  await write(store, rowsOf(ids, 'inserted'))
}

/** @param turn events are appended only: each turn's go behind those of the one before */
export function rowsOf(ids: readonly string[], list: 'inserted' | 'updated' | 'removed', turn?: number) {
  const workers = ids.map((workerId) => ({ workerId, namespace: 'default' }))
  return changes({
    workflows: { [list]: ids.map((id) => workflow({ workflowId: `w-${id}`, currentRunId: id })) },
    runs: { [list]: ids.map((id, i) => run({ runId: id, workflowId: `w-${id}`, startedAt: t0 + i, dueAt: t0 + i })) },
    workflowTasks: { [list]: ids.map((id) => workflowTask({ taskId: `${id}-t1`, runId: id, dueAt: t0 })) },
    activities: { [list]: ids.map((id) => activity({ activityId: `${id}-a1`, runId: id, dueAt: t0 })) },
    timers: { [list]: ids.map((id) => timer({ timerId: `${id}-i1`, runId: id })) },
    waits: { [list]: ids.map((id) => conditionWait({ waitId: `${id}-w1`, runId: id })) },
    signals: { [list]: ids.map((id) => signal({ signalId: `${id}-s1`, runId: id })) },
    queryTasks: { [list]: ids.map((id) => queryTask({ queryTaskId: `${id}-q1`, runId: id })) },
    registrations: { [list]: workers.map(registration) },
    livenesses: { [list]: workers.map(liveness) },
    events: turn === undefined ? [] : ids.map((id) => event({ runId: id, sequence: turn })),
  })
}

function keysOf(id: string): SliceKey[] {
  return [
    { of: 'workflow', workflowId: `w-${id}` },
    { of: 'run', runId: id },
    { of: 'workflowTask', taskId: `${id}-t1` },
    { of: 'openWorkflowTask', runId: id },
    { of: 'activity', activityId: `${id}-a1` },
    { of: 'openActivities', runId: id },
    { of: 'timer', timerId: `${id}-i1` },
    { of: 'openTimers', runId: id },
    { of: 'liveWaits', runId: id },
    { of: 'heldSignals', runId: id },
    { of: 'unreadSignals', runId: id, name: 'approve', limit: 1 },
    { of: 'queryTask', queryTaskId: `${id}-q1` },
    { of: 'registration', namespace: 'default', workerId: id },
    { of: 'liveness', namespace: 'default', workerId: id },
  ]
}

async function finds(store: Store): Promise<void> {
  const queue = { namespace: 'default', taskQueue: 'default', now: t0, limit: 10 }
  for (const kind of ['workflow', 'activity', 'query'] as const) {
    await store.find.readyTasks({ ...queue, kind, types: ['Order', 'charge', 'Refund'] })
    await store.find.leasedBy({ namespace: 'default', owner: 'worker-1', kind, pollRequestId: 'poll-1' })
  }
  await store.find.due({ now: t0, limit: 10 })
  await store.find.leasedBy({ namespace: 'default', owner: 'worker-1' })
  const blocked = { namespace: 'default', after: undefined, limit: 10 }
  await store.find.blockedRuns({ ...blocked, types: undefined })
  await store.find.blockedRuns({ ...blocked, types: ['Order'], after: { workflowType: 'Order', runId: 'r9' } })
}

async function lists(store: Store, runId: string): Promise<void> {
  const page = { namespace: 'default', filter: { kind: 'all', of: [] }, limit: 10 } as const
  await store.list.workflows({ ...page, after: undefined })
  await store.list.workflows({ ...page, after: { startedAt: t0 + 9, runId } })
  await store.list.runs({ workflowId: `w-${runId}` })
  await store.list.openRuns({ after: undefined, limit: 10 })
  await store.list.history({ runId, after: 0, limit: 10 })
  await store.list.registrations({ namespace: 'default' })
  await store.list.openQueryTaskCount({ namespace: 'default', taskQueue: 'default' })
}
