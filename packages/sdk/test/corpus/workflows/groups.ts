// ctx.all: groups that wake the run once, nested, failing, beside one another. Append only: see activities.ts.
import { z } from 'zod'
import { ActivityFailure, activity, signal, type, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const pick = activity('pick', { input: z.string(), output: z.string(), retry: { maximumAttempts: 1 } })
const pickImpl = pick.implement(async (name) => {
  if (name.startsWith('broken')) throw new RangeError(`${name} was dropped`)
  return `${name} picked`
})
const hurried = signal('hurried', z.string())

const group = workflow('group', { output: type<unknown>() }, async (ctx) =>
  ctx.all(['a', 'b', 'c'].map((name) => ctx.run(pick, name))),
)

const nested = workflow('nested-group', { output: type<unknown>() }, async (ctx) => {
  const [first, [second, third]] = await ctx.all([
    ctx.run(pick, 'a'),
    ctx.all([ctx.run(pick, 'b'), ctx.all([ctx.sleep('5ms'), ctx.run(pick, 'c')])]),
  ])
  return [first, second, third[1]]
})

const failing = workflow('failing-group', { output: type<unknown>() }, async (ctx) => {
  const failure = await ctx
    .all([ctx.run(pick, 'a'), ctx.run(pick, 'broken b'), ctx.run(pick, 'broken c')])
    .catch((error: unknown) => (ActivityFailure.is(error) ? error.message : 'other'))
  return [failure, await ctx.run(pick, 'after')]
})

const beside = workflow('groups-beside-one-another', { output: type<unknown>(), handles: [hurried] }, async (ctx) => {
  const seen: string[] = []
  ctx.handle(hurried, (text) => void seen.push(text))
  const left = ctx.all([ctx.run(pick, 'l1'), ctx.run(pick, 'l2')]).then((parts) => seen.push(...parts))
  const right = ctx.all([ctx.run(pick, 'r1'), ctx.sleep('5ms')]).then(([part]) => seen.push(part))
  await Promise.all([left, right, ctx.run(pick, 'alone')])
  return seen.length
})

export const groupScenarios: readonly Scenario[] = [
  { workflow: group, activities: [pickImpl] },
  { workflow: nested, activities: [pickImpl], shapes: 3 },
  { workflow: failing, activities: [pickImpl] },
  { workflow: beside, activities: [pickImpl], messages: [{ signal: hurried, payload: 'now' }], shapes: 3 },
]
