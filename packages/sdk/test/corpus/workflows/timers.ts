// Timers, alone and against activities. Append only: see activities.ts.
import { z } from 'zod'
import { type, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const naps = workflow('naps', { output: z.number() }, async (ctx) => {
  for (const durationMs of [5, 0, 20]) await ctx.sleep(durationMs)
  return 3
})

const untilInstant = workflow('sleep-until', { output: type<unknown>() }, async (ctx) => {
  const from = ctx.now()
  await ctx.sleepUntil(new Date(from + 15))
  await ctx.sleepUntil(new Date(from - 1_000))
  return ctx.now() >= from + 15
})

const parallelNaps = workflow('parallel-naps', { output: type<unknown>() }, async (ctx) => {
  const ended: number[] = []
  await Promise.all([30, 10, 20].map((durationMs) => ctx.sleep(durationMs).then(() => ended.push(durationMs))))
  return ended
})

export const timerScenarios: readonly Scenario[] = [
  { workflow: naps, activities: [] },
  { workflow: untilInstant, activities: [], shapes: 1 },
  { workflow: parallelNaps, activities: [] },
]
