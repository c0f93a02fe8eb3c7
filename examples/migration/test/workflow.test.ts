// The migration in virtual time: a month of nights passes in milliseconds.
import { workflow } from '@durable-workflow/sdk'
import { testEnvironment } from '@durable-workflow/testing'
import { expect, test } from 'vitest'
import { startMigrationWith } from '../src/activities.ts'
import { compare, copyBatch, countRows, migration, nightly, startMigration } from '../src/contracts.ts'
import { migrationImpl, nightlyImpl } from '../src/workflows.ts'

const plan = { batchSize: 20, width: 3, pauseMs: 60_000 }

test('every row belongs to one batch; a wave begins a pause after the one before', async () => {
  const began: { from: number; to: number; atMs: number }[] = []
  await using env = await testEnvironment({
    workflows: [migrationImpl],
    activities: [
      countRows.implement(() => 130),
      copyBatch.implement(({ from, to }, ctx) => {
        began.push({ from, to, atMs: env.now().getTime() - startMs })
        return { rows: to - from, attempts: ctx.info.attempt }
      }),
      compare.implement(() => ({ missing: 0, different: 0 })),
    ],
  })
  const startMs = env.now().getTime()
  const run = await env.client.start(migration, { input: plan })
  await env.advance('2 minutes')
  expect(await run.result()).toEqual({ rows: 130, batches: 7, resumed: 0, missing: 0, different: 0 })
  expect(began.map(({ from, to }) => to - from)).toEqual([20, 20, 20, 20, 20, 20, 10])
  expect(began.map(({ from }) => from).toSorted((a, b) => a - b)).toEqual([0, 20, 40, 60, 80, 100, 120])
  expect(began.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000])
})

test('a night that was started before is not started again, also when it has ended', async () => {
  await using env = await testEnvironment()
  const again = workflow('again', {}, async (ctx) => {
    for (let times = 0; times < 2; times += 1) {
      await ctx.run(startMigration, { id: 'migration-2026-12-01', plan })
      await ctx.sleep('1 hour')
    }
  })
  await env.startWorker({
    workflows: [migrationImpl, again],
    activities: [
      startMigrationWith(env.client),
      countRows.implement(() => 0),
      compare.implement(() => ({ missing: 0, different: 0 })),
    ],
  })
  const run = await env.client.start(again, {})
  await env.advance('2 hours')
  expect(await run.describe()).toMatchObject({ status: 'completed' })
  const runs = []
  for await (const one of env.client.list({ type: migration })) runs.push(one.status)
  expect(runs).toEqual(['completed'])
})

test('a month of nights starts thirty migrations, each at its hour and under its date', async () => {
  const started: { id: string; at: string }[] = []
  await using env = await testEnvironment({
    workflows: [nightlyImpl],
    activities: [startMigration.implement(({ id }) => void started.push({ id, at: env.now().toISOString() }))],
    startAt: new Date('2026-11-15T12:00:00Z'),
  })
  const run = await env.client.start(nightly, { input: { plan, hour: 2, nights: 30 } })
  await env.advance('30 days')
  expect(await run.result()).toHaveLength(30)
  expect(started[0]).toEqual({ id: 'migration-2026-11-16', at: '2026-11-16T02:00:00.000Z' })
  expect(started.at(-1)).toEqual({ id: 'migration-2026-12-15', at: '2026-12-15T02:00:00.000Z' })
})
