import { type, workflow } from '@durable-workflow/sdk'
import { step } from './chain.ts'

/** `width` activities at once, awaited together; the result is their number. */
export const fanOut = workflow('bench.fan-out', { input: type<{ width: number }>(), output: type<number>() })

export const fanOutImplementation = fanOut.implement(async (ctx, { width }) => {
  const indexes = Array.from({ length: width }, (_, index) => index)
  const results = await Promise.all(indexes.map((index) => ctx.run(step, { index })))
  return results.filter(({ index }, position) => index === position).length
})

/** The same as one group: the run wakes once, when all of them have ended. */
export const groupedFanOut = workflow('bench.grouped-fan-out', {
  input: type<{ width: number }>(),
  output: type<number>(),
})

export const groupedFanOutImplementation = groupedFanOut.implement(async (ctx, { width }) => {
  const indexes = Array.from({ length: width }, (_, index) => index)
  const results = await ctx.all(indexes.map((index) => ctx.run(step, { index })))
  return results.filter(({ index }, position) => index === position).length
})
