// Groups of 20 operations on a file: load 20 runs with their open tasks, update both, insert 60 events. Prints groups
// each second. Usage: node --conditions=source packages/store-sql/scripts/bench.ts [directory|postgres://… [scattered|ordered]]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SliceKey } from '@durable-workflow/engine/ports'
import { openStore } from '../src/index.ts'
import { changes, event, liveness, run, workflow, workflowTask } from '../test/support/make.ts'

const runCount = 20_000
/** The newest runs are the ones that move. */
const activeCount = 1000
const idOrder = process.argv[3] ?? 'scattered'
const groupSize = 20
const seconds = 5

const place = process.argv[2] ?? tmpdir()
const isServer = place.startsWith('postgres')
const directory = mkdtempSync(join(isServer ? tmpdir() : place, 'store-bench-'))
const store = await openStore(isServer ? place : `sqlite:${join(directory, 'bench.db')}`)
try {
  await fill()
  await measure('a commit that writes one small row (the flush)', (turn) => flush(turn))
  await measure('load 20 runs and tasks, update both, insert 60 events', (turn) => group(turn))
  await measure('load 20 runs and tasks only', (turn) => loadOnly(turn))
  await measure('the group with one operation', (turn) => one(turn))
} finally {
  await store.close()
  rmSync(directory, { recursive: true })
}

async function fill(): Promise<void> {
  const blob = 'x'.repeat(300)
  for (let start = 0; start < runCount; start += 500) {
    const ids = Array.from({ length: 500 }, (_, i) => start + i)
    await store.transact([], async (transaction) => {
      await transaction.write(
        changes({
          workflows: { inserted: ids.map((i) => workflow({ workflowId: `w${i}`, currentRunId: runId(i) })) },
          runs: {
            inserted: ids.map((i) => run({ runId: runId(i), workflowId: `w${i}`, arguments: { codec: 'avro', blob } })),
          },
          workflowTasks: { inserted: ids.map((i) => workflowTask({ taskId: `${runId(i)}-t1`, runId: runId(i) })) },
          events: ids.map((i) => event({ runId: runId(i), eventId: `${runId(i)}-e1`, payload: blob })),
        }),
      )
    })
  }
}

async function group(turn: number): Promise<void> {
  await operations(turn, groupSize)
}

async function one(turn: number): Promise<void> {
  await operations(turn, 1)
}

async function operations(turn: number, count: number): Promise<void> {
  const keys = keysOf(turn, count)
  await store.transact([], async (transaction) => {
    const loaded = await transaction.load(keys)
    if (loaded.runs.length !== count || loaded.workflowTasks.length !== count) throw new Error('Rows are missing.')
    await transaction.write(
      changes({
        runs: { updated: loaded.runs.map((row) => ({ ...row, lastSequence: row.lastSequence + 3 })) },
        workflowTasks: { updated: loaded.workflowTasks.map((row) => ({ ...row, attempt: row.attempt + 1 })) },
        events: loaded.runs.flatMap((row) =>
          [1, 2, 3].map((step) =>
            event({
              runId: row.runId,
              sequence: row.lastSequence + step,
              eventId: `${row.runId}-e${row.lastSequence + step}`,
              payload:
                '{"sequence":1,"activity_type":"charge","result":{"codec":"avro","blob":"AAAAAAAAAAAAAAAAAAAA"}}',
            }),
          ),
        ),
      }),
    )
  })
}

async function flush(turn: number): Promise<void> {
  await store.transact([], (transaction) =>
    transaction.write(changes({ livenesses: { updated: [liveness({ lastHeartbeatAt: turn })] } })),
  )
}

async function loadOnly(turn: number): Promise<void> {
  await store.load(keysOf(turn, groupSize))
}

function keysOf(turn: number, count: number): SliceKey[] {
  return Array.from({ length: count }, (_, i) => runId(runCount - 1 - ((turn * 7919 + i * 37) % activeCount))).flatMap(
    (id) => [
      { of: 'run', runId: id },
      { of: 'openWorkflowTask', runId: id },
    ],
  )
}

/** Scattered like real ids, the same in every run of the bench. */
function runId(i: number): string {
  if (idOrder === 'ordered') return `r${i.toString(16).padStart(16, '0')}`
  return `r${((i * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}${i}`
}

async function measure(name: string, act: (turn: number) => Promise<void>): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await act(turn)
  const durations: number[] = []
  const processor = process.cpuUsage()
  const from = performance.now()
  for (let turn = 200; performance.now() - from < seconds * 1000; turn++) {
    const start = performance.now()
    await act(turn)
    durations.push(performance.now() - start)
  }
  const count = durations.length
  const { user, system } = process.cpuUsage(processor)
  const sorted = durations.sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(count * share)] ?? 0).toFixed(2)
  const rate = (count / ((performance.now() - from) / 1000)).toFixed(0)
  const used = ((user + system) / 1000 / count).toFixed(2)
  process.stdout.write(`${name}: ${rate}/s; ms each: p50 ${at(0.5)}, p99 ${at(0.99)}; processor ${used} ms\n`)
}
