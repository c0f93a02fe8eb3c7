// Signals: waited for, in time and too late, one after the other, with handlers that run activities. Append only: see activities.ts.
import { z } from 'zod'
import { activity, query, signal, type, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const approved = signal('approved', z.object({ by: z.string() }))
const noted = signal('noted', z.string())
const nudged = signal('nudged')
const stamp = activity('stamp', { input: z.string(), output: z.string() })
const stampImpl = stamp.implement(async (text) => `stamped ${text}`)

const waitForSignal = workflow('wait-for-signal', { output: z.string(), handles: [approved] }, async (ctx) => {
  const { by } = await ctx.waitFor(approved)
  return by
})

const signalTimeout = workflow('signal-timeout', { output: type<unknown>(), handles: [approved] }, async (ctx) => {
  const first = await ctx.waitFor(approved, { timeout: '15ms' })
  return first ?? (await ctx.run(stamp, 'late'))
})

const signalOrTimeout = workflow('signal-or-timeout', { output: type<unknown>(), handles: [noted] }, async (ctx) => {
  const seen: (string | undefined)[] = []
  for (let round = 0; round < 3; round += 1) seen.push(await ctx.waitFor(noted, { timeout: '25ms' }))
  return seen
})

const messagesLoop = workflow('messages-loop', { output: type<unknown>(), handles: [noted] }, async (ctx) => {
  const seen: string[] = []
  for await (const text of ctx.messages(noted)) {
    seen.push(await ctx.run(stamp, text))
    if (seen.length === 3) break
  }
  return seen
})

const handled = workflow('handled-signals', { output: type<unknown>(), handles: [noted, nudged] }, async (ctx) => {
  const seen: string[] = []
  ctx.handle(noted, (text) => void seen.push(text))
  ctx.handle(nudged, () => void seen.push('nudge'))
  await ctx.condition(() => seen.length >= 4)
  return seen
})

const workingHandler = workflow('handler-that-works', { output: type<unknown>(), handles: [noted] }, async (ctx) => {
  const stamped: string[] = []
  let arrived = 0
  ctx.handle(noted, async (text) => {
    arrived += 1
    stamped.push(await ctx.run(stamp, text))
  })
  await ctx.sleep('10ms')
  await ctx.condition(() => arrived === 2 && stamped.length === 2)
  return stamped
})

const lateHandler = workflow('handler-set-late', { output: type<unknown>(), handles: [noted] }, async (ctx) => {
  const seen: string[] = []
  await ctx.sleep('20ms')
  ctx.handle(noted, (text) => void seen.push(text))
  await ctx.condition(() => seen.length === 2)
  return seen
})

const state = query('state', { output: z.string() })
const twoReaders = workflow(
  'two-signals',
  { output: type<unknown>(), handles: [approved, noted, state] },
  async (ctx) => {
    let said = 'waiting'
    ctx.handle(state, () => said)
    const [{ by }, text] = await Promise.all([ctx.waitFor(approved), ctx.waitFor(noted)])
    said = 'approved'
    await ctx.run(stamp, `${by} ${text}`)
    const second = await ctx.waitFor(noted)
    return [by, text, second]
  },
)

const stillWaiting = workflow('still-waiting', { output: type<unknown>(), handles: [approved, noted] }, async (ctx) => {
  const text = await ctx.waitFor(noted)
  await ctx.run(stamp, text)
  return ctx.waitFor(approved)
})

const note = (payload: string) => ({ signal: noted, payload })
export const signalScenarios: readonly Scenario[] = [
  { workflow: waitForSignal, activities: [], messages: [{ signal: approved, payload: { by: 'ada' } }] },
  { workflow: signalTimeout, activities: [stampImpl], shapes: 2 },
  { workflow: signalOrTimeout, activities: [], messages: [note('one'), note('two')], shapes: 3 },
  {
    workflow: messagesLoop,
    activities: [stampImpl],
    messages: [note('one'), note('two'), note('three'), note('four')],
    shapes: 3,
  },
  {
    workflow: handled,
    activities: [],
    messages: [note('one'), { signal: nudged }, note('two'), note('three')],
    shapes: 3,
  },
  { workflow: workingHandler, activities: [stampImpl], messages: [note('one'), note('two')], shapes: 3 },
  { workflow: lateHandler, activities: [], messages: [note('one'), note('two')] },
  {
    workflow: twoReaders,
    activities: [stampImpl],
    messages: [note('one'), { signal: approved, payload: { by: 'ada' } }, note('two')],
    shapes: 3,
  },
  { workflow: stillWaiting, activities: [stampImpl], messages: [note('one')], ends: 'open' },
]
