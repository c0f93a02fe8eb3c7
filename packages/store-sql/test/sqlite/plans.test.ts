// The plans of all statements, taken from SQLite itself on a filled database (without `analyze`, as in production): every statement that the
// engine sends while it works is heard at the driver and explained.

import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/index.ts'
import { databaseDirectory } from '../support/directory.ts'
import { changes, event } from '../support/make.ts'
import { write } from '../support/suite.ts'
import { rowsOf, workWith } from '../support/work.ts'

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
    ['from "workflow_tasks" where "run_id" in', 'workflow_tasks_open (run_id=?)'],
    ['from "activities" where "run_id" in', 'activities_open (run_id=?)'],
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
  await write(store, rowsOf(ids, 'inserted', 1))
  texts.clear()
  await workWith(store, ids)
  await write(store, changes({ events: ids.map((runId) => event({ runId, sequence: 2 })) }))
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
