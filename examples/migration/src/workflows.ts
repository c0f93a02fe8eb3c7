import { type Batch, compare, copied, copyBatch, countRows, migration, nightly, startMigration } from './contracts.ts'
import { nextNight } from './nights.ts'

/** Copies everything, wave by wave; at the end it compares, and says what it found. */
export const migrationImpl = migration.implement(async (ctx, plan) => {
  let rows = 0
  let of = 0
  ctx.handle(copied, () => ({ rows, of }))

  of = await ctx.run(countRows)
  const batches = batchesOf(of, plan.batchSize)
  let resumed = 0
  for (let at = 0; at < batches.length; at += plan.width) {
    if (at > 0) await ctx.sleep(plan.pauseMs)
    const wave = batches.slice(at, at + plan.width)
    const ended = await ctx.all(wave.map((batch) => ctx.run(copyBatch, batch)))
    for (const batch of ended) {
      rows += batch.rows
      if (batch.attempts > 1) resumed += 1
    }
  }
  return { rows, batches: batches.length, resumed, ...(await ctx.run(compare)) }
})

function batchesOf(rows: number, size: number): Batch[] {
  return Array.from({ length: Math.ceil(rows / size) }, (_, at) => ({
    from: at * size,
    to: Math.min(rows, (at + 1) * size),
  }))
}

/**
 * Starts one migration a night. There are no schedules yet: a workflow that sleeps is one.
 *
 * A night adds about ten events to its history, so it ends after `nights` of them: start it again then.
 */
export const nightlyImpl = nightly.implement(async (ctx, { plan, hour, nights }) => {
  const started: string[] = []
  while (started.length < nights) {
    const night = nextNight(new Date(ctx.now()), hour)
    await ctx.sleepUntil(night)
    const id = `migration-${night.toISOString().slice(0, 10)}`
    await ctx.run(startMigration, { id, plan })
    started.push(id)
  }
  return started
})
