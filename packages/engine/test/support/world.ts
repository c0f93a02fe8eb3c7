// All rows of a small store, as data: what a slice of it holds, what it is after a group, and how one group decides.

import type { Changes, Loaded, RowChanges } from '../../src/core/decision/changes.ts'
import { Draft } from '../../src/core/decision/draft.ts'
import { Group, keyOf } from '../../src/core/decision/group.ts'
import type { Operation } from '../../src/core/decision/operation.ts'
import type { Outcome } from '../../src/core/decision/outcome.ts'
import type { SliceKey } from '../../src/core/decision/slice.ts'
import { isOpenActivity } from '../../src/core/state/activity.ts'
import type { HistoryEvent } from '../../src/core/state/history-event.ts'
import { isOpen, progressOf, type Run, runDueAt } from '../../src/core/state/run.ts'
import { isLiveWait, type Wait } from '../../src/core/state/wait.ts'
import { isOpenTask, type WorkflowTask } from '../../src/core/state/workflow-task.ts'
import type { Activity, Liveness, Namespace, QueryTask, Registration, Signal, Timer } from '../../src/ports.ts'
import { namespace, run, workflow } from './make.ts'

export interface World extends Loaded {
  readonly events: readonly HistoryEvent[]
}

export const emptyWorld: World = {
  namespaces: [],
  workflows: [],
  runs: [],
  workflowTasks: [],
  activities: [],
  timers: [],
  waits: [],
  signals: [],
  queryTasks: [],
  registrations: [],
  livenesses: [],
  events: [],
}

/** One run and what it has; the run's counters, open task, reason to move and deadline follow from its rows. */
export interface Given {
  readonly namespaces?: readonly Namespace[]
  readonly run?: Partial<Run>
  readonly task?: WorkflowTask
  readonly activities?: readonly Activity[]
  readonly timers?: readonly Timer[]
  readonly waits?: readonly Wait[]
  readonly signals?: readonly Signal[]
  readonly queryTasks?: readonly QueryTask[]
  readonly registrations?: readonly Registration[]
  readonly livenesses?: readonly Liveness[]
}

export function given(state: Given = {}): World {
  const { task, activities = [], timers = [], waits = [], signals = [] } = state
  const open = waits.filter((wait) => wait.status === 'open')
  const openTask =
    task !== undefined && isOpenTask(task) ? { taskId: task.taskId, leased: task.status === 'leased' } : undefined
  const row = run({
    status: openTask?.leased === true ? 'running' : 'waiting',
    openTask,
    openActivities: activities.filter(isOpenActivity).length,
    openTimers: timers.filter((timer) => timer.status === 'pending').length,
    openSignalWaits: open.filter((wait) => wait.kind === 'signal').length,
    openConditionWaits: open.filter((wait) => wait.kind === 'condition').length,
    lastStep: Math.max(0, ...[...activities, ...timers, ...waits].map((one) => one.step)),
    signalCount: signals.length,
    commandSequence: 1 + signals.length,
    ...state.run,
  })
  const due = isOpen(row) ? runDueAt(row.executionDeadlineAt, row.runDeadlineAt) : undefined
  return {
    ...emptyWorld,
    namespaces: state.namespaces ?? [namespace()],
    workflows: [workflow()],
    runs: [{ ...row, progress: progressOf(row), dueAt: due }],
    workflowTasks: task === undefined ? [] : [task],
    activities,
    timers,
    waits,
    signals,
    queryTasks: state.queryTasks ?? [],
    registrations: state.registrations ?? [],
    livenesses: state.livenesses ?? [],
  }
}

/** What a store answers for the keys: exactly their rows and no others. */
export function select(world: World, keys: readonly SliceKey[]): Loaded {
  const found = keys.map((key) => selectOne(world, key))
  return {
    namespaces: distinct(found.flatMap((one) => one.namespaces ?? [])),
    workflows: distinct(found.flatMap((one) => one.workflows ?? [])),
    runs: distinct(found.flatMap((one) => one.runs ?? [])),
    workflowTasks: distinct(found.flatMap((one) => one.workflowTasks ?? [])),
    activities: distinct(found.flatMap((one) => one.activities ?? [])),
    timers: distinct(found.flatMap((one) => one.timers ?? [])),
    waits: distinct(found.flatMap((one) => one.waits ?? [])),
    signals: distinct(found.flatMap((one) => one.signals ?? [])),
    queryTasks: distinct(found.flatMap((one) => one.queryTasks ?? [])),
    registrations: distinct(found.flatMap((one) => one.registrations ?? [])),
    livenesses: distinct(found.flatMap((one) => one.livenesses ?? [])),
  }
}

function selectOne(world: World, key: SliceKey): Partial<Loaded> {
  switch (key.of) {
    case 'namespace':
      return { namespaces: world.namespaces.filter((row) => row.name === key.name) }
    case 'workflow': {
      const workflows = world.workflows.filter((row) => row.workflowId === key.workflowId)
      return { workflows, runs: world.runs.filter((row) => workflows.some((one) => one.currentRunId === row.runId)) }
    }
    case 'run':
      return { runs: world.runs.filter((row) => row.runId === key.runId) }
    case 'workflowTask':
      return { workflowTasks: world.workflowTasks.filter((row) => row.taskId === key.taskId) }
    case 'openWorkflowTask':
      return { workflowTasks: world.workflowTasks.filter((row) => row.runId === key.runId && isOpenTask(row)) }
    case 'activity':
      return { activities: world.activities.filter((row) => row.activityId === key.activityId) }
    case 'openActivities':
      return { activities: world.activities.filter((row) => row.runId === key.runId && isOpenActivity(row)) }
    case 'timer':
      return { timers: world.timers.filter((row) => row.timerId === key.timerId) }
    case 'openTimers':
      return { timers: world.timers.filter((row) => row.runId === key.runId && row.status === 'pending') }
    case 'liveWaits':
      return { waits: world.waits.filter((row) => row.runId === key.runId && isLiveWait(row)) }
    case 'heldSignals':
      return { signals: world.signals.filter((row) => row.runId === key.runId && row.status === 'held') }
    case 'unreadSignals': {
      const unread = world.signals.filter(
        (row) => row.runId === key.runId && row.name === key.name && row.status === 'received',
      )
      return { signals: unread.sort((a, b) => a.commandSequence - b.commandSequence).slice(0, key.limit) }
    }
    case 'queryTask':
      return { queryTasks: world.queryTasks.filter((row) => row.queryTaskId === key.queryTaskId) }
    case 'registration':
      return {
        registrations: world.registrations.filter(
          (row) => row.namespace === key.namespace && row.workerId === key.workerId,
        ),
      }
    case 'liveness':
      return {
        livenesses: world.livenesses.filter((row) => row.namespace === key.namespace && row.workerId === key.workerId),
      }
  }
}

function distinct<Row>(rows: readonly Row[]): Row[] {
  return [...new Set(rows)]
}

/** The world after a group; a row inserted twice, or updated without being there, is an error of the group. */
export function apply(world: World, changes: Changes): World {
  return {
    namespaces: applied(world.namespaces, changes.namespaces, keyOf.namespace),
    workflows: applied(world.workflows, changes.workflows, keyOf.workflow),
    runs: applied(world.runs, changes.runs, keyOf.run),
    workflowTasks: applied(world.workflowTasks, changes.workflowTasks, keyOf.workflowTask),
    activities: applied(world.activities, changes.activities, keyOf.activity),
    timers: applied(world.timers, changes.timers, keyOf.timer),
    waits: applied(world.waits, changes.waits, keyOf.wait),
    signals: applied(world.signals, changes.signals, keyOf.signal),
    queryTasks: applied(world.queryTasks, changes.queryTasks, keyOf.queryTask),
    registrations: applied(world.registrations, changes.registrations, keyOf.registration),
    livenesses: applied(world.livenesses, changes.livenesses, keyOf.liveness),
    events: [...world.events, ...changes.events],
  }
}

function applied<Row>(
  rows: readonly Row[],
  { inserted, updated, removed }: RowChanges<Row>,
  keyOfRow: (row: Row) => string,
): Row[] {
  const byKey = new Map(rows.map((row) => [keyOfRow(row), row]))
  for (const row of inserted) {
    if (byKey.has(keyOfRow(row))) throw new Error(`Row ${keyOfRow(row)} is inserted, but it is there.`)
    byKey.set(keyOfRow(row), row)
  }
  for (const row of updated) {
    if (!byKey.has(keyOfRow(row))) throw new Error(`Row ${keyOfRow(row)} is updated, but it is not there.`)
    byKey.set(keyOfRow(row), row)
  }
  for (const row of removed) byKey.delete(keyOfRow(row))
  return [...byKey.values()]
}

export interface Decided<Reply, Reason extends string> {
  readonly outcome: Outcome<Reply, Reason>
  readonly changes: Changes
  /** The world after the group. */
  readonly world: World
  /** How often the decision asked for a wider slice. */
  readonly widened: number
}

/** Decides one operation on its own slice of the world, in a group of its own, as the unit of work does. */
export function decide<Reply, Reason extends string>(
  world: World,
  operation: Operation<Reply, Reason>,
  now: number,
): Decided<Reply, Reason> {
  const extra: SliceKey[] = []
  for (let widened = 0; widened < 4; widened++) {
    const group = new Group()
    load(group, world, [...operation.slice, ...extra], (draft) => operation.follow(draft))
    const draft = new Draft(group)
    const decision = operation.decide(draft, now)
    if (decision.kind === 'widen') {
      extra.push(...decision.keys)
      continue
    }
    if (decision.kind !== 'refused' || decision.keepsDraft) draft.commit()
    const changes = group.changes()
    return { outcome: decision, changes, world: apply(world, changes), widened }
  }
  throw new Error(`${operation.kind} asks for a wider slice again and again.`)
}

function load(
  group: Group,
  world: World,
  first: readonly SliceKey[],
  follow: (draft: Draft) => readonly SliceKey[],
): void {
  let keys = group.unasked(first)
  while (keys.length > 0) {
    group.add(select(world, keys))
    keys = group.unasked(follow(new Draft(group)))
  }
}

/** Decides operations one after the other, each in a group of its own, and returns the last one's result. */
export function play(world: World, operations: readonly Operation[], now: number): Decided<unknown, string> {
  let last: Decided<unknown, string> | undefined
  for (const operation of operations) last = decide(last?.world ?? world, operation, now)
  if (last === undefined) throw new Error('play needs at least one operation.')
  return last
}
