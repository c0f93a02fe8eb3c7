// Side effects and versions: new runs, runs from before a change, runs that cross it. Append only: see activities.ts.
import { z } from 'zod'
import { activity, signal, type, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const act = activity('act', { input: z.string(), output: z.string() })
const actImpl = act.implement(async (name) => `${name} done`)
const go = signal('go')

// The same value at every call: a recorded turn is replayed as the first run of its code, too.
const sideEffects = workflow('side-effects', { output: type<unknown>() }, async (ctx) => {
  const drawn = await ctx.sideEffect('draw', () => ({ number: 4, picked: ['x'] }))
  const acted = await ctx.run(act, String(drawn.number))
  const pair = await Promise.all([ctx.sideEffect('one', () => 1), ctx.run(act, 'b'), ctx.sideEffect('two', () => 2)])
  return [acted, pair]
})

const versioned = workflow('version-of-a-new-run', { output: type<unknown>() }, async (ctx) => {
  const version = ctx.version('order-of-steps', { max: 2, min: 1 })
  const first = await ctx.run(act, `by ${version}`)
  return [first, ctx.version('order-of-steps', { max: 2, min: 1 }), ctx.version('later', { max: 1 })]
})

const before = workflow('version-across-a-change', { output: type<unknown>(), handles: [go] }, async (ctx) => {
  const done = [await ctx.run(act, 'charge')]
  await ctx.waitFor(go)
  done.push(await ctx.run(act, 'ship'))
  return done
})
const after = workflow('version-across-a-change', { output: type<unknown>(), handles: [go] }, async (ctx) => {
  const done: string[] = []
  if (ctx.version('pack-first', { max: 1 }) === 1) done.push(await ctx.run(act, 'pack'))
  done.push(await ctx.run(act, 'charge'))
  await ctx.waitFor(go)
  if (ctx.version('label', { max: 1 }) === 1) done.push(await ctx.run(act, 'label'))
  done.push(await ctx.run(act, 'ship'))
  return done
})

const changing = workflow('version-in-branches', { output: type<unknown>() }, async (ctx) => {
  const branch = async (name: string) => {
    await ctx.run(act, name)
    const version = ctx.version(`branch ${name}`, { max: 3 })
    return `${await ctx.run(act, `${name} by ${version}`)} ${await ctx.sideEffect(name, () => version)}`
  }
  return Promise.all([branch('a'), branch('b')])
})

export const markerScenarios: readonly Scenario[] = [
  { workflow: sideEffects, activities: [actImpl] },
  { workflow: versioned, activities: [actImpl], shapes: 2 },
  { workflow: after, before, activities: [actImpl], messages: [{ signal: go }], shapes: 4 },
  { workflow: changing, activities: [actImpl], shapes: 3 },
]
