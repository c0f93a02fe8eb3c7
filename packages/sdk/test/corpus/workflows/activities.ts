// Activities: one, several, retried, failed, timed out, with several arguments.
//
// Append only: once a history of a workflow is in spec/vectors/histories the workflow is never edited; a changed one gets a new name.
import { z } from 'zod'
import { ActivityFailure, activity, TimeoutFailure, type, WorkflowFailure, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const add = activity('add', { input: z.object({ a: z.number(), b: z.number() }), output: z.number() })
const addImpl = add.implement(async ({ a, b }) => a + b)

const oneActivity = workflow('one-activity', { input: z.number(), output: z.number() }, async (ctx, start) =>
  ctx.run(add, { a: start, b: 1 }),
)

const chain = workflow('chain', { input: z.number(), output: z.number() }, async (ctx, start) => {
  let sum = start
  for (const b of [1, 2, 3, 4]) sum = await ctx.run(add, { a: sum, b })
  return sum
})

const flaky = activity('flaky', {
  input: z.string(),
  output: z.string(),
  retry: { initialInterval: '5ms', backoffCoefficient: 1, maximumAttempts: 5 },
})
const flakyImpl = flaky.implement(async (text, ctx) => {
  if (ctx.info.attempt < 3) throw new Error(`attempt ${ctx.info.attempt} of ${text}`)
  return `${text} at attempt ${ctx.info.attempt}`
})
const retried = workflow('retried', { output: type<unknown>() }, async (ctx) => ctx.run(flaky, 'parcel'))

const decline = activity('decline', { input: z.string(), output: z.string(), retry: { maximumAttempts: 1 } })
const declineImpl = decline.implement(async (text) => {
  throw new WorkflowFailure(`declined ${text}`, { type: 'Declined', details: { code: 51 }, nonRetryable: true })
})
const undo = activity('undo', { input: z.string() })
const undoImpl = undo.implement(async () => undefined)
const caughtFailure = workflow('caught-failure', { output: type<unknown>() }, async (ctx) => {
  try {
    return await ctx.run(decline, 'card')
  } catch (error) {
    if (!ActivityFailure.is(error)) throw error
    await ctx.run(undo, error.type)
    return [error.type, error.message, error.details, error.nonRetryable]
  }
})

const stuck = activity('stuck', {
  input: z.string(),
  output: z.string(),
  startToCloseTimeout: '60ms',
  retry: { maximumAttempts: 1 },
})
const stuckImpl = stuck.implement(async (text, ctx) => {
  await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve(), { once: true }))
  return text
})
const timedOut = workflow('timed-out-activity', { output: type<unknown>() }, async (ctx) =>
  ctx.run(stuck, 'x').catch((error: unknown) => (TimeoutFailure.is(error) ? error.kind : 'another error')),
)

const join = activity('join', { args: [z.string(), z.number(), z.boolean()], output: z.string() })
const joinImpl = join.implement(async ([text, count, flag]) => `${text} ${count} ${flag}`)
const positional = workflow('positional-arguments', { output: z.string() }, async (ctx) =>
  ctx.run(join, ['a', 2, true]),
)

const echo = activity('echo', { input: type<unknown>(), output: type<unknown>() })
const echoImpl = echo.implement(async (value) => value)
const everyValue = workflow(
  'every-kind-of-value',
  { input: type<unknown>(), output: type<unknown>() },
  async (ctx, given) => [
    await ctx.run(echo, given),
    await ctx.run(echo, null),
    await ctx.run(echo, [1, -0.5, 'ü', true, { nested: [[]] }]),
    await ctx.run(echo, 9_007_199_254_740_993n),
    await ctx.run(echo, new Uint8Array([0, 255, 7])),
  ],
)

const optioned = workflow('options-of-a-call', { output: z.number() }, async (ctx) =>
  ctx.run(
    add,
    { a: 1, b: 2 },
    {
      startToCloseTimeout: '30s',
      scheduleToStartTimeout: '1 minute',
      scheduleToCloseTimeout: '2 minutes',
      heartbeatTimeout: '10s',
      retry: {
        maximumAttempts: 4,
        initialInterval: '1.5s',
        maximumInterval: '4s',
        nonRetryableErrorTypes: ['Declined'],
      },
    },
  ),
)

const steps = ['debit', 'reserve', 'ship'] as const
const step = activity('step', { input: z.string(), output: z.string(), retry: { maximumAttempts: 1 } })
const stepImpl = step.implement(async (name) => {
  if (name === 'ship') throw new Error('no carrier')
  return `${name} done`
})
const saga = workflow('saga', { output: type<unknown>() }, async (ctx) => {
  const undone: string[] = []
  try {
    for (const name of steps) {
      await ctx.run(step, name)
      undone.unshift(name)
    }
    return 'shipped'
  } catch (error) {
    for (const name of undone) await ctx.run(undo, name)
    return { undone, because: error instanceof Error ? error.message : 'unknown' }
  }
})

export const activityScenarios: readonly Scenario[] = [
  { workflow: oneActivity, input: 41, activities: [addImpl] },
  { workflow: chain, input: 10, activities: [addImpl] },
  { workflow: retried, activities: [flakyImpl] },
  { workflow: caughtFailure, activities: [declineImpl, undoImpl] },
  { workflow: timedOut, activities: [stuckImpl] },
  { workflow: positional, activities: [joinImpl], shapes: 1 },
  { workflow: everyValue, input: { big: 1e300, text: 'naïve', none: null }, activities: [echoImpl], shapes: 2 },
  { workflow: optioned, activities: [addImpl], shapes: 1 },
  { workflow: saga, activities: [stepImpl, undoImpl], shapes: 2 },
]
