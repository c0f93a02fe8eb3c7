// Clock and chance: what a run reads of them stands in what it sends. Append only: see activities.ts.
import { z } from 'zod'
import { activity, query, signal, type, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const keep = activity('keep', { input: type<unknown>(), output: type<unknown>() })
const keepImpl = keep.implement(async (value) => value)
const drawn = query('drawn', { output: z.number() })
const more = signal('more', z.string())

const chance = workflow('chance', { output: type<unknown>(), handles: [drawn] }, async (ctx) => {
  let last = 0
  ctx.handle(drawn, () => last)
  last = Math.random()
  const kept = await ctx.run(keep, [last, ctx.random(), ctx.uuid(), crypto.randomUUID()])
  await ctx.sleep(2)
  return [kept, Math.random(), ctx.uuid()]
})

const clock = workflow('clock', { output: type<unknown>() }, async (ctx) => {
  const readings = [
    Date.now() - ctx.info.startedAt,
    Date.parse(new Date().toISOString()) - ctx.now(),
    performance.now() - ctx.now(),
  ]
  await ctx.run(keep, readings)
  await ctx.sleep(3)
  return [readings, new Date(ctx.now()).toISOString() === new Date().toISOString(), ctx.info.historyLength]
})

const chanceInBranches = workflow('chance-in-branches', { output: type<unknown>(), handles: [more] }, async (ctx) => {
  const kept: unknown[] = []
  ctx.handle(more, async (text) => void kept.push(await ctx.run(keep, `${text} ${Math.random()}`)))
  const branch = async (name: string) => {
    await ctx.run(keep, `${name} ${ctx.random()}`)
    await ctx.run(keep, `${name} ${ctx.uuid()}`)
  }
  await Promise.all([branch('a'), branch('b')])
  await ctx.condition(() => kept.length === 2)
  return kept
})

const facts = workflow('facts-of-the-run', { input: z.string(), output: type<unknown>() }, async (ctx, given) => {
  const { workflowId, runId, workflowType, namespace, taskQueue } = ctx.info
  return ctx.run(keep, [given, workflowId, runId, workflowType, namespace, taskQueue])
})

export const determinismScenarios: readonly Scenario[] = [
  { workflow: chance, activities: [keepImpl] },
  { workflow: clock, activities: [keepImpl], shapes: 2 },
  {
    workflow: chanceInBranches,
    activities: [keepImpl],
    messages: ['one', 'two'].map((payload) => ({ signal: more, payload })),
    shapes: 3,
  },
  { workflow: facts, input: 'given', activities: [keepImpl], shapes: 1 },
]
