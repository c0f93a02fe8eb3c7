// The plans of all statements, taken from SQLite itself on a filled database (without `analyze`, as in production): every statement that the
// engine sends while it works is heard at the driver and explained.

import { DatabaseSync } from 'node:sqlite'
import type { SliceKey, Store } from '@durable-workflow/engine/ports'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { databaseDirectory } from '../support/directory.ts'
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
} from '../support/make.ts'
import { write } from '../support/suite.ts'

const directory = databaseDirectory()
const size = 300
const ids = Array.from({ length: size }, (_, i) => `r${i}`)

const tables =
  'workflows|runs|workflow_tasks|activities|timers|waits|signals|query_tasks|registrations|livenesses|history_events'

describe('plans', () => {
  test('no statement but the list of namespaces reads a whole table', async () => {
    const { file, texts } = await heardWhileWorking()
    const plans = plansOf(file, texts)
    expect(plans.length).toBeGreaterThan(40)
    const scanning = plans.filter(({ plan }) => new RegExp(`SCAN (${tables})\\b`).test(plan))
    expect(scanning).toStrictEqual([])
  })

  test.each([
    ['from "history_events"', 'USING INDEX sqlite_autoindex_history_events_1 (run_id=? AND sequence>?)'],
    [
      '"workflow_type" as type, "available_at" as available_at\n      from "workflow_tasks"',
      'workflow_tasks_ready (namespace=? AND task_queue=? AND workflow_type=? AND available_at<?)',
    ],
    [
      '"activity_type" as type, "available_at" as available_at\n      from "activities"',
      'activities_ready (namespace=? AND task_queue=? AND activity_type=? AND available_at<?)',
    ],
    ['from "runs" where "namespace" = ?', 'runs_started (namespace=?'],
    ['"runs"."run_id" = "changed"."run_id"', 'SEARCH runs USING COVERING INDEX sqlite_autoindex_runs_1 (run_id=?)'],
    ['select * from "workflow_tasks" where "run_id" in', 'workflow_tasks_open (run_id=?)'],
    ['select * from "activities" where "run_id" in', 'activities_open (run_id=?)'],
    ['replay_blocked_reason is not null  and', 'runs_blocked (namespace=? AND (workflow_type,run_id)>(?,?))'],
    ["'timer' as kind", 'timers_due (due_at>? AND due_at<?)'],
    ["'workflow' as kind", 'workflow_tasks_leased (namespace=? AND lease_owner=?)'],
  ])('%s … goes through %s', async (part, step) => {
    const { file, texts } = await heardWhileWorking()
    const plans = plansOf(file, texts).filter(({ text }) => text.includes(part))
    expect(plans.length).toBeGreaterThan(0)
    for (const { plan } of plans) expect(plan).toContain(step)
  })

  test('pages are read in index order, never sorted', async () => {
    const { file, texts } = await heardWhileWorking()
    const pages = plansOf(file, texts).filter(
      ({ text }) => text.startsWith('select * from "runs"') || text.includes('from "history_events"'),
    )
    expect(pages.length).toBeGreaterThan(4)
    expect(pages.filter(({ plan }) => plan.includes('TEMP B-TREE'))).toStrictEqual([])
  })
})

interface Heard {
  readonly file: string
  readonly texts: readonly string[]
}

let heard: Promise<Heard> | undefined

/** Works once; all tests look at the same statements. */
function heardWhileWorking(): Promise<Heard> {
  heard ??= work()
  return heard
}

async function work(): Promise<Heard> {
  const file = directory.newFile()
  const texts = new Set<string>()
  const store = await openStore(`sqlite:${file}`, {
    onStatement: (text) => {
      texts.add(text)
    },
  })
  await write(store, rows('inserted'))
  texts.clear()
  await write(store, rows('updated'))
  await store.load(ids.flatMap(keysOf))
  await finds(store)
  await lists(store)
  await write(store, rows('removed'))
  await write(store, rows('inserted'))
  await store.close()
  const isPlanned = (text: string) => /^(select|with|insert|update|delete)/.test(text)
  return {
    file,
    texts: [...texts].filter((text) => isPlanned(text) && text !== 'select 1' && !text.includes('"namespaces"')),
  }
}

function plansOf(file: string, texts: readonly string[]): { text: string; plan: string }[] {
  const database = new DatabaseSync(file)
  const plans = texts.map((text) => {
    const steps = database.prepare(`explain query plan ${text}`).all()
    return { text, plan: steps.map((step) => String(step.detail)).join('\n') }
  })
  database.close()
  return plans
}

function rows(list: 'inserted' | 'updated' | 'removed') {
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
    events: list === 'inserted' ? ids.map((id, i) => event({ runId: id, sequence: sequences.next(i) })) : [],
  })
}

/** The second insert of events goes behind the first. */
const sequences = {
  calls: 0,
  next(i: number): number {
    if (i === 0) this.calls += 1
    return this.calls
  },
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
  }
  await store.find.due({ now: t0, limit: 10 })
  await store.find.leasedBy({ namespace: 'default', owner: 'worker-1' })
  const blocked = { namespace: 'default', after: undefined, limit: 10 }
  await store.find.blockedRuns({ ...blocked, types: undefined })
  await store.find.blockedRuns({ ...blocked, types: ['Order'], after: { workflowType: 'Order', runId: 'r9' } })
}

async function lists(store: Store): Promise<void> {
  const page = { namespace: 'default', filter: { kind: 'all', of: [] }, limit: 10 } as const
  await store.list.workflows({ ...page, after: undefined })
  await store.list.workflows({ ...page, after: { startedAt: t0 + 9, runId: 'r9' } })
  await store.list.runs({ workflowId: 'w-r1' })
  await store.list.openRuns({ after: undefined, limit: 10 })
  await store.list.history({ runId: 'r1', after: 0, limit: 10 })
  await store.list.registrations({ namespace: 'default' })
  await store.list.openQueryTaskCount({ namespace: 'default', taskQueue: 'default' })
}
