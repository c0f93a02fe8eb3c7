// The migration started as its README says: its worker is killed in the middle of a wave, then the whole program is stopped, and
// every row arrives.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startExample } from '../../quickstart/test/started.ts'
import { nextNight } from '../src/nights.ts'
import { Target } from '../src/rows.ts'

const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-migration-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = () => startExample('examples/migration/src/start.ts', { EXAMPLE_DATA: folder, DW_PORT: '0' })
const copied = () => new Target(join(folder, 'target')).count()

test('a killed batch goes on from its last heartbeat, a stopped migration at the next start', async () => {
  const first = start()
  const worker = Number((await first.line(/worker process \d+ is ready/)).match(/process (\d+)/)?.[1])
  await first.line(/ 3 batches are copied/)
  // 60 rows are the first wave; of the second wave each batch is far enough that a heartbeat has told so.
  await vi.waitFor(() => expect(copied()).toBeGreaterThanOrEqual(60 + 3 * 18), { timeout: 30_000, interval: 20 })
  process.kill(worker, 'SIGKILL')
  await first.line(/worker process \d+ died/)
  const resumed = await first.line(/batch from row \d+ goes on at row/)
  const [from = 0, at = 0] = (resumed.match(/\d+/g) ?? []).map(Number)
  expect(at).toBeGreaterThan(from)
  await first.line(/ 6 batches are copied/)
  expect(await first.interrupt()).toBe(0)

  const second = start()
  await second.line(/migration-1 goes on from an earlier start/)
  const report = JSON.parse((await second.line(/migration-1: \{/)).replace(/^.*migration-1: /, ''))
  expect(report).toMatchObject({ rows: 240, batches: 12, missing: 0, different: 0 })
  expect(report.resumed).toBeGreaterThanOrEqual(1)
  expect(copied()).toBe(240)
  expect(await second.interrupt()).toBe(0)
})

test.for([
  ['before the hour', '2026-11-30T01:59:00Z', '2026-11-30T02:00:00.000Z'],
  ['at the hour', '2026-11-30T02:00:00Z', '2026-12-01T02:00:00.000Z'],
  ['at the end of a month', '2026-11-30T23:00:00Z', '2026-12-01T02:00:00.000Z'],
] as const)('the next night, %s', ([, now, expected]) => {
  expect(nextNight(new Date(now), 2).toISOString()).toBe(expected)
})
