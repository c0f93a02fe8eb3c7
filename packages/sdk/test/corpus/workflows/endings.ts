// How runs end: with values, with failures, from outside. Append only: see activities.ts.
import { z } from 'zod'
import { activity, signal, type, WorkflowFailure, workflow } from '../../../src/index.ts'
import type { Scenario } from '../scenario.ts'

const attempt = activity('attempt', {
  input: z.string(),
  output: z.string(),
  retry: { maximumAttempts: 2, initialInterval: '5ms' },
})
const attemptImpl = attempt.implement(async (name) => {
  if (name === 'bad') throw new RangeError('it never works', { cause: new Error('the root') })
  return name
})
const never = signal('never')

const atOnce = workflow('ends-at-once', { output: type<unknown>() }, async () => ({
  value: [1, 'two', null],
  at: 'once',
}))
const nothing = workflow('returns-nothing', {}, async (ctx) => {
  await ctx.sleep(1)
})
const failsAtOnce = workflow('fails-at-once', {}, async () => {
  throw new WorkflowFailure('nobody approved', {
    type: 'ApprovalTimeout',
    details: { after: '2 days' },
    nonRetryable: true,
  })
})
const failsWithCause = workflow('fails-with-a-cause', {}, async (ctx) => {
  await ctx.sleep(1)
  throw new TypeError('cannot ship', { cause: new RangeError('no weight', { cause: new Error('no scale') }) })
})
const failsByActivity = workflow('fails-by-its-activity', { output: z.string() }, async (ctx) =>
  ctx.run(attempt, 'bad'),
)
const wrongOutput = workflow('fails-by-its-output', { output: z.string() }, async (ctx) => {
  const text = await ctx.run(attempt, 'fine')
  return JSON.parse(`{"text":"${text}"}`)
})
const leavesOpen = workflow('ends-with-calls-open', { output: type<unknown>() }, async (ctx) => {
  const left = ctx.sleep('1h')
  void left.catch(() => undefined)
  void ctx.run(attempt, 'left behind').catch(() => undefined)
  return ctx.run(attempt, 'awaited')
})
const cancelled = workflow('cancelled-from-outside', { handles: [never] }, async (ctx) => {
  await ctx.run(attempt, 'first')
  await ctx.waitFor(never)
})
const terminated = workflow('terminated-from-outside', { handles: [never] }, async (ctx) => {
  const nap = ctx.sleep('1h')
  await ctx.run(attempt, 'first')
  await Promise.race([nap, ctx.waitFor(never)])
})

export const endingScenarios: readonly Scenario[] = [
  { workflow: atOnce, activities: [], shapes: 1 },
  { workflow: nothing, activities: [], shapes: 1 },
  { workflow: failsAtOnce, activities: [], shapes: 1 },
  { workflow: failsWithCause, activities: [], shapes: 1 },
  { workflow: failsByActivity, activities: [attemptImpl], shapes: 2 },
  { workflow: wrongOutput, activities: [attemptImpl], shapes: 1 },
  { workflow: leavesOpen, activities: [attemptImpl] },
  { workflow: cancelled, activities: [attemptImpl], ends: 'cancelled', shapes: 2 },
  { workflow: terminated, activities: [attemptImpl], ends: 'terminated', shapes: 2 },
]
