// What the database holds is what was committed, read through the port as another server would.

import type { SliceKey, Store } from '@durable-workflow/engine/ports'
import type { Rows } from './rows.ts'

export async function storedProblems(store: Store, rows: Rows): Promise<string[]> {
  const problems: string[] = []
  for (const run of rows.runs.values()) {
    const { runId } = run
    const compare = (what: string, stored: readonly unknown[], known: readonly unknown[]) => {
      if (sorted(stored) !== sorted(known))
        problems.push(`${what} of ${runId}: stored ${sorted(stored)}, committed ${sorted(known)}`)
    }
    const keys: SliceKey[] = [
      { of: 'workflow', workflowId: run.workflowId },
      { of: 'openWorkflowTask', runId },
      { of: 'openActivities', runId },
      { of: 'openTimers', runId },
      { of: 'liveWaits', runId },
      { of: 'heldSignals', runId },
    ]
    const loaded = await store.load(keys)
    const is =
      (...statuses: readonly string[]) =>
      (row: { readonly status: string }) =>
        statuses.includes(row.status)
    compare('the run', loaded.runs, [run])
    compare(
      'the open workflow task',
      loaded.workflowTasks,
      rows.of(rows.workflowTasks, runId).filter(is('ready', 'leased')),
    )
    compare('open activities', loaded.activities, rows.of(rows.activities, runId).filter(is('pending', 'running')))
    compare('open timers', loaded.timers, rows.of(rows.timers, runId).filter(is('pending')))
    compare('live waits', loaded.waits, rows.of(rows.waits, runId).filter(is('open', 'expired')))
    compare('held signals', loaded.signals, rows.of(rows.signals, runId).filter(is('held')))
    const events = await store.list.history({ runId, after: 0, limit: 10_000 })
    if (JSON.stringify(events) !== JSON.stringify(rows.history(runId)))
      problems.push(`the stored history of ${runId} is not what was committed`)
  }
  return problems
}

function sorted(found: readonly unknown[]): string {
  return JSON.stringify(found.map((row) => canonical(row)).sort())
}

/** Members in order of their names, those that are undefined left out. */
function canonical(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
