// Promises of several calls, in whatever order they end. Append only: see activities.ts.
import { z } from 'zod'
import { ActivityFailure, activity, type, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const work = activity('work', { input: z.string(), output: z.string(), retry: { maximumAttempts: 1 } })
const workImpl = work.implement(async (name) => {
  if (name.startsWith('bad')) throw new RangeError(`${name} failed`)
  return `${name} done`
})

const all = workflow('promise-all', { output: type<unknown>() }, async (ctx) =>
  Promise.all(['a', 'b', 'c', 'd'].map((name) => ctx.run(work, name))),
)

const race = workflow('promise-race', { output: type<unknown>() }, async (ctx) => {
  const rounds: string[] = []
  for (const name of ['a', 'b', 'c']) {
    rounds.push(await Promise.race([ctx.run(work, name), ctx.sleep('6ms').then(() => `${name} slept`)]))
  }
  return rounds
})

const any = workflow('promise-any', { output: type<unknown>() }, async (ctx) => {
  const first = await Promise.any([ctx.run(work, 'bad one'), ctx.run(work, 'good'), ctx.run(work, 'bad two')])
  const none = await Promise.any([ctx.run(work, 'bad three'), ctx.run(work, 'bad four')]).catch((error: unknown) =>
    error instanceof AggregateError
      ? error.errors.map((each) => (ActivityFailure.is(each) ? each.message : 'other'))
      : 'other',
  )
  return [first, none]
})

const allSettled = workflow('promise-all-settled', { output: type<unknown>() }, async (ctx) => {
  const ends = await Promise.allSettled([ctx.run(work, 'bad'), ctx.sleep('5ms'), ctx.run(work, 'good')])
  return ends.map(({ status }) => status)
})

const firstFailure = workflow('all-with-a-failure', { output: type<unknown>() }, async (ctx) => {
  const ended: string[] = []
  const kept = (name: string) =>
    ctx.run(work, name).then(
      () => ended.push(name),
      (error: unknown) => {
        ended.push(`${name}!`)
        throw error
      },
    )
  const failure = await Promise.all([kept('a'), kept('bad'), kept('c')]).catch((error: unknown) =>
    ActivityFailure.is(error) ? error.message : 'other',
  )
  await ctx.sleep('20ms')
  return [failure, ended]
})

const branches = workflow('branches', { output: type<unknown>() }, async (ctx) => {
  const order: string[] = []
  const branch = async (name: string, length: number) => {
    for (let index = 0; index < length; index += 1) {
      order.push(await ctx.run(work, `${name}${index}`))
      if (index % 2 === 0) await ctx.sleep('3ms')
    }
  }
  await Promise.all([branch('x', 3), branch('y', 2), branch('z', 4)])
  return order.length
})

const lost = workflow('race-with-a-loser-that-goes-on', { output: type<unknown>() }, async (ctx) => {
  const slow = ctx.run(work, 'slow')
  const first = await Promise.race([slow, ctx.sleep('1ms')])
  await ctx.run(work, 'between')
  return [first === undefined ? 'slept' : first, await slow]
})

export const combinatorScenarios: readonly Scenario[] = [
  { workflow: all, activities: [workImpl], shapes: 3 },
  { workflow: race, activities: [workImpl], shapes: 4 },
  { workflow: any, activities: [workImpl], shapes: 3 },
  { workflow: allSettled, activities: [workImpl] },
  { workflow: firstFailure, activities: [workImpl], shapes: 3 },
  { workflow: branches, activities: [workImpl], shapes: 3 },
  { workflow: lost, activities: [workImpl], shapes: 3 },
]
