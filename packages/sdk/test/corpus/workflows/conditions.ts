// Waits for the workflow's own state. Append only: see activities.ts.
import { z } from 'zod'
import { activity, signal, type, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const raised = signal('raised', z.number())
const measure = activity('measure', { input: z.number(), output: z.number() })
const measureImpl = measure.implement(async (value) => value * 2)

const bySignal = workflow('condition-by-signal', { output: type<unknown>(), handles: [raised] }, async (ctx) => {
  let level = 0
  ctx.handle(raised, (by) => {
    level += by
  })
  const reached = await ctx.condition(() => level >= 5, { timeout: '10s' })
  return [reached, level]
})

const timedOut = workflow('condition-timeout', { output: type<unknown>() }, async (ctx) => [
  await ctx.condition(() => true),
  await ctx.condition(() => false, { timeout: '10ms' }),
])

const byBranches = workflow('condition-by-branches', { output: type<unknown>(), handles: [raised] }, async (ctx) => {
  let level = 0
  let done = 0
  ctx.handle(raised, async (by) => {
    const measured = await ctx.run(measure, by)
    level += measured
    done += 1
  })
  const watch = async (limit: number) => {
    await ctx.condition(() => level >= limit)
    await ctx.sleep('5ms')
    return limit
  }
  const limits = await Promise.all([watch(6), watch(2)])
  const more = await ctx.condition(() => done >= 3, { timeout: '10s' })
  return [limits, more, level]
})

export const conditionScenarios: readonly Scenario[] = [
  { workflow: bySignal, activities: [], messages: [2, 1, 3].map((payload) => ({ signal: raised, payload })) },
  { workflow: timedOut, activities: [], shapes: 1 },
  {
    workflow: byBranches,
    activities: [measureImpl],
    messages: [1, 1, 2].map((payload) => ({ signal: raised, payload })),
    shapes: 3,
  },
]
